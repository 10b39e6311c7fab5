"""Keeps what was learned: a theme of the user's, a calibration, and a picture of all glyphs."""

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
import numpy as np
import tomli_w

from bot import __version__
from bot.board import SYMBOLS, Cell
from bot.calibrate.infer.findings import ClusterLabel, Findings
from bot.calibrate.probe.live_window import LiveWindow
from bot.errors import BotError, UsageError
from bot.files import user_data
from bot.screen.capture import Capture, desktop
from bot.targets.window.locate.calibration import (
    Calibration,
    GridPlace,
    NewGame,
    WindowPlace,
    write_calibration,
)
from bot.vision.grid import Image
from bot.vision.themes.theme import SCHEMA

RESEND_MS = 120.0
"""The least time after which a click that did nothing is sent again."""

INTERVAL_MS = 4.0
"""Between two clicks, to begin with: windows under a window manager lose quicker ones."""

MOVES_S = 0.08
"""A window whose cells go on changing for longer after a click moves its pieces about."""


def check_name(name: str) -> str:
    """A name for a theme and a calibration; raises UsageError for one that is no good as a file's name."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", name):
        raise UsageError(f"{name!r} is no name for a calibration: use small letters, digits, - and _")
    return name


def name_from(title: str) -> str:
    """A name made of a window's title."""
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-")
    return words or "window"


def save_findings(name: str, learned: Findings, live: LiveWindow, capture: Capture) -> tuple[Path, Path]:
    """Write the theme, then the calibration; gives the theme's folder and the calibration's file.

    Each is written beside its place and renamed. Raises BotError where they cannot be written.
    """
    assert learned.new_game is not None
    try:
        folder = write_theme(name, learned, live)
        return folder, write_calibration(name, _profile(name, learned, live, capture))
    except OSError as error:
        raise BotError(
            f"what was learned cannot be kept in {user_data()} ({error.strerror or error}): make room there,"
            " or name another folder with MINEBOT_HOME"
        ) from None


def _profile(name: str, learned: Findings, live: LiveWindow, capture: Capture) -> Calibration:
    view, whole = live.view, desktop(capture.monitors())
    assert learned.new_game is not None
    grid = view.grid
    picture = live.grab()
    return Calibration(
        schema=1,
        theme=name,
        window=WindowPlace(live.window.title, live.window.program, picture.shape[1], picture.shape[0]),
        grid=GridPlace(
            float(grid.x),
            float(grid.y),
            float(grid.cell_width),
            float(grid.cell_height),
            grid.columns,
            grid.rows,
            grid.wide_columns,
            grid.wide_rows,
        ),
        new_game=NewGame.of(learned.new_game.way),
        park=(live.parking_pixel.x, live.parking_pixel.y),
        screen=(whole.width, whole.height),
        scale=view.scale,
        mines=learned.mines,
        made=f"{datetime.now():%Y-%m-%d %H:%M} by minebot calibrate {__version__}",
    )


def write_theme(name: str, learned: Findings, live: LiveWindow) -> Path:
    """Write the user's theme of that name in place of an older one; gives its folder."""
    with _replaced(user_data() / "templates" / name) as folder:
        size = learned.clusters.size
        cut = folder / f"{size[0]}px"
        cut.mkdir(parents=True)
        glyphs = _write_glyphs(cut, learned)
        faces = {mood: f"face_{mood}.png" for mood in learned.faces}
        for mood, picture in learned.faces.items():
            write_picture(cut / faces[mood], picture)
        spec = _spec(learned, live) | {
            "cuts": [{"folder": cut.name, "cell": list(size), "glyphs": glyphs, "faces": faces}]
        }
        (folder / "theme.toml").write_text(tomli_w.dumps(spec))
    return user_data() / "templates" / name


def _write_glyphs(folder: Path, learned: Findings) -> dict[str, list[str]]:
    glyphs: dict[str, list[str]] = {}
    for look, meaning in sorted(learned.labels.items(), key=lambda item: (item[1].code, -item[1].seen)):
        files = glyphs.setdefault(SYMBOLS[meaning.code], [])
        file = glyph_file(meaning.code, len(files))
        write_picture(folder / file, learned.clusters.exemplars[look])
        files.append(file)
    return glyphs


def glyph_file(code: int, index: int) -> str:
    """The name of the file of a glyph, the first, second, … of its meaning."""
    word = str(code) if code <= 8 else Cell(code).name.lower()
    return f"cell_{word}{f'_{index + 1}' if index else ''}.png"


