"""Reads windows whose game no theme knows, and remembers the looks of their cells.

In: pictures of a grid. Out: readings (`reader`), which are quick once the looks have been met (`memory`);
recorded pictures are read by `recorded`.
"""

from bot.targets.window.looks.known import looks_of
from bot.targets.window.looks.memory import Looks
from bot.targets.window.looks.reader import LooksReader
from bot.targets.window.looks.recorded import RecordedLooksReader

__all__ = ["Looks", "LooksReader", "RecordedLooksReader", "looks_of"]
