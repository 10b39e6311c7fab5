"""Calibrations: what was learned about one window, one TOML file each.

A calibration names a theme and says where the grid lies in the window, so the grid need not be searched. It
is compared with the window before anything is clicked.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from bot.errors import FormatError, UsageError
from bot.files import shipped, user_data, write_whole
from bot.tables import read_table, toml_bytes
from bot.vision.grid import Grid
from bot.vision.themes.behaviour import NewGameWay
from bot.vision.themes.theme import theme_folders

SCHEMA = 2

MOST_PIXELS = 1e5
"""Pixels that a desktop has at most, side by side."""


class WindowPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The window that was calibrated."""

    title: str
    program: str
    """The program's own name for its windows; empty if unknown."""
    width: int
    """Width of its inside, in pixels."""
    height: int
    """Height of its inside, in pixels."""


class GridPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the cells lie, in pixels from the top left of the window's inside; fractions allowed."""

    x: float
    y: float
    cell_width: float
    cell_height: float
    columns: int
    rows: int
    wide_columns: int = 0
    """Number of columns, from the left, that are one pixel wider."""
    wide_rows: int = 0
    """Number of rows, from the top, that are one pixel higher."""

    @classmethod
    def of(cls, grid: Grid) -> GridPlace:
        """The same grid for the file."""
        return cls(
            float(grid.x),
            float(grid.y),
            float(grid.cell_width),
            float(grid.cell_height),
            grid.columns,
            grid.rows,
            grid.wide_columns,
            grid.wide_rows,
        )


NewGameKind = Literal["face", "button", "key"]

WAY_KINDS: dict[NewGameKind, Literal["place", "end place", "key"]] = {
    "face": "place",
    "button": "end place",
    "key": "key",
}
"""For each kind in a calibration's file the kind of `NewGameWay`."""


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a new game is started, in the words of the file: a click on a place in the window, or a key."""

    kind: NewGameKind
    """`face`: a button that is always shown; `button`: a button that is shown when a game is over; `key`."""
    x: int = 0
    """Where to click, in pixels from the top left of the window's inside."""
    y: int = 0
    key: str = ""
    """The name of the key, as `Mouse.key` takes it."""
    wait_s: float = 3.0
    """Maximum time from the end of a game to the button, and from the click to the new board, in seconds."""

    @classmethod
    def of(cls, way: NewGameWay) -> NewGame:
        """The way in the words of the file. Raises StopIteration for a kind that no calibration has."""
        kind = next(word for word, kind in WAY_KINDS.items() if kind == way.kind)
        return cls(kind, way.x, way.y, way.key, way.wait_s)


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `calibration/<name>.toml`."""

    schema: int
    theme: str
    window: WindowPlace
    grid: GridPlace
    park: tuple[int, int]
    """Where the pointer covers nothing, in pixels from the top left of the window's inside."""
    screen: tuple[int, int]
    """Width and height of the desktop on which it was made, in points."""
    new_game: NewGame | None = None
    """How a new game is started; None where that is not known."""
    general: bool = False
    """True in what is written; earlier versions read what the glyphs of such a theme do not show by what all
    Minesweepers share, as is done for every learned theme now."""
    scale: float = 1.0
    """Pixels of a picture for one point of the mouse."""
    mines: int | None = None
    """The mine total of every game of this size; None if unknown."""
    made: str = ""
    """When and by which command it was made."""

    def new_game_way(self) -> NewGameWay | None:
        """How the next game is started, as the target uses it; None where that is not known."""
        own = self.new_game
        if own is None:
            return None
        return NewGameWay(WAY_KINDS[own.kind], own.x, own.y, own.key, own.wait_s)

    def grid_in_window(self) -> Grid:
        """The grid of the cells, in pixels of the window's picture."""
        return Grid(**msgspec.structs.asdict(self.grid))


def calibration_files() -> dict[str, Path]:
    """The file of every calibration by name; the user's own override the shipped ones."""
    found: dict[str, Path] = {}
    for place in (shipped("calibration"), user_data() / "calibration"):
        if place.is_dir():
            found |= {file.stem: file for file in sorted(place.glob("*.toml"))}
    return found


def own_calibrations(tell: Callable[[str], None] | None = None) -> dict[str, Calibration]:
    """The user's calibrations by name.

    Raises FormatError for one that cannot be read, or whose theme is not there; with `tell` it is reported
    there in a line and left out.
    """
    place = user_data() / "calibration"
    themes, found = theme_folders(), {}
    for file in sorted(place.glob("*.toml")) if place.is_dir() else []:
        try:
            calibration = read_calibration(file)
            if calibration.theme not in themes:
                missing = f"there is no theme {calibration.theme!r}"
                raise FormatError(f"{file}: {missing}: calibrate that window again")
            found[file.stem] = calibration
        except FormatError as error:
            if tell is None:
                raise
            tell(f"{error}; going on without it")
    return found


def load_calibration(name: str) -> Calibration:
    """The calibration of that name. Raises UsageError if there is none, FormatError if it cannot be read."""
    files = calibration_files()
    if name not in files:
        raise UsageError(
            f"there is no calibration {name!r} ({_known(files)}): make it with `minebot calibrate`"
        )
    return read_calibration(files[name])


def came_with_minebot(files: dict[str, Path]) -> list[str]:
    """The names of those of these calibrations that are not the user's own."""
    return sorted(name for name, file in files.items() if file != calibration_path(name))


def _known(files: dict[str, Path]) -> str:
    """Which calibrations there are, in words."""
    came = came_with_minebot(files)
    with_minebot = ", ".join(came)
    learned = ", ".join(sorted(files.keys() - came)) or "none"
    return f"learned here: {learned}" + (f"; with minebot came {with_minebot}" if with_minebot else "")


def read_calibration(path: Path) -> Calibration:
    """Read a calibration. Raises FormatError, naming the file and the place in it, if it is not valid."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from None
    calibration = read_table(path, content, Calibration, SCHEMA, "calibrate that window again")
    if not _can_be(calibration.grid):
        raise FormatError(f"{path}: a grid of such cells cannot be: calibrate that window again")
    return calibration


def _can_be(grid: GridPlace) -> bool:
    """Whether cells of a window can lie so: TOML knows infinity, and what is no number."""
    cells = grid.cell_width, grid.cell_height
    numbers = (*cells, grid.columns, grid.rows, grid.wide_columns, grid.wide_rows, grid.x, grid.y)
    known = all(-MOST_PIXELS <= each <= MOST_PIXELS for each in numbers)
    return known and min(grid.columns, grid.rows) >= 1 and min(cells) >= 2


def calibration_path(name: str) -> Path:
    """The file of the user's calibration of that name."""
    return user_data() / "calibration" / f"{name}.toml"


def kept_at(name: str) -> float:
    """When the user's calibration of that name was written, in seconds since 1970; 0 where there is none."""
    try:
        return calibration_path(name).stat().st_mtime
    except OSError:
        return 0.0


def write_calibration(name: str, calibration: Calibration) -> Path:
    """Write a calibration as a whole or not at all; return its file. Raises OSError if it cannot be
    written."""
    path = calibration_path(name)
    write_whole(path, toml_bytes(calibration))
    return path
