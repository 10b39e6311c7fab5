"""A program at the other end of a pipe: the same game as in memory, and what a program can do wrong."""

from __future__ import annotations

import random
import sys
import threading
from pathlib import Path

import pytest

from bot.board import Action, Board, FirstClick, Move, Phase, Rules
from bot.errors import BotError
from bot.game.minefield import Minefield
from bot.game.rule_sets import COMP1511
from bot.game_loop import GameReport, play
from bot.strategy.hinted import player_of
from bot.targets import pipe
from bot.targets.in_process import InProcessTarget
from bot.targets.pipe import Match, PipeTarget

OURS = [sys.executable, "-m", "bot.cli.main", "terminal", "comp1511"]
RULES = COMP1511.rules()


def field(seed: int) -> Minefield:
    return Minefield.generate(RULES, (0, 0), random.Random(seed))


def over_pipes(seed: int, hints: int) -> GameReport:
    with Match(OURS, field(seed)) as match:
        return play(PipeTarget(match, RULES, hints), player_of("exact"), chords=False)


@pytest.mark.slow
@pytest.mark.parametrize("hints", [0, 3])
def test_a_game_over_pipes_is_the_game_in_memory(hints: int) -> None:
    for seed in range(3):
        piped = over_pipes(seed, hints)
        memory = play(
            InProcessTarget(COMP1511.game(seed=seed, hints=hints)), player_of("exact"), chords=False
        )
        assert piped.outcome == memory.outcome
        assert piped.guesses == memory.guesses
        assert piped.observation.hints == memory.observation.hints
        assert piped.decisions == memory.decisions


def test_what_the_bot_sees_is_what_a_player_sees() -> None:
    minefield = Minefield.parse("\n".join(["." * 8] * 7 + ["...*...."]))
    with Match(OURS, minefield) as match:
        target = PipeTarget(match, Rules(8, 8, 1, FirstClick.SHIFTED), 3)
        first = target.observe()
        assert (first.board, first.phase, first.hints) == (Board.covered(8, 8), Phase.READY, 3)
        target.act([Move(Action.COUNT_ROW, 7, 0)])
        seen = target.observe()
        assert [constraint.mines for constraint in seen.constraints] == [1]
        target.act([Move(Action.OPEN, 7, 3)])  # the mine moves on to the top row
        seen = target.observe()
        assert seen.phase is Phase.PLAYING
        assert (
            str(seen.board).split("\n")[1:3] == ["###2####".replace("2", "1"), "..###..#"]
            or seen.board[7, 3] == 0
        )
        assert seen.constraints == ()
        assert seen.cases[0].constraints[0].mines == 1
        assert target.commands == 2
        target.act([Move(Action.OPEN, 0, 3), Move(Action.OPEN, 4, 4)])
        seen = target.observe()
        assert seen.phase is Phase.LOST
        assert str(seen.board).count("*") == 1


SCRIPT = """
import sys
print("Welcome")
input()
print("Gameplay mode activated", flush=True)
{body}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("", "has ended in the middle"),
        ("import time; time.sleep(30)", "has said nothing"),
        ("print('   ----\\n00 |## ##|\\n   ----')", "a field of 1 rows, and not one of 8x8"),
        ("print('no field at all')", "has ended in the middle"),
        ("while True: print('Enter command:')", "line after line and no board, at last 'Enter command:'"),
        ("while True: print(end='?' * 999)", "line after line and no board"),
    ],
)
def test_a_program_that_is_none_is_told(
    body: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipe, "SILENCE_LIMIT_S", 3.0 if says == "has said nothing" else 60.0)
    program = tmp_path / "program.py"
    program.write_text(SCRIPT.format(body=body))
    with Match([sys.executable, str(program)], field(1)) as match, pytest.raises(BotError, match=says):
        PipeTarget(match, RULES, 3)


def test_a_program_that_says_something_else_than_utf_8_is_played(tmp_path: Path) -> None:
    """The end of its text was taken for the end of the program."""
    program = tmp_path / "program.py"
    said = (
        "import runpy, sys\nsys.stdout.buffer.write(b'Gr\\xfc\\xdfe\\n')\n"
        "sys.argv = ['minebot', 'terminal', 'comp1511']\n"
        "runpy.run_module('bot.cli.main', run_name='__main__')\n"
    )
    program.write_text(said)
    with Match([sys.executable, str(program)], field(1)) as match:
        assert PipeTarget(match, RULES, 3).observe().phase is Phase.READY


def test_a_program_that_cannot_be_started_is_told() -> None:
    with pytest.raises(BotError, match="cannot be started"):
        Match(["/nowhere/minesweeper"], field(1))


def test_no_process_is_left() -> None:
    before = {thread.ident for thread in threading.enumerate()}
    match = Match(OURS, field(1))
    process = match.process
    assert process.poll() is None
    match.close()
    assert process.poll() is not None
    assert {thread.ident for thread in threading.enumerate()} <= before
