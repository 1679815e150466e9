"""A tree in words, code and formulas."""
