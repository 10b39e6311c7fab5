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
