"""Tools that know nothing of trees: escapes of text, lazy values, long work, types of arrays."""
