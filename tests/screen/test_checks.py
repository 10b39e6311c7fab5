from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mss
import pytest
from mss.exception import ScreenShotError

import bot
from bot.errors import ScreenError
from bot.screen import checks
from bot.screen.checks import Check, examine, opencv_remedy
from bot.screen.mss_capture import MssCapture
from bot.screen.x11 import server_probe


@pytest.mark.parametrize(
    ("error", "package"),
    [
        ("libGL.so.1: cannot open shared object file: No such file or directory", "libgl1"),
        ("libgthread-2.0.so.0: cannot open shared object file", "libglib2.0-0"),
        ("No module named 'cv2'", "pip install"),
    ],
)
def test_a_missing_library_is_named_with_its_package(error: str, package: str) -> None:
    assert package in opencv_remedy(error)


@pytest.mark.parametrize(
    ("error", "remedy"),
    [("Library libxcb-randr.so not found", "libxcb-randr0"), ("no connection", "run `minebot doctor`")],
)
def test_a_library_that_looking_at_the_screen_needs_is_named(
    error: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking() -> None:
        raise ScreenShotError(error)

    monkeypatch.setattr(mss, "MSS", lacking)
    with pytest.raises(ScreenError, match=f"{error}.*{remedy}"):
        MssCapture()


X11 = pytest.mark.skipif(sys.platform == "win32", reason="Windows has a display at any time, and no sh")


@X11
def test_display_that_cannot_be_opened() -> None:
    (check,) = examine(["display"])
    assert not check.ok
    assert ":64999 cannot be opened" in check.finding
    assert "--headless" in check.remedy


@X11
def test_what_needs_a_display_is_not_tried_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")  # no Xvfb either
    found = list(examine(["capture", "mouse", "fonts"]))
    assert [(check.name, check.ok) for check in found] == [
        ("capture", False),
        ("mouse", False),
        ("fonts", True),
    ]


def test_a_check_that_raises_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Check:
        raise RuntimeError("two\nlines")

    monkeypatch.setitem(checks.CHECKS, "fonts", broken)
    assert list(examine(["fonts"])) == [
        Check("fonts", False, "RuntimeError: two lines", "see the other findings")
    ]


@X11
@pytest.mark.parametrize(
    ("script", "finding"),
    [("exec sleep 60", "no answer in 0.2 seconds"), ("echo worse >&2; kill -9 $$", "worse")],
)
def test_a_check_that_hangs_or_crashes_is_a_finding(
    script: str, finding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(checks, "LIMIT_S", 0.2)
    (check,) = examine(["opencv"])
    assert (check.ok, check.finding) == (False, finding)


def test_folders_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINEBOT_HOME", "/proc/minebot")
    (check,) = examine(["recordings"])
    assert not check.ok
    assert "MINEBOT_HOME" in check.remedy
    (tmp_path / "file").touch()
    monkeypatch.setenv("MINEBOT_CACHE", str(tmp_path / "file"))
    (check,) = examine(["solver-cache"])
    assert (check.ok, check.finding) == (
        False,
        f"{tmp_path / 'file' / 'solver'} cannot be written (Not a directory)",
    )
    assert "MINEBOT_CACHE" in check.remedy
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path / "new"))
    (check,) = examine(["recordings"])
    assert check.ok
    assert not (tmp_path / "new").exists()


def test_checks_apart_really_run() -> None:
    opencv, tkinter = examine(["opencv", "tkinter"])
    assert opencv.ok, opencv.finding
    assert tkinter.name == "tkinter"


@pytest.mark.windows
def test_a_virtual_screen_serves_for_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed (make test)")
    monkeypatch.delenv("DISPLAY", raising=False)
    found = list(
        examine(["display", "virtual-screen", "capture", "mouse", "scale", "windows"], move_mouse=True)
    )
    assert [check.name for check in found if not check.ok] == []
    by_name = {check.name: check.finding for check in found}
    assert by_name["capture"] == "1920x1200 pixels"
    assert by_name["mouse"].endswith("moves")
    assert by_name["scale"] == "1920x1200 at 0,0: 1"


def test_checks_run_where_this_package_is_found_first() -> None:
    # The tests' Python finds an installed package also from elsewhere, and so cannot tell by running one.
    assert Path(bot.__file__).parent == server_probe.IMPORTABLE / "bot"


def test_the_checks_themselves_need_no_opencv() -> None:
    code = "import sys; sys.modules['cv2'] = None; import bot.screen.checks"
    subprocess.run([sys.executable, "-c", code], check=True)
