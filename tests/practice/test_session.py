from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell, Coordinate, FirstClick, Phase, Rules
from bot.errors import UsageError
from bot.practice.draw import PRESSED_QUESTION, Mood, glyph
from bot.practice.session import LEFT, MIDDLE, RIGHT, PracticeSession
from bot.practice.view import led

RULES = Rules(9, 9, 10, FirstClick.ZERO)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def session(*, seed: int | None = 1, marks: bool = False, rules: Rules = RULES) -> PracticeSession:
    return PracticeSession(rules, 1.0, seed, marks=marks, clock=Clock())


def pixel(play: PracticeSession, cell: Coordinate) -> tuple[int, int]:
    center = play.layout.cell(*cell).center
    return center.x, center.y


def click(play: PracticeSession, cell: Coordinate, button: int = LEFT) -> None:
    play.press(*pixel(play, cell), button)
    play.release(*pixel(play, cell), button)


def mines(play: PracticeSession) -> list[Coordinate]:
    field = play.game.truth_for_simulators
    assert field is not None
    return [divmod(cell, field.columns) for cell in field.cells]


def border_number(play: PracticeSession) -> Coordinate:
    """An opened number with a covered neighbour that is no mine: a chord on it opens something."""
    hidden = mines(play)
    board = play.game.board
    for row, column in ((r, c) for r in range(9) for c in range(9)):
        around = list(board.neighbours(row, column))
        if 1 <= board[row, column] <= 8 and any(
            board[cell] == Cell.COVERED and cell not in hidden for cell in around
        ):
            return row, column
    raise AssertionError("no such number with this seed")


def test_a_cell_opens_when_it_is_let_go_and_looks_opened_before() -> None:
    play = session()
    play.press(*pixel(play, (4, 4)), LEFT)
    view = play.view()
    assert play.game.phase is Phase.READY
    assert view.glyphs[4, 4] == Cell.EMPTY
    assert np.count_nonzero(view.glyphs != Cell.COVERED) == 1
    assert view.mood is Mood.SURPRISED
    play.release(*pixel(play, (4, 4)), LEFT)
    assert play.game.board[4, 4] == Cell.EMPTY
    assert play.view().mood is Mood.HAPPY


def test_a_press_moves_with_the_pointer_and_ends_outside() -> None:
    play = session()
    play.press(*pixel(play, (4, 4)), LEFT)
    play.move(*pixel(play, (2, 2)))
    assert np.argwhere(play.view().glyphs == Cell.EMPTY).tolist() == [[2, 2]]
    play.move(0, 0)
    assert Board(play.view().glyphs) == Board.covered(9, 9)
    play.release(0, 0, LEFT)
    assert play.game.phase is Phase.READY


def test_the_right_button_flags_as_it_goes_down() -> None:
    play = session()
    play.press(*pixel(play, (0, 0)), RIGHT)
    assert play.game.board[0, 0] == Cell.FLAG
    assert play.view().counter == "009"
    play.release(*pixel(play, (0, 0)), RIGHT)
    click(play, (0, 0))
    assert play.game.phase is Phase.READY


def test_a_question_mark_that_is_held_down_stays_one() -> None:
    play = session(marks=True)
    click(play, (0, 0), RIGHT)
    click(play, (0, 0), RIGHT)
    play.press(*pixel(play, (0, 0)), LEFT)
    assert play.view().glyphs[0, 0] == PRESSED_QUESTION
    play.release(*pixel(play, (0, 0)), LEFT)
    assert play.game.board[0, 0] == Cell.EMPTY


@pytest.mark.parametrize("buttons", [(MIDDLE,), (LEFT, RIGHT), (RIGHT, LEFT)])
@pytest.mark.parametrize("flagged", [True, False])
def test_chords(buttons: tuple[int, ...], flagged: bool) -> None:
    play = session()
    click(play, (4, 4))
    number = border_number(play)
    if flagged:
        for mine in mines(play):
            click(play, mine, RIGHT)
    before = play.game.board
    for button in buttons:
        play.press(*pixel(play, number), button)
    held = play.view().glyphs
    around = [*before.neighbours(*number), number]
    assert all(held[cell] != Cell.COVERED for cell in around)
    assert play.view().mood is Mood.SURPRISED
    for button in buttons:
        play.release(*pixel(play, number), button)
    if flagged:
        assert all(play.game.board[cell] != Cell.COVERED for cell in around)
    else:
        assert play.game.board == before
    assert play.view().mood in (Mood.HAPPY, Mood.WON)


def test_after_a_chord_the_other_button_does_nothing_until_it_is_up() -> None:
    play = session()
    play.press(*pixel(play, (4, 4)), LEFT)
    play.press(*pixel(play, (4, 4)), RIGHT)
    play.release(*pixel(play, (4, 4)), RIGHT)
    assert Board(play.view().glyphs) == Board.covered(9, 9)
    play.release(*pixel(play, (4, 4)), LEFT)
    assert play.game.board == Board.covered(9, 9)
    click(play, (4, 4))
    assert play.game.phase is Phase.PLAYING


def test_a_release_that_never_came_does_not_jam_the_window() -> None:
    play = session()
    play.press(*pixel(play, (4, 4)), LEFT)
    play.press(*pixel(play, (4, 4)), RIGHT)
    play.release(*pixel(play, (4, 4)), RIGHT)
    click(play, (4, 4))
    assert play.game.phase is Phase.PLAYING


