"""One headless Chromium, driven through the pipe of its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

import cv2
import numpy as np

from bot.errors import BotError
from bot.process import children
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
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<match target="pattern">{edit}</match><match target="font">{edit}</match></fontconfig>"""

READY = "document.fonts.ready.then(() => window.drawn || 0).then(() => document.fonts.ready).then(() => 0)"
"""Resolves when all fonts are loaded and all canvases drawn."""


class Chromium:
    """A browser with one page; `with Chromium() as browser` ends it again."""

    def __init__(self, smoothing: str = "grey") -> None:
        """Start it; `smoothing` is a key of `SMOOTHING`. Raises BotError if there is no Chromium."""
        program = BrowserPage.program()
        if program is None:
            raise BotError("there is no Chromium: `apt-get install chromium`")
        self._folder = tempfile.TemporaryDirectory(prefix="minebot-pages-", ignore_cleanup_errors=True)
        environment = os.environ | {"DBUS_SESSION_BUS_ADDRESS": "disabled:"}
        if edit := SMOOTHING[smoothing]:
            fonts = Path(self._folder.name) / "fonts.conf"
            fonts.write_text(FONTS.format(edit=edit))
            environment["FONTCONFIG_FILE"] = str(fonts)
        reads, self._write = os.pipe()
        self._read, writes = os.pipe()
        self._buffer = b""
        self._last = 0
        # The browser reads commands from its file 3 and writes answers to its file 4.
        redirect = f'exec "$0" "$@" 3<&{reads} 4>&{writes}'
        self._process = children.start(
            [
                "bash",
                "-c",
                redirect,
                program,
                *FLAGS,
                f"--user-data-dir={self._folder.name}/profile",
                "about:blank",
            ],
            pass_fds=(reads, writes),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        os.close(reads)
        os.close(writes)
        self._session = ""
        pages = [one for one in self._call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        target = (
            pages[0]["targetId"]
            if pages
            else self._call("Target.createTarget", url="about:blank")["targetId"]
        )
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the browser and delete its profile."""
        os.close(self._write)
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._read)
        self._folder.cleanup()

    def show(self, html: str, width: int, height: int, scale: float) -> None:
        """Show a page in a view of `width` x `height` CSS pixels, each of `scale` pixels of the picture."""
        page = Path(self._folder.name) / "page.html"
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
            raise BotError(f"the page failed: {answer['exceptionDetails']}")
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
            data = data[os.write(self._write, data) :]
        while True:
            answer = self._message()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise BotError(f"{method}: {answer['error']}")
                return dict(answer["result"])

    def _wait(self, event: str) -> None:
        while self._message().get("method") != event:
            pass

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            data = os.read(self._read, 1 << 20)
            if not data:
                raise BotError("Chromium ended")
            self._buffer += data
        text, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(text))
