"""How long the page of a game of 1,000 moves takes to open in Chromium: `python benchmarks/pages.py [TIMES]`.

Printed are the seconds by the clock from the request to the first picture with the board, and the
processor time of the page's thread up to then: medians, and the best of all times, which on a busy machine
says most. The game is larger than Expert, with flags set and taken away, and the chances of every board. The
file of the page is printed too, so that it can be looked at.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from bot.board import Action, FirstClick, Move, Rules
from bot.game.game import Game
from bot.review.played_game import PlayedGame, replayed, to_story
from bot.show.game_page import game_page
from bot.show.story import Deed, with_chances
from bot.strategy.best import Best
from training.reader.html.chromium import Chromium

RULES = Rules(45, 30, 200, FirstClick.ZERO)

MOVES = 1000

BUDGET_S = 1.0
"""What opening may take, by the clock."""

FIRST_PICTURE = """new Promise(told => {
  const found = () => performance.getEntriesByName('first-contentful-paint')[0];
  const ask = () => found() ? told(found().startTime / 1000) : setTimeout(ask, 5);
  ask();
})"""


def page() -> str:
    """The page of a game of so many moves, all but the first of them without a mine."""
    for seed in range(1000):
        game = Game(RULES, seed=seed)
        deeds: list[Deed] = []
        while not game.phase.over and len(deeds) < MOVES:
            decided = Best().decide(game.observation, 1)
            for cell in decided.safe:
                if len(deeds) < MOVES and game.board[cell] > 8:
                    deeds.append(Deed(0.1 * len(deeds), Move(Action.OPEN, *cell)))
                    game.act(deeds[-1].move)
        opened = [deed.move.cell for deed in deeds]
        if game.phase.over and not game.minefield.mines[opened[-1]]:
            break
    mines = [divmod(int(cell), RULES.columns) for cell in game.minefield.mines.ravel().nonzero()[0]]
    # What is left of the thousand are flags, before the last click.
    flags = [Move(Action.FLAG, *cell) for cell in mines * (MOVES // len(mines) + 1)][: MOVES - len(deeds)]
    moves = [*(deed.move for deed in deeds[:-1]), *flags, deeds[-1].move]
    played = [Deed(0.1 * number, move) for number, move in enumerate(moves)]
    steps, last = replayed(game.minefield, RULES, played)
    seconds = played[-1].t
    story = to_story(
        PlayedGame(
            "a long game", "rawvf", "best", RULES, steps, last.phase.value, seconds, game.minefield, last=last
        )
    )
    return game_page(replace(story, positions=tuple(with_chances(each) for each in story.positions)))


def opened(browser: Chromium, html: str) -> tuple[float, float]:
    """Open a page: seconds by the clock, and seconds of the processor."""
    browser.show("<p>nothing", 1200, 900, 1)
    browser._call("Performance.enable", timeDomain="threadTicks")
    before = _busy(browser)
    browser.show(html, 1200, 900, 1)
    return float(browser.evaluate(FIRST_PICTURE)), _busy(browser) - before


def _busy(browser: Chromium) -> float:
    found = {each["name"]: each["value"] for each in browser._call("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"])


def main() -> None:
    """Write the page, open it again and again, and print the times."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    start = time.perf_counter()
    html = page()
    path = Path(tempfile.mkdtemp(prefix="minebot-page-")) / "game.html"
    path.write_text(html, encoding="utf-8")
    made = time.perf_counter() - start
    print(f"{path}: {len(html) / 1e6:.2f} MB, made in {made:.1f} s; load {os.getloadavg()[0]:.1f}")
    with Chromium() as browser:
        found = [opened(browser, html) for _ in range(times)]
    for name, values in zip(("by the clock", "of the processor"), zip(*found, strict=True), strict=True):
        print(f"{name:<17} {statistics.median(values):6.3f} s (best {min(values):.3f} s of {times})")
    print(f"{'budget':<17} {BUDGET_S:6.3f} s")


if __name__ == "__main__":
    main()
