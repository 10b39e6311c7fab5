"""A target at the other end of a pipe: a program of the COMP1511 assignment (UNSW, 2020), played as its
player sees it.

`Match` starts the program, sends it the mines, switches it to gameplay mode, and passes on only what is
printed after that. So the bot cannot see where the mines are.
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
from bot.targets.base import Wanted

GAMEPLAY_STARTS = "Gameplay mode activated"
"""The line after which the program hides the mines."""

SILENCE_LIMIT_S = 20.0
"""Maximum time between two lines of the program, in seconds."""

MOST_LINES = 100_000
"""Maximum number of lines that an answer of the program has. One that prints in an endless loop, as where it
does not see that its input is wrong, is never silent."""

LONGEST_LINE = 1_000
"""Maximum number of characters of a line; the largest board has 306."""

REVEAL_RADIAL = 7
"""The number of the command that opens a cell, as the assignment counts its commands."""

HINT_COMMANDS = {Action.COUNT_ROW: 1, Action.COUNT_COLUMN: 2, Action.COUNT_SQUARE: 3}
"""The numbers of the commands that count mines."""

FRAME = re.compile(r" +-+\s*")
"""The line above and the line below a printed board."""
ROW = re.compile(r"\d+ \|(.*)\|\s*")
"""A row of a printed board: three characters a cell, of which two are the cell's."""
HINT = re.compile(r"There are (\d+) mine\(s\) in .*")
"""The answer to a command that counts mines."""


