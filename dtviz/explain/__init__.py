"""Explanations: a tree in words, code and formulas."""
