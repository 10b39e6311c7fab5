from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.errors import ScreenError
from bot.screen.display import ensure_display, environment, readable_authority
from bot.screen.x11 import server_probe

if sys.platform == "win32":
    pytest.skip("there are no X displays", allow_module_level=True)

needs_xvfb = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed (make test)")

IN_A_SCREEN = """
import sys
from bot.screen.display import ensure_display
with ensure_display(headless=True) as screen:
    {body}
"""


def test_a_display_that_cannot_be_opened_says_what_to_do() -> None:
    with (
        pytest.raises(ScreenError, match=r"display :64999 cannot be opened .*--practice --headless"),
        ensure_display(),
    ):
        pass


def test_no_display_and_no_xvfb_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(ScreenError, match="apt-get install xvfb"), ensure_display():
        pass


@pytest.mark.parametrize("variable", [("WAYLAND_DISPLAY", "wayland-0"), ("XDG_SESSION_TYPE", "wayland")])
def test_a_wayland_desktop_that_cannot_be_reached_is_told(
    variable: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DISPLAY")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv(*variable)
    with pytest.raises(ScreenError, match="set WAYLAND_DISPLAY"), ensure_display():
        pass


def test_the_xwayland_of_a_desktop_that_is_not_named_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_probe, "ask", lambda: server_probe.Answer(800, 600, None, xwayland=True))
    with pytest.raises(ScreenError, match="WAYLAND_DISPLAY does not say"), ensure_display():
        pass


def test_an_x_display_beside_a_wayland_desktop_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(server_probe, "ask", lambda: server_probe.Answer(800, 600, None, xwayland=False))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    with ensure_display() as screen:
        assert screen.name == ":64999"
        assert "WAYLAND_DISPLAY" not in os.environ  # what asks later is not led there
    assert os.environ["WAYLAND_DISPLAY"] == "wayland-0"


def test_a_display_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hanging = tmp_path / "python"
    hanging.write_text("#!/bin/sh\nexec sleep 60\n")
    hanging.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(hanging))
    with pytest.raises(ScreenError, match=r"did not answer in 0\.1 seconds"):
        server_probe.ask(wait_s=0.1)


def test_elsewhere_than_on_x11_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with ensure_display() as screen:
        assert (screen.name, screen.virtual) == ("", False)
    with pytest.raises(ScreenError, match="--headless"), ensure_display(headless=True):
        pass


def test_environment_is_put_back_whatever_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINEBOT_A", "before")
    monkeypatch.delenv("MINEBOT_B", raising=False)
    with pytest.raises(KeyError, match="MINEBOT_A"), environment(MINEBOT_A=None, MINEBOT_B="meanwhile"):
        os.environ["MINEBOT_A"]
    assert os.environ["MINEBOT_A"] == "before"
    assert "MINEBOT_B" not in os.environ
    with environment(MINEBOT_B="meanwhile"):
        assert os.environ["MINEBOT_B"] == "meanwhile"
    assert "MINEBOT_B" not in os.environ


@pytest.mark.parametrize("home", [None, "empty", "missing"])
def test_authority_always_names_a_file_that_xlib_can_read(
    home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from Xlib.xauth import Xauthority

    monkeypatch.delenv("HOME", raising=False)
    if home:
        monkeypatch.setenv("HOME", str(tmp_path / home))
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".Xauthority").touch()
    for runtime in (tmp_path / "runtime", Path(os.devnull)):
        monkeypatch.setattr("bot.screen.display.user_runtime", lambda folder=runtime: folder)
        with readable_authority():
            ours = Path(os.environ["XAUTHORITY"])
            assert len(Xauthority()) == 1
            # The one that stays is the same for every run: a run that is killed leaves no other file.
            assert ours.is_relative_to(runtime) == (runtime.name == "runtime")
        assert ours.exists() == ours.is_relative_to(runtime)
    assert capfd.readouterr().out == ""  # it prints a warning where the file has no entry
    assert "XAUTHORITY" not in os.environ


def test_authority_of_the_user_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_bytes(b"something")
    monkeypatch.setenv("XAUTHORITY", str(theirs))
    with readable_authority():
        assert os.environ["XAUTHORITY"] == str(theirs)


@needs_xvfb
@pytest.mark.windows
@pytest.mark.parametrize("headless", [True, False])
def test_a_virtual_screen_of_the_size_asked_for(headless: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if headless:
        monkeypatch.setenv("DISPLAY", ":64999")
    else:
        monkeypatch.delenv("DISPLAY", raising=False)
    before = os.environ.get("DISPLAY")
    with ensure_display(headless, size=(800, 600)) as screen:
        assert screen.virtual
        assert os.environ["DISPLAY"] == screen.name
        answer = server_probe.ask()
        assert (answer.width, answer.height, answer.manager, answer.xwayland) == (800, 600, None, False)
    assert os.environ.get("DISPLAY") == before
    with environment(DISPLAY=screen.name), pytest.raises(ScreenError):
        server_probe.ask()


@needs_xvfb
@pytest.mark.windows
@pytest.mark.parametrize(
    ("ending", "status"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9), (signal.SIGINT, -2)]
)
def test_the_screen_goes_with_the_program_however_it_ends(ending: signal.Signals, status: int) -> None:
    waiting = IN_A_SCREEN.format(body="print(screen.name, flush=True); import time; time.sleep(60)")
    with subprocess.Popen(
        [sys.executable, "-c", waiting], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as program:
        assert program.stdout is not None
        name = program.stdout.readline().strip()
        with environment(DISPLAY=name), readable_authority():
            assert server_probe.ask().width == 1920
            program.send_signal(ending)
            assert program.wait(30) == status
            assert _gone(name)


@needs_xvfb
@pytest.mark.windows
def test_ctrl_c_reaches_the_program_and_not_its_screen() -> None:
    body = """
    import time
    from bot.screen.x11 import server_probe
    try:
        print("ready", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        print(server_probe.ask().width, flush=True)
    """
    code = IN_A_SCREEN.format(body=body.strip())
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        os.killpg(program.pid, signal.SIGINT)  # a terminal sends it to the whole group
        assert program.stdout.readline() == "1920\n"


def _gone(name: str) -> bool:
    socket = Path(f"/tmp/.X11-unix/X{name.removeprefix(':')}")
    until = time.monotonic() + 30
    while socket.exists() and time.monotonic() < until:
        time.sleep(0.05)
    return not socket.exists()
