"""What is told of a board that is found, and of a window whose board is not seen: what hides it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playing import screen_with, session

from bot.cli.parts.board_search import find_board
from bot.cli.parts.run_screen import RunScreen
from bot.cli.parts.words.run_options import WindowOptions
from bot.errors import WindowError
from bot.geometry import Point, Rect
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.targets.window.locate.unseen import why_unseen
from bot.targets.window.sighting import View
from bot.vision.grid import Grid
from bot.vision.themes.theme import load_themes

SCREEN = Rect(0, 0, 800, 600)

GAME = Window(7, "mines", Rect(0, 0, 200, 200))
NOTES = Window(8, "notes", Rect(150, 150, 90, 90))
LEFT, RIGHT = (replace(GAME, title="bombs", rect=Rect(x, 0, 50, 50)) for x in (-9, 780))


@pytest.mark.parametrize(
    ("listed", "named", "told"),
    [
        ([GAME, NOTES], None, "'mines' may show one, but it is covered by 'notes': move that away"),
        ([GAME, NOTES], "MIN", "'mines' may show one, but it is covered by 'notes': move that away"),
        ([NOTES, GAME], None, ""),
        ([LEFT], "bombs", "'bombs' may show one, but a part of it is off the screen: move the window"),
        ([RIGHT], "bombs", "'bombs' may show one, but a part of it is off the screen: move the window"),
        ([LEFT], None, ""),
        ([GAME], "bombs", "no window of that title is shown: open it, or take it back where it is minimised"),
        ([GAME], "2", ""),
        ([], "bombs", ""),
    ],
    ids=[
        "covered",
        "named, covered",
        "above",
        "off the left",
        "off the right",
        "no Minesweeper by its title",
        "not shown",
        "a number",
        "no windows are listed",
    ],
)
def test_what_hides_a_window(listed: list[Window], named: str | None, told: str) -> None:
    why = why_unseen(listed, SCREEN, named)
    assert why.startswith(told)
    assert bool(why) == bool(told)


@pytest.mark.parametrize("beside", [False, True])
def test_the_message_for_no_board_says_so(beside: bool) -> None:
    screen = VirtualScreen()
    if beside:
        screen.open(VirtualWindow(session(), "another game", Point(600, 40)))
    screen.open(VirtualWindow(session(), "mines", Point(-99, 40)))
    seen = RunScreen(screen, None, screen)
    named = WindowOptions(title="mines" if beside else None)
    with pytest.raises(WindowError, match="'mines' may show one, but a part of it is off the screen"):
        find_board(named, (load_themes("practice"), {}), seen, lambda _: None, may_begin=False)


def test_a_number_that_no_board_has_is_told_as_a_number() -> None:
    screen = screen_with(session())
    seen = RunScreen(screen, None, screen)
    with pytest.raises(
        WindowError, match="no board has the number 2, and no board lies in a window called '2'"
    ):
        find_board(
            WindowOptions(title="2"), (load_themes("practice"), {}), seen, lambda _: None, may_begin=False
        )


def test_the_place_of_a_board_is_told_in_few_digits() -> None:
    """The width of a cell had four decimals, and what was told of a moved board `cells at 790x420 at`."""
    view = View(Rect(40, 50, 600, 600), Grid(8, 12, 60.92857, 60.92857, 8, 8))
    assert view.described == "8x8 cells of 60.9 pixels at 48,62"
