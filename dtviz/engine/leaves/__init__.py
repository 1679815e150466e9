"""Leaves: the facts of a node and the models that predict in it."""
