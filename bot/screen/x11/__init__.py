"""X11: the windows of a display, and whether a display answers."""
