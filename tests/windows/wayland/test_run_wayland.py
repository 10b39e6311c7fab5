"""`minebot run` on a Wayland desktop: real GNOME Mines under a headless Sway."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import stopped_after
from played import begun, check_lines, clicks
from sway_desk import SwayDesk, headless_sway
from wayland_desk import in_environment

from bot.geometry import Rect
from bot.screen.programs.games import GnomeMines
from bot.screen.wayland.session import wayland_capture

pytestmark = [
    pytest.mark.windows,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def sway() -> Iterator[SwayDesk]:
    """Sway's desktop, which the environment names during the test."""
    with headless_sway() as desk, in_environment(desk):
        yield desk


@pytest.fixture
def mines(sway: SwayDesk) -> Iterator[GnomeMines]:
    """GNOME Mines, not started yet; it ends with the test."""
    with stopped_after(GnomeMines()) as game:
        yield game


def test_games_with_the_dialog_of_their_end(sway: SwayDesk, mines: GnomeMines, tmp_path: Path) -> None:
    mines.start(8, 8, 10)
    lines = sway.play("--games", "2", "--record", str(tmp_path), "--name", "Ada")
    check_lines(lines, 2)
    assert {(line["theme"], line["columns"], line["mines"]) for line in lines} == {("gnome-mines", 8, 10)}
    replayed = sway.minebot("replay", *(line["recording"] for line in lines))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_a_desktop_that_is_scaled_by_a_fraction(sway: SwayDesk, mines: GnomeMines, tmp_path: Path) -> None:
    sway.message("output", "HEADLESS-1", "scale", "1.25")
    mines.start(8, 8, 10)
    check_lines(sway.play("--record", str(tmp_path)), 1)


@pytest.mark.parametrize("what", ["move position 400 300", "resize set 800 640"])
def test_a_window_that_is_moved_or_resized_is_found_again(
    sway: SwayDesk, mines: GnomeMines, tmp_path: Path, what: str
) -> None:
    mines.start(8, 8, 10)
    sway.message("[app_id=gnome-mines]", "floating enable, resize set 560 460")
    process = sway.popen("run", "--json", "--clicks-per-second", "1", "--record", str(tmp_path))
    begun(tmp_path)
    sway.message("[app_id=gnome-mines]", *what.split())
    out, told = process.communicate(timeout=200)
    assert process.returncode == 0, out + told
    assert "playing on" in told


def test_a_window_that_closes_is_told(sway: SwayDesk, mines: GnomeMines, tmp_path: Path) -> None:
    mines.start(8, 8, 10)
    process = sway.popen("run", "--clicks-per-second", "1", "--record", str(tmp_path))
    begun(tmp_path)
    mines.stop()
    _, told = process.communicate(timeout=200)
    assert process.returncode == 1
    assert "was closed or minimised" in told.splitlines()[-1]
    assert "Traceback" not in told


def test_a_screen_that_is_locked_is_told_and_not_clicked(
    sway: SwayDesk, mines: GnomeMines, tmp_path: Path
) -> None:
    if shutil.which("swaylock") is None:
        pytest.skip("there is no swaylock: apt-get install swaylock")
    mines.start(16, 16, 40)
    process = sway.popen("run", "--clicks-per-second", "1", "--record", str(tmp_path))
    begun(tmp_path)
    with locked(sway):
        time.sleep(UNDER_WAY_S)
        before = clicks(tmp_path)
        _, told = process.communicate(timeout=200)
        assert clicks(tmp_path) == before
    assert process.returncode == 1
    assert "unlock the screen" in told.splitlines()[-1]
    assert "Traceback" not in told


UNDER_WAY_S = 1.0
"""How long a click may be under way once the screen is locked, in seconds: what was seen before it may be as
old as a frame, and a busy machine takes its time. More would be made while minebot looks on after that."""

LOCKED = 0x204060
"""The colour of a locked screen: red, green, blue."""


@contextmanager
def locked(sway: SwayDesk) -> Iterator[None]:
    """The desktop, locked while the body runs."""
    words = ["swaylock", "-c", f"{LOCKED:06x}"]
    lock = subprocess.Popen(words, env=sway.environment(), stderr=subprocess.DEVNULL)
    capture, until = wayland_capture(), time.monotonic() + 30
    try:
        while tuple(capture.grab(Rect(0, 0, 1, 1))[0, 0]) != tuple(LOCKED.to_bytes(3, "little")):
            assert time.monotonic() < until, "swaylock does not lock the screen"
            time.sleep(0.02)
        yield
    finally:
        lock.send_signal(signal.SIGUSR1)  # it unlocks the screen, and ends
        lock.wait(30)


def test_a_desktop_that_goes_is_told(sway: SwayDesk, mines: GnomeMines, tmp_path: Path) -> None:
    mines.start(8, 8, 10)
    process = sway.popen("run", "--clicks-per-second", "1", "--record", str(tmp_path))
    begun(tmp_path)
    sway.message("exit")
    _, told = process.communicate(timeout=200)
    assert process.returncode == 1
    assert "minebot doctor" in told.splitlines()[-1]
    assert "Traceback" not in told
