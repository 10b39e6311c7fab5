"""Each error is one line on stderr that says what to do, with the right exit status; never a traceback."""

from __future__ import annotations

import errno
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.files import user_data, user_settings

WITHOUT_DISPLAY = pytest.mark.skipif(sys.platform == "win32", reason="Windows has a display at any time")


def minebot(*words: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the command in this process; its exit status."""
    monkeypatch.setattr(sys, "argv", ["minebot", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("nosuch", "nosuch"),
        ("simulat", "did you mean 'simulate'? see `minebot --help`"),
        ("help simulat", "did you mean 'simulate'?"),
        ("simulate --jobs 99999999999999999999", "--jobs"),
        ("simulate --results /nosuch/folder/file", f"there is no folder {Path('/nosuch/folder')}"),
        ("simulate --results ''", "no name of a file"),
        ("--nosuch", "--nosuch"),
        ("run extra", "extra"),
        ("run --nosuch", "--nosuch"),
        ("run --name", "--name"),
        ("run --games 0", "--games"),
        ("run --clicks-per-second 0", "--clicks-per-second"),
        ("run --practice --level nosuch", "beginner"),
        ("run --practice --strategy nosuch", "best"),
        ("practice --level nosuch", "expert"),
        ("practice --scale 9", "1 to 3"),
        ("practice --seed -1", "--seed"),
        ("practice --position 1", "X,Y"),
        ("simulate --start 1", "ROW,COLUMN"),
        ("simulate --mines 5", "--size"),
        ("read", "PICTURE"),
        ("replay practice-beginner --gif o.gif --speed nan", "--speed"),
        ("replay practice-beginner --gif o.gif --from nan", "--from"),
        ("replay practice-beginner --gif o.gif --to nan", "--to"),
        ("replay practice-beginner --gif o.gif --scale nan", "--scale"),
        ("calibrate --seconds nan", "--seconds"),
        ("terminal endoh1 --pause nan", "nan"),
        ("run --clicks-per-second nan", "--clicks-per-second"),
        ("run --practice --virtual --scale nan", "1 to 3"),
        ("run --practice --virtual --scale 0", "1 to 3"),
        ("practice --scale nan", "1 to 3"),
        ("run --practice --virtual --size 3x3 --mines 1", "too small to be found on a screen"),
        ("run --practice --headless --size 30x2 --mines 9", "use --size 4x4"),
        ("run --practice --virtual --size 9x9 --mines 99", "--mines 0 to 80"),
        ("calibrate some --list", "leave out NAME"),
        ("calibrate --list --import nosuch.zip", "leave out the rest"),
        ("calibrate --list --forget", "leave out the rest"),
        ("calibrate practice-beginner --export x.zip --forget", "NAME --forget` alone"),
        ("calibrate practice-beginner --forget --json", "NAME --forget` alone"),
        ("calibrate practice-beginner --export e.zip --glyphs g.png", "leave out --glyphs and --json"),
        ("calibrate practice-beginner --export e.zip --json", "leave out --glyphs and --json"),
        ("completion", "zsh"),
        ("doctor --only nosuch", "display"),
    ],
)
def test_wrong_words_are_one_line_and_2(
    words: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert minebot(*shlex.split(words), monkeypatch=monkeypatch) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("minebot: ")
    assert err.count("\n") == 1
    assert told in err


PLAYING = ["simulate --games 1 --no-db", "solve 1#/##", "terminal comp1511 --bot", "run --practice --virtual"]
"""Commands that play by the strategy of the settings."""


@pytest.mark.parametrize("words", [*PLAYING, "watch", "replay", "review some"])
@pytest.mark.parametrize("content", [b"stratgy = 'best'", b"strategy = '\xff'", b"strategy = 3"])
def test_settings_that_cannot_be_read_are_told_by_all_who_use_them(
    words: str, content: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = user_settings()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    assert minebot(*shlex.split(words), monkeypatch=monkeypatch) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"minebot: {path}: ")


@pytest.mark.parametrize("words", PLAYING)
def test_the_strategy_of_the_settings_must_be_one(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = user_settings()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('strategy = "luck"')
    assert minebot(*shlex.split(words), monkeypatch=monkeypatch) == 1
    assert f"minebot: {path}: strategy: no strategy is called 'luck'" in capsys.readouterr().err


def test_the_strategy_of_the_settings_plays_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = user_settings()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('strategy = "local"')
    for words, told in ((PLAYING[0], "local: "), (f"{PLAYING[0]} --strategy seed", "seed: ")):
        assert minebot(*shlex.split(words), monkeypatch=monkeypatch) == 0
        assert capsys.readouterr().out.startswith(told)
    assert minebot("solve", "1#/##", monkeypatch=monkeypatch) == 0
    assert "local: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        "read nosuch",
        "solve nosuch",
        "replay nosuch",
        "review nosuch",
        "simulate --boards nosuch",
        "simulate --boards nosuch.mbf",
        "simulate --boards .",
        "calibrate --import nosuch.zip --name some",
        "calibrate --import . --name some",
        "stats --db nosuch",
    ],
)
def test_a_file_that_is_not_there_is_one_line_and_1(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert minebot(*shlex.split(words), monkeypatch=monkeypatch) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("minebot: ")


def test_click_s_own_errors_name_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    minebot("run", "--games", "0", monkeypatch=monkeypatch)
    assert "minebot run --help" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "--virtual",
        "--headless",
        "--level expert",
        "--size 9x9",
        "--scale 2",
        "--seed 0",
    ],
)
def test_what_needs_the_built_in_window(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert minebot("run", *words.split(), monkeypatch=monkeypatch) == 2
    assert capsys.readouterr().err == f"minebot: {words.split()[0]} goes with --practice: add it\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("--new", "--resume"),
        ("--no-record", "--record x"),
        ("--no-record", "--keep"),
        ("--virtual", "--headless"),
        ("--practice", "--target winmine"),
        ("--name x", "--no-records"),
        ("--dry-run", "--record x"),
        ("--dry-run", "--keep"),
        ("--assist", "--hint"),
        ("--assist", "--dry-run"),
        ("--assist", "--db x"),
        ("--hint", "--dry-run"),
        ("--hint", "--new"),
        ("--hint", "--flags"),
        ("--hint", "--clicks-per-second 3"),
        ("--hint", "--name x"),
        ("--hint", "--no-records"),
        ("--hint", "--db x"),
    ],
)
def test_words_that_exclude_each_other(
    one: str, other: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--practice", *one.split(), *other.split()]
    assert minebot("run", *words, monkeypatch=monkeypatch) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert one.split()[0] in err
    assert other.split()[0] in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--practice --assist --virtual", "nobody can click"),
        ("--practice --hint --virtual", "nobody can click"),
        ("--sound", "--assist or --hint"),
        pytest.param("--practice --assist", "a screen that you see", marks=WITHOUT_DISPLAY),
        pytest.param("--hint", "there is no display", marks=WITHOUT_DISPLAY),
    ],
)
def test_a_person_needs_a_window_to_click_in(
    words: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert minebot("run", *words.split(), monkeypatch=monkeypatch) in (1, 2)
    err = capsys.readouterr().err
    assert err.count("\n") == 1, err
    assert told in err


@WITHOUT_DISPLAY
@pytest.mark.parametrize("words", ["watch", "run --hint", "run --assist"])
def test_who_looks_on_is_sent_to_a_desktop_alone(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert minebot(*words.split(), monkeypatch=monkeypatch) == 1
    err = capsys.readouterr().err
    assert "run it in a desktop session" in err
    assert "--practice" not in err


def test_what_was_learned_is_told_alike_by_the_list_and_by_a_wrong_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert minebot("calibrate", "nosuch", monkeypatch=monkeypatch) == 2
    told = capsys.readouterr().err
    assert "no calibration 'nosuch' (learned here: none; with minebot came practice-beginner)" in told
    assert minebot("calibrate", "--list", monkeypatch=monkeypatch) == 0
    assert "no window was learned here yet (practice-beginner came with minebot)" in capsys.readouterr().err
    place = user_data() / "calibration"
    place.mkdir(parents=True)
    (place / "mines.toml").write_text("schema = [")
    assert minebot("calibrate", "--list", monkeypatch=monkeypatch) == 0
    told = capsys.readouterr().err
    assert "what was learned here of mines is damaged (practice-beginner came with minebot)" in told
    assert "no window was learned here yet" not in told


def test_the_help_of_import_says_what_it_is_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    minebot("calibrate", "--help", monkeypatch=monkeypatch)
    assert "it is called as the file, or as --name says" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", ["", "two\nlines"])
def test_a_name_that_no_dialog_takes(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert minebot("run", "--practice", "--virtual", "--name", name, monkeypatch=monkeypatch) == 2
    assert capsys.readouterr().err.startswith("minebot: --name")


def test_a_strategy_of_the_settings_that_there_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    user_settings().write_text('strategy = "nosuch"\n')
    assert minebot("run", "--practice", "--virtual", monkeypatch=monkeypatch) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert str(user_settings()) in err
    assert "nosuch" in err


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A practice window at the start of a game."""
    from bot.board import Rules
    from bot.practice.session import PracticeSession
    from bot.recording.pictures import encode_png

    path = tmp_path / "board.png"
    path.write_bytes(encode_png(PracticeSession(Rules(9, 9, 10), 1.0, 3).image()))
    return path


def test_a_drawing_that_cannot_be_written(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = picture / "out.png"
    assert minebot("read", str(picture), "--show", str(place), monkeypatch=monkeypatch) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert str(picture) in err
    assert "Traceback" not in out + err


def test_a_picture_with_no_board_is_told_on_stderr_with_json_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "nosuch.png"
    assert minebot("read", "--json", str(missing), monkeypatch=monkeypatch) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["image"] == str(missing)
    assert err.count("\n") == 1
    assert str(missing) in err


def test_a_file_of_no_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    boards = tmp_path / "none.txt"
    boards.touch()
    assert minebot("simulate", "--boards", str(boards), monkeypatch=monkeypatch) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(boards) in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "words", ["--help", "simulate --help", "completion bash", "simulate --games 2 --strategy local"]
)
def test_output_that_cannot_be_written(words: str) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "bot.cli.main", *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=280,
        )
    assert run.returncode == 1
    (line,) = run.stderr.splitlines()
    why = os.strerror(errno.ENOSPC)
    assert line == f"minebot: stdout cannot be written: {why}: send it elsewhere, or make room there"


def test_a_completion_script_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert minebot("completion", "bash", "--install", monkeypatch=monkeypatch) == 1
    err = capsys.readouterr().err
    assert err.startswith("minebot: ")
    assert err.count("\n") == 1


def test_the_empty_name_of_a_file_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (("simulate", "--results", ""), ("solve", "##", "--picture", ""), ("stats", "--plot", "")):
        assert minebot(*words, monkeypatch=monkeypatch) == 2
        told = capsys.readouterr().err
        assert "no name of a file" in told
        assert told.count("\n") == 1
