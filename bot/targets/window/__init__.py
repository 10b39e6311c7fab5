"""A Minesweeper window on the screen as a target.

In: pictures of the window, and moves. Out: observations and paced clicks. `locate/` finds the board and
follows it, `events/` answers what the game does besides showing a board (dialogs, pauses, its end, the next
game), `observer` says what one picture shows, `pending_clicks` which clicks were taken, `pointer` clicks and
watches for the person who wants the mouse, `spectator` looks on while a person plays.
"""

from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.spectator import Spectator
from bot.targets.window.window_target import WindowTarget

__all__ = ["PlaySettings", "Spectator", "WindowTarget"]
