from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from games import BOARDS, GRID, RULES, CodeReader, LeftToRight, make_header, picture, record_game

from bot.board import Board, Cell, Observation, Phase
from bot.cli import replay as cli
from bot.errors import BotError, FormatError, UsageError
from bot.recording.draw import draw, shown
from bot.recording.read import load
from bot.recording.replay import replay
from bot.recording.write import Recorder
from bot.strategy.base import CUT_SHORT, Decision
from bot.strategy.certain import early_decision
from bot.vision.grid import Image
from bot.vision.picture_file import load_picture
from bot.vision.reading import Reading


class Riskier(LeftToRight):
    chance = 0.5


class Elsewhere(LeftToRight):
    def decide(self, observation: Observation, turn: int) -> Decision:
        decision = super().decide(observation, turn)
        return Decision(decision.kind, "elsewhere", safe=((1, 2),), survival=decision.survival)


def test_the_same_reader_and_strategy_differ_in_nothing(tmp_path: Path) -> None:
    result = replay(load(record_game(tmp_path / "game")), CodeReader().on, LeftToRight())
    assert result.differences == []
    assert (result.frames, result.boards, result.decisions) == (4, 3, 2)
    assert len(result.read_s) == 3
    assert result.read_ms is not None
    assert result.decide_ms is not None


MOVED, WIDER = GRID.moved(2.0, -13.0), replace(GRID, x=1.0, column_offsets=(0.0, 30.0, 40.0, 50.0))
"""Where the cells of a game come to lie: elsewhere, or with widths of their own."""


def moving_game(folder: Path) -> list[Image]:
    """Record a game whose cells come to lie elsewhere twice, and then where they lay; the pictures."""
    pictures = []
    with Recorder(folder, make_header()) as record:
        for grid, board in zip((GRID, MOVED, WIDER, GRID), (*BOARDS[:2], *BOARDS[:2]), strict=True):
            pictures.append(picture(board, grid))
            frame = record.frame(pictures[-1], 0, 0, grid)
            record.board(frame, CodeReader(grid=grid).read(pictures[-1], header=True), Phase.PLAYING, 1)
    return pictures


def test_cells_that_come_to_lie_elsewhere_are_read_where_they_lie(tmp_path: Path) -> None:
    moving_game(tmp_path / "game")
    recording = load(tmp_path / "game")
    assert [recording.header.frame_grid(one) for one in recording.frames] == [GRID, MOVED, WIDER, GRID]
    assert (tmp_path / "game" / "game.jsonl").read_text().count('"grid"') == 3, "the header and two frames"
    assert not replay(recording, CodeReader().on, None).differences
    assert replay(recording, lambda _: CodeReader(), None).differences


def test_a_frame_is_drawn_with_what_was_read_where_its_cells_lie(tmp_path: Path) -> None:
    pictures = moving_game(tmp_path / "game")
    folder = str(tmp_path / "game")
    for number, (image, grid) in enumerate(zip(pictures, (GRID, MOVED, WIDER, GRID), strict=True)):
        result = CliRunner().invoke(
            cli.command, [folder, "--show", str(number), "--out", str(tmp_path / "1.png")]
        )
        assert result.exit_code == 0, result.output
        drawn = load_picture(tmp_path / "1.png")
        one = shown(load(tmp_path / "game"), number)
        assert one.board is not None
        board = Board.parse("\n".join(one.board.cells))
        plain = draw(image, grid, board)
        assert np.array_equal(drawn[: len(plain)], plain)


@pytest.mark.parametrize("widths", ["[0.0,30.0,40.0]", "[1.0,30.0,40.0,50.0]", "[0.0,40.0,30.0,50.0]"])
def test_columns_that_no_board_has_give_one_line(tmp_path: Path, widths: str) -> None:
    moving_game(tmp_path / "game")
    log = tmp_path / "game" / "game.jsonl"
    log.write_text(log.read_text().replace("[0.0,30.0,40.0,50.0]", widths))
    with pytest.raises(FormatError, match=r"line 6: these are no places of 3 columns: restore the file"):
        load(tmp_path / "game")


