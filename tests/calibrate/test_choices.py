"""What is decided without playing: which windows can be learned, and what protects a first click."""

from __future__ import annotations

import pytest
from misbehaving import Plain
from playing import session

from bot.board import Cell, FirstClick
from bot.calibrate.first_clicks import first_click_rule
from bot.calibrate.window_choice import choose_window
from bot.errors import WindowError
from bot.geometry import Point
from bot.screen.virtual import VirtualScreen, VirtualWindow


def test_a_board_that_is_covered_in_part_is_not_learned() -> None:
    screen = VirtualScreen()
    screen.open(VirtualWindow(session("expert"), "a game", Point(40, 40)))
    screen.open(VirtualWindow(Plain(600, 800), "a note", Point(290, 0), "else"))
    with pytest.raises(WindowError, match="cannot be learned: it is covered by 'a note': move that away"):
        choose_window(screen, screen, "a game")


def test_first_clicks_are_believed_only_when_many_were_seen() -> None:
    density = 0.12
    assert first_click_rule([], density) is FirstClick.ANY
    assert first_click_rule([1] * 5, density) is FirstClick.ANY
    assert first_click_rule([1, 0] * 15, density) is FirstClick.SAFE
    assert first_click_rule([0] * 30, density) is FirstClick.ZERO
    # The eight cells around each of them were safe as well.
    assert first_click_rule([0] * 4, density) is FirstClick.ZERO
    assert first_click_rule([0] * 2, density) is FirstClick.ANY
    assert first_click_rule([0] * 3 + [1], density) is FirstClick.ANY
    assert first_click_rule([0] * 30 + [int(Cell.MINE)], density) is FirstClick.ANY
