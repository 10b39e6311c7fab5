"""`minebot solve`, run as people run it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.errors import FormatError
from bot.files import shipped
from bot.recording.format import BoardEvent
from bot.recording.read import load

Solve = Callable[..., Any]


@pytest.fixture
def solve(minebot: Callable[..., Any]) -> Solve:
    """Runs `minebot solve` with more words."""
    return partial(minebot, "solve")


SCREENSHOT = Path(__file__).parents[1] / "vision" / "screens" / "xdemineur.png"

BOARD = "1#2##/12###/#####"


def test_json_of_a_board(solve: Solve) -> None:
    done = solve(BOARD, "--mines", "4", "--json")
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert answer["safe"] == [[2, 0], [2, 1]]
    assert answer["mines"] == [[0, 1]]
    assert answer["probability"][0] == [None, 1.0, None, pytest.approx(2 / 7), pytest.approx(5 / 14)]
    assert answer["best"] in answer["safe"]
    assert answer["survival"] == 1
    assert answer["win"] == pytest.approx(4 / 7)
    assert answer["dead"] == [[1, 3], [1, 4], [2, 0], [2, 1]]
    assert answer["solutions"] == 14
    assert answer["approximate"] is False
    assert answer["total"] == 4


@pytest.mark.slow
def test_every_way_to_give_a_board(tmp_path: Path, solve: Solve) -> None:
    file = tmp_path / "board.txt"
    file.write_text(BOARD.replace("/", "\n") + "\n")
    answers = [
        json.loads(solve(*words, "--mines", "4", "--json", given=given).stdout)
        for words, given in (
            ((BOARD,), ""),
            ((BOARD.replace("/", "\n"),), ""),
            ((str(file),), ""),
            (("-",), file.read_text()),
            ((" ".join(BOARD).replace(" / ", "/"),), ""),
        )
    ]
    for answer in answers:
        answer.pop("board")
    assert all(answer == answers[0] for answer in answers)


def test_an_empty_cell_may_be_a_0() -> None:
    from bot.cli.parts.position_argument import Chosen, position

    for text in (
        "0011/01##/01##",
        "0 0 1 1/0 1 # #/0 1 # #",
        "..11\n.1##\n.1##",
        "0\t0 1 1\n0 1 # #\n0 1 # #\n",
    ):
        board, rules = position(text, 1, None, Chosen())
        assert board.lines == ["..11", ".1##", ".1##"]
        assert (rules.columns, rules.rows) == (4, 3)


def test_for_people(tmp_path: Path, solve: Solve) -> None:
    picture = tmp_path / "chances.png"
    done = solve(BOARD, "--mines", "4", "--picture", str(picture))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[1].split() == ["0", "1", "*", "2", "29%", "36%"]
    assert lines[3].split() == ["2", "[ok']", "ok'", "57%", "36%", "36%"]
    assert "best: row 2, column 0: survives with 100 %, wins with 57.14 % by perfect play" in lines
    assert "layouts: 14" in lines
    image = cv2.imread(str(picture))
    assert image is not None
    assert np.asarray(image).shape[0] > 3 * 48


@pytest.mark.slow
def test_the_total_of_a_picture_is_read_from_it(solve: Solve) -> None:
    recording = load(shipped("recordings") / "winmine-intermediate-flags")
    boards = [event for event in recording.events if isinstance(event, BoardEvent)]
    middle = boards[len(boards) // 2]
    shown = Board.parse("\n".join(middle.cells))
    picture = recording.folder / "frames" / f"{middle.frame}.png"
    answer = json.loads(solve(str(picture), "--json").stdout)
    assert answer["total"] == 40
    assert tuple(answer["cells"]) == tuple(middle.cells)
    assert 0 < shown.count(Cell.FLAG) < 40 < shown.count(Cell.COVERED)
    assert answer["win"] is None
    told = json.loads(solve(str(picture), "--json", "--mines", "50").stdout)
    assert told["total"] == 50


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["# #/###"], 1, "row 0, column 1 of the board: ' ' is no cell"),
        (["\n".join(["#" * 500] * 81)], 1, "a board of 40,500 cells is too large: at most 40,000"),
        (["##/###"], 1, "row 1 of the board has 3 cells, the first row has 2"),
        (["#z/##"], 1, "'z' is no cell"),
        (["##/##", "--mines", "9"], 2, "9 mines do not fit a board of 2x2"),
        (["#3/##/1#"], 1, "the 3 at row 0, column 1 and the 1 at row 2, column 0 cannot all be right"),
        (["1#/##", "--mines", "0"], 1, "a total of 0 mines"),
        (["nothing.txt"], 1, "there is no such file"),
        (["."], 1, "it is a folder"),
        (["##", "--strategy", "nobody"], 2, "no strategy is called 'nobody'"),
        (["##", "##", "--picture", "out.png"], 2, "--picture draws one board"),
        (
            ["##", "--mines", "1", "--picture", "/proc/nowhere/out.png"],
            2,
            f"no folder {Path('/proc/nowhere')}",
        ),
        ([""], 1, "minebot: '': it is empty: give a file"),
    ],
)
def test_bad_input_is_one_line(words: list[str], status: int, told: str, solve: Solve) -> None:
    done = solve(*words)
    assert done.returncode == status
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_where_nothing_is_covered_that_is_said(solve: Solve) -> None:
    told = solve("..../....").stdout
    assert "no cell is covered: nothing is left to open" in told
    assert "mine total" not in told


def test_files_that_are_no_board(tmp_path: Path, solve: Solve) -> None:
    empty, noise, blank = tmp_path / "empty.txt", tmp_path / "noise.bin", tmp_path / "blank.png"
    empty.write_text("")
    noise.write_bytes(bytes(range(128, 256)))
    cv2.imwrite(str(blank), np.full((300, 300, 3), 200, np.uint8))
    done = solve(str(empty), str(noise), str(blank))
    assert done.returncode == 1
    told = done.stderr.splitlines()
    assert len(told) == 3
    assert "a board needs at least one row" in told[0]
    assert "neither board text nor a picture" in told[1]
    assert "no Minesweeper board was found" in told[2]


def test_a_picture_is_read_from_standard_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.cli.parts.position_argument import Chosen, position

    content = SCREENSHOT.read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    piped = position("-", None, None, Chosen())
    assert piped == position(str(SCREENSHOT), None, None, Chosen())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content[:200])))
    with pytest.raises(FormatError, match="the picture is cut short or damaged"):
        position("-", None, None, Chosen())


def test_the_name_of_a_file_is_whole_and_board_text_is_cut_for_people_alone(
    tmp_path: Path, solve: Solve
) -> None:
    file = tmp_path / ("long" * 20 + ".txt")
    file.write_text("1#")
    missing, text = str(tmp_path / ("none" * 20)), "#1" + "." * 70 + "z"
    done = solve(str(file), missing, text, "--json")
    assert [json.loads(line)["board"] for line in done.stdout.splitlines()] == [str(file), missing, text]
    told = done.stderr.splitlines()
    assert told[0].startswith(f"minebot: {missing}: there is no such file")
    assert told[1].startswith(f"minebot: {text[:57]}...: ")
    shown = solve(str(file), text[:-1], "--mines", 1).stdout.splitlines()
    assert {f"{file}:", f"{text[:57]}...:"} <= set(shown)


def test_one_bad_board_does_not_stop_the_others(solve: Solve) -> None:
    done = solve("#z", "1#", "--json")
    assert done.returncode == 1
    assert done.stderr.startswith("minebot: #z: ")
    bad, good = (json.loads(line) for line in done.stdout.splitlines())
    assert "'z'" in bad["error"]
    assert good["mines"] == [[0, 1]]


def test_what_is_not_certain_is_not_rounded_to_it(solve: Solve) -> None:
    done = solve("\n".join(["#" * 100] * 100), "--mines", "1", "--first-click", "any")
    assert "survives with 99.99 %" in done.stdout
    assert "<1%" in done.stdout
