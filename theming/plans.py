"""What is known beforehand of a game from which a theme is cut: `cut.toml` in the theme's folder.

It says how the game is started, where grid, counter and face lie, and what `theme.toml` contains besides the
pictures. The cutter finds out everything else by playing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from bot.errors import BotError, FormatError
from bot.files import shipped, user_data
from bot.screen.programs.games import GnomeMines, Practice, WineMine
from bot.screen.programs.started_program import Started, find_program
from bot.screen.windows import Window
from bot.tables import read_table
from bot.vision.themes.schema import CounterSpec, FaceSpec, ThemeSpec

FILE = "cut.toml"


class WindowPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One window that is cut. Lengths in pixels. Windows with the same folder are skins of one size."""

    folder: str
    """The folder of the pictures, inside the theme's."""
    cell: tuple[int, int]
    """Width and height of a cell."""
    origin: tuple[int, int]
    """The top left of the grid, from the top left of the window's inside."""
    program: Literal["command", "winmine", "practice", "gnome-mines"] = "command"
    command: list[str] = []
    """How the game is started: {columns}, {rows} and {mines} stand for the numbers."""
    options: dict[str, Any] = {}
    """Further arguments of the program."""
    face: FaceSpec | None = None
    """Where it differs from that of the theme, as the counter."""
    counter: CounterSpec | None = None


class CutPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `cut.toml`."""

    theme: dict[str, Any]
    """The content of `theme.toml` except for the pictures and the border's colours."""
    windows: list[WindowPlan]
    size: tuple[int, int] = (24, 24)
    """Columns and rows of the boards that are played for their glyphs."""
    small: tuple[int, int, int] = (9, 9, 10)
    """Columns, rows and mines of the board that is played until it is won, where a face shows that."""
    rest_s: float = 0.7
    """For how many seconds a window must look the same before its picture counts."""

    @property
    def flags_to_win(self) -> bool:
        """Whether a game is won only once its mines are flagged."""
        return self.theme.get("wins") == "flagged"

    def face(self, window: WindowPlan) -> FaceSpec | None:
        """Where the face lies in a window."""
        return window.face or _converted(self.theme.get("face"), FaceSpec)

    def counter(self, window: WindowPlan) -> CounterSpec | None:
        """Where the counter lies in a window."""
        return window.counter or _converted(self.theme.get("counter"), CounterSpec)


def _converted(value: Any, to: Any) -> Any:
    return None if value is None else msgspec.convert(value, to)


def plan_folders() -> dict[str, Path]:
    """The themes that can be cut here, by name: the user's own win over the shipped ones."""
    folders: dict[str, Path] = {}
    for root in (shipped("templates"), user_data() / "templates"):
        if root.is_dir():
            folders |= {file.parent.name: file.parent for file in sorted(root.glob(f"*/{FILE}"))}
    return folders


def load_plan(folder: Path) -> CutPlan:
    """Read the `cut.toml` of a folder. Raises FormatError, which names the place of what is wrong."""
    path = folder / FILE
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from None
    plan = read_table(path, content, CutPlan)
    if not plan.windows:
        raise FormatError(f"{path}: it names no windows to cut")
    try:
        for window in plan.windows:
            plan.face(window), plan.counter(window)
        msgspec.convert({"border": {}} | plan.theme, ThemeSpec)
    except msgspec.ValidationError as error:
        raise FormatError(f"{path}: {error}") from None
    return plan


class Program(Protocol):
    """A game that can be started at any size."""

    def start(self, columns: int, rows: int, mines: int) -> Window:
        """Open it; gives its window, once it stands still."""
        ...

    def stop(self) -> None:
        """Close it."""
        ...


def program_for(window: WindowPlan) -> Program:
    """The program that starts the game of a window. Raises FormatError where the plan cannot start one."""
    if window.program == "command":
        return _CommandProgram(window.command)
    makers: dict[str, Callable[..., Program]]
    makers = {"winmine": WineMine, "practice": _practice, "gnome-mines": _gnome_mines}
    try:
        return makers[window.program](**window.options)
    except TypeError as error:
        raise FormatError(f"{FILE}: the `options` of a {window.program} window are wrong: {error}") from None


class _CommandProgram:
    """Any game whose size can be said on its command line."""

    def __init__(self, command: list[str]) -> None:
        if not command:
            raise FormatError(f"{FILE}: a window needs a `command` that starts the game, or a `program`")
        self._command = command
        self._words(9, 9, 10)
        self._program: Started | None = None

    def start(self, columns: int, rows: int, mines: int) -> Window:
        words = self._words(columns, rows, mines)
        program = find_program(words[0])
        if program is None:
            raise BotError(f"there is no {words[0]}: install it")
        self._program = Started([program, *words[1:]])
        return self._program.window(lambda window: window.rect.width > 50)

    def _words(self, columns: int, rows: int, mines: int) -> list[str]:
        try:
            return [word.format(columns=columns, rows=rows, mines=mines) for word in self._command]
        except (KeyError, IndexError, ValueError) as error:
            raise FormatError(
                f"{FILE}: a `command` knows {{columns}}, {{rows}} and {{mines}}, other braces are doubled"
                f" ({error})"
            ) from None

    def stop(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None


@dataclass
class _WithOptions:
    """A known game with arguments of its own for each start."""

    start: Callable[[int, int, int], Window]
    stop: Callable[[], None]


def _practice(scale: float = 1.0) -> Program:
    game, seeds = Practice(), count(1000, 1000)

    def start(columns: int, rows: int, mines: int) -> Window:
        options = ("--marks", "--seed", str(next(seeds)), "--scale", str(scale))
        return game.start(columns, rows, mines, *options)

    return _WithOptions(start, game.stop)


def _gnome_mines(theme: str, cell: int) -> Program:
    game = GnomeMines(theme)
    return _WithOptions(partial(game.start, at=(0, 0), cell=cell), game.stop)
