"""A Minesweeper window on the screen as a target.

In: pictures of the window, and moves. Out: observations and paced clicks. One room for each step:

    observe/    what one picture shows
    locate/     where on the screen the board lies, and where it went
    act/        clicks and keys, and the person who may want the mouse
    track/      what a sequence of pictures means: a board that counts, or what it waits for
    events/     dialogs, pauses, the start of the next game

`window_target` plays with them, `spectator` looks on while a person plays.

`python -m tests.pin check --only clicks` shows what another value of a constant changes on virtual windows
that behave well and badly, `tests/windows/series.py` and `tests/soak` on real ones.
"""

from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.spectator import Spectator
from bot.targets.window.window_target import WindowTarget

__all__ = ["PlaySettings", "Spectator", "WindowTarget"]
