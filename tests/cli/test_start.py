"""What a newcomer meets first: help, version, wrong words; none of it needs a display or much time."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from bot import __version__
from bot.cli import doctor
from bot.cli.main import COMMANDS, main
from bot.screen.checks import CHECKS

WRITTEN = [name for name in COMMANDS if importlib.util.find_spec(f"bot.cli.{name}")]


def minebot(
    *words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """Run the command in this process; its exit status, stdout and stderr."""
    monkeypatch.setattr(sys, "argv", ["minebot", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def test_every_command_is_there() -> None:
    assert list(COMMANDS) == WRITTEN


def test_help_lists_every_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = minebot("--help", monkeypatch=monkeypatch, capsys=capsys)
    assert status == 0
    assert all(name in out for name in COMMANDS)
    assert "Example: minebot" in out


def test_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = minebot("--version", monkeypatch=monkeypatch, capsys=capsys)
    assert (status, out.strip()) == (0, f"minebot, version {__version__}")


@pytest.mark.parametrize("name", WRITTEN)
def test_help_of_a_command_shows_an_example(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = minebot(name, "--help", monkeypatch=monkeypatch, capsys=capsys)
    assert status == 0
    assert f"Example: minebot {name}" in out


def test_help_is_a_command_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for given, same in ((("help", "solve"), ("solve", "--help")), (("help",), ("--help",))):
        told = [minebot(*words, monkeypatch=monkeypatch, capsys=capsys) for words in (given, same)]
        assert told[0] == told[1]
        assert told[0][0] == 0


@pytest.mark.slow
def test_help_of_a_module_that_runs_as_a_program() -> None:
    """`python -m bot.cli.main` has its classes twice: those of `__main__` and those of the module."""
    words = [sys.executable, "-m", "bot.cli.main", "help"]
    assert subprocess.run([*words, "solve"], capture_output=True, text=True).returncode == 0
    told = subprocess.run([*words, "solv"], capture_output=True, text=True).stderr
    assert told == "minebot: there is no command 'solv', did you mean 'solve'? see `minebot --help`\n"


def test_no_word_at_all_shows_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = minebot(monkeypatch=monkeypatch, capsys=capsys)
    assert (status, out) == (2, "")
    assert all(name in err for name in COMMANDS)


@pytest.mark.parametrize("name", [name for name in ("replay", "read", "simulate") if name in WRITTEN])
def test_needs_no_display(name: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "XAUTHORITY")}
    run = subprocess.run(
        [sys.executable, "-m", "bot.cli.main", name, "--help"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("words", [["--help"], ["--version"], *([name, "--help"] for name in WRITTEN)])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys; sys.argv = ['minebot', *sys.argv[1:]]\n"
        "from bot.cli.main import main\n"
        "try: main()\n"
        "finally: print(*(heavy for heavy in ('numpy', 'cv2', 'numba', 'rich', 'pyautogui', 'msgspec', 'mss',"
        " 'tkinter', 'Xlib') if heavy in sys.modules), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=240)
    assert (run.returncode, run.stderr.split()) == (0, [])


def test_the_doctor_knows_every_check() -> None:
    assert tuple(CHECKS) == doctor.NAMES
    assert CHECKS.keys() >= doctor.NEEDED


def test_a_ctrl_c_while_the_options_are_made_is_no_traceback() -> None:
    code = (
        "import click\n"
        "def interrupted(*words, **more): raise KeyboardInterrupt\n"
        "click.version_option = interrupted\n"
        "import bot.cli.main"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert (run.returncode, run.stderr) == (130, "")
