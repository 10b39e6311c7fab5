"""The assignment's program: each transcript of its document to the letter, and what that leaves open."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.errors import BotError, UsageError
from bot.terminal.comp1511 import run

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[2] / "shared" / "seeds" / "004_7e9c1523b2c4737b.txt"


class Transcript(NamedTuple):
    name: str
    typed: str
    printed: str
    """What a pipe shows: all of it, without what is typed."""
    shown: str
    """As it stands in the document."""


def read_transcripts() -> list[Transcript]:
    found: dict[str, Transcript] = {}
    for block in (HERE / "transcripts.txt").read_text(encoding="ascii").split("\n== ")[1:]:
        name, *lines = block.rstrip("\n").split("\n")
        typed, printed = "", ""
        key, colon, words = lines[0].partition(": ")
        if colon and key in ("after", "typed before"):
            lines = lines[1:]
            if key == "after":
                typed, printed = found[words].typed, found[words].printed
            else:
                typed = words.replace(" / ", "\n") + "\n"
        for line in lines:
            output, mark, text = line.partition("> ")
            printed += output if mark else f"{output}\n"
            typed += f"{text}\n" if mark else ""
        shown = "\n".join(lines).replace("> ", "")
        found[name] = Transcript(name, typed, printed, shown)
    return list(found.values())


TRANSCRIPTS = read_transcripts()


def played(typed: str, side: int | None = None) -> str:
    out = io.StringIO()
    assert run(io.StringIO(typed), out, side) == 0
    return out.getvalue()


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda each: each.name)
def test_a_transcript_of_the_document(transcript: Transcript) -> None:
    output = played(transcript.typed)
    if transcript.printed.startswith("Welcome"):
        assert output == transcript.printed
    else:
        assert output.endswith(transcript.printed)


def test_there_are_all_of_them() -> None:
    assert len(TRANSCRIPTS) == 11


def test_the_transcripts_stand_in_the_document() -> None:
    if not DOCUMENT.exists():
        pytest.skip(f"{DOCUMENT} is not here: it is no part of the project")
    text = DOCUMENT.read_text(encoding="utf-8")
    for transcript in TRANSCRIPTS:
        assert f"\n{transcript.shown}\n" in text, transcript.name
    assert text.count("Welcome to minesweeper!\nHow many") == sum(
        transcript.shown.startswith("Welcome") for transcript in TRANSCRIPTS
    )


FIELD = "2\n1 1\n5 5\n"


def tail(typed: str, lines: int = 9, before: str = FIELD) -> str:
    return "\n".join(played(before + typed).splitlines()[-lines:])


def test_every_end_of_the_input_is_a_quiet_one() -> None:
    whole = TRANSCRIPTS[5].typed + "4 4 4\n1 3\n"
    for length in range(len(whole)):
        played(whole[:length])


def test_numbers_are_read_wherever_lines_end() -> None:
    assert played("2 1 1 5 5 4 3 3") == played("2\n1\n1 5\n5\n4\n3 3\n")


def test_what_a_mine_line_has_too_much_is_a_command() -> None:
    assert tail("", before="1\n1 1 1 1\n").startswith("There are 1 mine(s) in row 1\n")


def test_a_square_over_the_edge_counts_what_is_on_the_field() -> None:
    assert tail("3 0 0 3\n").startswith(
        "There are 1 mine(s) in the square centered at row 0, column 0 of size 3\n"
    )
    assert tail("3 4 4 99\n").startswith("There are 2 mine(s)")
    assert tail("3 1 1 1\n").startswith("There are 1 mine(s)")


def test_a_mine_named_twice_is_one() -> None:
    assert tail("1 1\n", before="2\n1 1\n1 1\n").startswith("There are 1 mine(s)")


def test_pairs_off_the_field_are_ignored() -> None:
    assert tail("3 4 4 99\n", before="4\n8 0\n0 8\n-1 3\n2 2\n").startswith("There are 1 mine(s)")


WON = """Game Won!
..
\\/
    00 01
   -------
