"""Trees that somebody else grew: read from fitted models and dumps, as the log of their splits."""
