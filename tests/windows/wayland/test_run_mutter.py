"""`minebot run` on GNOME's Wayland desktop: real GNOME Mines under a headless Mutter, which lists no windows.

By Mutter's own interfaces, and through the desktop's real portal.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jeepney", reason="missing: pip install '.[wayland]'")
pytest.importorskip("pipewire_capture", reason="missing: pip install '.[wayland]'")

from mutter_desk import SIZE, MutterDesk, headless_mutter
from played import begun, check_lines
from wayland_desk import in_environment

from bot.geometry import Point, Rect
from bot.screen.programs.games import GnomeMines
from bot.screen.wayland.capture import WaylandCapture
from bot.screen.wayland.cast.bus import Bus
from bot.screen.wayland.cast.cast_desktop import CastDesktop
from bot.screen.wayland.cast.mutter import MutterControl
from bot.screen.wayland.mouse import WaylandMouse
from bot.vision.grid import same_pixels

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

TITLE = Point(300, 45)
"""The title bar of the first window, where Mutter puts it."""

SHARE = (228, 132, 53)
"""The colour of the dialog's button that shares: blue, green, red."""

SWITCH = (-27, 198)
"""Where its switch for clicks lies, from the middle of that button, in points."""


@pytest.fixture
def mutter(request: pytest.FixtureRequest) -> Iterator[MutterDesk]:
    """Mutter's desktop; a test may ask for a monitor of another size."""
    with headless_mutter(getattr(request, "param", SIZE)) as desk, in_environment(desk):
        yield desk


@pytest.fixture
def gnome() -> Iterator[MutterDesk]:
    """The same with GNOME's portal, through which minebot goes."""
    with headless_mutter(portal=True) as desk, in_environment(desk):
        yield desk


@pytest.fixture
def mines() -> Iterator[GnomeMines]:
    """GNOME Mines, not started yet, for a test that has a desktop; it ends with the test."""
    if missing := GnomeMines.missing():
        pytest.skip(f"missing: apt-get install {' '.join(missing)}")
    game = GnomeMines()
    yield game
    game.stop()


@pytest.fixture
def person() -> Iterator[Person]:
    """Somebody who sits before the desktop of the test."""
    with closing(Person()) as one:
        yield one


