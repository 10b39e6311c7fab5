"""endoh1's look: its top line, its clock, and its field in colours and without."""

from __future__ import annotations

import time

import pytest

from bot.board import Board, Phase
from bot.game.priority_map import PriorityMap, read_map
from bot.terminal.endoh1 import Endoh1, field_lines
from bot.terminal.paint import STYLES


def text(line: list[tuple[str, str]]) -> str:
    return "".join(part for _, part in line)


def test_covered_and_empty_cells_differ_by_their_colours() -> None:
    board = Board.parse("#.1\nF*X")
    covered, empty, one, flag, mine, exploded = (
        span for line in field_lines(board, None) for span in line[1::2]
    )
    styles = dict(STYLES)
    shown = (covered[1], empty[1], one[1], flag[1], mine[1], exploded[1])
    assert shown == (".", ".", "1", "!", "*", "*")
    assert styles[covered[0]] == "fg:ansiblack bg:ansigray"
    assert styles[empty[0]] == "fg:ansigray bg:ansiblack"
    assert styles[flag[0]] == "fg:ansired bg:ansigray"
    assert all(span[0] in styles for span in (one, mine, exploded))
    # The blank before a cell has its colours too: the field is an area.
    (first, second), *_ = (line[:2] for line in field_lines(board, None))
    assert first == (second[0], " ")
    assert [text(line) for line in field_lines(board, (0, 1), plain=True)] == [" ?>  1", " ! * X"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Endoh1:
    """A game on a map of 12x3 cells with one mine, in the last cell, with its solver loaded."""
    cells = 36
    order = (*range(1, cells), 0)
    play = Endoh1(PriorityMap(12, 3, 1, order), step_s=0.0)
    until = time.monotonic() + 240
    while not play._solver.ready and time.monotonic() < until:
        time.sleep(0.02)
    return play


def test_the_clock_runs_from_the_first_click_and_stops_at_the_end(
    small: Endoh1, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("bot.terminal.endoh1.time.monotonic", lambda: now[0])
    assert text(small.paint(60, 10)[0]).rstrip() == "mines 1    :-)" + " " * 7 + "000"
    now[0] += 50
    assert "000" in text(small.paint(60, 10)[0])
    small.click(1, 1, "left")
    now[0] += 7.5
    assert text(small.paint(60, 10)[0]).rstrip().endswith("007")
    pause = small.tick()
    assert pause is not None
    for _ in range(100):
        now[0] += 0.001
        small.tick()
    assert small.play is not None
    assert small.play.phase is Phase.WON
    assert "8-)" in text(small.paint(60, 10)[0])
    now[0] += 500
    assert text(small.paint(60, 10)[0]).rstrip().endswith("007")
    assert small.tick() is None
    small.key("r")
    assert text(small.paint(60, 10)[0]).rstrip().endswith("000")


def test_the_first_space_shows_the_cell_that_the_second_one_probes(small: Endoh1) -> None:
    small.paint(60, 10)
    seen = []
    for _ in range(2):
        small.key("space")
        assert small.play is not None
        seen.append(small.play.phase is Phase.READY)
    assert seen == [True, False]


def test_the_top_line_spans_the_field_of_a_map() -> None:
    play = Endoh1(read_map("spiral"))
    top = text(play.paint(100, 40)[0])
    assert top.index(":-)") == 19
    assert top.rstrip().endswith("000")
    assert len(top.rstrip()) == 40
    assert "Too small" in text(play.paint(39, 40)[0])
    assert "r starts" not in " ".join(text(line) for line in play.paint(39, 40))
