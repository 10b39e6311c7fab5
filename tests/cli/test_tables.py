from __future__ import annotations

import re

import pytest

from bot.cli.parts.tables import print_table

TITLES = ("recording", "frames", "MB")
ROWS = [["20261120-172953-practice-9x9-001", "48", "0.5"]]


def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, **variables: str) -> str:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    print_table(TITLES, ROWS)
    return capsys.readouterr().out


def test_a_pipe_gets_every_column_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = printed(capsys, monkeypatch, COLUMNS="20")
    assert all(text in out for text in (*TITLES, *ROWS[0]))


@pytest.mark.parametrize(("columns", "tables"), [(80, 1), (50, 2), (40, 0), (10, 0)])
def test_a_narrow_terminal_gets_every_column_too(
    columns: int, tables: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = printed(capsys, monkeypatch, NO_COLOR="1", FORCE_COLOR="1", TERM="xterm", COLUMNS=str(columns))
    out = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert all(text in out for text in (*TITLES, *ROWS[0]))
    assert out.count(ROWS[0][0]) == max(tables, 1)
    if columns >= 50:
        assert max(map(len, out.splitlines())) <= columns
    assert "…" not in out


def test_each_table_says_whose_values_it_holds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("FORCE_COLOR", "1")
    titles = ["target", "strategy", "games", "rate", "seconds", "clicks"]
    print_table(titles, [["winmine", "best", "7", "12 %", "1.5", "88"]], naming=2, box=None, pad_edge=False)
    lines = [line.split() for line in re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()]
    # A column less on Windows, whose old consoles break a line that fills them.
    assert len(lines) in (4, 6, 8)
    assert [line[:2] for line in lines] == [["target", "strategy"], ["winmine", "best"]] * (len(lines) // 2)
    assert {word for line in lines for word in line} >= {*titles, "7", "1.5", "88"}


def test_rows_that_begin_alike_are_numbered_where_their_names_are_too_wide(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("FORCE_COLOR", "1")
    titles = ["target", "board", "strategy", "games", "rate"]
    rows = [
        ["simulated", "30x16/99 safe", name, games, "12 %"] for name, games in (("best", "7"), ("seed", "9"))
    ]
    print_table(titles, rows, naming=3, box=None, pad_edge=False)
    lines = [line.split() for line in re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()]
    assert {line[0] for line in lines} == {"#", "1", "2"}
    assert [line[0] for line in lines] == ["#", "1", "2"] * (len(lines) // 3)
    for name, games in (("best", "7"), ("seed", "9")):
        (number,) = {line[0] for line in lines if name in line}
        assert any(line[0] == number and games in line for line in lines)
