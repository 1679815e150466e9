"""The whole state of a screen as one value, and its address."""
