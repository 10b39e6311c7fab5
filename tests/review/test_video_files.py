"""Video files of each kind: what is read of them, beside ms_toollib; damaged ones; the buttons of a mouse."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from beside_library import differences, video_of
from video_files import PIXELS, PLAYER, WRITERS, mvf, mvf_2007, rmv

from bot.board import LEVELS, Cell, FirstClick, Rules
from bot.errors import FormatError
from bot.game.minefield import Minefield
from bot.game.play_measures import MouseFacts
from bot.review.buttons import Press, moves_of
from bot.review.game_files import read_game
from bot.review.played_game import replayed

FIELD = Minefield.parse("...*\n....\n*...")

CUSTOM = Rules(12, 9, 14, FirstClick.ZERO)

BEGINNER = Rules(8, 8, 10, FirstClick.ZERO)
"""The size that ranking sites take, for which STNB is defined."""

SIZES = (CUSTOM, BEGINNER, Rules(*LEVELS["expert"], FirstClick.ZERO))

WAYS = (
    ("lc", "lr"),
    ("rc", "rr"),
    ("lc", "rc", "lr", "rr"),
    ("lc", "rc", "rr", "lr"),
    ("rc", "lc", "rr", "lr"),
    ("rc", "lc", "lr", "lc", "lr", "rr"),
    ("mc", "mr"),
)
"""How a person clicks: open, flag, and chords of several kinds."""


def presses(*words: str, cell: tuple[int, int] = (0, 0)) -> list[Press]:
    return [Press(number / 10, word, cell) for number, word in enumerate(words)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("lc lr", ["open"]),
        ("rc rr", ["flag"]),
        ("pf lc lr", ["flag", "open"]),
        ("rc lc lr rr", ["flag", "chord"]),
        ("lc rc rr lr lc lr", ["open"]),
        ("lc lr lc rc rr lr lc lr", ["open", "chord", "open"]),
        ("lc lr lc rc lr rr", ["open", "chord"]),
        ("lr rr", []),
        ("rc rr lc cc rr lr", ["flag", "chord"]),
        ("rc cc lr rr", ["flag", "chord"]),
        ("l l", ["open"]),
        ("r r", ["flag"]),
        ("r r r r l l", ["open"]),
        ("mc mr", []),
        ("rc rr m m", ["flag", "chord"]),
    ],
)
def test_buttons_make_moves(words: str, expected: list[str]) -> None:
    found, _ = moves_of(presses(*words.split(), cell=(1, 1)), FIELD)
    assert [deed.move.action.value for deed in found] == expected


def test_a_right_button_on_an_opened_cell_that_becomes_a_chord_is_no_click() -> None:
    opened = presses("lc", "lr", cell=(0, 0))
    alone, _ = moves_of([*opened, *presses("rc", "rr", cell=(0, 0))], FIELD)
    chorded, _ = moves_of([*opened, *presses("rc", "lc", "lr", "rr", cell=(0, 0))], FIELD)
    assert [deed.move.action.value for deed in alone] == ["open", "flag"]
    assert [deed.move.action.value for deed in chorded] == ["open", "chord"]


def test_a_button_that_is_let_go_beside_the_board_is_up() -> None:
    out = [Press(0, "lc", (0, 0)), Press(0.1, "lr", (3, 4)), *presses("rc", "rr", cell=(0, 3))]
    deeds, mouse = moves_of(out, FIELD)
    assert [str(deed.move) for deed in deeds] == ["flag 0,3"]
    assert mouse == MouseFacts()  # the game had not begun


def test_clicks_beside_the_board_count_once_the_game_goes_on() -> None:
    beside = [*presses("lc", "lr", cell=(3, 4)), *presses("rc", "rr", cell=(-1, 0))]
    deeds, mouse = moves_of([*presses("lc", "lr"), *beside, *beside], FIELD)
    assert [str(deed.move) for deed in deeds] == ["open 0,0"]
    assert mouse == MouseFacts(left_beside=2, right_beside=2)


def test_a_flag_becomes_a_question_mark_where_the_game_has_them() -> None:
    twice = [*presses("lc", "lr"), *presses("rc", "rr", "rc", "rr", "rc", "rr", cell=(2, 0))]
    for marks, left in ((False, "flag"), (True, "covered")):
        deeds, mouse = moves_of(twice, FIELD, marks=marks)
        assert mouse.marks is marks
        _, last = replayed(FIELD, Rules(4, 3, 2), deeds, marks=marks)
        assert Cell(last.board[2, 0]).name.lower() == left


def test_what_is_clicked_after_the_end_is_no_move() -> None:
    lost = [*presses("lc", "lr", cell=(0, 3)), *presses("lc", "lr", cell=(0, 0))]
    assert [str(deed.move) for deed in moves_of(lost, FIELD)[0]] == ["open 0,3"]


def game(seed: int, kind: str, rules: Rules = CUSTOM) -> tuple[Minefield, list[Press]]:
    """Some minutes of clicks of every kind, few of them on mines."""
    rng = random.Random(seed)
    field = Minefield.generate(rules, (4, 4), rng)
    found = []
    if kind == "rmv":  # the one format that has flags before the first click
        found += [Press(0, "pf", cell) for cell in ((0, 0), (7, 7))]
    t = 0.05
    for number in range(200):
        cell, way = (rng.randrange(rules.rows), rng.randrange(rules.columns)), rng.choice(WAYS)
        if number == 0:
            cell, way = (4, 4), WAYS[0]
        mine = bool(field.mines[cell])
        if (way == WAYS[0] and mine) or ("rc" in way and way[0] == "rc" and not mine and rng.random() < 0.98):
            continue
        if kind == "rmv" and "mc" in way:
            continue
        for word in way:
            # One click in ten is let go beside the board.
            beside = word == "lr" and number and rng.random() < 0.1
            found.append(Press(round(t, 2), word, (rules.rows, rules.columns) if beside else cell))
            t += 0.05
    return field, found


@pytest.mark.parametrize("size", SIZES, ids=lambda rules: rules.size)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_is_read_and_measured_as_ms_toollib_does(
    kind: str, seed: int, size: Rules, tmp_path: Path
) -> None:
    pytest.importorskip("ms_toollib", reason="pip install '.[review]'")
    path = tmp_path / f"game.{kind}"
    field, mouse = game(seed, kind, size)
    path.write_bytes(WRITERS[kind](field, mouse))
    found = read_game(str(path), tmp_path)
    assert found.minefield is not None
    assert (found.minefield.mines == field.mines).all()
    assert found.player.startswith(PLAYER)
    assert len(found.deeds) > 8
    assert list(differences(path)) == []


@pytest.mark.parametrize("size", SIZES, ids=lambda rules: rules.size)
def test_clone_2007_which_ms_toollib_does_not_read_is_measured_as_the_same_game_of_clone_097(
    size: Rules, tmp_path: Path
) -> None:
    field, mouse = game(1, "mvf", size)
    # The clock of Clone starts where the first click is let go, and its press is told at that time.
    start = mouse[1].t
    mouse = [replace(press, t=max(0.0, round(press.t - start, 2))) for press in mouse]
    old, new = tmp_path / "old.mvf", tmp_path / "new.mvf"
    old.write_bytes(mvf(field, mouse))
    new.write_bytes(mvf_2007(field, mouse))
    found = read_game(str(new), tmp_path)
    assert found.minefield is not None
    assert (found.minefield.mines == field.mines).all()
    assert found.player == f"{PLAYER}, Minesweeper Clone 2007"
    assert (found.created, found.seconds) == ("2022-10-26 23:13", mouse[-1].t)
    assert len(found.deeds) > 8
    assert list(differences(new, old)) == []


def test_clone_2007_tells_places_beside_the_board_thousandths_and_question_marks(tmp_path: Path) -> None:
    clicks = [
        Press(0.007, "rc", (0, 3)),
        Press(0.008, "rr", (0, 3)),
        Press(0.009, "lc", (0, 0)),
        Press(0.011, "lr", (0, 0)),
        Press(0.012, "rc", (0, 3)),
        Press(0.013, "rr", (0, 3)),
        Press(0.014, "lc", (1, 3)),
        Press(0.015, "lr", (-1, -2)),
        Press(0.0165, "lc", (1, 2)),
        Press(0.0165, "rc", (1, 2)),
        Press(0.018, "rr", (1, 2)),
        Press(0.018, "lr", (1, 2)),
    ]
    path = tmp_path / "game.mvf"
    path.write_bytes(mvf_2007(FIELD, clicks, marks=True))
    found = read_game(str(path), tmp_path)
    assert [(deed.t, str(deed.move)) for deed in found.deeds] == [
        (0.007, "flag 0,3"),
        (0.011, "open 0,0"),
        (0.012, "flag 0,3"),
        (0.018, "chord 1,2"),
    ]
    assert found.mouse == MouseFacts(marks=True, left_beside=1)
    assert found.last is not None
    assert Cell(found.last.board[0, 3]) is Cell.QUESTION


def test_clone_2007_cut_short_or_with_a_mine_beside_the_board_is_one_line(tmp_path: Path) -> None:
    whole = mvf_2007(*game(0, "mvf"))
    path = tmp_path / "game.mvf"
    mine = 71 + 7 + 2 + 3 + 1 + 4  # after the date, the level, the time, the marks and the size
    beside = whole[:mine] + b"\xff" + whole[mine + 1 :]
    for content in [whole[:length] for length in (28, 60, 75, 90, len(whole) - 1)] + [beside]:
        path.write_bytes(content)
        with pytest.raises(FormatError, match=r"game.mvf: this is no whole \.mvf file"):
            read_game(str(path), tmp_path)


def test_older_files_of_clone_are_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "game.mvf"
    path.write_bytes(bytes([8, 8, 0, 1, 3, 3]) + bytes(200))
    with pytest.raises(FormatError, match=r"before 0\.97: convert it to RAWVF"):
        read_game(str(path), tmp_path)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_damaged_file_is_one_line_and_leaves_nothing(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ms_toollib", reason="pip install '.[review]'")
    whole = WRITERS[kind](*game(0, kind))
    monkeypatch.chdir(tmp_path)
    damaged = [whole[:length] for length in (0, 3, 30, len(whole) // 2)]
    for number, content in enumerate(damaged):
        path = tmp_path / f"game{number}.{kind}"
        path.write_bytes(content)
        with pytest.raises(FormatError, match=f"game{number}.{kind}: this is no whole .{kind} file") as told:
            read_game(str(path), tmp_path)
        assert "\n" not in str(told.value)
    assert len(list(tmp_path.iterdir())) == len(damaged)


def test_flags_before_the_first_click_are_there(tmp_path: Path) -> None:
    mouse = [
        Press(0, "pf", (0, 3)),
        Press(0, "pf", (2, 0)),
        *presses("lc", "lr"),
        *presses("lc", "lr", cell=(2, 3)),
    ]
    path = tmp_path / "game.rmv"
    path.write_bytes(rmv(FIELD, [Press(round(each.t + 1, 1), each.word, each.cell) for each in mouse]))
    video = video_of(path)
    assert video.right == 2
    assert [str(each.move) for each in read_game(str(path), tmp_path).moves] == [
        "flag 0,3",
        "flag 2,0",
        "open 0,0",
        "open 2,3",
    ]
    assert video.pix_size == PIXELS