00 |## 01|
01 |01 01|
   -------"""


def test_a_won_game() -> None:
    output = played("1\n0 0\n5\n4 0 1\n4 1 0\n7 1 1\n1 1\n", 2)
    assert output.endswith(WON + "\n")
    debug = played("1\n0 0\n4 0 1\n4 1 0\n7 1 1\n1 1\n", 2)
    assert debug.endswith("Game Won!\n2 0\n0 0\n")


def test_a_lost_game_in_debug_mode() -> None:
    assert played("1\n0 0\n4 1 0\n4 0 0\n", 2).endswith("0 1\nGame over\n2 1\n0 1\n")


def test_the_first_turn_shifts_as_far_as_it_must_and_wraps_around() -> None:
    assert played("2\n1 0\n2 0\n4 2 0\n", 3).endswith(
        "Game Started\n1 1 1\n2 1 1\n2 1 1\n2 1 1\n2 1 1\n0 1 1\n"
    )
    assert played("1\n2 0\n4 2 0\n", 3).endswith("2 1 1\n2 1 1\n0 0 1\n0 0 1\n")


def test_a_column_full_of_mines_is_lost_after_one_time_around() -> None:
    assert played("2\n0 1\n1 1\n4 0 1\n", 2).endswith("Game over\n1 2\n1 2\n")


def test_a_mode_and_a_hint_are_no_turn() -> None:
    assert tail("5\n6\n1 1\n4 1 1\n", 8).splitlines()[1:3] == ["1 0 1 1 1 1 1 1", "1 2 1 1 1 1 1 1"]


def test_a_square_that_is_open_does_it_again() -> None:
    once = tail("4 3 3\n", 8, before="1\n7 7\n")
    assert tail("4 3 3\n4 3 3\n", 8, before="1\n7 7\n") == once
    assert tail("4 3 3\n7 3 3\n", 8, before="1\n7 7\n") != once


def test_the_side_is_settable() -> None:
    assert played("1\n9 9\n", 10).splitlines()[-1] == "1 1 1 1 1 1 1 1 1 2"
    with pytest.raises(UsageError, match="2 to 100"):
        played("", 0)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("x\n", "'x' is no number"),
        ("2\n1 1\n2 1.5\n", "'1.5' is no number"),
        ("1_0\n", "no number"),
        ("-1\n", "cannot have -1 mines"),
        (FIELD + "8\n", "no command 8"),
        (FIELD + "0\n", "no command 0"),
        (FIELD + "-4 1 1\n", "no command -4"),
        (FIELD + "4 8 1\n", "no cell 8,1"),
        (FIELD + "1 8\n", "no cell 8,0"),
        (FIELD + "2 -1\n", "no cell 0,-1"),
        (FIELD + "3 1 1 2\n", "odd side"),
        (FIELD + "3 1 1 -3\n", "odd side"),
    ],
)
def test_what_cannot_be_ends_it_with_one_line(typed: str, says: str) -> None:
    with pytest.raises(BotError, match=re.escape(says)) as told:
        played(typed)
    assert "\n" not in str(told.value)


def command(*words: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot.cli.main", "terminal", "comp1511", *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=240,
    )


def test_the_command_is_the_program() -> None:
    first = TRANSCRIPTS[0]
    run = command(typed=first.typed)
    assert (run.returncode, run.stdout, run.stderr) == (0, first.printed, "")
    wrong = command("--side", "4", typed="1\n1 1\nquit\n")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (1, 1)
    assert wrong.stderr.startswith("minebot: 'quit' is no number")
    assert wrong.stdout.endswith("1 1 1 1\n1 2 1 1\n1 1 1 1\n1 1 1 1\n")


def test_bytes_that_are_no_text_are_no_number() -> None:
    words = [sys.executable, "-m", "bot.cli.main", "terminal", "comp1511"]
    run = subprocess.run(words, input=b"1\n\xff\xfe 1\n", capture_output=True, timeout=240)
    assert run.returncode == 1
    assert run.stderr.count(b"\n") == 1
    assert b"is no number" in run.stderr
