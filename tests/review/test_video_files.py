"""Video files of each kind: what is read of them, beside ms_toollib; damaged ones; the buttons of a mouse."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from video_files import PIXELS, PLAYER, WRITERS, rmv

from bot.board import FirstClick, Rules
from bot.errors import FormatError
from bot.game.minefield import Minefield
from bot.game.play_measures import measure_play
from bot.review.buttons import Press, moves_of
from bot.review.game_files import read_game
from bot.review.video_child import READERS

FIELD = Minefield.parse("...*\n....\n*...")

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
        ("mc mr", ["chord"]),
        ("pf lc lr", ["flag", "open"]),
        ("lc rc rr lr", ["chord"]),
        ("lc rc lr rr", ["chord"]),
        ("rc lc lr rr", ["flag", "chord"]),
        ("lc rc rr lr lc lr", ["chord", "open"]),
        ("lr rr", []),
    ],
)
def test_buttons_make_moves(words: str, expected: list[str]) -> None:
    found = moves_of(presses(*words.split(), cell=(0, 3)), Minefield.parse("....\n....\n*..."))
    assert [deed.move.action.value for deed in found] == expected


def test_a_right_button_on_an_opened_cell_that_becomes_a_chord_is_no_click() -> None:
    opened = presses("lc", "lr", cell=(0, 0))
    alone = moves_of([*opened, *presses("rc", "rr", cell=(0, 0))], FIELD)
    chorded = moves_of([*opened, *presses("rc", "lc", "lr", "rr", cell=(0, 0))], FIELD)
    assert [deed.move.action.value for deed in alone] == ["open", "flag"]
    assert [deed.move.action.value for deed in chorded] == ["open", "chord"]


def test_a_button_that_is_let_go_beside_the_board_is_up() -> None:
    out = [Press(0, "lc", (0, 0)), Press(0.1, "lr", (3, 4)), *presses("rc", "rr", cell=(0, 3))]
    assert [str(deed.move) for deed in moves_of(out, FIELD)] == ["flag 0,3"]


def test_what_is_clicked_after_the_end_is_no_move() -> None:
    lost = [*presses("lc", "lr", cell=(0, 3)), *presses("lc", "lr", cell=(0, 0))]
    assert [str(deed.move) for deed in moves_of(lost, FIELD)] == ["open 0,3"]


def game(seed: int, kind: str) -> tuple[Minefield, list[Press]]:
    """Some minutes of clicks of every kind, few of them on mines."""
    rng = random.Random(seed)
    rules = Rules(12, 9, 14, FirstClick.ZERO)
    field = Minefield.generate(rules, (4, 4), rng)
    found = []
    if kind == "rmv":  # the one format that has flags before the first click
        found += [Press(0, "pf", cell) for cell in ((0, 0), (8, 11))]
    t = 0.05
    for number in range(200):
        cell, way = (rng.randrange(9), rng.randrange(12)), rng.choice(WAYS)
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
            found.append(Press(round(t, 2), word, (9, 12) if beside else cell))
            t += 0.05
    return field, found


def theirs(path: Path) -> Any:
    ms_toollib = pytest.importorskip("ms_toollib", reason="pip install '.[review]'")
    video = getattr(ms_toollib, READERS[path.suffix[1:]])(str(path))
    video.parse()
    video.analyse()
    video.current_time = 1e6
    return video


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_is_read_and_measured_as_ms_toollib_does(kind: str, seed: int, tmp_path: Path) -> None:
    path = tmp_path / f"game.{kind}"
    field, mouse = game(seed, kind)
    path.write_bytes(WRITERS[kind](field, mouse))
    video = theirs(path)
    found = read_game(str(path), tmp_path)
    assert found.minefield is not None
    assert (found.minefield.mines == field.mines).all()
    assert found.player.startswith(PLAYER)
    ours = measure_play(field, [deed.move for deed in found.deeds], found.seconds)
    # They count what is let go beside the board as a left click, which opens nothing.
    beside = [press for press in mouse if press.cell == (9, 12) and press.t <= found.deeds[-1].t]
    assert video.left - len(beside) <= ours.left <= video.left
    assert (ours.right, ours.chords) == (video.right, video.double)
    assert (ours.bbbv, ours.solved, ours.effective) == (video.bbbv, video.bbbv_solved, video.ce)
    assert found.seconds == pytest.approx(video.rtime)


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
    video = theirs(path)
    assert video.right == 2
    assert [str(each.move) for each in read_game(str(path), tmp_path).moves] == [
        "flag 0,3",
        "flag 2,0",
        "open 0,0",
        "open 2,3",
    ]
    assert video.pix_size == PIXELS
