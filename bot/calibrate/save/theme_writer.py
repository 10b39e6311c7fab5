"""Keeps what was learned: a theme of the user's and a calibration."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2

from bot import __version__
from bot.board import SYMBOLS, Cell
from bot.calibrate.infer.findings import Findings
from bot.calibrate.probe.live_window import LiveWindow
from bot.errors import BotError, UsageError
from bot.files import user_data, write_whole
from bot.screen.capture import Capture, desktop
from bot.screen.windows import Window
from bot.tables import toml_bytes
from bot.targets.window.calibration import SCHEMA as CALIBRATION_SCHEMA
from bot.targets.window.calibration import Calibration, GridPlace, NewGame, WindowPlace, write_calibration
from bot.vision.grid import Grid, Image
from bot.vision.themes.theme import SCHEMA

MIN_RESEND_MS = 120.0
"""The least time after which a click that did nothing is sent again; or 4 times the longest latency."""

INTERVAL_MS = 4.0
"""Between two clicks, to begin with: windows under a window manager lose quicker ones."""

MIN_MOVEMENT_S, MAX_REST_S = 0.08, 0.5
"""A window whose cells go on changing for longer than the first after a click is animated: it is given 1.5
times as long to rest, the second at most."""

FACE_TOLERANCE = 1.5
"""How far, in pixels, the middle of a face may lie beside that of the board: a theme knows no others."""


def check_name(name: str) -> str:
    """A name for a theme and a calibration; raises UsageError for one that is no good as a file's name."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", name):
        raise UsageError(f"{name!r} is no name for a calibration: use small letters, digits, - and _")
    return name


def name_from(title: str) -> str:
    """A name made of a window's title."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "window"


def save_findings(name: str, findings: Findings, live: LiveWindow, capture: Capture) -> tuple[Path, Path]:
    """Write the theme, then the calibration; gives the theme's folder and the calibration's file.

    Each is written elsewhere and renamed. Raises BotError where they cannot be written.
    """
    try:
        folder = write_theme(name, findings, live)
        return folder, write_calibration(name, _calibration(name, findings, live, capture))
    except OSError as error:
        raise BotError(
            f"what was learned cannot be kept in {user_data()} ({error.strerror or error}): make room there,"
            " or name another folder with MINEBOT_HOME"
        ) from None


def _calibration(name: str, findings: Findings, live: LiveWindow, capture: Capture) -> Calibration:
    assert findings.new_game is not None
    whole, parking = desktop(capture.monitors()), live.parking_pixel
    height, width = live.grab().shape[:2]
    return Calibration(
        schema=CALIBRATION_SCHEMA,
        theme=name,
        window=WindowPlace(live.window.title, live.window.program, width, height),
        grid=GridPlace.of(live.view.grid),
        new_game=NewGame.of(findings.new_game.way),
        park=(parking.x, parking.y),
        screen=(whole.width, whole.height),
        scale=live.view.scale,
        mines=findings.mines,
        made=f"{datetime.now():%Y-%m-%d %H:%M} by minebot calibrate {__version__}",
    )


def write_theme(name: str, findings: Findings, live: LiveWindow) -> Path:
    """Write the user's theme of that name in place of an older one; gives its folder."""
    place = user_data() / "templates" / name
    with replaced(place) as folder:
        size = findings.clusters.size
        pictures = folder / f"{size[0]}px"
        glyphs: dict[str, list[str]] = {}
        for cluster, label in findings.in_order:
            files = glyphs.setdefault(SYMBOLS[label.code], [])
            files.append(glyph_file(label.code, len(files)))
            write_picture(pictures / files[-1], findings.clusters.exemplars[cluster])
        faces = {mood: f"face_{mood}.png" for mood in findings.faces}
        for mood, picture in findings.faces.items():
            write_picture(pictures / faces[mood], picture)
        glyph_set = {"folder": pictures.name, "cell": list(size), "glyphs": glyphs, "faces": faces}
        write_whole(folder / "theme.toml", toml_bytes(_spec(findings, live) | {"cuts": [glyph_set]}))
    return place


def glyph_file(code: int, index: int) -> str:
    """The name of the file of a glyph, the first, second, … of its code."""
    word = str(code) if code <= 8 else Cell(code).name.lower()
    return f"cell_{word}{f'_{index + 1}' if index else ''}.png"


def _spec(findings: Findings, live: LiveWindow) -> dict[str, Any]:
    """The content of `theme.toml` except for its pictures."""
    grid = live.view.grid
    rest_s = min(MAX_REST_S, 1.5 * findings.lasted_s) if findings.lasted_s > MIN_MOVEMENT_S else 0.0
    spec = learned_spec(live.window, grid, live.picture_size, "minebot calibrate") | {
        "first_click": findings.first_click.value,
        "spread": findings.spread.value,
        "wins": "flagged" if findings.flags_to_win else "opened",
        "inset": findings.clusters.inset,
        "sizes": [[grid.columns, grid.rows, findings.mines]] if findings.mines is not None else [],
        "timing": {
            "click_interval_ms": INTERVAL_MS,
            "resend_after_ms": round(max(MIN_RESEND_MS, 4000 * findings.latency_s), 1),
            "new_game_interval_s": 1.05,
            "rest_ms": round(1000 * rest_s, 1),
        },
        "dialogs": [
            {"title": title, "kind": "notice", "accept": key}
            for title, key in findings.dialogs.items()
            if title
        ],
    }
    if findings.faces and findings.face is not None:
        box = findings.face
        middle = grid.x + grid.columns * grid.cell_width / 2
        if abs(box.x + box.width / 2 - middle) <= FACE_TOLERANCE:
            spec["face"] = {"above": round(grid.y) - box.y, "size": [box.width, box.height]}
    return spec


def learned_spec(window: Window, grid: Grid, size: tuple[int, int], made_by: str) -> dict[str, Any]:
    """What the `theme.toml` of every learned window has, whatever was learned; `size` is the width and the
    height of the picture of the window, in pixels, `made_by` a command."""
    rect = grid.rect
    width, height = size
    program = window.program or window.title
    return {
        "schema": SCHEMA,
        "title": window.title or program,
        "learned": True,
        "chord": "none",
        "border_width": 0,
        "border": {},
        "source": {
            "program": program,
            "licence": "for your own use: pictures of the program that drew them",
            "made_by": f"{made_by} {__version__}",
        },
        "margins": {
            "left": max(0, rect.x),
            "top": max(0, rect.y),
            "right": max(0, width - rect.right),
            "bottom": max(0, height - rect.bottom),
        },
    }


def write_picture(path: Path, picture: Image) -> None:
    """Write a PNG. Raises BotError where the picture cannot be encoded, OSError as any write does."""
    written, data = cv2.imencode(".png", picture)
    if not written:
        raise BotError(f"{path} could not be written as a picture")
    write_whole(path, data.tobytes())


@contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of an older one once the body ends without an error."""
    mark = secrets.token_hex(4)
    # Not in the folder of the themes: half a theme must never be taken for one.
    filled = user_data() / "calibrating" / f"{folder.name}-{mark}"
    filled.mkdir(parents=True)
    try:
        yield filled
        folder.parent.mkdir(parents=True, exist_ok=True)
        old = filled.with_name(f"{folder.name}-{mark}-old")
        if folder.exists():
            folder.rename(old)
        filled.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(filled, ignore_errors=True)
