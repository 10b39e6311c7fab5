"""macOS: the windows of its desktop."""
