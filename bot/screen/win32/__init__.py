"""Windows: the windows of its desktop."""
