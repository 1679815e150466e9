"""The engine: which cuts there are, which is best, how a tree grows and is pruned."""
