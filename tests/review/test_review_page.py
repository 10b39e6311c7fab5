"""The pages of reviews in Chromium."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from pages import needs_chromium, open_pages
from test_game_files import TEXT

from bot.review.judge import Judge
from bot.review.rawvf import read_rawvf
from bot.review.report import review_page
from bot.review.verdicts import Review


@pytest.mark.slow
@needs_chromium
def test_pages_of_one_game_and_of_several() -> None:
    text = TEXT.replace("2.500 lc 4 3", "2.500 lc 2 3").replace("2.500 lr 4 3", "2.500 lr 2 3")
    reviews = [Judge().review(read_rawvf(text, name)) for name in ("a<b>", "b")]
    with open_pages() as page:
        page.show(review_page(reviews[:1], Judge()))
        assert page.text("h1") == "a<b>"
        assert "judged by best version" in page.text("main")
        page.click("#end")
        assert page.text("#clock").endswith(f"click {len(reviews[0].game.moves)} of 4")
        page.show(review_page(reviews, Judge()), 400)
        assert page.text("h1") == "Review of 2 games"
        assert page.value("document.querySelectorAll('#games tbody tr').length") == 2
        assert page.value("document.querySelectorAll('#curve circle').length") == 2
        assert page.value("document.documentElement.scrollWidth") <= 400
        # Several moves can throw away more than one game, and none of it is told as exact that is not.
        costly = Review(reviews[0].game, [replace(each, cost=0.8, error=0.05) for each in reviews[0].judged])
        page.show(review_page([costly, costly], Judge()), 400)
        lost = 80 * len(costly.judged)
        off = 5 * math.sqrt(len(costly.judged))
        assert f"{lost:.1f} % ± {off:.1f}" in page.text("#games tbody")
        # Folders that all names share are told once; without dates nothing is said to be by date.
        names = ("/games/of ada/a.rawvf", "/games/of bob/b.rawvf")
        page.show(review_page([Judge().review(read_rawvf(text, name)) for name in names], Judge()), 800)
        shown = "[...document.querySelectorAll('#games tbody td:first-child')].map(e => e.textContent)"
        assert page.value(shown) == ["of ada/a.rawvf", "of bob/b.rawvf"]
        assert "In /games/." in page.text("main")
        assert "Chance lost, game by game" in page.text("main")
        assert page.requests() == []