@pytest.mark.parametrize("line", [1, 4])
def test_cells_that_are_too_small_give_one_line(tmp_path: Path, line: int) -> None:
    """OpenCV ended the replay with an error of its own."""
    moving_game(tmp_path / "game")
    log = tmp_path / "game" / "game.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    lines[line - 1] = re.sub(r'"cell_height":[0-9.]+', '"cell_height":1.0', lines[line - 1])
    log.write_text("".join(lines))
    with pytest.raises(FormatError, match=f"line {line}: these are no places of 2 rows: restore the file"):
        load(tmp_path / "game")


def test_another_reading_is_named_cell_by_cell(tmp_path: Path) -> None:
    result = replay(load(record_game(tmp_path / "game")), CodeReader({1: 2}).on, None)
    assert [(one.frame, one.kind, one.text) for one in result.differences] == [
        (2, "reading", "cells 0,0 1 -> 2"),
        (3, "reading", "cells 0,0 1 -> 2, 0,1 1 -> 2, 1,0 1 -> 2, 1,1 1 -> 2"),
    ]
    assert result.decisions == 0


def test_what_only_other_cells_explained_may_be_unread_again(tmp_path: Path) -> None:
    """The cells that a scaled cell was like may lie in no picture of its recording."""
    recording = load(record_game(tmp_path / "game"))
    unread, another = {1: int(Cell.UNREAD)}, {1: 2}
    assert not replay(recording, CodeReader(unread, by_likeness=True).on, None).differences
    assert replay(recording, CodeReader(unread).on, None).differences
    assert replay(recording, CodeReader(another, by_likeness=True).on, None).differences


def test_what_was_opened_before_is_not_compared_where_looks_were_learned(tmp_path: Path) -> None:
    """A number in mid-flip could not be read, and what was decided on it came out otherwise."""
    header = make_header(options={"looks": True})
    with Recorder(tmp_path / "game", header) as record:
        for board in (BOARDS[0], BOARDS[1], BOARDS[1]):
            frame = record.frame(picture(board), 0, 0)
            record.board(frame, CodeReader().read(picture(board)), Phase.PLAYING, 1)
    recording = load(tmp_path / "game")
    for wrong in (int(Cell.UNREAD), 2):
        differences = replay(recording, CodeReader({1: wrong}).on, None).differences
        assert [one.frame for one in differences] == [1], "the cells that were opened there"


@pytest.mark.parametrize("phase", [Phase.PLAYING, Phase.WON])
@pytest.mark.parametrize("looks", [True, False])
def test_what_a_message_hides_at_the_end_of_a_game_is_not_compared_where_looks_were_learned(
    tmp_path: Path, looks: bool, phase: Phase
) -> None:
    """The numbers that came up last lay under the message of a game in Tk."""
    with Recorder(tmp_path / "game", make_header(options={"looks": looks})) as record:
        frame = record.frame(picture(BOARDS[1]), 0, 0)
        record.board(frame, CodeReader().read(picture(BOARDS[1])), phase, 1)
    recording, is_end = load(tmp_path / "game"), looks and phase is Phase.WON
    for now, differs in ((int(Cell.UNREAD), not is_end), (2, True)):
        assert bool(replay(recording, CodeReader({1: now}).on, None).differences) is differs


@pytest.mark.parametrize("looks", [True, False])
def test_what_the_end_of_a_game_told_of_a_picture_holds_for_its_boards(tmp_path: Path, looks: bool) -> None:
    """Covered cells that all looked otherwise were known for mines a moment after their picture was read."""
    with Recorder(tmp_path / "game", make_header(options={"looks": looks})) as record:
        for board in (BOARDS[1], BOARDS[1].replaced([(1, 0)], Cell.MINE)):
            frame = record.frame(picture(BOARDS[1]), 0, 0)
            reading = Reading(board, np.zeros(board.codes.shape, np.float32))
            record.board(frame, reading, Phase.PLAYING, 1)
    reader = CodeReader({int(Cell.COVERED): int(Cell.MINE)})
    texts = [one.text for one in replay(load(tmp_path / "game"), reader.on, None).differences]
    assert all("1,1 # -> *" in text for text in texts)
    assert ["1,0 # -> *" in text for text in texts] == [not looks, False]


