"""What the person is told who plays beside the bot."""

from __future__ import annotations

import json
from functools import cache

import pytest
from rich.console import Console

from bot.assist import Turn, WaitReason
from bot.board import Action, Board, FirstClick, Move, Observation, Phase, Result, Rules
from bot.cli.parts.assist_report import AssistReporter, MarkedBoard, guess_text, hint_text
from bot.game_line import Mode, SharedLine
from bot.strategy.registry import strategy


def turn(text: str, mines: int, phase: Phase = Phase.PLAYING) -> Turn:
    board = Board.parse(text)
    seen = Observation(board, phase, Rules(board.columns, board.rows, mines))
    return Turn(seen, strategy("exact").decide(seen, 3))


@cache
def certain() -> Turn:
    return turn("1#2##\n12###\n#####", 4)


@cache
def guess() -> Turn:
    return turn("1#\n1#", 1)


@cache
def first() -> Turn:
    return turn("###\n###", 1, Phase.READY)


def told(one: Turn, width: int, height: int) -> str:
    console = Console(width=width, height=height, color_system=None)
    with console.capture() as capture:
        console.print(MarkedBoard(one))
    return capture.get()


def test_what_is_certain_is_named() -> None:
    assert hint_text(certain()) == "certainly safe: row 2, column 0; row 2, column 1"


def test_a_guess_is_told_with_the_chances_of_the_others() -> None:
    text = guess_text(guess())
    assert text == hint_text(guess())
    assert text == (
        "nothing is certain; minebot would open row 0, column 1, safe with 50.0%;"
        " others: row 1, column 1 50.0%"
    ), text


def test_the_first_click_is_no_guess() -> None:
    assert guess_text(first()) == (
        "the first click is yours (the first click is never a mine); minebot would open row 0, column 0"
    )


def test_the_board_is_sketched_with_marks_that_need_no_colour() -> None:
    assert told(certain(), 60, 20).splitlines() == [
        "    0 1 2 3 4",
        "  0 1 m 2 # #",
        "  1 1 2 # # #",
        "  2 o o # # #",
        "o certainly safe   m certainly a mine   G the guess",
    ]
    assert "  0 1 G" in told(guess(), 60, 20)


@pytest.mark.parametrize(("width", "height"), [(13, 20), (60, 8)])
def test_a_board_that_does_not_fit_is_left_out(width: int, height: int) -> None:
    assert told(certain(), width, height) == ""


def test_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with AssistReporter(2, Mode.ASSIST, as_json=False, sound=True) as live:
        live.game_starts(1)
        live.shown(guess())
        live.waits(WaitReason.CHOICE, "")
        live.person_moved([Move(Action.FLAG, 0, 1)])
        live.waits(WaitReason.REST, "")
        live.waits(WaitReason.TROUBLE, "the board is covered by 'x': move it away")
        live.waits(WaitReason.TROUBLE, "the board is covered by 'x': move it away")
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.partition(": ")[2].partition(":")[0] for line in err.splitlines()] == [
        "your turn",
        "you flagged row 0, column 1",
        "the mouse is yours",
        "waiting",
    ]
    assert "\a" not in err, "a bell in a file"


def test_a_hint_is_a_json_line(capsys: pytest.CaptureFixture[str]) -> None:
    live = AssistReporter(1, Mode.HINT, as_json=True, sound=False)
    live.game_starts(1)
    live.shown(certain())
    live.shown(guess())
    one, other = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert one["event"] == other["event"] == "hint"
    assert one["cells"] == ["1#2##", "12###", "#####"]
    assert (one["safe"], one["mines"], one["best"]) == ([[2, 0], [2, 1]], [[0, 1]], [2, 0])
    assert one["survival"] == 1
    assert one["probability"][0][:2] == [None, 1.0]
    assert (other["safe"], other["best"], other["survival"]) == ([], [0, 1], 0.5)


def test_the_table_says_how_many_moves_were_the_person_s(capsys: pytest.CaptureFixture[str]) -> None:
    live = AssistReporter(1, Mode.ASSIST, as_json=False, sound=False)
    live.game_starts(1)
    line = SharedLine(
        target="practice",
        theme="practice",
        columns=9,
        rows=9,
        mines=10,
        first_click=FirstClick.SAFE,
        outcome=Result.WON,
        seconds=2.5,
        clicks=31,
        guesses=1,
        survival=0.5,
        bbbv=40,
        recording=None,
        reason="",
        mode=Mode.ASSIST,
        person_moves=7,
    )
    live.game_over(line)
    live.summary()
    titles, row = (
        [cell.strip() for cell in text.split("┃" if "┃" in text else "│")]
        for text in capsys.readouterr().out.splitlines()
        if "your moves" in text or ("won" in text and "31" in text)
    )
    assert dict(zip(titles, row, strict=True))["your moves"] == "7"
