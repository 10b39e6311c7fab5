"""eibx's look, by the pictures of its document."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.board import Cell, Phase
from bot.game.minefield import Minefield
from bot.game.rule_sets import EIBX
from bot.terminal.eibx import Eibx

DOCUMENT = Path(__file__).parents[3] / "shared" / "seeds" / "002_caf42517544c76a9.txt"

MINES = "......\n...***\n......\n**....\n*....."
"""The document's field: `M` there."""

UNTOUCHED = """+ + + + + + + +
+ X # # # # # +
+ # # # # # # +
+ # # # # # # +
+ # # # # # # +
+ # # # # # # +
+ + + + + + + +"""

TOP_LEFT = """+ + + + + + + +
+ X _ 1 # # # +
+ _ _ 1 # # # +
+ 2 2 # # # # +
+ # # # # # # +
+ # # # # # # +
+ + + + + + + +"""

BOTTOM_RIGHT = """+ + + + + + + +
+ _ _ 1 # # # +
+ _ _ 1 # # # +
+ 2 2 2 2 3 2 +
+ # # 1 _ _ _ +
+ # 3 1 _ _ X +
+ + + + + + + +"""
"""The 2 in the middle of its third row and the 3 below were selected by themselves: only numbers touch them,
and a number ends an opening, as the document says."""


def shown(play: Eibx) -> str:
    """The field as the document prints it, a blank between the cells."""
    lines = ["".join(text for _, text in line) for line in play.paint(80, 24)]
    return "\n".join(" ".join(line) for line in lines[:7])


def test_the_pictures_of_the_document() -> None:
    field = Minefield.parse(MINES)
    play = Eibx(EIBX.rules(6, 5, field.total))
    play.game = EIBX.game(play.game.rules, minefield=field)
    assert shown(play) == UNTOUCHED
    play.key("space")
    assert shown(play) == TOP_LEFT
    alone = ["down"] * 4 + ["right", "space"] + ["up"] * 2 + ["right", "space"]
    for name in [*alone, *["down"] * 2, *["right"] * 3, "space"]:
        assert play.key(name)
    assert shown(play) == BOTTOM_RIGHT
    assert play.game.phase is Phase.PLAYING


def test_the_pictures_stand_in_the_document() -> None:
    if not DOCUMENT.exists():
        pytest.skip(f"{DOCUMENT} is not here: it is no part of the project")
    text = DOCUMENT.read_text(encoding="utf-8")
    for picture in (UNTOUCHED, TOP_LEFT, BOTTOM_RIGHT):
        assert f"\n{picture}\n" in text


def test_flags_stay_at_the_end() -> None:
    for phase in (Phase.LOST, Phase.WON):
        field = Minefield.parse("..\n..\n*.\n..")
        play = Eibx(EIBX.rules(2, 4, field.total))
        play.game = EIBX.game(play.game.rules, minefield=field)
        play.paint(80, 24)
        safe = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (3, 0), (3, 1)]
        play.click(1, 1 + 3, "right")  # a wrong flag, at row 3, column 0
        assert play.game.board[3, 0] == Cell.FLAG
        play.paint(80, 24)
        if phase is Phase.LOST:
            play.click(1, 1 + 2, "left")
        else:
            play.click(1, 1 + 3, "right")
            play.click(1, 1 + 2, "right")
            play.paint(80, 24)
            for row, column in safe:
                play.click(1 + column, 1 + row, "left")
        assert play.game.phase is phase
        lines = ["".join(text for _, text in line) for line in play.paint(80, 24)]
        assert sum(line.count(".") for line in lines[:6]) == 1
        assert lines[1 + (3 if phase is Phase.LOST else 2)][1] == "."