def test_the_face_starts_a_new_game_when_it_is_let_go_over_it() -> None:
    play = session()
    click(play, (4, 4))
    game, face = play.game, play.layout.face.center
    play.press(face.x, face.y, LEFT)
    assert play.view().face_pressed
    play.move(0, 0)
    assert not play.view().face_pressed
    play.release(0, 0, LEFT)
    assert play.game is game
    play.press(face.x, face.y, LEFT)
    play.release(face.x, face.y, LEFT)
    assert play.game is not game
    assert not play.view().face_pressed
    click(play, (4, 4))
    assert play.game.phase is Phase.PLAYING


def test_a_press_on_the_board_that_is_let_go_on_the_face_does_nothing() -> None:
    play = session()
    game, face = play.game, play.layout.face.center
    play.press(*pixel(play, (4, 4)), LEFT)
    play.release(face.x, face.y, LEFT)
    assert play.game is game
    assert game.phase is Phase.READY


def test_seeds_count_up_with_the_games() -> None:
    play = session(seed=7)
    seeds = [play.game.seed]
    for name in ("F2", "n", "N", "x"):
        play.key(name)
        seeds.append(play.game.seed)
    assert seeds == [7, 8, 9, 10, 10]
    click(play, (4, 4))
    other = session(seed=10)
    click(other, (4, 4))
    assert play.game.board == other.game.board


def test_level_keys_change_the_board_and_keep_the_first_click_rule() -> None:
    play = session()
    layout = play.layout
    play.key("F2")
    assert play.layout is layout
    play.key("3")
    assert play.rules == Rules(30, 16, 99, FirstClick.ZERO)
    assert play.image().shape[:2] == (play.layout.height, play.layout.width)
    assert play.view().counter == "099"


def test_a_loss_and_a_win_show() -> None:
    play = session()
    click(play, (4, 4))
    lost = mines(play)[0]
    click(play, lost)
    assert play.view().mood is Mood.LOST
    assert play.view().glyphs[lost] == Cell.EXPLODED
    board = play.game.board
    click(play, (0, 0), RIGHT)
    play.press(*pixel(play, mines(play)[1]), LEFT)
    assert Board(play.view().glyphs) == board
    assert play.view().mood is Mood.LOST

    play = session()
    click(play, (4, 4))
    for row in range(9):
        for column in range(9):
            if (row, column) not in mines(play):
                click(play, (row, column))
    assert play.view().mood is Mood.WON
    assert play.view().counter == "000"
    assert play.game.board.count(Cell.FLAG) == 10


def test_the_timer_runs_from_the_first_open_to_the_end() -> None:
    clock = Clock()
    play = PracticeSession(RULES, 1.0, 1, clock=clock)
    clock.now += 50
    click(play, (0, 0), RIGHT)
    assert play.view().timer == "000"
    click(play, (4, 4))
    clock.now += 7.9
    assert play.view().timer == "007"
    clock.now += 5000
    assert play.view().timer == "999"
    click(play, next(mine for mine in mines(play) if play.game.board[mine] == Cell.COVERED))
    shown = play.view().timer
    clock.now += 1
    assert play.view().timer == shown
    play.key("F2")
    assert play.view().timer == "000"


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_the_image_is_what_the_cells_show(scale: float) -> None:
    play = PracticeSession(RULES, scale, 1, clock=Clock())
    for step in ((4, 4, LEFT), (0, 0, RIGHT), (8, 8, LEFT)):
        click(play, step[:2], step[2])
        image = play.image()
        for row in range(9):
            for column in range(9):
                place = play.layout.cell(row, column)
                shown = image[place.y : place.bottom, place.x : place.right]
                assert np.array_equal(shown, glyph(play.game.board[row, column], play.layout.pitch))


def test_images_drawn_part_by_part_are_those_drawn_at_once() -> None:
    play, late = session(), session()
    for step in (((4, 4), LEFT), ((0, 0), RIGHT), ((8, 8), LEFT)):
        shown = play.image()
        before = shown.copy()
        click(play, *step)
        assert play.image() is not shown
        assert np.array_equal(shown, before), "a picture stays what it was"
        click(late, *step)
    assert np.array_equal(play.image(), late.image())
    assert play.image() is play.image(), "nothing changed"


def test_only_what_changed_is_named() -> None:
    play = session()
    before = play.view()
    assert len(list(before.changed(None, play.layout))) == 81 + 6 + 1 + 1
    click(play, (0, 0), RIGHT)
    parts = list(play.view().changed(before, play.layout))
    assert [part.picture.kind for part in parts] == ["glyph", "digit", "digit"]
    assert parts[0].place == play.layout.cell(0, 0)


def test_the_panel_shows_what_its_digits_can() -> None:
    assert [led(number, 3) for number in (0, 7, 999, 1000, -3, -99, -100)] == [
        "000",
        "007",
        "999",
        "999",
        "-03",
        "-99",
        "-99",
    ]


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(UsageError, match="number of mines"):
        PracticeSession(Rules(9, 9))
    with pytest.raises(UsageError, match="1 to 3"):
        PracticeSession(RULES, 4.0)
