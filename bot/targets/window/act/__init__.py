"""What is done in a window: paced clicks, keys, and what is looked at right before a click.

In: points and cells. Out: clicks, unless a person has the mouse (`pointer`) or the cell is not what it was
(`click_guard`). `controls` bundles what those need who play a window or start its next game.
"""

from bot.targets.window.act.controls import WindowControls
from bot.targets.window.act.pointer import Pointer

__all__ = ["Pointer", "WindowControls"]
