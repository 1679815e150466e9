"""Evaluation: metrics on held-out rows, folds, curves, stability."""
