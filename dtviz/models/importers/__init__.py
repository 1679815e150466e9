"""Importers: readers of the fitted models and dumps of other libraries."""
