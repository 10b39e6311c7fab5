"""Places where Minesweeper is played, behind one protocol: `Target`.

In: moves. Out: observations of the board. A window on the screen is in the room `window`; it is imported
from there, so that games in memory need neither a screen nor OpenCV.
"""

from bot.targets.base import Target
from bot.targets.in_process import InProcessTarget

__all__ = ["InProcessTarget", "Target"]
