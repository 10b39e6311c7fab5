"""The page that stands in for Google's Minesweeper, opened in a real Chromium."""

from __future__ import annotations

from pathlib import Path

from bot.screen.browser import BrowserPage

PAGE = Path(__file__).parent / "google" / "index.html"

LEVELS = {"easy": (10, 8, 10), "medium": (18, 14, 40), "hard": (24, 20, 99)}
"""Columns, rows and mines."""


def google_page() -> BrowserPage:
    """The page, not opened yet."""
    return BrowserPage(PAGE)
