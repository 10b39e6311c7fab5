"""A target at the other end of a pipe: a program of the COMP1511 assignment, played as a player sees it.

Between the two sits a `Match`: it starts the program, feeds it the mines, switches to gameplay mode, and
passes on only what is printed after that. So the bot cannot see where the mines are.
"""

from __future__ import annotations

import contextlib
import queue
import re
import subprocess
import threading
from collections.abc import Sequence
from types import TracebackType

import numpy as np

from bot.board import Action, Board, Case, Cell, Constraint, Coordinate, Move, Observation, Phase, Rules
from bot.errors import BotError
from bot.game.minefield import Minefield
from bot.game.protection import cases

GAMEPLAY = "Gameplay mode activated"

PATIENCE_S = 20.0
"""Seconds for which the program may say nothing."""

REVEAL_RADIAL = 7
QUESTIONS = {Action.COUNT_ROW: 1, Action.COUNT_COLUMN: 2, Action.COUNT_SQUARE: 3}

FRAME = re.compile(r" +-+\s*")
ROW = re.compile(r"\d+ \|(.*)\|\s*")
HINT = re.compile(r"There are (\d+) mine\(s\) in .*")


class Match:
    """A program that is being played: started, fed, and ended. Use it in a `with`."""

    def __init__(self, command: Sequence[str], minefield: Minefield) -> None:
        """Start the program and bring it to gameplay mode. Raises BotError where it cannot be had so far."""
        self._name = command[0]
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                bufsize=1,
                start_new_session=True,  # a Ctrl-C is for us; the program ends when its input does
            )
        except OSError as error:
            raise BotError(f"{command[0]} cannot be started: {error.strerror or error}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            pairs = (divmod(cell, minefield.columns) for cell in minefield.cells)
            self.send(f"{minefield.total}\n" + "".join(f"{row} {column}\n" for row, column in pairs) + "5\n")
            while self.line().rstrip() != GAMEPLAY:
                pass
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Match:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self.process.stdout:
                self._lines.put(line)
        self._lines.put(None)

    def line(self) -> str:
        """The next line that the program prints; raises BotError where none comes."""
        try:
            line = self._lines.get(timeout=PATIENCE_S)
        except queue.Empty:
            raise BotError(
                f"{self._name} has said nothing for {PATIENCE_S:.0f} s: is it this game?"
            ) from None
        if line is None:
            self._lines.put(None)
            raise BotError(f"{self._name} has ended in the middle of a game: see what it says by itself")
        return line

    def send(self, text: str) -> None:
        """Write to the program; raises BotError where it is gone."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise BotError(f"{self._name} takes no more input: see what it says by itself") from None

    def close(self) -> None:
        """End the program, if it has not ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            self.process.stdin.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(5)
        self.process.stdout.close()


class PipeTarget:
    """Plays a match: what is printed comes in as boards, moves go out as commands."""

    def __init__(self, match: Match, rules: Rules, hints: int) -> None:
        """`rules` are what the player knows, the mine total included; `hints` how many it may ask for."""
        self._match = match
        self._rules = rules
        self._hints = hints
        self._first: Coordinate | None = None
        self._told: list[Constraint] = []
        self._told_before: tuple[Constraint, ...] = ()
        self._phase = Phase.READY
        self.commands = 0
        """How many were sent."""
        self._board, _ = self._picture()

    def observe(self) -> Observation:
        """What a player knows after the last command."""
        told_cases: tuple[Case, ...] = ()
        if self._first is not None and not self._phase.over:
            told_cases = cases(self._board, self._first, self._rules.first_click, self._told_before)
        return Observation(
            self._board, self._phase, self._rules, tuple(self._told), told_cases, hints=self._hints
        )

    def act(self, moves: Sequence[Move]) -> int:
        """Send the moves, one by one. Flags do not exist; numbers that an earlier move opened are left out.

        A zero that one has opened is sent all the same: its rays open more.

        Raises BotError where the program prints no board.
        """
        for move in moves:
            if self._phase.over:
                break
            if move.action.asks:
                self._ask(move)
            elif move.action is Action.OPEN and not 1 <= self._board[move.cell] <= 8:
                self._open(move)
        return len(moves)

    def _open(self, move: Move) -> None:
        if self._first is None:
            self._first = move.cell
            self._told_before, self._told = tuple(self._told), []
        self._board, said = self._command(f"{REVEAL_RADIAL} {move.row} {move.column}")
        if "Game Won!" in said:
            self._phase = Phase.WON
        elif "Game over" in said:
            self._phase = Phase.LOST
        else:
            self._phase = Phase.PLAYING

    def _ask(self, move: Move) -> None:
        where = {
            Action.COUNT_ROW: f"{move.row}",
            Action.COUNT_COLUMN: f"{move.column}",
            Action.COUNT_SQUARE: f"{move.row} {move.column} {move.side}",
        }[move.action]
        self._board, said = self._command(f"{QUESTIONS[move.action]} {where}")
        counts = [match for match in map(HINT.fullmatch, said) if match is not None]
        self._hints = max(0, self._hints - 1)
        if not counts:
            self._hints = 0  # it was used already
            return
        cells = move.asked(self._rules.rows, self._rules.columns)
        self._told.append(Constraint(cells, int(counts[0][1])))

    def _command(self, text: str) -> tuple[Board, list[str]]:
        self.commands += 1
        self._match.send(text + "\n")
        return self._picture()

    def _picture(self) -> tuple[Board, list[str]]:
        """Read up to the end of the next picture: the board, and the lines that came before it."""
        said: list[str] = []
        rows: list[list[int]] = []
        frames = 0
        while frames < 2:
            line = self._match.line().rstrip("\n")
            row = ROW.fullmatch(line)
            if FRAME.fullmatch(line):
                frames += 1
            elif frames == 0:
                said.append(line.rstrip())
            elif row is not None:
                rows.append([_code(row[1][at : at + 2]) for at in range(0, len(row[1]), 3)])
        if len(rows) != self._rules.rows or any(len(row) != self._rules.columns for row in rows):
            raise BotError(
                f"the program prints a field of {len(rows)} rows, and not one of {self._rules.size}:"
                " give its --side"
            )
        return Board(np.array(rows, dtype=np.int8)), said

    def reject(self, reason: str) -> None:
        """Raises BotError: what a program prints is what it means."""
        raise BotError(f"the program prints a board that cannot be: {reason}")

    def new_game(self) -> None:
        """Raises BotError: a program plays one game."""
        raise BotError("a program plays one game: start another match")


def _code(text: str) -> int:
    """The code of a square as gameplay mode prints it; unread where it is none."""
    if text == "##":
        return Cell.COVERED
    if text == "()":
        return Cell.MINE
    if not text.strip():
        return Cell.EMPTY
    return int(text) if text.isdigit() and int(text) <= 8 else Cell.UNREAD
