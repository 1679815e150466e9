"""Models: a grown tree or forest as Python users hold it."""
