"""Draws the pictures of docs/ again that show pages: python docs/draw_pictures.py (needs Chromium).

Those that show a game as a film come from `make picture`, which runs this as well.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import cv2

from training.reader.html.chromium import Chromium

PICTURES = Path(__file__).parent / "pictures"
MINEBOT = (sys.executable, "-m", "bot.cli.main")

GAMES = 400
"""Games of each strategy on the page of statistics."""

GAME = "winmine-expert-won"

TO_A_GUESS = "for (let guess = 0; guess < 7; guess++) document.getElementById('guess-on').click()"
"""Goes to a guess of that game that most of the board is open at."""


def main() -> None:
    """Play, write the pages, and draw them."""
    with tempfile.TemporaryDirectory() as folder, Chromium() as browser:
        games, page = Path(folder, "games.sqlite"), Path(folder, "page.html")
        for strategy in ("best", "exact", "seed"):
            words = ("simulate", "--level", "intermediate", "--games", str(GAMES), "--seed", "0")
            _minebot(*words, "--strategy", strategy, "--db", str(games))
        _minebot("stats", "--db", str(games), "--html", str(page))
        _draw(browser, page, "stats_page", 1400, 1000)
        _minebot("replay", GAME, "--html", str(page))
        _draw(browser, page, "game_page", 1400, 1000, TO_A_GUESS)
        _minebot("solve", "1#2##/12###/#####", "--mines", "4", "--html", str(page))
        _draw(browser, page, "board_page", 1000, 420)


def _minebot(*words: str) -> None:
    subprocess.run([*MINEBOT, *words], check=True, stdout=subprocess.DEVNULL)


def _draw(browser: Chromium, page: Path, name: str, width: int, height: int, script: str = "") -> None:
    browser.show(page.read_text(encoding="utf-8"), width, height, 1)
    if script:
        browser.evaluate(script)
    cv2.imwrite(str(PICTURES / f"{name}.png"), browser.picture(), [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
