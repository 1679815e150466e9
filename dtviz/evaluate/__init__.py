"""How good a tree is: held-out rows, folds, curves, resamples."""
