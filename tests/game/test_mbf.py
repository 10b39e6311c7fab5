from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.board import FirstClick, Rules
from bot.errors import BotError, FormatError, UsageError
from bot.game.boards_file import read_boards, write_boards
from bot.game.mbf import format_mbf, parse_mbf, read_mbf, write_mbf
from bot.game.minefield import Minefield

FIELD = Minefield.parse("...*\n.*..\n....")
BYTES = bytes([4, 3, 0, 2, 3, 0, 1, 1])
"""Width, height, mines in two bytes, and (column, row) of each mine."""


def test_the_bytes_are_those_of_the_format() -> None:
    assert format_mbf(FIELD) == BYTES
    assert parse_mbf(BYTES) == FIELD


def test_mines_in_any_order_are_the_same_board() -> None:
    assert parse_mbf(bytes([4, 3, 0, 2, 1, 1, 3, 0])) == FIELD


def test_more_than_255_mines_take_the_high_byte() -> None:
    field = Minefield.generate(Rules(30, 24, 300), (0, 0), random.Random(5))
    content = format_mbf(field)
    assert content[:4] == bytes([30, 24, 1, 44])
    assert len(content) == 604
    assert parse_mbf(content) == field


def test_round_trip_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "board.mbf"
    write_mbf(path, FIELD)
    assert path.read_bytes() == BYTES
    assert read_mbf(path) == FIELD


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "this is 0"),
        (bytes([4, 3, 0]), "this is 3"),
        (BYTES[:-1], "8 bytes as .mbf, this is 7"),
        (BYTES + b"\n", "this is 9"),
        (bytes([0, 3, 0, 0]), "0x3 cannot be"),
        (bytes([4, 3, 0, 1, 4, 0]), "column 4, row 0 is not on"),
        (bytes([4, 3, 0, 1, 0, 3]), "column 0, row 3 is not on"),
        (bytes([4, 3, 0, 2, 1, 1, 1, 1]), "listed twice"),
        (b"4 3 2 3 5\n", "this is 10"),
    ],
)
def test_what_is_no_board_is_refused_in_one_line(tmp_path: Path, content: bytes, text: str) -> None:
    path = tmp_path / "broken.mbf"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=text) as refused:
        read_mbf(path)
    assert str(refused.value).startswith(str(path))
    assert "\n" not in str(refused.value)


def test_a_board_too_large_is_refused() -> None:
    with pytest.raises(UsageError, match="255x255"):
        format_mbf(Minefield.from_cells(256, 1, [0]))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read_mbf(tmp_path / "none.mbf")


def test_it_is_a_boards_file_of_one_board(tmp_path: Path) -> None:
    path = tmp_path / "One.MBF"
    write_boards(path, [FIELD])
    assert path.read_bytes() == BYTES
    assert list(read_boards(path)) == [FIELD]


def test_as_a_boards_file_it_keeps_the_first_click_rule(tmp_path: Path) -> None:
    path = tmp_path / "one.mbf"
    write_boards(path, [FIELD])
    with pytest.raises(FormatError, match=r"one\.mbf: a mine lies under"):
        list(read_boards(path, (1, 1), FirstClick.SAFE))
    with pytest.raises(BotError, match="one board, not 2"):
        write_boards(path, [FIELD, FIELD])
