"""Learns a window that no theme fits, by playing it as `minebot run` does.

In: a window with a board in it. Out: a theme and a calibration of the user's. `lesson` has the window played
until enough was seen, `window_choice` says which window, `first_clicks` what protects a first click, and
`save/` keeps what is known: of a window that `minebot run` plays too, game by game.
"""

from bot.calibrate.lesson import Learned, Lesson

__all__ = ["Learned", "Lesson"]
