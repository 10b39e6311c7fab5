"""How long minebot takes for a real game, beside what the game itself needs, or beside another minebot.

Usage: python benchmarks/known_answer.py [WINDOW ...] [--rounds N] [--minutes M] [--beside TREE] [--no-loop]

In each round a window is opened with a board of its own number, and minebot plays it, as `minebot run` does.
Then the same window is opened with the same board for a loop that knows where the mines are and clicks the
fewest cells that open the rest, openings first, without looking: once for each pace of `INTERVALS_MS`. What
the window lost is clicked again, with the button held down a little, as minebot does. Both are timed from the
first click until the same eyes see the end. Only boards that minebot wins count. With `--beside TREE` the
minebot of another working tree, as of the commit before (`git worktree add`), plays the same boards in turn,
and the ratio of the two times is printed with its 95 % interval. The windows are taken in turn, on a desktop
with openbox, so that a busy moment of the machine hits all of them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

# The tree that this file lies in, and not the one that is installed.
sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.same_boards import (
    ROOT,
    WINDOWS_BY_NAME,
    Answer,
    Played,
    SameBoards,
    compiled,
    median_interval,
)
from bot.board import Cell, Coordinate, Phase
from bot.cli.parts.board_search import find_all_boards
from bot.errors import BotError
from bot.screen.capture import Capture
from bot.screen.mouse import Button, Mouse
from bot.screen.this_machine import system_capture, system_mouse, system_windows
from bot.screen.windows import Windows
from bot.targets.window.act.pointer import HOLDS_S, Pointer
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.window_target import WindowTarget
from bot.vision.themes.theme import load_themes
from tests.soak.desktops import desktop

INTERVALS_MS = (1, 4)
"""Time between two clicks of the loop, in milliseconds."""

AGAIN_S, AGAIN_INTERVAL_S = 0.3, 0.01
"""After how many seconds the loop clicks again what is not opened, and between two of these clicks."""

LIMIT_S = 60.0
"""When the loop is given up, in seconds."""

Screen = tuple[Capture, Mouse, Windows]


@dataclass
class Results:
    """What came of the games in one window."""

    window: SameBoards
    own: list[Played] = field(default_factory=list)
    """The games that minebot won, where all mines are known."""
    fewest: list[int] = field(default_factory=list)
    """The clicks of the loop in these games."""
    loop_s: dict[int, list[tuple[float, float]]] = field(
        default_factory=lambda: {ms: [] for ms in INTERVALS_MS}
    )
    """How long minebot and the loop took for the games that the loop won too, in seconds, by its pace."""
    pairs: list[tuple[Played, Played]] = field(default_factory=list)
    """The games that the other tree's minebot and ours both won, on the same boards, in this order."""
    not_won: int = 0
    unknown: int = 0
    """Games that were won, but whose end hid where some mines were."""

    def lines(self) -> list[str]:
        """What came of it: minebot beside the loop, and beside the other tree's."""
        lines = []
        if self.own:
            own_s = [game.seconds for game in self.own]
            pace = statistics.median(game.clicks / game.seconds for game in self.own)
            text = f"minebot {_seconds(own_s)} (best {min(own_s):.2f} s), {pace:.0f} clicks a second"
            for ms, taken in self.loop_s.items():
                if taken:
                    ratio, of_loop = _ratio([own / loop for own, loop in taken]), [loop for _, loop in taken]
                    text += f" | loop at {ms} ms {_seconds(of_loop)}, minebot {ratio} of it"
            clicks = statistics.median(game.clicks for game in self.own)
            text += f" | {clicks:.0f} clicks, of the loop {statistics.median(self.fewest):.0f}"
            lines.append(text)
        unknown = f", {self.unknown} won with an end that hid mines" if self.unknown else ""
        lines.append(f"{len(self.own)} games won, {self.not_won} not{unknown}")
        if self.pairs:
            ratios = [own.seconds / other.seconds for other, own in self.pairs]
            both = [_seconds([pair[side].seconds for pair in self.pairs]) for side in (0, 1)]
            clicks_of = [statistics.median(pair[side].clicks for pair in self.pairs) for side in (0, 1)]
            lines.append(
                f"{len(self.pairs)} boards won by both: the other tree {both[0]}, {clicks_of[0]:.0f} clicks;"
                f" this one {both[1]}, {clicks_of[1]:.0f} clicks; ratio {_ratio(ratios)}"
            )
        return lines


