"""Programs of this machine that are started to be played: the games, a browser with a page."""