def _spec(learned: Findings, live: LiveWindow) -> dict[str, Any]:
    grid, window = live.view.grid, live.window
    rect = grid.rect
    width, height = live.picture_size
    program = window.program or window.title
    rest_ms = 1000 * min(0.5, 1.5 * learned.lasted_s) if learned.lasted_s > MOVES_S else 0.0
    spec: dict[str, Any] = {
        "schema": SCHEMA,
        "title": window.title or program,
        "learned": True,
        "first_click": learned.first_click.value,
        "spread": learned.spread.value,
        "chord": "none",
        "wins": "flagged" if learned.flags_to_win else "opened",
        "inset": learned.clusters.inset,
        "border_width": 0,
        "border": {},
        "sizes": [[grid.columns, grid.rows, learned.mines]] if learned.mines is not None else [],
        "source": {
            "program": program,
            "licence": "for your own use: pictures of the program that drew them",
            "made_by": f"minebot calibrate {__version__}",
        },
        "margins": {
            "left": max(0, rect.x),
            "top": max(0, rect.y),
            "right": max(0, width - rect.right),
            "bottom": max(0, height - rect.bottom),
        },
        "timing": {
            "click_interval_ms": INTERVAL_MS,
            "resend_after_ms": round(max(RESEND_MS, 4000 * learned.latency_s), 1),
            "new_game_interval_s": 1.05,
            "rest_ms": round(rest_ms, 1),
        },
        "dialogs": [
            {"title": title, "kind": "notice", "accept": key}
            for title, key in learned.dialogs.items()
            if title
        ],
    }
    if learned.faces and learned.face is not None:
        box = learned.face
        middle = grid.x + grid.columns * grid.cell_width / 2
        # The theme knows faces whose middle lies over that of the board.
        if abs(box.x + box.width / 2 - middle) <= 1.5:
            spec["face"] = {"above": round(grid.y) - box.y, "size": [box.width, box.height]}
    return spec


def write_picture(path: Path, picture: Image) -> None:
    """Write a PNG. Raises BotError where the picture cannot be encoded, OSError as any write does."""
    written, data = cv2.imencode(".png", picture)
    if not written:
        raise BotError(f"{path} could not be written as a picture")
    path.write_bytes(data.tobytes())


@contextmanager
def _replaced(folder: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of another one when the body ends well."""
    mark = secrets.token_hex(4)
    # Not beside it: half a theme must never be taken for one.
    beside = user_data() / "calibrating" / f"{folder.name}-{mark}"
    beside.mkdir(parents=True)
    try:
        yield beside
        folder.parent.mkdir(parents=True, exist_ok=True)
        old = beside.with_name(f"{folder.name}-{mark}-old")
        if folder.exists():
            folder.rename(old)
        beside.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def sheet(learned: Findings, scale: int = 3) -> Image:
    """A picture of every look with its meaning, how many cells bear witness, and why."""
    rows = sorted(learned.labels.items(), key=lambda item: (item[1].code, -item[1].seen))
    return draw_sheet([(learned.clusters.exemplars[look], meaning) for look, meaning in rows], scale)


def draw_sheet(rows: list[tuple[Image, ClusterLabel]], scale: int = 3) -> Image:
    """A line for each glyph: its picture `scale` times as large, its letter, what is known of it."""
    if not rows:
        return np.full((40, 200, 3), 255, np.uint8)
    height = max(picture.shape[0] for picture, _ in rows) * scale + 12
    left = max(picture.shape[1] for picture, _ in rows) * scale + 24
    image = np.full((height * len(rows) + 12, left + 620, 3), 255, np.uint8)
    for index, (picture, meaning) in enumerate(rows):
        top = 12 + index * height
        large = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
        image[top : top + large.shape[0], 12 : 12 + large.shape[1]] = large
        word = Cell(meaning.code).name.lower().replace("_", " ") if meaning.code > 8 else f"{meaning.code}"
        word = "0 (empty)" if meaning.code == 0 else word
        text = f"{SYMBOLS[meaning.code]}  {word}: {sure(meaning)}, {meaning.why}"
        base = (left, top + height // 2 + 4)
        cv2.putText(image, text, base, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return image


def sure(meaning: ClusterLabel) -> str:
    """How sure a meaning is, for people."""
    seen = f"{meaning.seen} cell{'s' if meaning.seen != 1 else ''}"
    word = "sure" if meaning.seen >= 5 else "likely" if meaning.seen >= 2 else "seen once"
    return f"{word} ({seen})"
