from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from games import BOARDS, GRID, RULES, make_header, picture, record_game

from bot.errors import BotError, FormatError
from bot.recording.format import (
    SCHEMA,
    BoardEvent,
    ClickEvent,
    CutLine,
    DecisionEvent,
    NoteEvent,
    OutcomeEvent,
    PersonEvent,
    decode_event,
    decode_header,
    encode,
)
from bot.recording.pictures import read_frame
from bot.recording.read import Recording, load


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "game.jsonl").read_text().splitlines()]


def rewrite(folder: Path, objects: list[dict[str, Any]]) -> None:
    (folder / "game.jsonl").write_text("".join(json.dumps(one) + "\n" for one in objects))


def test_a_magnified_grid_is_read_back_and_others_are_as_older_versions_know_them() -> None:
    plain = make_header()
    assert b"magnified" not in encode(plain)
    assert decode_header(encode(plain), "").frame_grid().magnification == 1
    twice = msgspec.structs.replace(plain, grid=msgspec.structs.replace(plain.grid, magnified=2, wide_rows=1))
    assert decode_header(encode(twice), "").frame_grid() == replace(GRID, magnification=2, wide_rows=1)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    recording = load(record_game(tmp_path / "game"))
    assert not recording.truncated
    assert recording.header.schema == SCHEMA
    assert recording.header.game_rules() == RULES
    assert recording.header.frame_grid() == GRID
    assert recording.header.created.tzinfo is not None
    assert (recording.header.origin.x, recording.header.options) == (-100, {"flags": False})
    frames = recording.frames
    assert len(frames) == 4
    assert frames[0].frame == frames[1].frame
    assert len(list((tmp_path / "game" / "frames").iterdir())) == 3
    assert [(frame.x, frame.y) for frame in frames] == [(-100, 7)] * 4
    for frame, board in zip(frames[1:], BOARDS, strict=True):
        assert (recording.frame(frame) == picture(board)).all()
    boards = [event for event in recording.events if isinstance(event, BoardEvent)]
    assert ["\n".join(board.cells) for board in boards] == [str(board) for board in BOARDS]
    assert (boards[1].face, boards[1].counter, boards[1].faults) == ("happy", 1, [])
    decisions = [event for event in recording.events if isinstance(event, DecisionEvent)]
    assert decisions[1].safe == [(0, 1)]
    assert decisions[1].chances[0] == (0, 1, 0.083333)
    click = next(event for event in recording.events if isinstance(event, ClickEvent))
    assert (click.action, click.row, click.x, click.attempt) == ("open", 0, 3, 1)
    person = next(event for event in recording.events if isinstance(event, PersonEvent))
    assert (person.action, person.row, person.column) == ("flag", 1, 2)
    assert next(event for event in recording.events if isinstance(event, NoteEvent)).text.startswith("the w")
    assert isinstance(recording.outcome, OutcomeEvent)
    assert recording.outcome.result == "won"
    times = [event.t for event in recording.events]
    assert times == sorted(times)


def test_the_schema_number_comes_first() -> None:
    assert encode(make_header()).startswith(b'{"schema":%d,' % SCHEMA)


def load_or_told(folder: Path) -> Recording | str:
    """The recording, or the line that says why not; any other exception comes through."""
    try:
        return load(folder)
    except BotError as error:
        return str(error)


