"""The page that stands in for Google's Minesweeper, opened in a real Chromium."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from pathlib import Path

from bot.screen.programs.browser import BrowserPage
from bot.screen.this_machine import system_windows
from bot.screen.windows import Window

PAGE = Path(__file__).parent / "google" / "index.html"

LEVELS = {"easy": (10, 8, 10), "medium": (18, 14, 40), "hard": (24, 20, 99)}
"""Columns, rows and mines."""


class GooglePage(BrowserPage):
    """The page in a window that has room for every level."""

    def __init__(self) -> None:
        super().__init__(PAGE)

    def open(self, level: str, **more: str | int) -> Window:
        """Open it at a level; what else the address may say stands in the page's README."""
        return self.start(level=level, **more)  # type: ignore[arg-type]


def boards_in(title: str) -> set[str]:
    """The boards that a title of the page tells, as board text; one that was cut off is left out."""
    boards = [told.split("/") for told in title.split()[3:]]
    return {"\n".join(rows) for rows in boards if len({len(row) for row in rows}) == 1}


class Told:
    """Everything that the page says it shows: it tells by the window's title, which the bot cannot use."""

    def __init__(self) -> None:
        self.boards: set[str] = set()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._listen)

    def __enter__(self) -> Told:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _listen(self) -> None:
        with closing(system_windows()) as windows:
            while not self._done.is_set():
                for window in windows.windows():
                    if window.title.startswith("mines "):
                        self.boards.update(boards_in(window.title))
                time.sleep(0.01)