def test_a_board_of_a_frame_before_the_last_is_read_where_its_cells_lay(tmp_path: Path) -> None:
    with Recorder(tmp_path / "game", make_header()) as record:
        images = [picture(BOARDS[1], grid) for grid in (GRID, MOVED)]
        first, last = (
            record.frame(image, 0, 0, grid) for image, grid in zip(images, (GRID, MOVED), strict=True)
        )
        for frame, image, grid in ((last, images[1], MOVED), (first, images[0], GRID)):
            record.board(frame, CodeReader(grid=grid).read(image), Phase.PLAYING, 1)
    assert not replay(load(tmp_path / "game"), CodeReader().on, None).differences


def test_the_same_picture_with_its_cells_elsewhere_is_another_frame(tmp_path: Path) -> None:
    with Recorder(tmp_path / "game", make_header()) as record:
        image = picture(BOARDS[1])
        for grid in (GRID, MOVED):
            record.board(record.frame(image, 0, 0, grid), CodeReader(grid=grid).read(image), Phase.PLAYING, 1)
    recording = load(tmp_path / "game")
    one, other = (shown(recording, number).board for number in range(2))
    assert one is not None
    assert other is not None
    assert one.cells == BOARDS[1].lines != other.cells


def test_of_an_early_board_only_what_was_at_rest_is_compared(tmp_path: Path) -> None:
    def recorded(cells: str) -> Path:
        folder = tmp_path / cells.replace("\n", "").replace("#", "c").replace("!", "u")
        early = Board.parse(cells)
        with Recorder(folder, make_header()) as record:
            for board, is_early in ((BOARDS[1], False), (early, True)):
                frame = record.frame(picture(Board.parse("211\n###")) if is_early else picture(board), 0, 0)
                reading = Reading(board, np.zeros((2, 3), np.float32))
                record.board(frame, reading, Phase.PLAYING, 1, early=is_early)
                if is_early:
                    decision = early_decision(Observation(board, Phase.PLAYING, RULES, early=True))
                    if decision is not None:
                        record.decision(1, decision)
        return folder

    # What was opened before may be hidden by what flies over it: the picture shows a 2 there.
    result = replay(load(recorded("111\n#!#")), CodeReader().on, LeftToRight())
    assert result.differences == []
    assert result.decisions == 1
    different = replay(load(recorded("121\n#!#")), CodeReader().on, None).differences
    assert [one.text for one in different] == ["cells 0,1 2 -> 1"]


def test_other_chances_and_survival_are_named(tmp_path: Path) -> None:
    result = replay(load(record_game(tmp_path / "game")), CodeReader().on, Riskier())
    assert [one.text.split()[0] for one in result.differences] == ["survival", "chances"]
    assert result.differences[0].text == "survival 0.750000 -> 0.500000"
    assert "0,1 0.083333 -> 0.166667" in result.differences[1].text


def test_other_cells_and_rungs_are_named(tmp_path: Path) -> None:
    result = replay(load(record_game(tmp_path / "game")), CodeReader().on, Elsewhere())
    texts = [one.text for one in result.differences if one.frame == 1]
    assert texts == ["rung left to right -> elsewhere", "safe 0,0 -> 1,2"]


