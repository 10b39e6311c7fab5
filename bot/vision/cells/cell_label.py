"""What was read of one cell."""

from __future__ import annotations

from bot.board import Cell

CellLabel = tuple[int, float, bool]
"""The code of `Cell`, UNREAD if the cell is not clear; the mean colour difference (0 to 255) from what was
read; whether that is how a game shows a cell under the mouse pointer."""

UNREAD: CellLabel = (int(Cell.UNREAD), 255.0, False)
"""The label of a cell that nothing is known of."""
