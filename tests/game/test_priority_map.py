"""Prepared maps: what they mean, and the place that is named where they are broken."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.errors import BotError, FormatError, UsageError
from bot.game.priority_map import LARGEST, chance_map, parse_map, read_map, shipped_maps

GOOD = "3 2 2\n5 0 3\n1 4 2\n"


def test_a_cell_is_mined_where_its_priority_is_less_than_the_number_of_mines() -> None:
    field = parse_map(GOOD)
    assert str(field.minefield) == ".*.\n*.."
    assert field.priorities == (5, 0, 3, 1, 4, 2)
    assert parse_map(" ".join(GOOD.split())) == field


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "begins with its width"),
        ("3 2", "begins with its width"),
        ("3 x 2\n", "line 1, word 2: 'x' is no number"),
        (GOOD.replace("4", "4.0"), "line 3, word 2: '4.0' is no number"),
        (
            "3 2 2\n5 0 3\n1 4\n",
            "ends before row 1, column 2: a field of 3x2 has 6 priorities, and here are 5",
        ),
        ("3 2 2\n", "ends before row 0, column 0"),
        (GOOD + "6\n", "line 4, word 1: a field of 3x2 has 6 priorities, and this is one more"),
        (
            GOOD.replace("4", "0"),
            "line 3, word 2 (row 1, column 1): the priority 0 stands at row 0, column 1",
        ),
        (GOOD.replace("4", "6"), "line 3, word 2 (row 1, column 1): the priority 6 is not one of 0 to 5"),
        (GOOD.replace("4", "-4"), "the priority -4 is not one of 0 to 5"),
        (GOOD.replace("2 2", "2 6", 1), "line 1: 6 mines do not fit a field of 6 cells"),
        (GOOD.replace("2 2", "2 -1", 1), "-1 mines do not fit"),
        ("0 2 0\n", "a field of 0x2 cannot be"),
        (f"{LARGEST + 1} 2 1\n", f"at most {LARGEST}x{LARGEST}"),
        ("1 1 0\n0", "cannot be"),
    ],
)
def test_a_broken_map_is_refused_with_the_place(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(text)
    with pytest.raises(FormatError) as told:
        read_map(str(path))
    assert str(told.value).startswith(f"{path}: ")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_a_map_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one of last-rule, mine, spiral"):
        read_map("nowhere")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\x00\x80")
    for path in (binary, tmp_path):
        with pytest.raises(BotError) as told:
            read_map(str(path))
        assert str(told.value).startswith(str(path))


def test_a_mark_at_its_beginning_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "map").write_bytes(b"\xef\xbb\xbf2 1 1\r\n0 1\r\n")
    assert read_map(str(tmp_path / "map")).priorities == (0, 1)


def test_the_shipped_maps_are_whole_and_fit_a_usual_terminal() -> None:
    names = shipped_maps()
    assert len(names) >= 3
    for name in names:
        field = read_map(name)
        assert field.columns * 2 <= 80
        assert field.rows + 1 <= 24
        assert field.minefield.total == field.mines


def test_a_file_of_the_name_goes_before_a_shipped_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_text(GOOD)
    assert read_map("mine") == parse_map(GOOD)


def test_a_chance_map_has_all_its_priorities() -> None:
    field = chance_map(5, 4, 6, random.Random(1))
    assert sorted(field.priorities) == list(range(20))
    assert field.minefield.total == 6
    assert field == chance_map(5, 4, 6, random.Random(1))
