"""`minebot run --view --open` with a browser that comes up over the whole screen."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import HEIGHT, WIDTH, Desk

from bot.screen.this_machine import system_windows

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

BROWSER = f"""
import os, sys, tkinter, urllib.request
from pathlib import Path
Path(sys.argv[1]).write_text(str(os.getpid()))
root = tkinter.Tk(className="Browser")
root.title("a browser")
root.geometry("{WIDTH}x{HEIGHT}+0+0")
root.update()
root.lift()
root.update()
def ask():
    urllib.request.urlopen(sys.argv[2] + "news").read()
root.after(300, ask)
root.mainloop()
"""
"""A browser that fills the screen, and asks for the news once it is there."""


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The user's browser, ended after the test."""
    script, number = tmp_path / "browser.py", tmp_path / "number"
    script.write_text(BROWSER)
    monkeypatch.setenv("BROWSER", f"{sys.executable} {script} {number} %s &")
    yield
    if number.exists():
        os.kill(int(number.read_text()), signal.SIGKILL)


def test_the_page_never_covers_the_game(desk: Desk, browser: None, tmp_path: Path) -> None:
    words = ("--practice", "--level", "intermediate", "--seed", "4", "--record", str(tmp_path))
    run = desk.popen("run", "--view", "--open", "--games", "2", "--json", *words)
    order: list[str] = []
    windows = system_windows()
    try:
        while run.poll() is None:
            titles = [each.title for each in windows.windows()]
            if "a browser" in titles and "minebot practice" in titles:
                order = titles
    finally:
        windows.close()
    out, told = run.communicate(timeout=60)
    assert run.returncode == 0, told
    assert {json.loads(line)["outcome"] for line in out.splitlines()} <= {"won", "lost"}
    assert order.index("a browser") < order.index("minebot practice"), told
