"""Pages in a real Chromium: clicks, keys, pictures, and what is asked of the network."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot.screen.programs.browser import BrowserPage
from bot.vision.grid import Image
from training.reader.html.chromium import Chromium

needs_chromium = pytest.mark.skipif(
    BrowserPage.program() is None, reason="no Chromium: apt-get install chromium"
)

WATCH = """window.asked = []; window.failed = [];
addEventListener('error', (e) => failed.push(String(e.message)));
addEventListener('securitypolicyviolation', (e) => failed.push(e.violatedDirective + ' ' + e.blockedURI));"""
"""Keeps what goes wrong on the page; run before its own script."""

TOO_WIDE = """[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll, .hidden, svg') &&
e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 99)).join()"""

FOCUSED = """(e => e.id || e.getAttribute('aria-label') || e.tagName)(document.activeElement)"""


class Page:
    """A page that is shown."""

    def __init__(self, browser: Chromium) -> None:
        self.browser = browser

    def show(self, html: str, width: int = 1200, height: int = 900, *, dark: bool = False) -> None:
        """Show a page and wait until it is drawn; fails for an error of its script."""
        self._light(dark=dark)
        self.browser.show(html.replace("<head>", f"<head><script>{WATCH}</script>", 1), width, height, 1)
        assert self.value("failed") == []

    def go(self, address: str, width: int, height: int, *, dark: bool = False) -> None:
        """Show the page at an address."""
        self._light(dark=dark)
        self.browser.resize(width, height, 1)
        self.browser._call("Page.navigate", url=address)
        self.browser._wait("Page.loadEventFired")

    def until(self, what: str) -> None:
        """Wait until an expression is true, at most 60 s."""
        end = time.monotonic() + 60
        while not self.value(what):
            assert time.monotonic() < end, what
            time.sleep(0.05)

    def _light(self, *, dark: bool) -> None:
        self.browser._call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )

    def value(self, script: str) -> Any:
        """The value of an expression; spaces that do not break are plain ones."""
        found = self.browser.evaluate(script)
        return found.replace("\u00a0", " ") if isinstance(found, str) else found

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.value(f"document.querySelector({json.dumps(selector)}).textContent"))

    def too_wide(self) -> str:
        """What sticks out at the right of the screen and cannot be moved sideways; empty if nothing."""
        return str(self.value(TOO_WIDE))

    def tab(self) -> str:
        """Press Tab; what has the focus now, by its id or its label."""
        for kind in ("rawKeyDown", "keyUp"):
            self.browser._call(
                "Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9
            )
        return str(self.value(FOCUSED))

    def click(self, selector: str) -> None:
        """Click in the middle of an element by the mouse."""
        find = f"document.querySelector({json.dumps(selector)})"
        self.value(f"{find}.scrollIntoView({{block: 'center'}})")
        box = self.value(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({find}.getBoundingClientRect())")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.browser._call(
                "Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1
            )

    def key(self, key: str) -> None:
        """Press a key where the focus is."""
        text = key if len(key) == 1 else ""
        self.browser._call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.browser._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self) -> Image:
        """What is shown of it."""
        return self.browser.picture()

    def picture_of(self, selector: str) -> Image:
        """What is shown of one element."""
        find = f"document.querySelector({json.dumps(selector)})"
        self.value(f"{find}.scrollIntoView({{block: 'center'}})")
        box = self.value(f"(b => [b.x, b.y, b.right, b.bottom])({find}.getBoundingClientRect())")
        left, top, right, bottom = (round(edge) for edge in box)
        return self.picture()[top:bottom, left:right]

    def requests(self) -> list[str]:
        """The addresses that were asked for, the page itself left out."""
        return list(self.value("performance.getEntriesByType('resource').map(e => e.name)"))


@contextmanager
def open_pages() -> Iterator[Page]:
    """A browser to show pages in."""
    with Chromium() as browser:
        yield Page(browser)
