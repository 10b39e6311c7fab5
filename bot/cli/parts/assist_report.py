"""Reports to the person who plays with `minebot run --assist` or `--hint`: whose turn it is, what is
certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.text import Text

from bot.assist import Turn, WaitReason
from bot.board import Action, Coordinate, Move, Observation
from bot.cli.parts.live_report import LiveReporter
from bot.cli.parts.outputs import print_json
from bot.game_line import GameLine, Mode, SharedLine
from bot.strategy.base import Decision, Kind

MAX_NAMED = 4
"""Maximum number of cells, or chances, that are named; the others are only counted."""

DONE = {Action.OPEN: "opened", Action.FLAG: "flagged", Action.CHORD: "chorded on"}

LEGEND = "o certainly safe   m certainly a mine   G the guess"


class HintLine(msgspec.Struct, frozen=True, tag_field="event", tag="hint"):
    """The JSON object that `minebot run --hint --json` prints for each position."""

    game: int
    cells: list[str]
    """The board text, a string a row."""
    safe: Sequence[Coordinate]
    mines: Sequence[Coordinate]
    probability: list[list[float | None]]
    """The chance of a mine, for each cell; null for opened cells."""
    best: Coordinate | None
    """The cell to open: a safe one, or else the guess of the strategy."""
    survival: float | None
    """The chance that `best` is no mine, 0 to 1; 1 for a protected first click."""
    reason: str


class AssistReporter(LiveReporter):
    """Reports to the person who plays: a line and the board in a terminal, lines elsewhere."""

    def __init__(self, games: int, mode: Mode, *, as_json: bool, sound: bool) -> None:
        super().__init__(games, as_json=as_json)
        self._mode = mode
        self._sound = sound
        self._turn: Turn | None = None
        self._status = ""
        self._last = ""
        """What the person did last."""
        self._clicks = 0
        """Clicks of the bot in this game, as far as it was told."""
        self._person_moves = 0

    def game_starts(self, number: int) -> None:
        """Remember the number of the game, and forget the game before."""
        super().game_starts(number)
        self._turn, self._last, self._status = None, "", ""
        self._clicks = self._person_moves = 0

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        """Report a decision that the bot plays itself."""
        self._turn = None
        self._clicks = clicks
        super().decided(observation, decision, clicks + self._person_moves, seconds)

    def shown(self, turn: Turn) -> None:
        """Show a position: what is certain, or else the guess and the chances."""
        self._turn = turn
        for viewer in self.viewers:
            viewer.shown(turn.observation, turn.decision, self._clicks + self._person_moves)
        if self._mode is Mode.HINT and self._json:
            print_json(self._hint(turn))
        if self._mode is Mode.HINT:
            self._say(hint_text(turn))
            if self._sound and not turn.safe:
                self._console.bell()

    def waits(self, why: WaitReason, text: str) -> None:
        """Say whose turn it is."""
        if why is WaitReason.CHOICE:
            assert self._turn is not None
            self._say(f"your turn: {guess_text(self._turn)}")
            if self._sound:
                self._console.bell()
        elif why is WaitReason.REST:
            self._say("the mouse is yours: minebot goes on when it rests")
        elif why is WaitReason.TROUBLE:
            self._turn = None
            self._say(f"waiting: {text}")
        else:
            self._turn = None
            self._say(text)

    def person_moved(self, moves: Sequence[Move]) -> None:
        """Say what the person did."""
        self._person_moves += len(moves)
        self._last = ", ".join(f"{DONE[move.action]} row {move.row}, column {move.column}" for move in moves)
        if not self._live.is_started:
            self.tell(f"you {self._last}")

    def table_row(self, line: GameLine) -> dict[str, str]:
        """The row, with the number of moves that the person made."""
        columns = super().table_row(line)
        if not isinstance(line, SharedLine):
            return columns
        first = {title: columns[title] for title in ("outcome", "seconds", "clicks")}
        return first | {"your moves": str(line.person_moves)} | columns

    def _say(self, text: str) -> None:
        """Update the live line; without one, print a line."""
        if not self._live.is_started:
            if text != self._status:
                self.tell(text)
            self._status = text
            return
        self._status = text
        parts = [f"game {self._count}", text, f"you {self._last}" if self._last else ""]
        lines: list[RenderableType] = [Text(" · ".join(part for part in parts if part))]
        if self._turn is not None:
            lines.append(MarkedBoard(self._turn))
        self._live.update(Group(*lines), refresh=True)

    def _hint(self, turn: Turn) -> HintLine:
        board = turn.observation.board
        best = turn.safe[0] if turn.safe else turn.choice
        return HintLine(
            game=self._number,
            cells=board.lines,
            safe=turn.safe,
            mines=turn.mines,
            probability=[
                [turn.chances.get((row, column)) for column in range(board.columns)]
                for row in range(board.rows)
            ],
            best=best,
            survival=None if best is None else 1.0 if turn.safe else turn.decision.survival,
            reason=turn.decision.reason,
        )


def place(cell: Coordinate) -> str:
    """A cell, for people."""
    return f"row {cell[0]}, column {cell[1]}"


def guess_text(turn: Turn) -> str:
    """The guess of minebot and the chances of other cells, for people."""
    decision, choice = turn.decision, turn.choice
    if choice is None:
        return decision.reason
    if decision.kind is Kind.FIRST:
        return f"the first click is yours ({decision.reason}); minebot would open {place(choice)}"
    text = f"nothing is certain; minebot would open {place(choice)}, safe with {decision.survival:.1%}"
    others = []
    for chance, cells in turn.candidates[:MAX_NAMED]:
        named = [cell for cell in cells if cell != choice]
        if named:
            more = f" and {len(named) - 1} more" if len(named) > 1 else ""
            others.append(f"{place(named[0])}{more} {chance:.1%}")
    return f"{text}; others: {'; '.join(others)}" if others else text


def hint_text(turn: Turn) -> str:
    """What is certain, or else the guess, for people."""
    if not turn.safe:
        return guess_text(turn)
    named = "; ".join(place(cell) for cell in turn.safe[:MAX_NAMED])
    more = f" and {len(turn.safe) - MAX_NAMED} more" if len(turn.safe) > MAX_NAMED else ""
    return f"certainly safe: {named}{more}"


class MarkedBoard:
    """The board in letters, with certain cells and the guess marked; nothing if the terminal is too small."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        board = self._turn.observation.board
        # The line above it may take three lines, and Live needs one more.
        if board.rows + 6 > console.height or 2 * board.columns + 4 > options.max_width:
            return
        marks = dict.fromkeys(self._turn.mines, ("m", "red"))
        marks |= dict.fromkeys(self._turn.safe, ("o", "bold green"))
        if self._turn.choice is not None and not self._turn.safe:
            marks[self._turn.choice] = ("G", "bold yellow")
        yield Text("    " + " ".join(str(column % 10) for column in range(board.columns)), style="dim")
        for row, letters in enumerate(board.lines):
            line = Text(f"{row:3}", style="dim")
            for column, letter in enumerate(letters):
                mark, style = marks.get((row, column), (letter, "none"))
                line.append(f" {mark}", style=style)
            yield line
        yield Text(LEGEND, style="dim")
