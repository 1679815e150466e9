"""Criteria: how mixed the rows of a node are, and what a split takes away from that."""