class Match:
    """A running program that plays one game: a context manager that ends the program at its exit."""

    def __init__(self, command: Sequence[str], minefield: Minefield) -> None:
        """Start the program and bring it to gameplay mode. Raises BotError if it does not get there."""
        self._name = command[0]
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",  # a welcome in an old encoding is no reason to stop listening
                bufsize=1,
                start_new_session=True,  # Ctrl-C is for us alone; the program ends with its input
            )
        except OSError as error:
            raise BotError(f"{command[0]} cannot be started: {error.strerror or error}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._answer_lines = 0
        """Number of lines since something was sent."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            pairs = (divmod(cell, minefield.columns) for cell in minefield.cells)
            self.send(f"{minefield.total}\n" + "".join(f"{row} {column}\n" for row, column in pairs) + "5\n")
            while self.line().rstrip() != GAMEPLAY_STARTS:
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
            while line := self.process.stdout.readline(LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(None)

    def line(self) -> str:
        """The next line that the program prints. Raises BotError if none comes, or no end of them."""
        try:
            line = self._lines.get(timeout=SILENCE_LIMIT_S)
        except queue.Empty:
            raise BotError(
                f"{self._name} has said nothing for {SILENCE_LIMIT_S:.0f} s: is it this game? If it keeps"
                " back what it prints, as C does into a pipe, let it flush that or put `stdbuf -oL` first"
            ) from None
        if line is None:
            self._lines.put(None)
            raise BotError(f"{self._name} has ended in the middle of a game: see what it says by itself")
        self._answer_lines += 1
        if self._answer_lines > MOST_LINES:
            self.process.kill()  # not at `close`, which lets it print for seconds
            raise BotError(
                f"{self._name} prints line after line and no board, at last {line.rstrip()[:40]!r}: see what"
                " it says by itself"
            )
        return line

    def send(self, text: str) -> None:
        """Write to the program. Raises BotError if it has ended."""
        assert self.process.stdin is not None
        self._answer_lines = 0
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise BotError(f"{self._name} takes no more input: see what it says by itself") from None

    def close(self) -> None:
        """End the program if it still runs."""
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
    """Plays a match: printed boards come in, moves go out as commands."""

    def __init__(self, match: Match, rules: Rules, hints: int) -> None:
        """`rules` is what the player knows, the mine total included; `hints` is how many hints it may ask
        for."""
        self._match = match
        self._rules = rules
        self._hints = hints
        self._first: Coordinate | None = None
        """The first cell that was opened."""
        self._constraints: list[Constraint] = []
        """The hints since the first cell was opened, or so far."""
        self._constraints_before_first: tuple[Constraint, ...] = ()
        self._phase = Phase.READY
        self.commands = 0
        """Number of commands that were sent."""
        self._board, _ = self._printed_board()

    def observe(self, wanted: Wanted | None = None) -> Observation:
        """What a player knows after the last command.

        The first click may shift the mines. Hints from before it are therefore given as cases.
        """
        hint_cases: tuple[Case, ...] = ()
        if self._first is not None and not self._phase.over:
            hint_cases = cases(
                self._board, self._first, self._rules.first_click, self._constraints_before_first
            )
        return Observation(
            self._board, self._phase, self._rules, tuple(self._constraints), hint_cases, hints=self._hints
        )

    def act(self, moves: Sequence[Move], *, certain: bool = True) -> int:
        """Send the moves one by one; return how many there were.

        Flags do not exist in this game and are left out, as are cells whose number an earlier move opened. A
        cell that an earlier move opened as a zero is sent nevertheless: opening it reveals more cells.

        Raises BotError if the program prints no board of the expected size.
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
            self._constraints_before_first, self._constraints = tuple(self._constraints), []
        self._board, lines = self._command(f"{REVEAL_RADIAL} {move.row} {move.column}")
        if "Game Won!" in lines:
            self._phase = Phase.WON
        elif "Game over" in lines:
            self._phase = Phase.LOST
        else:
            self._phase = Phase.PLAYING

    def _ask(self, move: Move) -> None:
        arguments = {
            Action.COUNT_ROW: f"{move.row}",
            Action.COUNT_COLUMN: f"{move.column}",
            Action.COUNT_SQUARE: f"{move.row} {move.column} {move.side}",
        }[move.action]
        self._board, lines = self._command(f"{HINT_COMMANDS[move.action]} {arguments}")
        counts = [match for match in map(HINT.fullmatch, lines) if match is not None]
        self._hints = max(0, self._hints - 1)
        if not counts:
            self._hints = 0  # the program refused: all hints were used before
            return
        cells = move.asked(self._rules.rows, self._rules.columns)
        self._constraints.append(Constraint(cells, int(counts[0][1])))

    def _command(self, text: str) -> tuple[Board, list[str]]:
        self.commands += 1
        self._match.send(text + "\n")
        return self._printed_board()

    def _printed_board(self) -> tuple[Board, list[str]]:
        """Read up to the end of the next printed board; return it and the lines that came before it."""
        lines: list[str] = []
        rows: list[list[int]] = []
        frames = 0
        while frames < 2:
            line = self._match.line().rstrip("\n")
            row = ROW.fullmatch(line)
            if FRAME.fullmatch(line):
                frames += 1
            elif frames == 0:
                lines.append(line.rstrip())
            elif row is not None:
                rows.append([_code(row[1][at : at + 2]) for at in range(0, len(row[1]), 3)])
        if len(rows) != self._rules.rows or any(len(row) != self._rules.columns for row in rows):
            raise BotError(
                f"the program prints a field of {len(rows)} rows, and not one of {self._rules.size}:"
                " give its --side"
            )
        return Board(np.array(rows, dtype=np.int8)), lines

    def complete(self, mines: Sequence[Coordinate]) -> bool:
        """Nothing: these programs say themselves when a game is over."""
        return False

    def reject(self, reason: str) -> None:
        """Raises BotError: printed text is not misread, so the program itself is at fault."""
        raise BotError(f"the program prints a board that cannot be: {reason}")

    def new_game(self) -> None:
        """Raises BotError: each program plays one game only."""
        raise BotError("a program plays one game: start another match")


def _code(text: str) -> int:
    """The code of a cell as gameplay mode prints it; `Cell.UNREAD` for any other text."""
    if text == "##":
        return Cell.COVERED
    if text == "()":
        return Cell.MINE
    if not text.strip():
        return Cell.EMPTY
    return int(text) if text.isdigit() and int(text) <= 8 else Cell.UNREAD
