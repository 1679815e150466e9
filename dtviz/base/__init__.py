"""Tools without a topic: text made harmless, values made late, progress of long work."""
