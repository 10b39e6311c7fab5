"""Every game in a real terminal: played to its end by keyboard and by mouse, resized, stopped."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import pytest
import tmux
from tmux import Open, Terminal

from bot.board import Coordinate, Rules, Spread
from bot.game.minefield import Minefield
from bot.game.priority_map import chance_map, read_map
from bot.game.rule_sets import COMP1511, EIBX
from bot.game.semi_automatic import SemiAutomatic
from bot.strategy.local import settle

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(tmux.MISSING is not None, reason=str(tmux.MISSING)),
    pytest.mark.skipif(sys.platform == "win32", reason="tmux is not for Windows"),
]

terminal = tmux.terminal


def safe_cells(minefield: Minefield) -> list[Coordinate]:
    return [
        (row, column)
        for row in range(minefield.rows)
        for column in range(minefield.columns)
        if not minefield.mines[row, column]
    ]


def walk(play: Terminal, here: Coordinate, there: Coordinate) -> None:
    """Arrow keys from a cell to another."""
    down, right = there[0] - here[0], there[1] - here[1]
    keys = ["Down" if down > 0 else "Up"] * abs(down) + ["Right" if right > 0 else "Left"] * abs(right)
    if keys:
        play.keys(*keys)


# eibx

EIBX_RULES = EIBX.rules(6, 5, 5)


def eibx_field(seed: int, rules: Rules = EIBX_RULES) -> Minefield:
    return Minefield.generate(rules, (0, 0), random.Random(seed))


def test_eibx_is_won_by_keyboard(terminal: Open) -> None:
    play = terminal("eibx", "6", "5", "5", "--seed", "1")
    screen = play.shows("Flag tile: f")
    assert screen[:7] == ["++++++++", "+X#####+", *["+######+"] * 4, "++++++++"]
    here = (0, 0)
    for cell in safe_cells(eibx_field(1)):
        walk(play, here, cell)
        play.keys("Space")
        here = cell
    assert "#" in "".join(play.shows("Success!")[1:6])  # the mines stay covered
    play.keys("q")
    play.shows("status=0")
    assert play.clean()


def test_eibx_is_won_by_mouse(terminal: Open) -> None:
    play = terminal("eibx", "6", "5", "5", "--seed", "2")
    play.shows("Flag tile: f")
    field = eibx_field(2)
    mine = field.cells[0]
    row, column = divmod(mine, 6)
    play.press(column + 1, row + 1, 2)
    play.keys("Up" if row else "Down")  # away, so that the cursor does not hide the flag
    play.shows(".")
    play.press(column + 1, row + 1)  # a flag keeps its cell from being selected
    for row, column in safe_cells(field):
        play.press(column + 1, row + 1)
    play.shows("Success!")


def test_eibx_is_lost(terminal: Open) -> None:
    play = terminal("eibx", "6", "5", "5", "--seed", "3")
    play.shows("Flag tile: f")
    row, column = divmod(eibx_field(3).cells[0], 6)
    play.press(column + 1, row + 1)
    play.shows("Boom!")
    play.keys("r")
    play.rests()
    assert play.screen()[1:6] == ["+X#####+", *["+######+"] * 4]
    play.keys("q")
    play.shows("status=0")


def test_the_cursor_of_eibx_stays_off_the_border(terminal: Open) -> None:
    play = terminal("eibx", "3", "2", "1")
    play.shows("Flag tile: f")
    play.keys("Up", "Left", "Left")
    assert play.rests()[:4] == ["+++++", "+X##+", "+###+", "+++++"]
    play.keys(*["Down"] * 5, *["Right"] * 9)
    assert play.rests()[:4] == ["+++++", "+###+", "+##X+", "+++++"]
    play.press(0, 0)
    assert play.rests()[1:3] == ["+###+", "+##X+"]


def test_eibx_says_that_a_terminal_is_too_small(terminal: Open) -> None:
    play = terminal("eibx", "30", "16", "99", columns=31, lines=10)
    play.shows("Too small")
    play.press(3, 3)
    play.keys("Space")
    play.rests()  # a key that is read after the terminal has grown is one for the game
    play.resize(80, 24)
    assert play.shows("Flag tile: f")[1] == "+X" + "#" * 29 + "+"
    for size in ((5, 2), (1, 1), (200, 60)):
        play.resize(*size)
        play.rests()
    play.shows("Flag tile: f")


# endoh1


def at(cell: Coordinate) -> Coordinate:
    """Where a cell of endoh1 stands, as a column and a line."""
    return 2 * cell[1] + 1, cell[0] + 1


def play_endoh1(play: Terminal, minefield: Minefield, probe: Callable[[Coordinate], None]) -> None:
    """Guess rightly, wherever the program leaves a cell."""
    for _ in range(minefield.columns * minefield.rows):
        screen = [line.ljust(2 * minefield.columns) for line in play.rests()]
        if ":-)" not in screen[0]:
            return
        left = [cell for cell in safe_cells(minefield) if screen[cell[0] + 1][2 * cell[1] + 1] == "?"]
        assert left, "\n".join(screen)
        probe(left[0])
    raise AssertionError("the game does not end")


def test_endoh1_is_won_by_mouse_on_a_field_as_large_as_the_terminal(terminal: Open) -> None:
    play = terminal("endoh1", "--plain", "--seed", "5", columns=40, lines=13)
    screen = play.shows(":-)")
    assert screen[0].startswith("mines 48 ")
    assert screen[1:13] == [" ?" * 20] * 12
    field = chance_map(20, 12, 48, random.Random(5)).minefield
    play_endoh1(play, field, lambda cell: play.press(*at(cell)))
    screen = play.shows("8-)")
    assert not any("?" in line for line in screen)
    assert sum(line.count("!") for line in screen) == 48
    assert screen[0].startswith("mines 0 ")
    play.press(19, 0)  # the face
    play.shows(":-)")
    play.keys("q")
    play.shows("status=0")
    assert play.clean()


def test_endoh1_is_won_by_keyboard(terminal: Open) -> None:
    play = terminal(
        "endoh1",
        "--plain",
        "--seed",
        "6",
        columns=24,
        lines=8,
    )
    play.shows(":-)")
    field = chance_map(12, 7, 16, random.Random(6)).minefield
    here: list[Coordinate] = [(3, 6)]
    play.keys("Down")

    def probe(cell: Coordinate) -> None:
        walk(play, here[0], cell)
        play.keys("Space")
        here[0] = cell

    play_endoh1(play, field, probe)
    play.shows("8-)")


def test_a_mine_under_the_first_click_is_taken_away_and_a_later_one_ends_the_game(terminal: Open) -> None:
    play = terminal("endoh1", "--plain", "--seed", "7", columns=24, lines=8)
    play.shows("mines 16")
    field = chance_map(12, 7, 16, random.Random(7)).minefield
    mined = [divmod(cell, 12) for cell in field.cells]
    play.press(*at(mined[0]))
    screen = play.shows("mines 1")
    assert ":-)" in screen[0]
    screen = play.rests()
    later = next((cell for cell in mined[1:] if screen[cell[0] + 1][2 * cell[1] + 1] == "?"), None)
    assert later is not None
    play.press(*at(later))
    screen = play.shows("X-(")
    assert screen[later[0] + 1][2 * later[1] + 1] == "X"
    play.keys("R")
    assert "X-(" in play.rests()[0]  # the letters are small ones
    play.keys("r")
    play.shows(":-)")


def test_a_resize_makes_a_new_field_before_the_first_click_and_keeps_the_game_after_it(
    terminal: Open,
) -> None:
    play = terminal("endoh1", "--plain", columns=40, lines=13)
    play.shows("mines 48")
    play.resize(60, 21)
    screen = play.shows("mines 120")
    assert screen[1:21] == [" ?" * 30] * 20
    play.resize(230, 12)
    assert play.shows("mines 253")[1:12] == [" ?" * 115] * 11
    play.resize(60, 21)
    play.shows("mines 120")
    play.press(31, 11)
    before = play.rests()
    play.resize(90, 30)
    assert play.rests()[1:21] == before[1:21]
    play.resize(30, 10)
    screen = play.shows("Too small")
    assert "60x21" in " ".join(screen)
    play.press(3, 3)
    play.resize(60, 21)
    play.shows("mines")
    assert play.rests()[1:21] == before[1:21]
    play.resize(30, 10)
    play.shows("Too small")
    play.keys("r")
    assert play.shows(":-)")[1:10] == [" ?" * 15] * 9
    for size in ((10, 3), (1, 1), (80, 24)):
        play.resize(*size)
        play.rests()
    play.shows("mines 184")


@pytest.mark.parametrize("final_rule", [True, False])
def test_only_the_last_rule_finishes_its_map(terminal: Open, final_rule: bool) -> None:
    words = [] if final_rule else ["--without-final-rule"]
    play = terminal("endoh1", "last-rule", "--plain", *words)
    play.shows("mines 16 ")
    play.press(1, 1)
    if final_rule:
        play.shows("8-)")
    else:
        screen = play.rests()
        assert screen[0].startswith("mines 4 ")
        assert ":-)" in screen[0]
        assert screen[4].split() == list("3!??!3")


def test_the_steps_run_one_by_one_in_the_order_of_the_priorities(terminal: Open) -> None:
    field = read_map("mine")
    game = SemiAutomatic(field, settle)
    expected = [str(game.board)]
    game.probe(0, 0)
    expected.append(str(game.board))
    while game.step():
        expected.append(str(game.board))
    assert len(expected) > 20

    play = terminal("endoh1", "mine", "--plain", "--pause", "0.1")
    play.shows(":-)")
    before = play.rests()
    play.press(1, 1)
    screen = play.changes(before)
    steps: list[int] = []
    until = time.monotonic() + tmux.PATIENCE_S
    while len(set(steps)) < 5:
        rows = [line.ljust(40)[1:40:2] for line in screen[1 : 1 + field.rows]]
        steps.append(expected.index("\n".join(rows).translate(str.maketrans(" ?!", ".#F"))))
        assert time.monotonic() < until, steps
        time.sleep(0.02)
        screen = play.screen()
    assert steps == sorted(steps)


def test_a_map_larger_than_the_terminal_asks_for_a_larger_one(terminal: Open) -> None:
    play = terminal("endoh1", "spiral", "--plain", columns=39, lines=18)
    assert "40x18" in " ".join(play.shows("Too small"))
    play.resize(60, 18)
    screen = play.shows(":-)")
    # The face stands above the field, and the clock at its right end.
    assert screen[0].index(":-)") == 19
    assert screen[0].index("000") == 37
    play.keys("q")
    play.shows("status=0")


# comp1511


def test_comp1511_is_played_line_by_line(terminal: Open) -> None:
    play = terminal("comp1511", "--side", "3")
    play.shows("How many mines?")
    for line in ("1", "0 0", "5", "4 2 2", "4 0 2", "4 2 0"):
        play.line(line)
    screen = play.shows("status=0")
    assert "Game Won!" in screen
    assert "00 |## 01   |" in screen


def test_comp1511_ends_quietly_at_ctrl_d_and_with_130_at_ctrl_c(terminal: Open) -> None:
    play = terminal("comp1511")
    play.shows("How many mines?")
    play.keys("C-d")
    play.shows("status=0")
    play = terminal("comp1511")
    play.shows("How many mines?")
    play.keys("C-c")
    play.shows("status=130")
    assert "minebot: stopped" in "\n".join(play.screen())


def comp1511_field(seed: int) -> Minefield:
    return Minefield.generate(COMP1511.rules(), (0, 0), random.Random(seed))


def shifted(seed: int, first: Coordinate) -> Minefield:
    game = COMP1511.game(seed=seed)
    game.open(*first, Spread.SQUARE)
    assert game.truth_for_simulators is not None
    return game.truth_for_simulators


@pytest.mark.parametrize("by", ["keyboard", "mouse"])
def test_comp1511_is_won_on_the_screen(terminal: Open, by: str) -> None:
    play = terminal("comp1511", "--screen", "--seed", "3")
    play.shows("10 mines, 3 hints left")
    here = (0, 0)
    play.keys("1")
    row_total = int(comp1511_field(3).mines[0].sum())
    play.shows(f"There are {row_total} mine(s) in row 0; 2 hints left")
    play.keys("2", "3")
    play.shows("0 hints left")
    play.keys("3")
    play.shows("Help already used")
    for cell in [(4, 4), *safe_cells(shifted(3, (4, 4)))]:
        if by == "keyboard":
            walk(play, here, cell)
            play.keys("Space" if sum(cell) % 2 else "Enter")
            here = cell
        else:
            play.press(4 + 3 * cell[1], 4 + cell[0], 2 * (sum(cell) % 2))
    screen = play.shows("Game Won!")
    assert screen[0] == ".."
    assert sum(line.count("##") for line in screen) == 10


def test_comp1511_is_lost_on_the_screen(terminal: Open) -> None:
    play = terminal("comp1511", "--screen", "--seed", "4")
    play.shows("3 hints left")
    play.press(4, 4)
    play.rests()
    row, column = divmod(shifted(4, (0, 0)).cells[-1], 8)
    play.press(4 + 3 * column, 4 + row)
    screen = play.shows("Game over")
    assert screen[:2] == ["xx", "/\\"]
    assert sum(line.count("()") for line in screen) == 10
    play.resize(40, 10)
    play.shows("Too small")
    play.keys("q")
    play.shows("status=0")
