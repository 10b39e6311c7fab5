"""Places where Minesweeper is played: a window on the screen, a game in this process."""
