"""The truth that a game keeps: the minefield, the rules by which cells open, and the measures of a board."""
