"""Lessons of the page Learn: their texts, with the numbers of the data on screen."""
