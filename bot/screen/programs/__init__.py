"""Programs of this machine that are started to be played: real games, the built-in window, a page in a
browser.

In: the size of a game. Out: its window. The tests, theming and `--practice` use them.
"""
