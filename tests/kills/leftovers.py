"""What a killed minebot left in its folders: whether its results are whole and its recordings replay."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from bot.errors import BotError
from bot.recording.read import load
from bot.recording.replay import replay
from bot.strategy.registry import strategy
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.themes.theme import load_skin


def results_faults(path: Path, told: int, *, exact: bool) -> list[str]:
    """What is wrong with the results, `told` games of which were printed. A kill, which is not `exact`, may
    fall before the last is kept."""
    if not path.exists():
        return [f"{told} games were told, and there are no results"] if told > 1 else []
    try:
        kept = _games_kept(path)
    except sqlite3.DatabaseError as error:
        return [f"the results are damaged: {error}"]
    wrong = [f"{one.name} lies about" for one in path.parent.glob(f"{path.name}-*")]
    if kept < told - (0 if exact else 1):
        wrong.append(f"{told} games were told and {kept} are kept")
    return wrong


def _games_kept(path: Path) -> int:
    """How many games a file of results holds. Raises DatabaseError if it is damaged."""
    with closing(sqlite3.connect(path)) as db:
        (sound,) = db.execute("PRAGMA integrity_check").fetchone()
        if sound != "ok":
            raise sqlite3.DatabaseError(sound)
        try:
            (kept,) = db.execute("SELECT count(*) FROM games").fetchone()
        except sqlite3.OperationalError:  # it was being made
            kept = 0
        # What the next run does, so that a journal which a kill left is used up. SQLite leaves one that says
        # nothing yet until somebody writes.
        db.execute(f"PRAGMA user_version = {db.execute('PRAGMA user_version').fetchone()[0]}")
    return int(kept)


def recordings_faults(folder: Path) -> list[str]:
    """What is wrong with the recordings: the last one is read and decided again, the others are read."""
    wrong = []
    games = sorted(one for one in folder.glob("*") if (one / "game.jsonl").exists())
    for place, one in enumerate(games):
        try:
            recording = load(one)
            for frame in recording.frames:
                recording.frame(frame)
            if place == len(games) - 1:
                reader_on = partial(GlyphReader, load_skin("practice"))
                again = replay(recording, reader_on, strategy(recording.header.strategy))
                wrong += [f"{one.name}: {each.text}" for each in again.differences[:3]]
        except BotError as error:
            if "there is no whole header" not in str(error):  # killed before anything was recorded
                wrong.append(str(error))
    return wrong
