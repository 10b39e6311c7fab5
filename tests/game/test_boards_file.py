from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from bot.board import FirstClick, Rules
from bot.errors import FormatError
from bot.game.boards_file import format_line, parse_line, read_boards, write_boards
from bot.game.minefield import Minefield


@pytest.mark.parametrize("name", ["boards.txt", "boards.txt.gz"])
def test_boards_round_trip(tmp_path: Path, name: str) -> None:
    rng = random.Random(3)
    fields = [Minefield.generate(Rules(30, 16, 99), (0, 0), rng) for _ in range(5)]
    write_boards(tmp_path / name, fields)
    assert list(read_boards(tmp_path / name, first_click=FirstClick.SAFE)) == fields
    first = (tmp_path / name).read_bytes()
    write_boards(tmp_path / name, fields)
    assert (tmp_path / name).read_bytes() == first


def test_a_line_is_width_height_mines_and_cells() -> None:
    field = parse_line("4 3 2 7 0\n")
    assert field == Minefield.parse("*...\n...*\n....")
    assert format_line(field) == "4 3 2 0 7"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("4 3", "begins with"),
        ("4 3 x", "whole numbers"),
        ("4 3 2 1", "says 2 mines and lists 1"),
        ("4 3 2 1 1", "cell 1 is listed twice"),
        ("4 3 1 12", "no cell 12"),
        ("4 3 1 -1", "no cell -1"),
        ("0 3 0", "0x3"),
        ("1000000000 1000000000 0", "cannot be"),
    ],
)
def test_a_wrong_line_is_named_by_its_number(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"4 3 1 5\n\n{line}\n")
    boards = read_boards(path)
    assert next(boards).cells == [5]
    with pytest.raises(FormatError, match=rf"line 3: .*{says}"):
        next(boards)


@pytest.mark.parametrize(
    ("line", "start", "rule", "fine"),
    [
        ("4 3 1 0", (0, 0), FirstClick.ANY, True),
        ("4 3 1 0", (0, 0), FirstClick.SAFE, False),
        ("4 3 1 1", (0, 0), FirstClick.SAFE, True),
        ("4 3 1 1", (0, 0), FirstClick.ZERO, False),
        ("4 3 1 2", (0, 0), FirstClick.ZERO, True),
        ("4 3 1 11", (2, 3), FirstClick.SAFE, False),
        ("4 3 1 11", (3, 2), FirstClick.ANY, False),
    ],
)
def test_a_board_that_breaks_the_first_click_rule_is_refused(
    tmp_path: Path, line: str, start: tuple[int, int], rule: FirstClick, fine: bool
) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{line}\n")
    if fine:
        assert len(list(read_boards(path, start, rule))) == 1
    else:
        with pytest.raises(FormatError, match="line 1"):
            list(read_boards(path, start, rule))


@pytest.mark.parametrize("name", ["boards.txt", "boards.txt.gz"])
def test_a_mark_at_its_beginning_and_the_line_ends_of_windows_are_no_mistake(
    tmp_path: Path, name: str
) -> None:
    content = b"\xef\xbb\xbf4 3 1 5\r\n4 3 1 6\r\n"
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert [minefield.cells for minefield in read_boards(tmp_path / name)] == [[5], [6]]


def test_digits_of_another_script_are_no_numbers(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("4 3 1 5\n4 3 1 \u0665\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2: not a text of numbers"):
        list(read_boards(tmp_path / "boards.txt"))


def test_files_that_cannot_be_read_say_so(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        list(read_boards(tmp_path / "none.txt"))
    whole = gzip.compress(b"4 3 1 5\n" * 1000)
    (tmp_path / "cut.gz").write_bytes(whole[:-12])
    with pytest.raises(FormatError, match="gzip"):
        list(read_boards(tmp_path / "cut.gz"))
    (tmp_path / "plain.gz").write_bytes(b"4 3 1 5\n")
    with pytest.raises(FormatError, match="gzip"):
        list(read_boards(tmp_path / "plain.gz"))
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="text"):
        list(read_boards(tmp_path / "binary.txt"))
