"""`minebot read` and `minebot solve` on pictures of several boards, and with the size of the one meant."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from painting import painted, paste

from bot.board import Board
from bot.cli.main import tree
from bot.vision.themes.theme import load_skin

ONE = Board.parse("1#######\n" + "########\n" * 7)
OTHER = Board.covered(9, 10)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two boards of WineMine side by side."""
    skin = load_skin("winmine")
    screen = np.full((240, 420, 3), 120, np.uint8)
    paste(screen, painted(ONE, skin), skin, (30, 60))
    paste(screen, painted(OTHER, skin), skin, (230, 60))
    path = tmp_path_factory.mktemp("boards") / "two.png"
    cv2.imwrite(str(path), screen)
    return path


def minebot(*words: object) -> Result:
    return CliRunner().invoke(tree, [str(word) for word in words])


def test_each_board_is_an_object_on_a_line(picture: Path) -> None:
    done = minebot("read", "--theme", "winmine", "--json", picture)
    read = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert [(one["image"], one["board"]) for one in read] == [(str(picture), 0), (str(picture), 1)]
    assert [one["cells"] for one in read] == [ONE.lines, OTHER.lines]
    assert [one["grid"]["x"] for one in read] == [30, 230]


def test_a_picture_comes_from_standard_input(picture: Path) -> None:
    words = ["read", "--theme", "winmine", "--json", "-"]
    done = CliRunner().invoke(tree, words, input=picture.read_bytes())
    read = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["image"], one["cells"]) for one in read] == [("-", ONE.lines), ("-", OTHER.lines)]


def test_each_board_has_a_line_and_its_cells(picture: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen.png"
    done = minebot("read", "--theme", "winmine", picture, "--show", seen)
    lines = done.stdout.splitlines()
    assert [number for number, line in enumerate(lines) if str(picture) in line] == [0, 9]
    assert ("board 0: winmine, 8x8" in lines[0], "board 1: winmine, 9x10" in lines[9]) == (True, True)
    assert lines[1:9] == ONE.lines
    drawn = cv2.imread(str(seen))
    assert drawn is not None
    assert np.asarray(drawn).shape[1] >= 420


@pytest.mark.parametrize(
    ("words", "cells"), [(["--board", 0], ONE), (["--board", 1], OTHER), (["--size", "8x8"], ONE)]
)
def test_the_board_that_is_meant_is_solved(picture: Path, words: list[object], cells: Board) -> None:
    done = minebot("solve", "--theme", "winmine", "--json", picture, *words)
    assert json.loads(done.stdout)["cells"] == cells.lines


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "--board 0 to --board 1"),
        (["--board", 2], "no board 2"),
        (["--size", "30x16"], "no board of 30x16"),
    ],
)
def test_it_asks_for_a_board_that_is_there(picture: Path, words: list[object], told: str) -> None:
    done = minebot("solve", "--theme", "winmine", picture, *words)
    assert done.exit_code == 1
    assert told in done.stderr


@pytest.mark.parametrize("size", ["9", "9x", "x9", "9x9x9", "-1x9"])
def test_a_size_is_columns_and_rows(picture: Path, size: str) -> None:
    done = minebot("read", picture, "--size", size)
    assert done.exit_code == 2
    assert "COLUMNSxROWS" in done.stderr
