"""Files that the user names to be written: devices, pipes, links, stdout, and names that are mistakes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.cli.parts.outputs import STDOUT, OutputFile, is_own_file, refuse_same
from bot.errors import BotError
from bot.files import is_written_through, write_output, write_whole

PNG = b"\x89PNG"
BOARD = ("solve", "##", "--mines", "1", "--strategy", "exact")
STUDY = ("simulate", "--size", "5x5", "--mines", "3", "--games", "30", "--strategy", "exact", "--no-db")

needs_pipes = pytest.mark.skipif(os.name == "nt", reason="devices and pipes have names on POSIX alone")


Minebot = Callable[..., Any]


def read_pipe(path: Path) -> tuple[threading.Thread, list[bytes]]:
    """A reader of a pipe, and what it will have read."""
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    return reader, read


@needs_pipes
def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for write in (write_output, write_whole):
        reader, read = read_pipe(pipe)
        write(pipe, b"content")
        reader.join(20)
        assert read == [b"content"]
        assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@needs_pipes
def test_stdout_devices_and_pipes_are_no_files_of_their_own(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "old.png").touch()
    for path in (STDOUT, Path("/dev/null"), tmp_path / "pipe"):
        assert not is_own_file(path)
    for path in (tmp_path / "old.png", tmp_path / "new.png", Path("./-").absolute()):
        assert is_own_file(path)


@needs_pipes
def test_a_full_device_is_told_and_stays() -> None:
    full = Path("/dev/full")
    assert is_written_through(full)
    with pytest.raises(OSError, match="No space left"):
        write_output(full, b"content")
    assert full.is_char_device()


@needs_pipes
def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"new", b"again"):
        write_output(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["link", "target", "there"]


@needs_pipes
def test_a_link_that_leads_to_itself_is_told_and_stays(tmp_path: Path, minebot: Minebot) -> None:
    loop = tmp_path / "loop.png"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="symbolic links"):
        write_output(loop, b"content")
    refused = minebot(*STUDY, "--results", str(loop))
    assert (refused.returncode, refused.err.count(b"\n")) == (1, 1)
    assert loop.is_symlink()
    assert list(tmp_path.iterdir()) == [loop]


def test_no_folder_is_made_for_a_file_that_was_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_output(tmp_path / "mistyped" / "out", b"content")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("", "no name of a file"),
        ("a\0b.png", "no name of a file"),
        ("{folder}", "is a folder"),
        ("{folder}/mistyped/out.png", "there is no folder"),
        ("{folder}/chances.txt", "no picture's name"),
        ("{folder}/" + "x" * 300 + "/out.png", "cannot be written|there is no folder"),
    ],
)
def test_names_that_are_mistakes(tmp_path: Path, value: str, told: str) -> None:
    import click

    kind = OutputFile((".png", ".jpg"))
    with pytest.raises(click.BadParameter, match=told):
        kind.convert(value.format(folder=tmp_path), None, None)


def test_names_that_are_none(tmp_path: Path) -> None:
    kind = OutputFile((".png", ".jpg"))
    for name in ("a.png", "a.JPG", "a"):
        assert kind.convert(str(tmp_path / name), None, None) == tmp_path / name
    assert kind.convert("-", None, None) == STDOUT
    assert kind.convert("./-", None, None) == Path.cwd() / "-"
    if os.name != "nt":
        assert kind.convert("/dev/full", None, None) == Path("/dev/full")


@pytest.mark.slow
def test_a_picture_on_stdout_stands_there_alone(tmp_path: Path, minebot: Minebot) -> None:
    done = minebot(*BOARD, "--picture", "-")
    assert done.returncode == 0
    assert done.out.startswith(PNG)
    assert b"best: row" in done.err
    refused = minebot(*BOARD, "--picture", "-", "--json")
    assert (refused.returncode, refused.out) == (2, b"")
    assert b"both write to stdout" in refused.err


@pytest.mark.slow
@needs_pipes
def test_the_device_of_stdout_keeps_what_was_printed_before(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with out.open("wb") as file:
        file.write(b"before\n")
        file.flush()
        done = subprocess.run(
            [sys.executable, "-m", "bot.cli.main", *BOARD, "--picture", "/dev/stdout"],
            stdout=file,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(b"before\n" + PNG)
    assert out.read_bytes().rstrip().endswith(b"layouts: 2")


@pytest.mark.slow
@needs_pipes
def test_a_picture_for_a_full_device_is_one_line(minebot: Minebot) -> None:
    done = minebot(*BOARD, "--picture", "/dev/full")
    assert done.returncode == 1
    assert b"/dev/full cannot be written: No space left on device" in done.err
    assert Path("/dev/full").is_char_device()


@pytest.mark.slow
def test_each_picture_is_what_its_name_says(tmp_path: Path, minebot: Minebot) -> None:
    for name, begins in (("a.jpg", b"\xff\xd8\xff"), ("a.bmp", b"BM"), ("a", PNG)):
        done = minebot(*BOARD, "--picture", tmp_path / name)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.slow
@needs_pipes
def test_results_go_through_pipes_and_stdout(tmp_path: Path, minebot: Minebot) -> None:
    plain, pipe = tmp_path / "plain", tmp_path / "pipe"
    os.mkfifo(pipe)
    assert minebot(*STUDY, "--results", plain).returncode == 0
    told = minebot(*STUDY, "--results", "-")
    assert (told.returncode, told.out) == (0, plain.read_bytes())
    assert b"games won" in told.err
    reader, read = read_pipe(pipe)
    assert minebot(*STUDY, "--results", pipe).returncode == 0
    reader.join(20)
    assert read == [plain.read_bytes()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "plain"]
    refused = minebot(*STUDY, "--results", pipe, "--resume")
    assert refused.returncode == 2
    assert b"--resume goes with --results in a file" in refused.err
    full = minebot(*STUDY, "--results", "/dev/full")
    assert full.returncode == 1
    assert b"/dev/full cannot be written: No space left" in full.err


@needs_pipes
def test_results_follow_a_link(tmp_path: Path) -> None:
    from bot.lab.study import Study, StudyFiles

    study = Study(id="one", strategy="exact", version=1, think=1, first_click="safe", start=None)
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "results")
    with StudyFiles(tmp_path / "link", study, resume=False) as files:
        files.add([True], 0)
        files.finish()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "results").read_text() == "1\n"


@needs_pipes
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("simulate --boards b --results b", "--results would write over b"),
        ("simulate --boards b --results link", "--results would write over b"),
        ("simulate --boards b.study --results b", "--results would write over b.study"),
        ("simulate --db same --results same", "--db and --results would both write"),
        ("simulate --db same.partial --results same", "--db and --results would both write"),
        ("solve ## --html o --picture ./o", "--picture and --html would both write o"),
        ("stats --html o --plot o", "--plot and --html would both write o"),
        ("stats --db b --html b", "--html would write over b"),
        ("review rec --html o --rawvf o", "--html and --rawvf would both write o"),
        ("replay rec --html o --gif o", "--gif and --html would both write o"),
        ("replay rec --boards rec/game.jsonl", "--boards would write into the recording"),
        ("replay rec --show 0 --out rec/frames/0123456789abcdef.png", "--out would write into the recording"),
        ("replay rec --html log.html", "--html would write into the recording"),
    ],
)
def test_no_output_is_written_over_an_input_or_another_output(
    words: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minebot: Minebot
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rec" / "frames").mkdir(parents=True)
    for name in ("b", "b.study", "rec/game.jsonl", "rec/frames/0123456789abcdef.png"):
        (tmp_path / name).write_text("3 3 1 8\n")
    for name, target in (("link", "b"), ("log.html", "rec/game.jsonl")):
        (tmp_path / name).symlink_to(target)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = minebot(*words.split())
    assert (done.returncode, done.out, done.err.count(b"\n")) == (2, b"", 1)
    assert told in done.err.decode()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@needs_pipes
def test_one_device_takes_two_outputs() -> None:
    refuse_same({"--html": Path("/dev/null"), "--picture": Path("/dev/null")})


def test_boards_cannot_be_written_to_what_is_not_there(tmp_path: Path) -> None:
    from bot.cli.parts.outputs import write

    with pytest.raises(BotError, match="cannot be written"):
        write(tmp_path / "mistyped" / "boards.txt", b"")
