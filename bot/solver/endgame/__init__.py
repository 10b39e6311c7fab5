"""Positions with few solutions: writing them all out, and searching the rest of the game.

In: a position that was counted. Out: the chance to win by perfect play, and the cell to open.
"""
