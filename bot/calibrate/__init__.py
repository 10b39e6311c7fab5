"""Making themes: glyphs cut from real windows, labelled by the rules of the game."""
