"""The search for the best split: every threshold of every projection, of many nodes at once."""
