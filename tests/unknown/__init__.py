"""`python -m tests.unknown`: games that no theme knows, played and learned in folders of their own.

In: names of windows. Out: the two tables of docs/windows-it-plays.md, and what went wrong.

    games      the windows: programs by others, pages of our own, and known games whose themes are taken away
    play       plays or learns one window, watched by what must not happen
    misread    counts the cells that a recorded game has misread
"""
