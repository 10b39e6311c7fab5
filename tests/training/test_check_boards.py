"""The command that counts how labelled pictures are read, and the look-alikes that it is run on."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board
from bot.vision.grid import Grid
from bot.vision.picture_reader import PictureReading
from training.reader.checks import boards
from training.reader.look_alikes import draw, fonts
from training.reader.samples import LabelledBoard, LabelledPicture, write_sample

WANTED = Board.parse("1#\n##")
GRID = Grid(10, 20, 16, 16, 2, 2)


def outcome(read: str, grid: Grid) -> tuple[str, int]:
    board = Board.parse(read)
    seen = PictureReading(None, grid, board, None, ())
    judged = boards._compared("name", "family", LabelledBoard(GRID, WANTED), seen, 0)
    return judged.outcome, judged.wrong


@pytest.mark.parametrize(
    ("read", "grid", "expected"),
    [
        ("1#\n##", GRID, ("exact", 0)),
        ("!#\n##", GRID, ("unread", 0)),
        ("2#\n#!", GRID, ("wrong", 1)),
        (".#\n#.", GRID, ("wrong", 2)),
        ("1#\n##", GRID.moved(9, 0), ("size", 0)),
        ("1#\n##", GRID.moved(0, 7), ("exact", 0)),
        ("1##\n###", Grid(10, 20, 16, 16, 3, 2), ("size", 0)),
    ],
)
def test_each_board_has_one_outcome(read: str, grid: Grid, expected: tuple[str, int]) -> None:
    assert outcome(read, grid) == expected


def picture(name: str, boards: tuple[LabelledBoard, ...]) -> LabelledPicture:
    return LabelledPicture(name, np.zeros((60, 60, 3), np.uint8), boards)


def test_a_board_that_is_not_there_counts_as_false(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sample(tmp_path, picture("none", ()))
    write_sample(tmp_path, picture("one", (LabelledBoard(GRID, WANTED),)))
    seen = PictureReading(None, GRID, WANTED, None, ())
    monkeypatch.setattr(boards, "_read", lambda *_, **__: [seen])
    outcomes = {
        name: [one.outcome for one in boards.judged(tmp_path / f"{name}.json")] for name in ("none", "one")
    }
    assert outcomes == {"none": ["false"], "one": ["exact"]}


def test_lost_games_are_counted_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = [Board.parse(text) for text in ("1*\n##", "1x\n##", "1X\n##")]
    for name, board in zip("abcd", [WANTED, *ended], strict=True):
        write_sample(tmp_path, picture(name, (LabelledBoard(GRID, board),)))
    monkeypatch.setattr(boards, "_read", lambda *_, **__: [PictureReading(None, GRID, WANTED, None, ())])
    monkeypatch.setattr(sys, "argv", ["boards", str(tmp_path)])
    boards.main()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["lost", "3", "0", "0", "0", "0", "3", "0", "0.0"] in lines
    assert ["not", "lost", "1", "1", "0", "0", "0", "0", "0", "100.0"] in lines


def test_a_reader_that_fails_is_an_error_of_that_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sample(tmp_path, picture("one", (LabelledBoard(GRID, WANTED),)))

    def fails(*_: object, **__: object) -> list[PictureReading]:
        raise ZeroDivisionError

    monkeypatch.setattr(boards, "_read", fails)
    assert [one.outcome for one in boards.judged(tmp_path / "one.json")] == ["error"]


def test_a_look_alike_is_drawn_where_its_label_says() -> None:
    if not fonts():
        pytest.skip("no fonts are listed by fc-list here")
    drawn = (draw(np.random.default_rng([1, seed]), "one") for seed in range(100))
    sample = next(one for one in drawn if not {"scaled", "jpeg"} & set(one.boards[0].look))
    (labelled,) = sample.boards
    rect, (height, width) = labelled.grid.rect, sample.image.shape[:2]
    assert (rect.x >= 0, rect.y >= 0, rect.right <= width, rect.bottom <= height) == (True,) * 4
    codes = labelled.board.codes
    alike = np.argwhere(codes == codes[0, 0])[:2]
    one, other = (labelled.grid.cell_rect(*map(int, cell)) for cell in alike)
    pixels = [sample.image[cell.y : cell.bottom, cell.x : cell.right] for cell in (one, other)]
    assert np.array_equal(pixels[0], pixels[1])
