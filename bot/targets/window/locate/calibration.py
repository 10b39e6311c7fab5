"""Calibrations: how one window is played that `minebot calibrate` has learned. One TOML file each.

A calibration names a theme and says where the grid lies in the window, so that nothing has to be searched. It
is held against the window before anything is clicked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
import tomli_w

from bot.errors import FormatError, UsageError
from bot.files import shipped, user_data, write_whole
from bot.tables import read_table
from bot.vision.grid import Grid
from bot.vision.themes.behaviour import NewGameWay

SCHEMA = 1


class WindowPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The window that was learned."""

    title: str
    program: str
    """The program's own name for its windows; empty where none is known."""
    width: int
    """Of its inside, in pixels."""
    height: int


class GridPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the cells lie, in pixels from the top left of the window's inside; fractions allowed."""

    x: float
    y: float
    cell_width: float
    cell_height: float
    columns: int
    rows: int
    wide_columns: int = 0
    """So many columns, the first ones, are a pixel wider."""
    wide_rows: int = 0


NewGameKind = Literal["face", "button", "key"]

KINDS: dict[NewGameKind, Literal["place", "end place", "key"]] = {
    "face": "place",
    "button": "end place",
    "key": "key",
}
"""What the file calls the kinds of `NewGameWay`."""


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a new game is started, in the words of the file: a click on a place in the window, or a key."""

    kind: NewGameKind
    """`face`: a button that is always there; `button`: one that shows when a game is over; `key`."""
    x: int = 0
    """Of the click, in pixels from the top left of the window's inside."""
    y: int = 0
    key: str = ""
    wait_s: float = 3.0
    """How long after the end of a game a button may take to show, and a new board after that."""

    @classmethod
    def of(cls, way: NewGameWay) -> NewGame:
        """The same way for the file; StopIteration for a kind that no calibration has."""
        kind = next(word for word, kind in KINDS.items() if kind == way.kind)
        return cls(kind, way.x, way.y, way.key, way.wait_s)


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `calibration/<name>.toml`."""

    schema: int
    theme: str
    window: WindowPlace
    grid: GridPlace
    new_game: NewGame
    park: tuple[int, int]
    """Where the pointer hides nothing, in pixels from the top left of the window's inside."""
    screen: tuple[int, int]
    """Width and height, in points, of the desktop it was made on."""
    scale: float = 1.0
    """Pixels of a picture a point of the mouse."""
    mines: int | None = None
    """The mines of every game of this size; left out where they are not known."""
    made: str = ""
    """When, by what."""

    def new_game_way(self) -> NewGameWay:
        """How the next game is started."""
        own = self.new_game
        return NewGameWay(KINDS[own.kind], own.x, own.y, own.key, own.wait_s)

    def grid_in_window(self) -> Grid:
        """The cells, in pixels of the window's picture."""
        grid = self.grid
        return Grid(
            grid.x,
            grid.y,
            grid.cell_width,
            grid.cell_height,
            grid.columns,
            grid.rows,
            grid.wide_columns,
            grid.wide_rows,
        )


def calibration_files() -> dict[str, Path]:
    """Every calibration there is by its name: the shipped ones, and the user's own, which win over them."""
    found: dict[str, Path] = {}
    for place in (shipped("calibration"), user_data() / "calibration"):
        if place.is_dir():
            found |= {file.stem: file for file in sorted(place.glob("*.toml"))}
    return found


def own_calibrations() -> dict[str, Calibration]:
    """The user's calibrations by name. Raises FormatError for one that cannot be read."""
    place = user_data() / "calibration"
    files = sorted(place.glob("*.toml")) if place.is_dir() else []
    return {file.stem: read_calibration(file) for file in files}


def load_calibration(name: str) -> Calibration:
    """The calibration of that name; raises UsageError where there is none, FormatError for a bad one."""
    files = calibration_files()
    if name not in files:
        known = ", ".join(sorted(files)) or "none"
        raise UsageError(
            f"there is no calibration {name!r} (there are: {known}): make it with `minebot calibrate`"
        )
    return read_calibration(files[name])


def read_calibration(path: Path) -> Calibration:
    """Read a calibration; raises FormatError, naming the file and the place, for one that is no good."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from None
    calibration = read_table(path, content, Calibration, SCHEMA, "calibrate that window again")
    if (
        min(calibration.grid.columns, calibration.grid.rows) < 1
        or min(calibration.grid.cell_width, calibration.grid.cell_height) < 2
    ):
        raise FormatError(f"{path}: a grid of such cells cannot be: calibrate that window again")
    return calibration


def calibration_path(name: str) -> Path:
    """Where the user's calibration of that name lies."""
    return user_data() / "calibration" / f"{name}.toml"


def write_calibration(name: str, calibration: Calibration) -> Path:
    """Keep a calibration, whole or not at all; gives its file. Raises OSError as any write does."""
    data = msgspec.to_builtins(calibration)
    path = calibration_path(name)
    write_whole(path, tomli_w.dumps(_without_none(data)).encode())
    return path


def _without_none(data: dict[str, Any]) -> dict[str, Any]:
    """TOML has no null: what is not known is left out."""
    return {
        key: _without_none(value) if isinstance(value, dict) else value
        for key, value in data.items()
        if value is not None
    }
