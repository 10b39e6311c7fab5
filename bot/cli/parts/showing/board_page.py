"""`minebot solve --html`: one position as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.board import Board, Rules
    from bot.cli.parts.position_argument import Chosen
    from bot.strategy.advice import Advice


def write_board_page(
    out: Path,
    given: str,
    name: str,
    chosen: Chosen,
    board: Board,
    rules: Rules,
    advice: Advice,
    words: list[str],
) -> None:
    """Write the page; where `given` is the file of a picture, the picture is in it. Raises BotError."""
    from bot.cli.parts.outputs import write
    from bot.cli.parts.position_argument import picture_of
    from bot.show.board_page import board_page

    shot = picture_of(given, chosen)
    write(out, board_page(name, board, rules, advice, words, shot).encode())
