"""Plays throw-away games in a window, to see what it does.

In: a window and a grid. Out: `PlayedGame`s in pictures, which are added to what is known, and how a new game
is started.
"""
