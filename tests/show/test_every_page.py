"""What holds for every page: on each screen, light and dark, by keys, read aloud, with hostile text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from pages import Page, needs_chromium, open_pages
from sample_pages import HOSTILE, PAGES, live_page

from bot.show.build import FRONT, kinds
from bot.show.live import LiveView

pytestmark = pytest.mark.slow

WIDTHS = (400, 800, 1600)

NAMELESS = """[...document.querySelectorAll('button, input, select, table, [role], [tabindex="0"]')]
.filter(e => e.role !== 'row' && !e.getAttribute('aria-label') && !e.labels?.length && !e.textContent.trim())
.map(e => e.outerHTML).join()"""

STUCK = """[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth &&
!e.matches('[tabindex]') && !e.querySelector('[tabindex="0"]')).map(e => e.outerHTML).join()"""
"""What is wider than its place and cannot be reached by keys."""

READABLE = 4.5
"""The least contrast of text and what lies behind it (WCAG 2.2, 1.4.3)."""

SEEN = 3.0
"""The least contrast of marks (1.4.11)."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with open_pages() as page:
        yield page


@pytest.fixture(scope="module")
def live() -> Iterator[LiveView]:
    view = live_page()
    yield view
    view.close()


def shown(browser: Page, kind: str, live: LiveView, width: int, *, dark: bool = False) -> None:
    if kind == "live":
        browser.go(live.address, width, 900, dark=dark)
        browser.until("document.querySelectorAll('.cell').length > 0")
    else:
        browser.show(PAGES[kind](), width, 900, dark=dark)


def test_there_is_a_sample_of_each_page() -> None:
    assert {name.split()[0] for name in PAGES} | {"live"} == set(kinds())


@needs_chromium
@pytest.mark.parametrize("kind", [*PAGES, "live"])
def test_a_page_fits_every_screen_and_runs_no_text(browser: Page, live: LiveView, kind: str) -> None:
    for width in WIDTHS:
        for dark in (False, True):
            shown(browser, kind, live, width, dark=dark)
            where = f"{kind}, {width} pixels{', dark' if dark else ''}"
            assert browser.value("document.documentElement.scrollWidth") <= width, where
            assert browser.too_wide() == "", where
            assert bool(browser.picture().mean() < 115) is dark, where
            assert browser.value("document.title") != "run", where
            assert browser.value("document.querySelectorAll('img[src=x], main script').length") == 0, where
    assert HOSTILE.split("'")[0] in browser.text("main")
    assert all(address.startswith(live.address) for address in browser.requests())


@needs_chromium
@pytest.mark.parametrize("kind", [*PAGES, "live"])
def test_everything_has_a_name_and_can_be_reached_by_keys(browser: Page, live: LiveView, kind: str) -> None:
    shown(browser, kind, live, 400)
    assert browser.value(NAMELESS) == ""
    assert browser.value(STUCK) == ""
    assert browser.value("document.documentElement.lang") == "en"
    assert browser.value("document.querySelectorAll('h1').length") == 1


@needs_chromium
def test_tab_goes_through_the_page_of_a_game_in_its_order(browser: Page) -> None:
    browser.show(PAGES["game"](), 1600)
    order = [browser.tab() for _ in range(17)]
    assert order[0].startswith("row 0, column 0")
    assert order[1:10] == [
        "moment",
        "begin",
        "back",
        "play",
        "forward",
        "end",
        "guess-back",
        "guess-on",
        "speed",
    ]
    layers = ("chances", "certain", "deciding", "path", "threebv")
    assert order[10:15] == [f"layer-{name}" for name in layers]
    assert order[15:] == ["guesses", "show guess 1"]


@needs_chromium
def test_a_wide_board_shows_what_is_played_on_a_narrow_screen(browser: Page) -> None:
    browser.show(PAGES["game wide"](), 400)
    inside = """(b => b.left >= 0 && b.right <= innerWidth)(
    document.querySelector('.cell.guess').getBoundingClientRect())"""
    assert browser.value("document.querySelector('.cell').offsetWidth") >= 16
    for key in ("Home", "ArrowRight", "ArrowRight", "End", "ArrowLeft"):
        browser.key(key)
        assert browser.value(inside), key


@needs_chromium
@pytest.mark.parametrize("what", ["achromatopsia", "deuteranopia", "protanopia", "tritanopia"])
def test_players_and_certain_cells_differ_without_colours(browser: Page, what: str) -> None:
    """Pictures of the marks, as people with this sight see them."""
    browser.browser._call("Emulation.setEmulatedVisionDeficiency", type=what)
    try:
        browser.show(PAGES["game"](), 1000)
        browser.value("jump(1)")
        marks = [browser.picture_of(f".cell.{name}") for name in ("safe", "mine", "guess")]
        browser.show(PAGES["stats"](), 1000)
        shapes = [browser.picture_of(f"[data-shape={name}]") for name in ("circle", "square")]
    finally:
        browser.browser._call("Emulation.setEmulatedVisionDeficiency", type="none")
    for group in (marks, shapes):
        for number, one in enumerate(group):
            for other in group[number + 1 :]:
                height, width = min(one.shape[0], other.shape[0]), min(one.shape[1], other.shape[1])
                lighter, darker = one[:height, :width].astype(int), other[:height, :width].astype(int)
                assert (abs(lighter - darker).max(axis=2) > 60).sum() > 8


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_and_marks_stand_out_in_both_palettes() -> None:
    style = (FRONT / "style.css").read_text(encoding="utf-8")
    palettes = [
        dict(re.findall(r"--(\w+): (#\w{6})", part)) for part in re.findall(r":root \{(.*?)\}", style, re.S)
    ]
    assert len(palettes) == 2
    letters = [("text", "paper"), ("text", "panel"), ("dim", "paper"), ("dim", "panel"), ("text", "covered")]
    letters += [(name, "panel") for name in ("won", "safe", "mine", "guess", "accent") if name != "won"]
    letters += [(f"n{number}", "opened") for number in range(1, 9)] + [("panel", "accent")]
    marks = [(mark, "covered") for mark in ("safe", "mine", "guess", "focus")]
    marks += [("edge", "opened"), ("focus", "opened"), ("focus", "panel"), ("accent", "paper")]
    for colours in palettes:
        for pairs, least in ((letters, READABLE), (marks, SEEN)):
            for one, other in pairs:
                assert _contrast(colours[one], colours[other]) >= least, (one, other)
    # Cells that are coloured by their chance are light in both.
    tinted = dict(re.findall(r"--(\w+): (#\w{6})", style.split(".cell.tinted {")[1].split("}")[0]))
    for behind in ("#f58220", "#9ecbff"):
        assert _contrast("#10151b", behind) >= READABLE
        for name in ("safe", "mine", "guess", "text"):
            assert _contrast(tinted[name], behind) >= SEEN, name
