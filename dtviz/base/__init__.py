"""General tools: escapes of text, lazy values, long work, types of arrays."""