class Person:
    """Eyes and a hand of their own on the desktop, by Mutter's own interfaces."""

    def __init__(self) -> None:
        self._desktop: CastDesktop | None = None

    def _at(self) -> CastDesktop:
        if self._desktop is None:
            self._desktop = CastDesktop(MutterControl(Bus()))
        return self._desktop

    def button_to_share(self, limit_s: float = 60) -> Point:
        """The middle of the button of the portal's dialog, once it stands still."""
        capture = WaylandCapture(self._at())
        until, last = time.monotonic() + limit_s, None
        while time.monotonic() < until:
            blue = (capture.grab(capture.monitors()[0]) == SHARE).all(axis=2)
            rows, columns = np.nonzero(blue)
            now = (int(columns.mean()), int(rows.mean())) if len(rows) > 500 else None
            if now is not None and now == last:
                return Point(*now)
            last = now
            time.sleep(0.5)
        pytest.fail("the desktop's dialog does not come")

    def look(self) -> None:
        """Come to the desktop, which takes a while."""
        self._at()

    def click(self, point: Point) -> None:
        WaylandMouse(self._at()).click(point, "left", 0.05)

    def press(self, point: Point) -> None:
        """Click what answers by looking otherwise, again if it does not: a dialog may just have come."""
        desktop = self._at()
        capture = WaylandCapture(desktop)
        around = Rect(point.x - 20, point.y - 10, 40, 20)
        desktop.move(point)
        time.sleep(0.5)  # it may look otherwise under the pointer
        before = capture.grab(around)
        for _ in range(3):
            self.click(point)
            until = time.monotonic() + 15
            while time.monotonic() < until:
                time.sleep(0.5)
                if not same_pixels(capture.grab(around), before):
                    return
        pytest.fail("nothing answers to a click")

    def drag(self, begin: Point, to: Point) -> None:
        """Take a window by its title bar, and put it elsewhere."""
        desktop = self._at()
        desktop.move(begin)
        desktop.button(0x110, True)
        for step in range(1, 11):
            x, y = (a + (b - a) * step // 10 for a, b in ((begin.x, to.x), (begin.y, to.y)))
            desktop.move(Point(x, y))
            time.sleep(0.08)  # the program asks the desktop to move its window
        desktop.button(0x110, False)

    def close(self) -> None:
        if self._desktop is not None:
            self._desktop.close()


def test_games_with_the_dialog_of_their_end(mutter: MutterDesk, mines: GnomeMines, tmp_path: Path) -> None:
    mines.start(8, 8, 10)
    lines = mutter.play("--games", "3", "--record", str(tmp_path), "--name", "Ada")
    check_lines(lines, 3)
    assert {(line["theme"], line["columns"], line["mines"]) for line in lines} == {("gnome-mines", 8, 10)}
    replayed = mutter.minebot("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_a_window_that_moves_is_found_again(
    mutter: MutterDesk, mines: GnomeMines, person: Person, tmp_path: Path
) -> None:
    mines.start(8, 8, 10)
    process = mutter.popen("run", "--json", "--clicks-per-second", "0.3", "--record", str(tmp_path))
    person.look()
    begun(tmp_path)
    person.drag(TITLE, Point(560, 345))  # before the next click, which would let go of it
    out, told = process.communicate(timeout=200)
    assert process.returncode == 0, out + told
    assert "the window moved; playing on" in told


@pytest.mark.parametrize("mutter", ["800x600"], indirect=True)  # else its cells would be 118 pixels large
def test_a_window_that_is_made_larger_is_found_again(
    mutter: MutterDesk, mines: GnomeMines, person: Person, tmp_path: Path
) -> None:
    mines.start(8, 8, 10)
    process = mutter.popen("run", "--json", "--clicks-per-second", "1", "--record", str(tmp_path))
    person.look()
    begun(tmp_path)
    person.click(TITLE)
    person.click(TITLE)  # the second one maximises it
    out, told = process.communicate(timeout=200)
    assert process.returncode == 0, out + told
    assert "playing on" in told


def test_a_window_that_closes_is_told(mutter: MutterDesk, mines: GnomeMines, tmp_path: Path) -> None:
    mines.start(8, 8, 10)
    process = mutter.popen("run", "--clicks-per-second", "1", "--record", str(tmp_path))
    begun(tmp_path)
    mines.stop()
    _, told = process.communicate(timeout=200)
    assert process.returncode == 1
    assert "is not to be seen any more: show its window" in told.splitlines()[-1]
    assert "Traceback" not in told


def test_a_desktop_that_goes_is_told(mutter: MutterDesk, mines: GnomeMines, tmp_path: Path) -> None:
    mines.start(8, 8, 10)
    process = mutter.popen("run", "--clicks-per-second", "1", "--record", str(tmp_path))
    begun(tmp_path)
    mutter.end()
    _, told = process.communicate(timeout=200)
    assert process.returncode == 1
    assert "run minebot again" in told.splitlines()[-1] or "minebot doctor" in told.splitlines()[-1]
    assert "Traceback" not in told


def test_a_game_once_the_portals_dialog_is_answered(
    gnome: MutterDesk, mines: GnomeMines, person: Person, tmp_path: Path
) -> None:
    mines.start(8, 8, 10)
    process = gnome.popen("run", "--json", "--record", str(tmp_path))
    share = person.button_to_share()
    person.press(Point(share.x + SWITCH[0], share.y + SWITCH[1]))
    person.press(share)
    out, told = process.communicate(timeout=200)
    assert process.returncode == 0, out + told
    assert "this desktop now asks whether minebot may see the screen" in told
    assert '"outcome":"won"' in out or '"outcome":"lost"' in out


@pytest.mark.parametrize(
    ("answer", "told_so"),
    [("cancel", "was told not to let minebot in"), ("share", "switch on that it may be controlled")],
)
def test_a_consent_that_is_refused_ends_in_a_line(
    gnome: MutterDesk, mines: GnomeMines, person: Person, answer: str, told_so: str
) -> None:
    mines.start(8, 8, 10)
    process = gnome.popen("run")
    share = person.button_to_share()
    # Cancel lies at the other end of the dialog's title bar.
    person.press(share if answer == "share" else Point(share.x - 412, share.y))
    _, told = process.communicate(timeout=100)
    assert process.returncode == 1
    assert told_so in told.splitlines()[-1]
    assert "Traceback" not in told
