"""`exact`: certain moves, else the cell least likely to be a mine, by exact probabilities."""
