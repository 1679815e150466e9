"""The engine: candidates, the best split of a node, and trees that are grown and pruned by it."""
