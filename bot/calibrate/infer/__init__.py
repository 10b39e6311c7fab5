"""Works out what the pictures of throw-away games mean. Nothing here clicks or waits.

In: `PlayedGame`s. Out: the label of each cluster of cells that look alike, the exact grid, the game's rules,
and the places whose click may start a new game. `Knowledge` holds all of it while a window is learned.
"""