def test_cut_at_every_byte_it_loads_or_gives_one_line(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    content = (folder / "game.jsonl").read_bytes()
    header = content.index(b"\n")
    for length in reversed(range(len(content))):
        os.truncate(folder / "game.jsonl", length)
        found = load_or_told(folder)
        if length < header:
            assert isinstance(found, str)
            assert re.search(r"line 1: there is no whole header: .*\Z", found)
            continue
        assert isinstance(found, Recording), found
        # A line that lacks only its line end is whole.
        lacks_only_end = content[length : length + 1] == b"\n"
        assert len(found.events) == content[:length].count(b"\n") - 1 + lacks_only_end
        assert found.truncated == (not lacks_only_end and content[length - 1 : length] != b"\n")


def test_damage_anywhere_gives_one_line(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    content = (folder / "game.jsonl").read_bytes()
    refused = 0
    # In place: emptying the file each time takes ten times as long as all the rest.
    with (folder / "game.jsonl").open("r+b", buffering=0) as file:
        for place in range(len(content)):
            for byte in (b"\x00", b"\xff", b'"', b"9"):
                file.seek(place)
                file.write(byte)
                found = load_or_told(folder)
                if isinstance(found, str):
                    assert re.fullmatch(r".*game\.jsonl, line \d+: .*", found)
                    refused += 1
            file.seek(place)
            file.write(content[place : place + 1])
    assert refused > 2 * len(content)


def test_a_cut_line_in_the_middle_is_refused_with_its_number(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    content = (folder / "game.jsonl").read_bytes().splitlines(keepends=True)
    content[4] = content[4][:20] + b"\n"
    (folder / "game.jsonl").write_bytes(b"".join(content))
    with pytest.raises(FormatError, match=r"game\.jsonl, line 5: "):
        load(folder)


def test_a_newer_schema_is_refused_even_with_unknown_keys(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    objects = lines(folder)
    objects[0] = {"schema": SCHEMA + 1, "wholly": "new"}
    rewrite(folder, objects)
    with pytest.raises(FormatError, match=r"game\.jsonl, line 1: schema \d is newer than \d.*update minebot"):
        load(folder)


@pytest.mark.parametrize("line", [0, 1, 3])
def test_an_unknown_key_is_refused_and_named(tmp_path: Path, line: int) -> None:
    folder = record_game(tmp_path / "game")
    objects = lines(folder)
    objects[line]["colour"] = "red"
    rewrite(folder, objects)
    with pytest.raises(FormatError, match=rf"line {line + 1}: .*unknown field `colour`"):
        load(folder)


def test_an_unknown_event_is_refused_even_in_the_last_line(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    with (folder / "game.jsonl").open("a") as file:
        file.write('{"event": "dance", "t": 1}')
    with pytest.raises(FormatError, match="dance"):
        load(folder)


@pytest.mark.parametrize(
    ("number", "key", "value", "told"),
    [
        (1, "frame", "../../../etc/passwd", "line 2: "),
        (3, "frame", "0" * 16, "line 4: frame 0000000000000000 was not taken before"),
        (3, "cells", ["###"], "line 4: a board of 3x1 in a game of 3x2"),
        (3, "cells", ["##z", "###"], "line 4: row 0, column 2 .*'z' is no cell"),
        (3, "mines", 7, "line 4: 7 mines do not fit"),
        (4, "safe", [[2, 0]], "line 5: row 2, column 0 is not on the board"),
        (4, "survival", 1.5, "line 5: "),
        (1, "t", -1, "line 2: "),
        (0, "created", "0001-01-01T00:00:00", "line 1: year"),
        (4, "candidates", [{"cell": [0, 3], "survival": 1}], "line 5: row 0, column 3 is not on the board"),
        (5, "row", 99, "line 6: row 99, column 0 is not on the board"),
        (-3, "column", 3, r"line \d+: row 1, column 3 is not on the board"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(
    tmp_path: Path, number: int, key: str, value: object, told: str
) -> None:
    folder = record_game(tmp_path / "game")
    objects = lines(folder)
    objects[number][key] = value
    rewrite(folder, objects)
    with pytest.raises(FormatError, match=told):
        load(folder)


def test_a_size_that_cannot_be_is_refused() -> None:
    header = json.loads(encode(make_header()))
    header["rules"]["columns"] = 0
    with pytest.raises(FormatError, match=r"here: a board of 0x2 cells cannot be"):
        decode_header(json.dumps(header).encode(), "here")


def test_no_folder_no_log_and_no_header(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such recording"):
        load(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"holds no game\.jsonl"):
        load(tmp_path / "empty")
    (tmp_path / "empty" / "game.jsonl").write_bytes(b"")
    with pytest.raises(FormatError, match="no whole header"):
        load(tmp_path / "empty")
    (tmp_path / "empty" / "game.jsonl").write_text('{"event": "note"}\n')
    with pytest.raises(FormatError, match="no header of a minebot recording"):
        load(tmp_path / "empty")


def test_a_missing_cut_or_changed_picture_gives_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    recording = load(record_game(tmp_path / "game"))
    taken, second = recording.frames[0], recording.frames[2].frame
    first = taken.frame
    path = recording.folder / "frames" / f"{first}.png"
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(FormatError, match=f"{first}.png: the picture is cut short"):
        recording.frame(taken)
    path.write_bytes((recording.folder / "frames" / f"{second}.png").read_bytes())
    with pytest.raises(FormatError, match=f"{first}.png: the picture is damaged"):
        recording.frame(taken)
    path.unlink()
    with pytest.raises(FormatError, match=f"{first}.png: the picture is missing"):
        recording.frame(taken)
    assert capfd.readouterr().err == ""


def test_a_grid_outside_the_picture_is_refused(tmp_path: Path) -> None:
    recording = load(record_game(tmp_path / "game", header=make_header(grid=GRID.moved(30, 0))))
    with pytest.raises(FormatError, match=r"does not lie in the picture \(56x56\)"):
        recording.frame(recording.frames[0])


def test_a_line_that_is_nested_too_deep_is_no_traceback() -> None:
    for decode in (decode_header, decode_event):
        with pytest.raises(CutLine):
            decode(b'{"x": ' + b"[" * 100_000, "game.jsonl, line 1")


def test_lines_that_were_taken_out_are_noticed(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    path = folder / "game.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(load(folder).events) == len(lines) - 1
    for gone in range(1, len(lines) - 1):
        path.write_bytes(b"".join(lines[:gone] + lines[gone + 1 :]))
        with pytest.raises(FormatError, match=rf"line {gone + 1}: this was line {gone + 2}"):
            load(folder)
    path.write_bytes(b"".join([*lines[:2], lines[1], *lines[2:]]))
    with pytest.raises(FormatError, match="line 3: this was line 2"):
        load(folder)
    path.write_bytes(b"".join(lines[:-1]))  # as in a run that was killed
    assert load(folder).outcome is None


def test_recordings_of_before_have_no_numbers(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    path = folder / "game.jsonl"
    path.write_bytes(re.sub(rb'"line":[0-9]+,?', b"", path.read_bytes()).replace(b",}", b"}"))
    with pytest.raises(FormatError, match="this line has no number"):
        load(folder)
    path.write_bytes(path.read_bytes().replace(b'"schema":%d' % SCHEMA, b'"schema":2'))
    assert load(folder).outcome is not None


def test_a_damaged_picture_makes_libpng_say_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = record_game(tmp_path / "game")
    path = next((folder / "frames").iterdir())
    content = bytearray(path.read_bytes())
    for at in range(8, len(content) - 12, 7):
        damaged = content.copy()
        damaged[at] ^= 0x55
        path.write_bytes(damaged)
        with pytest.raises(FormatError, match="damaged"):
            read_frame(path)
    assert capfd.readouterr().err == ""
