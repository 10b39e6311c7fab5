"""A page in a real browser as a window to play: Chromium, with a profile of its own and no network."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from bot.errors import BotError
from bot.screen.programs.started_program import Started
from bot.screen.windows import Window

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The commands of the browser on Debian, on Ubuntu and from Google."""

FLAGS = (
    "--no-sandbox",  # root has no sandbox
    "--test-type",  # without it, a bar about the missing sandbox moves the page down
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--password-store=basic",
)


class BrowserPage:
    """A local page, shown in a window without tabs or an address bar."""

    def __init__(self, page: Path) -> None:
        self._page = page
        self._browser: Started | None = None
        self._profile: tempfile.TemporaryDirectory[str] | None = None

    @staticmethod
    def program() -> str | None:
        """The path of the browser; None if none is installed."""
        return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)

    @staticmethod
    def missing() -> list[str]:
        """The Debian packages that it needs and that are not installed."""
        return [] if BrowserPage.program() else ["chromium"]

    def start(
        self,
        *,
        size: tuple[int, int] = (900, 760),
        at: tuple[int, int] = (40, 40),
        scale: float = 1.0,
        **address: str | int,
    ) -> Window:
        """Open the page in a window of `size` (width, height in pixels) and wait for it.

        `address` becomes the query of the page's address, `scale` is the number of screen pixels of a CSS
        pixel. Raises BotError if there is no Chromium or its window does not appear.
        """
        program = self.program()
        if program is None:
            raise BotError("there is no Chromium: `apt-get install chromium`")
        self.stop()
        self._profile = tempfile.TemporaryDirectory(prefix="minebot-browser-", ignore_cleanup_errors=True)
        url = f"{self._page.resolve().as_uri()}?{urlencode(address)}"
        self._browser = Started(
            [
                program,
                *FLAGS,
                f"--user-data-dir={self._profile.name}",
                f"--force-device-scale-factor={scale:g}",
                f"--app={url}",
                f"--window-size={size[0]},{size[1]}",
                f"--window-position={at[0]},{at[1]}",
            ],
            # Chromium would wait for answers of the session bus; its socket goes with the profile.
            os.environ | {"DBUS_SESSION_BUS_ADDRESS": "disabled:", "TMPDIR": self._profile.name},
        )
        return self._browser.window(lambda window: window.rect.width >= size[0] // 2)

    def stop(self) -> None:
        """Close the window and delete the profile."""
        if self._browser is not None:
            self._browser.end()
            self._browser = None
        if self._profile is not None:
            self._profile.cleanup()
            self._profile = None
