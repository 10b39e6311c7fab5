"""Does the pieces of work, two at a time, each with folders of its own for settings and recordings."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import cv2

from bot.files import user_cache
from tests.pin.record import Prints, fingerprint
from tests.pin.sections import SECTIONS, Piece, Texts

WORKERS = 2

NO_DISPLAY = ":64999"
"""No X server listens there."""


@contextlib.contextmanager
def own_home() -> Iterator[None]:
    """Folders of the piece's own; the compiled solver is shared."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = user_cache() / "solver"
        place = Path(folder) / "cache" / "solver"
        place.parent.mkdir()
        with contextlib.suppress(OSError):
            compiled.mkdir(parents=True, exist_ok=True)
            place.symlink_to(compiled.resolve(), target_is_directory=True)
        before = {name: os.environ.get(name) for name in ("MINEBOT_HOME", "DISPLAY")}
        os.environ.update(MINEBOT_HOME=folder, DISPLAY=NO_DISPLAY)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def texts_of(piece: Piece, name: str = "") -> Texts:
    """The canonical texts of a piece, by their whole names; given a name, perhaps that one alone."""
    with own_home():
        texts = piece.one(name) if piece.one is not None and name else piece.does()
        return {f"{piece.section}/{given}": text for given, text in texts.items()}


def _begin() -> None:
    cv2.setNumThreads(1)


def _prints_of(piece: Piece) -> Prints:
    return {name: fingerprint(text) for name, text in texts_of(piece).items()}


def pieces_of(sections: Sequence[str], *, quick: bool = False) -> dict[str, list[Piece]]:
    """The pieces of each of these sections; with `quick`, only the quick ones."""
    return {name: [one for one in SECTIONS[name]() if one.quick or not quick] for name in sections}


def prints_of(pieces: Sequence[Piece]) -> Prints:
    """The fingerprints of these pieces."""
    if len(pieces) < 2 * WORKERS:
        _begin()
        return {name: one for piece in pieces for name, one in _prints_of(piece).items()}
    prints: Prints = {}
    # Begun afresh and not copied: what a piece gives must not hang on what was done before.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(WORKERS, mp_context=fresh, initializer=_begin) as pool:
        ordered = sorted(pieces, key=lambda piece: -piece.cost_s)
        for done in as_completed([pool.submit(_prints_of, piece) for piece in ordered]):
            prints |= done.result()
    return prints
