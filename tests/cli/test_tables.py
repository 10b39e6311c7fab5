from __future__ import annotations

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


@pytest.mark.parametrize(("columns", "kept"), [(80, 3), (50, 2), (40, 1), (10, 1)])
def test_a_narrow_terminal_gets_the_first_columns_whole(
    columns: int, kept: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = printed(capsys, monkeypatch, FORCE_COLOR="1", TERM="xterm", COLUMNS=str(columns), LINES="30")
    assert [text in out for text in ROWS[0]] == [number < kept for number in range(3)]
    assert "…" not in out
