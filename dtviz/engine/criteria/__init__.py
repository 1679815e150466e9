"""Criteria: impurities of nodes and the measures by which splits are ranked."""