def _seconds(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} s"


def _ratio(values: list[float]) -> str:
    middle, low, high = median_interval(values)
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


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
        pace_s, hold_s, left = interval_s, 0.0, cells
        while left and target.ended is None:
            start = time.perf_counter()
            for number, cell in enumerate(left):
                while time.perf_counter() < start + number * pace_s:
                    pass
                mouse.click(target.view.cell_on_screen(cell), button, hold_s)
            mouse.move(park)
            made, pace_s, hold_s = time.perf_counter(), AGAIN_INTERVAL_S, HOLDS_S[1]
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


def round_of(
    results: Results,
    turn: int,
    library: Path,
    beside: Path | None,
    loop: Callable[[Answer, int], float] | None,
) -> None:
    """Play one board of a window with minebot, also with that of the other tree, and where minebot wins by
    the loop at each pace."""
    window = results.window
    number = window.number(turn)
    trees = [ROOT] if beside is None else [ROOT, beside]
    # Neither tree is always the first: what is in memory already helps the second.
    played = {tree: window.play(number, library, tree) for tree in trees[:: 1 if turn % 2 else -1]}
    for tree, game in played.items():
        how = "won" if game.won else "lost"
        said = f"{tree.name}: {how}, {game.seconds:.2f} s, {game.clicks} clicks"
        print(f"{window.target} {window.level}, board {number}, {said}", file=sys.stderr, flush=True)
    own = played[ROOT]
    if beside is not None and own.won and played[beside].won:
        results.pairs.append((played[beside], own))
    results.not_won += not own.won
    results.unknown += own.won and own.answer is None
    if own.answer is None:
        return
    results.own.append(own)
    results.fewest.append(len(own.answer.fewest()))
    for ms in INTERVALS_MS if loop is not None else ():
        opened = window.open(number, library)
        try:
            assert loop is not None
            results.loop_s[ms].append((own.seconds, loop(own.answer, ms)))
        finally:
            opened.stop()


def main() -> None:
    """Play the rounds and print what came of each window."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("windows", nargs="*", metavar="WINDOW", help=", ".join(WINDOWS_BY_NAME))
    parser.add_argument("--rounds", type=int, default=5, help="boards of each window")
    parser.add_argument("--minutes", type=float, default=60.0, help="no round begins after that")
    parser.add_argument("--beside", type=Path, help="another working tree of minebot, with what it needs")
    parser.add_argument("--no-loop", action="store_true", help="play with minebot alone")
    words = parser.parse_args()
    unknown = [name for name in words.windows if name not in WINDOWS_BY_NAME]
    if unknown:
        parser.error(f"no window is called {unknown[0]}: {', '.join(WINDOWS_BY_NAME)}")
    if words.beside is not None and not (words.beside / "bot" / "cli" / "main.py").is_file():
        parser.error(f"{words.beside} is no working tree of minebot")
    results = {name: Results(WINDOWS_BY_NAME[name]) for name in words.windows or WINDOWS_BY_NAME}
    beside = words.beside.resolve() if words.beside is not None else None
    end = time.monotonic() + 60 * words.minutes
    with ExitStack() as ways_out:
        library = compiled(Path(ways_out.enter_context(tempfile.TemporaryDirectory())))
        ways_out.enter_context(desktop("openbox"))
        screen = system_capture(), system_mouse(), system_windows()
        for turn in range(words.rounds):
            for name, result in results.items():
                if time.monotonic() > end:
                    break

                def loop(answer: Answer, ms: int, target: str = result.window.target) -> float:
                    return loop_s(target, answer, ms / 1000, screen)

                try:
                    round_of(result, turn, library, beside, None if words.no_loop else loop)
                except BotError as error:
                    print(f"{name}: the rest of this round does not count: {error}", file=sys.stderr)
    for name, result in results.items():
        for line in result.lines():
            print(f"{name:<12} {line}")
    print(f"load of the machine at the end {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")


if __name__ == "__main__":
    try:
        main()
    except BotError as error:
        sys.exit(f"{error}")
