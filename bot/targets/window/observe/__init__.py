"""What one picture of a window shows, and what the desktop says of that window.

In: a picture. Out: rules, faults, the phase of the game (`observer`), dialogs and windows over the board
(`own_windows`), and, where a board cannot be played, a line that says why (`trouble`).
"""

from bot.targets.window.observe.observer import WindowObserver

__all__ = ["WindowObserver"]
