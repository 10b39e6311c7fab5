"""Works out what the pictures of throw-away games mean.

In: `PlayedGame`s. Out: the meaning of each cluster of cells that look alike, and the exact grid.
"""
