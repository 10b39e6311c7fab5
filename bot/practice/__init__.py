"""The built-in game window: one renderer to pixels, shown by Tk and by the virtual screen."""