def test_what_the_clock_cut_short_is_not_decided_again(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    log = folder / "game.jsonl"
    log.write_text(log.read_text().replace('"rung":"left to right"', f'"rung":"{CUT_SHORT}"', 1))
    result = replay(load(folder), CodeReader().on, Elsewhere())
    assert (result.decisions, result.cut_short) == (1, 1)
    assert {one.frame for one in result.differences} == {2}


def test_a_board_that_would_now_be_refused_is_a_difference(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    log = folder / "game.jsonl"
    # One mine, and the record says that the game knew of six: the same cells are no possible board.
    log.write_text(log.read_text().replace('"phase":"playing","mines":1', '"phase":"playing","mines":6'))
    result = replay(load(folder), CodeReader().on, None)
    assert [one.text for one in result.differences] == ["now refused: 5 cells are left for 6 mines"]


@pytest.mark.parametrize("decided", [1, 2])
def test_a_board_that_was_refused_then_may_be_now(tmp_path: Path, decided: int) -> None:
    """It was taken for a moment: the strategy found that it cannot be, and nothing was decided."""
    with Recorder(tmp_path / "game", make_header()) as record:
        for turn, (board, mines) in enumerate(((BOARDS[1], 1), (BOARDS[2], 6))):
            frame = record.frame(picture(board), 0, 0)
            record.board(frame, CodeReader().read(picture(board)), Phase.PLAYING, mines)
            if turn < decided:
                record.decision(turn, LeftToRight().decide(Observation(board, Phase.PLAYING, RULES), turn))
    texts = [one.text for one in replay(load(tmp_path / "game"), CodeReader().on, None).differences]
    assert texts == ["now refused: 2 cells are left for 6 mines"][: decided - 1]


def test_a_frame_is_shown_with_its_own_reading_and_decision(tmp_path: Path) -> None:
    recording = load(record_game(tmp_path / "game"))
    second = shown(recording, 2)
    assert second.board is not None
    assert second.board.cells == ["1##", "###"]
    assert second.decision is not None
    assert second.decision.turn == 1
    assert shown(recording, 0).decision == shown(recording, 1).decision != second.decision
    last = shown(recording, 3)
    assert last.board is not None
    assert last.decision is None
    with pytest.raises(UsageError, match="no frame 4: use 0 to 3"):
        shown(recording, 4)


def test_small_cells_are_enlarged_and_marked() -> None:
    image = picture(BOARDS[1])
    plain = draw(image, GRID, None)
    assert plain.shape == (56 * 3, 56 * 3, 3)
    assert (plain[::3, ::3] == image).all()
    marked = draw(image, GRID, BOARDS[1], safe=((0, 1),), mines=((1, 2),), chances={(0, 2): 0.5})
    for row, column, changed in ((0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 0, 0), (1, 1, 0), (1, 2, 1)):
        rect = GRID.cell_rect(row, column)
        cell = np.s_[rect.y * 3 : rect.bottom * 3, rect.x * 3 : rect.right * 3]
        assert bool((marked[cell] != plain[cell]).any()) == bool(changed), (row, column)
    captioned = draw(image, GRID, None, caption=("a long line that does not fit " * 3, "é"))
    assert captioned.shape[0] > plain.shape[0] + 60
    assert captioned.shape[1] == plain.shape[1]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.files.shipped", lambda folder: tmp_path / "shipped")
    monkeypatch.setattr("bot.recording.store.shipped", lambda folder: tmp_path / "shipped")
    monkeypatch.setattr(cli, "_readers", lambda header: (CodeReader().on, ""))
    monkeypatch.setattr(cli, "_strategy", lambda header: (LeftToRight(), ""))
    return CliRunner()


def call(run: CliRunner, *words: str) -> tuple[int, str, str]:
    result = run.invoke(cli.command, words, standalone_mode=False)
    if isinstance(result.exception, BotError):
        return result.exception.exit_status, result.stdout, str(result.exception)
    if result.exception is not None:
        raise result.exception
    return result.return_value, result.stdout, result.stderr


def test_the_command_says_that_nothing_differs(run: CliRunner, tmp_path: Path) -> None:
    record_game(tmp_path / "home" / "recordings" / "game")
    status, out, err = call(run, "game")
    assert (status, err) == (0, "")
    assert out.startswith("game: nothing differs (4 frames, 3 boards, 2 decisions, won, median ")


def test_a_difference_is_exit_status_1(
    run: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_game(tmp_path / "game")
    monkeypatch.setattr(
        cli, "_readers", lambda header: (CodeReader({1: 2}).on, "theme codes has changed since")
    )
    status, out, err = call(run, "game")
    assert status == 1
    assert "frame 2" in out
    assert "cells 0,0 1 -> 2" in out
    assert err == "minebot: game: theme codes has changed since\n"
    status, out, _ = call(run, "game", "--json")
    line = json.loads(out)
    assert status == 1
    assert (line["recording"], line["decided"], line["outcome"]) == ("game", True, "won")
    assert line["differences"][0]["text"] == "cells 0,0 1 -> 2"


def test_one_that_cannot_be_read_does_not_stop_the_others(run: CliRunner, tmp_path: Path) -> None:
    record_game(tmp_path / "game")
    status, out, err = call(run, "none", "game", "--json")
    assert status == 1
    first, second = (json.loads(line) for line in out.splitlines())
    assert "no such recording" in first["error"]
    assert second["differences"] == []
    assert err.startswith("minebot: none: there is no such recording")


def test_a_cut_recording_is_replayed_and_said_to_be_cut(run: CliRunner, tmp_path: Path) -> None:
    log = record_game(tmp_path / "game") / "game.jsonl"
    log.write_bytes(log.read_bytes()[:-5])
    status, out, _ = call(run, "game")
    assert status == 0
    assert "the record ends before the game" in out
    assert "its last line is cut" in out


def test_show_draws_a_frame(run: CliRunner, tmp_path: Path) -> None:
    record_game(tmp_path / "game")
    status, out, _ = call(run, "game", "--show", "2")
    assert status == 0
    assert out == "frame-2.png: frame 2 of game\n"
    picture = cv2.imread(str(tmp_path / "frame-2.png"))
    assert picture is not None
    assert picture.shape[1] == 56 * 3
    (tmp_path / "x").mkdir()
    assert call(run, "game", "--show", "0", "--out", "x/y.png", "--json")[0] == 0
    assert (tmp_path / "x" / "y.png").is_file()
    assert call(run, "game", "--show", "9")[0] == 2
    assert call(run, "--show", "1")[0] == 2
    assert call(run, "game", "--out", "z.png")[0] == 2


def test_with_no_name_it_lists_what_there_is(run: CliRunner, tmp_path: Path) -> None:
    status, out, _ = call(run)
    assert status == 0
    assert "There are no recordings yet" in out
    assert str(tmp_path / "home" / "recordings") in out
    record_game(tmp_path / "shipped" / "theirs")
    record_game(tmp_path / "home" / "recordings" / "mine")
    status, out, _ = call(run)
    assert status == 0
    assert [line.split()[:3] for line in out.splitlines()[1:3]] == [
        ["theirs", "shipped", "3x2"],
        ["mine", "yours", "3x2"],
    ]
    rows = [json.loads(line) for line in call(run, "--json")[1].splitlines()]
    assert [(row["recording"], row["whose"], row["outcome"], row["frames"]) for row in rows] == [
        ("theirs", "shipped", "won", 4),
        ("mine", "yours", "won", 4),
    ]


def test_the_list_says_why_one_cannot_be_read(run: CliRunner, tmp_path: Path) -> None:
    root = tmp_path / "home" / "recordings"
    record_game(root / "fine")
    log = record_game(root / "newer") / "game.jsonl"
    log.write_text(re.sub(r'"schema":\d+', '"schema":999', log.read_text(), count=1))
    (root / "no recording").mkdir()
    status, out, err = call(run)
    assert (status, "newer" in out) == (0, False)
    assert "fine" in out
    (line,) = err.splitlines()
    assert line.startswith(f"minebot: {log}, line 1: schema 999 is newer than")
    assert line.endswith("update minebot")
    fine, newer = (json.loads(line) for line in call(run, "--json")[1].splitlines())
    assert (fine["recording"], newer["recording"], newer["whose"]) == ("fine", "newer", "yours")
    assert "update minebot" in newer["error"]


def test_it_decides_again_only_with_the_strategy_of_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = load(record_game(tmp_path / "game")).header

    def known(name: str, think: int) -> SimpleNamespace:
        assert think == 1
        if name != "left":
            raise UsageError("no such strategy")
        return SimpleNamespace(name="left", version=2)

    monkeypatch.setattr("bot.strategy.registry.strategy", known)
    strategy, why = cli._strategy(header)
    assert strategy is None
    assert why == "strategy left version 1 is version 2 here: only the readings are compared"
    monkeypatch.setattr("bot.strategy.registry.strategy", lambda name, think: LeftToRight())
    assert cli._strategy(header)[1] == ""
    monkeypatch.undo()
    assert "not here" in cli._strategy(header)[1]


def test_a_theme_that_is_not_here_is_no_mistake_in_the_words(tmp_path: Path) -> None:
    recording = load(record_game(tmp_path / "game"))
    with pytest.raises(BotError, match="needs a theme that is not here: there is no theme 'codes'") as told:
        cli._readers(recording)
    assert told.value.exit_status == 1
