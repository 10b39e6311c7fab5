"""How long minebot takes for a real game, beside what the game itself needs.

Usage: python benchmarks/known_answer.py [ROUNDS] [WINDOW ...]

In each round a window is opened with a board of its own number, and minebot plays it, as `minebot run` does.
Then the same window is opened with the same board for a loop that knows where the mines are and clicks the
fewest cells that open the rest, openings first, without looking: once for each pace of `INTERVALS_MS`. What
the window lost is clicked again. Both are timed from the first click until the same eyes see the end. Only
boards that minebot wins count. The windows are taken in turn, on a desktop with openbox, so that a busy
moment of the machine hits all of them. Prints medians, and the best time of minebot, which on a busy machine
says most.

The boards of other people's programs are made the same by `same_board.c`, which is compiled first: that needs
a C compiler.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
# The windows and the desktop are those of the tests.
sys.path += [str(ROOT), str(ROOT / "tests" / "windows")]

from played import run_lines  # noqa: E402
from series import WINDOWS, Openable  # noqa: E402

from bot.board import Action, Board, Cell, Coordinate, FirstClick, Phase, Rules  # noqa: E402
from bot.cli.parts.board_search import find_all_boards  # noqa: E402
from bot.errors import BotError  # noqa: E402
from bot.game.game import Game  # noqa: E402
from bot.game.minefield import Minefield  # noqa: E402
from bot.recording.format import BoardEvent, ClickEvent  # noqa: E402
from bot.recording.read import load  # noqa: E402
from bot.screen.capture import Capture  # noqa: E402
from bot.screen.display import environment  # noqa: E402
from bot.screen.mouse import Button, Mouse  # noqa: E402
from bot.screen.this_machine import system_capture, system_mouse, system_windows  # noqa: E402
from bot.screen.windows import Windows  # noqa: E402
from bot.targets.window.act.pointer import Pointer  # noqa: E402
from bot.targets.window.observe.observer import WindowObserver  # noqa: E402
from bot.targets.window.window_target import WindowTarget  # noqa: E402
from bot.vision.themes.theme import load_themes  # noqa: E402
from tests.soak.desktops import desktop  # noqa: E402

INTERVALS_MS = (1, 4)
"""Time between two clicks of the loop, in milliseconds."""

AGAIN_S, AGAIN_INTERVAL_S = 0.3, 0.01
"""After how many seconds the loop clicks again what is not opened, and between two of these clicks."""

LIMIT_S = 60.0
"""When the loop is given up, in seconds."""

Screen = tuple[Capture, Mouse, Windows]


@dataclass(frozen=True)
class Answer:
    """Where the mines of a board lie, and the cell that opens it."""

    minefield: Minefield
    first: Coordinate

    def fewest(self) -> list[Coordinate]:
        """The fewest cells whose clicks open every safe one: the first, the openings, then the rest."""
        field = self.minefield
        game = Game(Rules(field.columns, field.rows, field.total, FirstClick.ANY), minefield=field)
        safe = [(r, c) for r in range(field.rows) for c in range(field.columns) if not field.mines[r, c]]
        found = []
        for cell in sorted(safe, key=lambda cell: (cell != self.first, field.counts[cell] > 0)):
            if game.board[cell] == Cell.COVERED:
                game.open(*cell)
                found.append(cell)
        return found

    def mines(self) -> list[Coordinate]:
        """The cells that are mines."""
        return [divmod(cell, self.minefield.columns) for cell in self.minefield.cells]


@dataclass
class Kind:
    """A window, and what came of it."""

    target: str
    """The name of its theme."""
    level: str
    won_s: list[float] = field(default_factory=list)
    """How long minebot took for each game that it won, in seconds."""
    clicks: list[int] = field(default_factory=list)
    lost: int = 0
    loop_s: dict[int, list[float]] = field(default_factory=lambda: {ms: [] for ms in INTERVALS_MS})
    """How long the loop took for the same games, by its pace."""
    fewest: list[int] = field(default_factory=list)

    def open(self, number: int, library: Path) -> Openable:
        """Open the window with the board of this number."""
        game = WINDOWS[self.target]()
        with environment(LD_PRELOAD=str(library), SAME_BOARD=str(number)):
            game.open(self.level)
        return game

    def row(self) -> str:
        """What came of it, as a line."""
        if not self.won_s:
            return f"no game won, {self.lost} lost"
        median = statistics.median
        pace = median(clicks / taken_s for clicks, taken_s in zip(self.clicks, self.won_s, strict=True))
        text = (
            f"minebot {median(self.won_s):5.2f} s (best {min(self.won_s):5.2f}), {pace:4.0f} clicks a second"
        )
        for ms, taken in self.loop_s.items():
            ratio = median(own / loop for own, loop in zip(self.won_s, taken, strict=True))
            text += f" | {ms} ms: {median(taken):5.2f} s, ratio {ratio:4.2f}"
        clicks = f"{median(self.clicks):.0f} clicks, of the loop {median(self.fewest):.0f}"
        return f"{text} | {clicks} | {len(self.won_s)} won, {self.lost} lost"


KINDS = {
    "winmine": ("winmine", "expert"),
    "gnome-mines": ("gnome-mines", "expert"),
    "xdemineur": ("xdemineur", "expert"),
}
"""The windows by their names: the theme and the level."""


def play(kind: Kind) -> Answer | None:
    """Let minebot play the window that is open; the answer where it won and all of it was seen."""
    with tempfile.TemporaryDirectory() as scratch:
        (line,) = run_lines("--target", kind.target, "--no-db", "--record", scratch)
        if line["outcome"] == "lost":
            kind.lost += 1
            return None
        if line["outcome"] != "won":
            raise BotError(f"{kind.target}: {line['outcome']}: {line['reason']}")
        recording = load(Path(line["recording"]))
    clicks = [event for event in recording.events if isinstance(event, ClickEvent)]
    # The end of some games hides the board: what was never opened is a mine.
    rules = recording.header.game_rules()
    mines = np.ones((rules.rows, rules.columns), bool)
    for click in clicks:
        mines[click.row, click.column] &= click.action is Action.FLAG
    for event in recording.events:
        if isinstance(event, BoardEvent) and event.phase in (Phase.PLAYING, Phase.WON):
            mines &= Board.parse("\n".join(event.cells)).codes > 8
    if np.count_nonzero(mines) != rules.mines:
        print(f"{kind.target}: the end hid where some mines are: this game does not count", file=sys.stderr)
        return None
    kind.won_s.append(line["seconds"])
    kind.clicks.append(line["clicks"])
    return Answer(Minefield(mines), (clicks[0].row, clicks[0].column))


def loop_s(name: str, answer: Answer, interval_s: float, screen: Screen) -> float:
    """Click the known answer in the window of this theme that is open: the seconds from the first click until
    the end is seen. Raises BotError if the board is another one."""
    capture, mouse, windows = screen
    themes = [theme for theme in load_themes() if theme.name == name]
    (sighting,) = find_all_boards(capture, windows, themes, {}, limit_s=5)
    target = WindowTarget(sighting, capture, windows, Pointer(mouse, interval_s))
    park = WindowObserver(sighting, capture, windows).beside_board()
    target.observe()
    batches: list[tuple[list[Coordinate], Button]] = [(answer.fewest(), "left")]
    if target.behaviour.wins == "flagged":
        # A click may land where the pointer goes next: no mine is flagged before all else is seen to be open.
        batches.append((answer.mines(), "right"))
    begin = time.perf_counter()
    for cells, button in batches:
        pace_s, left = interval_s, cells
        while left and target.ended is None:
            start = time.perf_counter()
            for number, cell in enumerate(left):
                while time.perf_counter() < start + number * pace_s:
                    pass
                mouse.click(target.view.cell_on_screen(cell), button)
            mouse.move(park)
            made, pace_s = time.perf_counter(), AGAIN_INTERVAL_S
            while left and target.ended is None and time.perf_counter() - made < AGAIN_S:
                seen = target.observe()
                if seen.phase is Phase.LOST or time.perf_counter() - begin > LIMIT_S:
                    raise BotError(f"{name}: the known answer does not win: this is another board")
                left = [cell for cell in cells if seen.board[cell] in (Cell.COVERED, Cell.QUESTION)]
    while target.ended is None:
        target.observe()
        if time.perf_counter() - begin > LIMIT_S:
            raise BotError(f"{name}: the known answer does not win: this is another board")
    assert target.ended is not None
    return target.ended - begin


def round_of(kind: Kind, number: int, library: Path, screen: Screen) -> None:
    """Play one board of a window with minebot, and where that wins by the loop at each pace."""
    game = kind.open(number, library)
    try:
        answer = play(kind)
    finally:
        game.stop()
    if answer is None:
        return
    kind.fewest.append(len(answer.fewest()))
    for ms in INTERVALS_MS:
        game = kind.open(number, library)
        try:
            kind.loop_s[ms].append(loop_s(kind.target, answer, ms / 1000, screen))
        finally:
            game.stop()


def compiled(folder: Path) -> Path:
    """`same_board.c`, compiled into a folder. Raises BotError without a compiler."""
    library = folder / "same_board.so"
    source = Path(__file__).with_name("same_board.c")
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BotError(
            f"same_board.c cannot be compiled ({error}): `apt-get install gcc libc6-dev`"
        ) from None
    return library


def main() -> None:
    """Play the rounds and print a line a window."""
    words = sys.argv[1:]
    rounds = int(words.pop(0)) if words and words[0].isdigit() else 5
    kinds = {name: Kind(*KINDS[name]) for name in words or KINDS}
    with ExitStack() as ways_out:
        library = compiled(Path(ways_out.enter_context(tempfile.TemporaryDirectory())))
        ways_out.enter_context(desktop("openbox"))
        screen = system_capture(), system_mouse(), system_windows()
        for number in range(1, rounds + 1):
            for kind in kinds.values():
                round_of(kind, number, library, screen)
    for name, kind in kinds.items():
        print(f"{name:<12} {kind.row()}")
    print(f"load of the machine at the end {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")


if __name__ == "__main__":
    try:
        main()
    except BotError as error:
        sys.exit(f"{error}")
