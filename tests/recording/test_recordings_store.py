from __future__ import annotations

import shutil
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest
from games import BOARDS, make_header, picture, record_game

from bot.errors import BotError, FormatError, UsageError
from bot.recording import store
from bot.recording.format import Header
from bot.recording.write import Recorder

NOW = datetime(2026, 11, 20, 16, 13, tzinfo=timezone.utc)


def header_of(minute: int) -> Header:
    return msgspec.structs.replace(make_header(), created=NOW + timedelta(minutes=minute))


def sizes(root: Path) -> dict[str, int]:
    return {one.name: one.size for one in store.stored(root)}


def test_ids_are_told_by_time_target_and_size_and_never_taken_twice(tmp_path: Path) -> None:
    names = [store.new_folder(tmp_path, header_of(0)).name for _ in range(3)]
    assert names == [
        f"20261120-161300-winmine-9x9-00{n}".replace("winmine-9x9", "winemine-3x2") for n in (1, 2, 3)
    ]
    header = msgspec.structs.replace(header_of(0), target="Mines / ../ Ä")
    assert store.new_folder(tmp_path, header).name == "20261120-161300-mines-3x2-001"


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BotError, match="cannot record there"):
        store.start(tmp_path / "file", header_of(0))


def test_the_oldest_go_first_until_the_rest_fits(tmp_path: Path) -> None:
    # Names in another order than the times: the header's time counts.
    for minute, name in ((3, "a"), (1, "b"), (2, "c")):
        record_game(tmp_path / name, header=header_of(minute))
    assert [one.name for one in store.stored(tmp_path)] == ["b", "c", "a"]
    total = sum(sizes(tmp_path).values())
    assert store.prune(tmp_path, total) == []
    assert store.prune(tmp_path, total - 1) == [tmp_path / "b"]
    assert not (tmp_path / "b").exists()
    assert store.prune(tmp_path, 0) == [tmp_path / "c", tmp_path / "a"]


def test_what_another_process_deletes_meanwhile_makes_room_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minute in range(4):
        record_game(tmp_path / str(minute), header=header_of(minute))
    two, folders = sizes(tmp_path)["2"] + sizes(tmp_path)["3"], [tmp_path / str(one) for one in range(4)]
    asked = iter([lambda: shutil.rmtree(folders[0])])

    def being_written(path: Path) -> bool:
        other = next(asked, None)  # the other one has seen the same recordings and is a little ahead
        if other is not None:
            other()
        return not path.exists()

    monkeypatch.setattr(store, "being_written", being_written)
    assert store.prune(tmp_path, two) == [folders[1]]
    rmtree = shutil.rmtree

    def overtaken(folder: Path) -> None:
        rmtree(folder.parent)
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(shutil, "rmtree", overtaken)
    assert store.prune(tmp_path, two - 1) == [], "the other one has deleted it"
    assert [one.folder for one in store.stored(tmp_path)] == [folders[3]]


def test_kept_ones_stay_and_do_not_count(tmp_path: Path) -> None:
    for minute in range(3):
        record_game(tmp_path / str(minute), header=header_of(minute))
    store.keep(tmp_path / "0")
    two = sizes(tmp_path)["1"] + sizes(tmp_path)["2"]
    assert store.prune(tmp_path, two) == []
    assert store.prune(tmp_path, 0) == [tmp_path / "1", tmp_path / "2"]
    assert [one.kept for one in store.stored(tmp_path)] == [True]


def test_what_is_no_recording_is_never_deleted(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"x" * 1000)
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "game.jsonl").write_text('{"schema": 1, "other": "program"}\n')
    (tmp_path / "newer").mkdir()
    (tmp_path / "newer" / "game.jsonl").write_text('{"schema": 99}\n')
    (tmp_path / "game.jsonl").write_text("x")
    elsewhere = record_game(tmp_path / "photos" / "game", header=header_of(0))
    (tmp_path / "link").symlink_to(elsewhere, target_is_directory=True)
    before = sorted(tmp_path.rglob("*"))
    assert store.prune(tmp_path, 0) == []
    assert sorted(tmp_path.rglob("*")) == before
    assert store.prune(tmp_path / "missing", 0) == []


def test_one_that_is_being_written_is_never_deleted(tmp_path: Path) -> None:
    with Recorder(tmp_path / "game", header_of(0)) as record:
        record.frame(picture(BOARDS[0]), 0, 0)
        assert store.prune(tmp_path, 0) == []
    assert store.prune(tmp_path, 0) == [tmp_path / "game"]


def test_a_new_one_makes_room_first(tmp_path: Path) -> None:
    record_game(tmp_path / "old", header=header_of(0))
    with store.start(tmp_path, header_of(1), budget=0) as record:
        record.note("x")
    assert [one.folder for one in store.stored(tmp_path)] == [record.folder]


def test_a_deletion_cut_short_can_be_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = record_game(tmp_path / "game", header=header_of(0))
    (folder / "film.mp4").write_bytes(b"")

    unlink = Path.unlink
    gone: list[str] = []

    def refuse(self: Path, missing_ok: bool = False) -> None:
        if gone:
            raise PermissionError(13, "refused")
        gone.append(self.name)
        unlink(self)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        assert store.prune(tmp_path, 0) == []
    assert gone == ["film.mp4"]
    assert store.prune(tmp_path, 0) == [folder]


def test_a_name_is_looked_up_here_then_with_the_user_then_among_the_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, mine, ours = tmp_path / "here", tmp_path / "mine", tmp_path / "ours"
    for folder in (here, mine, ours):
        folder.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(store, "shipped", lambda folder: ours)
    record_game(ours / "game")
    assert store.find("game", mine) == ours / "game"
    record_game(mine / "game")
    assert store.find("game", mine) == mine / "game"
    record_game(here / "game")
    assert store.find("game", mine).resolve() == here / "game"
    assert store.find(str(mine / "game"), mine) == mine / "game"
    assert store.find(str(mine / "game" / "game.jsonl"), mine) == mine / "game"
    for name in ("none", "some/where", str(tmp_path / "none")):
        with pytest.raises(FormatError, match=r"no such recording.*`minebot replay` lists"):
            store.find(name, mine)


def test_a_file_is_told_as_no_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.png").touch()
    for name in ("board.png", str(tmp_path / "board.png")):
        with pytest.raises(FormatError, match="this is a file, a recording is a folder"):
            store.find(name, tmp_path)


def test_the_default_place_follows_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path))
    assert store.recordings_folder() == tmp_path / "recordings"
    assert store.recordings_folder(str(tmp_path / "x")) == tmp_path / "x"


@pytest.mark.skipif(sys.platform == "win32", reason="any name is a folder beside one's own there")
def test_the_home_folder_of_nobody_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no home folder ~nouser"):
        store.recordings_folder("~nouser/x")
    with pytest.raises(UsageError, match="no home folder ~nouser"):
        store.find("~nouser/x", tmp_path)
    assert store.recordings_folder("~") == Path.home()
