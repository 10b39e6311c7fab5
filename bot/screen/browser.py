"""A page in a real browser as a window to play: Chromium, with a profile of its own and no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from bot.errors import BotError
from bot.screen.programs import end, wait_for_window, window_ids
from bot.screen.windows import Window

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""What the browser is called, on Debian, on Ubuntu and as Google ships it."""

FLAGS = (
    "--no-sandbox",  # as root there is none to be had
    "--test-type",  # else a bar about the missing sandbox pushes the page down
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--password-store=basic",
)


class BrowserPage:
    """A page of this machine, shown in a window without tabs or an address bar."""

    def __init__(self, page: Path) -> None:
        self._page = page
        self._process: subprocess.Popen[bytes] | None = None
        self._profile: tempfile.TemporaryDirectory[str] | None = None

    @staticmethod
    def program() -> str | None:
        """The browser's command; None where there is none."""
        return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)

    def start(
        self,
        *,
        size: tuple[int, int] = (900, 760),
        at: tuple[int, int] = (40, 40),
        scale: float = 1.0,
        **address: str | int,
    ) -> Window:
        """Open the page in a window of `size` and wait for it; `address` goes behind the page's name.

        `scale` is the number of pixels of a CSS pixel. Raises BotError where there is no Chromium or its
        window does not come.
        """
        program = self.program()
        if program is None:
            raise BotError("there is no Chromium: `apt-get install chromium`")
        self.stop()
        before = window_ids()
        self._profile = tempfile.TemporaryDirectory(prefix="minebot-browser-", ignore_cleanup_errors=True)
        url = f"{self._page.resolve().as_uri()}?{urlencode(address)}"
        self._process = subprocess.Popen(
            [
                program,
                *FLAGS,
                f"--user-data-dir={self._profile.name}",
                f"--force-device-scale-factor={scale:g}",
                f"--app={url}",
                f"--window-size={size[0]},{size[1]}",
                f"--window-position={at[0]},{at[1]}",
            ],
            # Chromium asks the session bus for this and that, and waits for its answers.
            env=os.environ | {"DBUS_SESSION_BUS_ADDRESS": "disabled:"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        process = self._process

        def opened(window: Window) -> bool:
            if process.poll() is not None:
                raise BotError(f"{program} ended at once: try `{program} --no-sandbox` by hand")
            return window.id not in before and window.rect.width >= size[0] // 2

        return wait_for_window(opened)

    def stop(self) -> None:
        """Close the window and forget the profile."""
        if self._process is not None:
            end(self._process)
            self._process = None
        if self._profile is not None:
            self._profile.cleanup()
            self._profile = None
