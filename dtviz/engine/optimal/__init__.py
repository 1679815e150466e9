"""Optimal trees of depth 2, and those that are nearly as good."""
