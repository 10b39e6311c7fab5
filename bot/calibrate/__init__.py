"""Learns a window that no theme fits, by playing it.

In: a window with a grid in it. Out: a theme and a calibration of the user's. `lesson` plays until the window
is understood: `probe/` clicks and looks, `infer/` works out what was seen, `save/` keeps it. `late_learning`
learns what turns up only when the window is played later.

`python -m tests.pin check --only clicks` shows what another value of a constant changes: it learns virtual
windows and plays them by what was learned.
"""

from bot.calibrate.lesson import Lesson

__all__ = ["Lesson"]
