"""Where on the screen a board lies.

In: pictures of the screen and the list of windows. Out: `Sighting`s. `board_finder` searches the screen for
the boards of known skins, `calibrated` finds the windows of calibrations, `relocate` follows a board that
moved or changed its size.
"""

from bot.targets.window.locate.board_finder import look_around
from bot.targets.window.locate.calibrated import find_calibrated
from bot.targets.window.sighting import Sighting, View

__all__ = ["Sighting", "View", "find_calibrated", "look_around"]
