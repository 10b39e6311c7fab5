"""What the public names say to what they cannot take: one line of `bot.errors`, never an error of Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot import Board, BotError, Game, Rules, analyse, play, read
from bot.board import Action, Move
from bot.errors import ContradictionError, FormatError, NoCellError, UsageError


def wrong(value: object) -> Any:
    """A value of the wrong type, which a type checker lets pass."""
    return value


ONE = Board.parse("1#")
GAME = Rules(9, 9, 10)

MISUSE: dict[str, tuple[type[BotError], str, list[Callable[[], object]]]] = {
    "Board.parse takes text": (
        UsageError,
        "no text",
        [lambda: Board.parse(wrong(3)), lambda: Board.parse(wrong(None)), lambda: Board.parse(wrong(b"1#"))],
    ),
    "a text that is no board": (
        FormatError,
        "row",
        [lambda: Board.parse(""), lambda: Board.parse("1#\n1"), lambda: Board.parse("1#\n1o")],
    ),
    "an array that is no board": (
        FormatError,
        "board",
        [
            lambda: Board(wrong("1#")),
            lambda: Board(wrong(3)),
            lambda: Board(wrong(None)),
            lambda: Board(wrong([[1, 9], [1]])),
            lambda: Board(wrong([[1.5, 9]])),
            lambda: Board(wrong([["1", "#"]])),
            lambda: Board(wrong([[16]])),
            lambda: Board(wrong([[-1]])),
            lambda: Board(wrong([[256]])),
            lambda: Board(np.zeros((0, 3), np.int8)),
        ],
    ),
    "a size that cannot be": (
        UsageError,
        "cannot be",
        [
            lambda: Board.covered(0, 5),
            lambda: Board.covered(5, -1),
            lambda: Board.covered(wrong("5"), 5),
            lambda: Rules(0, 9),
            lambda: Rules(wrong(9.0), 9),
            lambda: Rules(wrong("9"), 9),
            lambda: Rules(9, wrong(None)),
            lambda: read("board.png", size=(0, 9)),
            lambda: read(np.zeros((9, 9, 3), np.uint8), size=wrong((9.5, 9))),
        ],
    ),
    "mines that cannot be": (
        UsageError,
        "mines",
        [
            lambda: Rules(9, 9, 82),
            lambda: Rules(9, 9, -1),
            lambda: Rules(9, 9, wrong("10")),
            lambda: Rules(9, 9, wrong(1.5)),
            lambda: analyse(ONE, 3),
            lambda: analyse(ONE, -1),
            lambda: analyse(ONE, wrong(0.5)),
            lambda: analyse(ONE, wrong("1")),
            lambda: Game(Rules(9, 9)),
        ],
    ),
    "a rule that is not there": (
        UsageError,
        "there is no",
        [
            lambda: Rules(9, 9, 10, wrong("never")),
            lambda: Rules(9, 9, 10, wrong(3)),
            lambda: Rules(9, 9, 10, spread=wrong("far")),
            lambda: Game.expert(first_click=wrong("never")),
            lambda: analyse(ONE, first_click="never"),
            lambda: analyse(ONE, first_click=wrong(3)),
        ],
    ),
    "what is no game": (
        UsageError,
        "give",
        [
            lambda: Game(wrong(3)),
            lambda: Game(wrong("expert")),
            lambda: Game(GAME, wrong("one")),
            lambda: Game(GAME, wrong(1.5)),
            lambda: Game.expert(wrong([1])),
            lambda: Game(GAME, minefield=wrong("1#")),
            lambda: Game(GAME, hints=wrong("many")),
        ],
    ),
    "a move that cannot be": (
        UsageError,
        "cell|move",
        [
            lambda: Game.expert(1).open(wrong(1.5), 0),
            lambda: Game.expert(1).flag(wrong("a"), 1),
            lambda: Game.expert(1).chord(wrong(None), 1),
            lambda: Game.expert(1).act(wrong((0, 0))),
            lambda: ONE[wrong(5)],
            lambda: ONE[wrong(None)],
            lambda: ONE[wrong((0, 0, 0))],
            lambda: ONE[wrong(("a", "b"))],
        ],
    ),
    "a cell that is not there": (
        NoCellError,
        "there is no cell .* columns 0 to",
        [
            lambda: Game.expert(1).open(16, 0),
            lambda: Game.expert(1).open(-1, 0),
            lambda: Game.expert(1).act(Move(Action.FLAG, 0, 30)),
            lambda: ONE[0, 2],
            lambda: ONE[5, 5],
            lambda: ONE[-1, -1],
            lambda: ONE[0, -1],
        ],
    ),
    "an action that is not there": (
        UsageError,
        "is no action: use one of Action, or of 'open'",
        [lambda: Move(wrong("boom"), 0, 0), lambda: Move(wrong(3), 0, 0), lambda: Move(wrong(None), 0, 0)],
    ),
    "what is no board to analyse": (
        UsageError,
        r"Board\.parse",
        [lambda: analyse(wrong("1#")), lambda: analyse(wrong(None)), lambda: analyse(wrong(ONE.codes))],
    ),
    "numbers that cannot all be right": (
        ContradictionError,
        "cannot",
        [lambda: analyse(Board.parse("2#"), 1), lambda: analyse(ONE, 0)],
    ),
    "what nobody plays": (
        UsageError,
        r"Game\.expert",
        [lambda: play(wrong("expert")), lambda: play(wrong(None)), lambda: play(wrong(GAME))],
    ),
    "what is no rules": (
        UsageError,
        "is no rules",
        [lambda: ONE.faults(wrong(3)), lambda: ONE.faults(wrong(None)), lambda: Game(wrong("expert"))],
    ),
    "a strategy that is not there": (
        UsageError,
        "no strategy",
        [
            lambda: analyse(ONE, strategy="boldest"),
            lambda: analyse(ONE, strategy=wrong(3)),
            lambda: play(Game.expert(1), "boldest"),
            lambda: play(Game.expert(1), wrong(["best"])),
        ],
    ),
    "a thought that cannot be": (
        UsageError,
        "thought",
        [
            lambda: analyse(ONE, think=0),
            lambda: analyse(ONE, think=wrong(1.5)),
            lambda: analyse(ONE, think=wrong("2")),
            lambda: play(Game.expert(1), think=0),
            lambda: play(Game.expert(1), think=wrong(None)),
        ],
    ),
    "what is no picture": (
        UsageError,
        "picture",
        [
            lambda: read(wrong(5)),
            lambda: read(wrong(None)),
            lambda: read(wrong(b"board.png")),
            lambda: read(np.zeros((9, 9), np.uint8)),
            lambda: read(wrong(np.zeros((9, 9, 3)))),
            lambda: read(np.zeros((0, 9, 3), np.uint8)),
        ],
    ),
    "a file that cannot be read": (
        FormatError,
        "read",
        [lambda: read("missing.png"), lambda: read(""), lambda: read(Path("/")), lambda: read("a\0b.png")],
    ),
    "a picture without a board": (FormatError, "no ", [lambda: read(np.zeros((200, 200, 3), np.uint8))]),
    "a theme or a size of the wrong kind": (
        UsageError,
        "theme|size",
        [
            lambda: read(np.zeros((9, 9, 3), np.uint8), theme="nowhere"),
            lambda: read(np.zeros((9, 9, 3), np.uint8), theme=wrong(3)),
            lambda: read(np.zeros((9, 9, 3), np.uint8), size=wrong("9x9")),
            lambda: read(np.zeros((9, 9, 3), np.uint8), size=wrong(9)),
            lambda: read(np.zeros((9, 9, 3), np.uint8), size=wrong((9, 9, 10))),
        ],
    ),
}
"""What is misused, the error that it gives, a word of it, and the calls."""


@pytest.mark.parametrize(
    ("kind", "word", "call"),
    [
        pytest.param(kind, word, call, id=f"{name}-{number}")
        for name, (kind, word, calls) in MISUSE.items()
        for number, call in enumerate(calls)
    ],
)
def test_misuse_is_told_in_a_line(kind: type[BotError], word: str, call: Callable[[], object]) -> None:
    with pytest.raises(kind, match=word) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_what_reads_as_the_right_thing_is_taken() -> None:
    rules = Rules(np.int64(9), np.int8(9), np.int16(10), wrong("zero"), wrong("four"))
    assert rules == Rules(9, 9, 10, wrong(rules.first_click), wrong(rules.spread))
    assert (type(rules.columns), rules.first_click.name, rules.spread.name) == (int, "ZERO", "FOUR")
    assert Board([[1, 9]]) == Board(np.array([[1, 9]], np.int64)) == ONE  # type: ignore[arg-type]
    assert Game(GAME, wrong(np.int64(3))).open(np.int64(0), np.int64(0))
