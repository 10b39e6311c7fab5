"""The page that stands in for Google's Minesweeper, opened in a real Chromium."""

from __future__ import annotations

from pathlib import Path

from bot.screen.browser import BrowserPage
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
