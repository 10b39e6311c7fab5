"""One headless Chromium, driven through the pipe of its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any
from xml.sax.saxutils import escape

import cv2
import numpy as np

from bot.errors import BotError
from bot.process import children
from bot.process.interrupts import uninterrupted
from bot.screen.programs.browser import BrowserPage
from bot.vision.grid import Image

FLAGS = (
    "--headless=new",
    "--no-sandbox",  # root has no sandbox
    "--disable-gpu",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--password-store=basic",
    "--allow-file-access-from-files",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)

SMOOTHING = {
    "grey": "",
    "subpixel": '<edit name="rgba" mode="assign"><const>rgb</const></edit>',
    "none": '<edit name="antialias" mode="assign"><bool>false</bool></edit>',
}
"""How the edges of letters are smoothed, and what a configuration of fontconfig says of it."""

FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">{usual}</include>
<match target="pattern">{edit}</match><match target="font">{edit}</match></fontconfig>"""

USUAL_FONTS = "/etc/fonts/fonts.conf"
"""The configuration of fontconfig where the variable FONTCONFIG_FILE names no other one."""

CLOSED = -1
"""In the place of a file that is not open."""

COMPLAINTS = "stderr"
"""The file of its folder that keeps what the browser writes to stderr."""

HELPERS_S = 10.0
"""How long the killed helpers of a browser may take to die, in seconds: long on a crowded machine."""

READY = "document.fonts.ready.then(() => window.drawn || 0).then(() => document.fonts.ready).then(() => 0)"
"""Resolves when all fonts are loaded and all canvases drawn."""


class BrowserFailed(BotError):
    """Chromium ended, or refused what it was asked: another one may do it."""


def configuration(smoothing: str) -> str:
    """What fontconfig is told for a key of `SMOOTHING`: the same fonts as all others have it."""
    usual = os.environ.get("FONTCONFIG_FILE", USUAL_FONTS)
    return FONTS.format(usual=escape(usual), edit=SMOOTHING[smoothing])


class Chromium:
    """A browser with one page; `with Chromium() as browser` starts it and ends it again."""

    def __init__(self, smoothing: str = "grey") -> None:
        """`smoothing` is a key of `SMOOTHING`. Nothing runs before `start`."""
        self._smoothing = smoothing
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._read = self._write = CLOSED
        self._buffer = b""
        self._last = 0
        self._session = ""
        """The page that commands are for; empty while there is none."""

    def __enter__(self) -> Chromium:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start it, unless it runs. Whatever cuts that short, nothing is left of it.

        Raises BotError if there is no Chromium, BrowserFailed if it does not work.
        """
        if self._process is not None:
            return
        program = BrowserPage.program()
        if program is None:
            raise BotError("there is no Chromium: `apt-get install chromium`")
        try:
            with uninterrupted():  # what runs is always known to `close`
                self._launch(program)
            pages = [one for one in self._call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
            target = (
                pages[0]["targetId"]
                if pages
                else self._call("Target.createTarget", url="about:blank")["targetId"]
            )
            self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            self._call("Page.enable")
        except BaseException:
            self.close()
            raise

    def _launch(self, program: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="minebot-pages-", ignore_cleanup_errors=True)
        environment = os.environ | {"DBUS_SESSION_BUS_ADDRESS": "disabled:", "TMPDIR": self._folder.name}
        if SMOOTHING[self._smoothing]:
            fonts = self._path("fonts.conf")
            fonts.write_text(configuration(self._smoothing))
            environment["FONTCONFIG_FILE"] = str(fonts)
        reads, self._write = os.pipe()
        self._read, writes = os.pipe()
        # The browser reads commands from its file 3 and writes answers to its file 4.
        redirect = f'exec "$0" "$@" 3<&{reads} 4>&{writes}'
        profile = f"--user-data-dir={self._path('profile')}"
        try:
            with self._path(COMPLAINTS).open("wb") as complaints:
                self._process = children.start(
                    ["bash", "-c", redirect, program, *FLAGS, profile, "about:blank"],
                    parting=signal.SIGKILL,
                    pass_fds=(reads, writes),
                    stdout=subprocess.DEVNULL,
                    stderr=complaints,
                    env=environment,
                )
        finally:
            os.close(reads)
            os.close(writes)

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / name

    @uninterrupted()
    def close(self) -> None:
        """End the browser and delete its profile; nothing is done if it does not run."""
        if self._process is not None:
            # Its helpers belong to its group, which is its own until its end has been waited for.
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        for file in (self._read, self._write):
            if file != CLOSED:
                os.close(file)
        self._read = self._write = CLOSED
        self._buffer, self._session = b"", ""
        if self._folder is not None:
            # The helpers die a moment after they are killed, and may write a file until then.
            until = time.monotonic() + HELPERS_S
            self._folder.cleanup()
            while Path(self._folder.name).exists() and time.monotonic() < until:
                time.sleep(0.05)
                self._folder.cleanup()
            self._folder = None

    def show(self, html: str, width: int, height: int, scale: float) -> None:
        """Show a page in a view of `width` x `height` CSS pixels, each of `scale` pixels of the picture."""
        page = self._path("page.html")
        page.write_text(html)
        self.resize(width, height, scale)
        self._call("Page.navigate", url=page.as_uri())
        self._wait("Page.loadEventFired")
        self.evaluate(READY)

    def resize(self, width: int, height: int, scale: float) -> None:
        """Give the view another size, as `show` takes it."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=False,
        )

    def evaluate(self, script: str) -> Any:
        """The value of an expression on the page, awaited if it is a promise."""
        answer = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserFailed(f"the page failed: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def picture(self) -> Image:
        """What the view shows."""
        answer = self._call("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        pixels = cv2.imdecode(np.frombuffer(base64.b64decode(answer["data"]), np.uint8), cv2.IMREAD_COLOR)
        assert pixels is not None
        return np.asarray(pixels, np.uint8)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            try:
                data = data[os.write(self._write, data) :]
            except BrokenPipeError:
                raise self._ended() from None
        while True:
            answer = self._message()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise BrowserFailed(f"Chromium refused {method}: {answer['error']}")
                return dict(answer["result"])

    def _wait(self, event: str) -> None:
        while self._message().get("method") != event:
            pass

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            data = os.read(self._read, 1 << 20)
            if not data:
                raise self._ended()
            self._buffer += data
        text, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(text))

    def _ended(self) -> BrowserFailed:
        lines = self._path(COMPLAINTS).read_text(errors="replace").splitlines()
        return BrowserFailed(f"Chromium ended: {lines[-1] if lines else 'it did not say why'}")
