"""Games of files: RAWVF in and out, video files of other programs in a child process, broken ones."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from beside_library import differences
from click.testing import CliRunner

from bot.board import Action, Move, Rules
from bot.cli import review as cli
from bot.errors import BotError, FormatError
from bot.game.minefield import Minefield
from bot.game.play_measures import MouseFacts
from bot.review.game_files import read_game
from bot.review.judge import Judge
from bot.review.played_game import PlayedGame, from_story, replayed, to_story
from bot.review.rawvf import EVENT, read_rawvf, write_rawvf
from bot.review.report import line, review_page, summary
from bot.show.game_page import measures, story_data
from bot.show.story import Deed, without_lost_flags

FIELD = Minefield.parse("...*\n....\n*...")
TEXT = """RawVF_Version: Rev6.2
Program: somebody's <clone>
Player: A. Nonymous
Width: 4
Height: 3
Mines: 2
Time: 2.500
Board:
000*
0000
*000
Events:
0.000 start
0.000 lc 1 1 (8 8)
0.100 lr 1 1 (8 8)
0.500 mv 2 2 (20 20)
1.000 rc 4 1 (56 8)
1.050 rr 4 1 (56 8)
2.000 mc 3 1 (40 8)
2.400 mr 3 1 (40 8)
2.500 lc 4 3 (56 40)
2.500 lr 4 3 (56 40)
2.500 won
"""

MOVES = ["open 0,0", "flag 0,3", "chord 0,2", "open 2,3"]


def test_rawvf_is_read() -> None:
    game = read_rawvf(TEXT, "game.rawvf")
    assert (game.kind, game.player, game.seconds, game.result) == (
        "rawvf",
        "A. Nonymous, somebody's <clone>",
        2.5,
        "won",
    )
    assert [str(each.move) for each in game.moves] == MOVES
    assert len(game.deeds) == 4


def test_the_rawvf_of_old_programs_is_read() -> None:
    """FreeSweeper's: pixels alone, and no line before the events. Vienna's: cells of another size."""
    for size, header in ((16, ""), (24, "SquareSize: 24\n")):
        lines = []
        for each in TEXT.splitlines():
            found = EVENT.fullmatch(each)
            if found is None:
                lines.append(each)
            elif found[5] is not None:
                x, y = (int(found[number]) * size // 16 for number in (5, 6))
                lines.append(f"{found[1]} {found[2]} ({x} {y})")
        text = header + "\n".join(lines).replace("Events:\n", "")
        assert "lc (" in text
        game = read_rawvf(text, "old.rawvf")
        assert [str(each.move) for each in game.moves] == MOVES
        assert game.deeds[1].place == (3.5, 0.5)


def test_what_is_clicked_left_of_the_board_is_no_click() -> None:
    text = TEXT.replace("2.500 won", "2.600 lc 1 1 (-3 5)")
    beside = TEXT.replace("0.500 mv", "0.500 lc 1 1 (-3 5)\n0.500 lr 1 1 (-3 5)\n0.500 mv")
    assert read_rawvf(text, "a").mouse == MouseFacts()
    game = read_rawvf(beside, "b")
    assert [str(each.move) for each in game.moves] == MOVES
    assert game.mouse == MouseFacts(left_beside=1)


@pytest.mark.parametrize(
    ("told", "created"),
    [
        ("31.12.2017.20:39:46:1107", "2017-12-31 20:39"),
        ("2021-11-20T22:42:35", "2021-11-20 22:42"),
        ("2026-11-03 09:05", "2026-11-03 09:05"),
        ("yesterday", ""),
    ],
)
def test_dates_of_rawvf_sort(told: str, created: str) -> None:
    game = read_rawvf(f"Timestamp: {told}\n{TEXT}", "a")
    assert game.created == created
    assert read_rawvf(write_rawvf(game, "0.1"), "b").created == created


def test_an_event_that_says_no_place_is_refused() -> None:
    with pytest.raises(FormatError, match="line 17: it does not say where it clicks"):
        read_rawvf(TEXT.replace("1.000 rc 4 1 (56 8)", "1.000 rc"), "game.rawvf")


def test_question_marks_and_both_buttons_of_rawvf() -> None:
    more = "1.100 rc 4 1 (56 8)\n1.100 rr 4 1 (56 8)\n"
    text = TEXT.replace("2.000 mc", more * 2 + "2.000 mc").replace("2.000 mc 3 1", "2.000 sc 3 1")
    text = text.replace("2.400 mr 3 1 (40 8)", "2.400 lr 3 1 (40 8)\n2.400 rr 3 1 (40 8)")
    plain = read_rawvf(text, "a")
    assert [str(each.move) for each in plain.moves if each.move.action is Action.CHORD] == ["chord 0,2"]
    marked = read_rawvf(text.replace("Time:", "Marks: On\nTime:"), "b")
    assert marked.mouse.marks
    assert [str(each.move) for each in marked.moves].count("flag 0,3") == 3
    assert "chord 0,2" not in [str(each.move) for each in marked.moves]  # it opens nothing without its flag
    for game in (plain, marked):
        again = read_rawvf(write_rawvf(game, "0.1"), "c")
        assert [each.move for each in again.moves] == [each.move for each in game.moves]
        assert again.mouse.marks == game.mouse.marks


def test_the_page_of_a_file_has_every_click_and_each_board_when_it_came() -> None:
    idle = "0.300 lc 1 1 (8 8)\n0.400 lr 1 1 (8 8)\n"
    game = read_rawvf(TEXT.replace("0.500 mv", idle + "0.500 mv"), "a")
    story = to_story(game)
    assert len(story.deeds) == len(game.moves) + 1
    assert measures(story)["clicks"] == 5
    times = [position.t for position in story.positions]
    assert times == pytest.approx([0.1, 0.101, 1.001, 2.401, 2.501])


def test_rawvf_is_written_and_read_again() -> None:
    game = read_rawvf(TEXT, "game.rawvf")
    text = write_rawvf(game, "0.1")
    assert "Program: minebot 0.1" in text
    assert "a program, no person" in text
    again = read_rawvf(text, "again.rawvf")
    assert [each.move for each in again.moves] == [each.move for each in game.moves]
    assert again.minefield is not None
    assert (again.minefield.mines == FIELD.mines).all()
    unknown = PlayedGame("a", "recording", "", game.rules, game.moves, "lost", 1.0, None)
    with pytest.raises(BotError, match="its mines are not known"):
        write_rawvf(unknown, "0.1")


def test_a_flag_whose_click_was_lost_and_sent_again_is_set_once() -> None:
    """Else the clicks undo each other, the chord opens nothing, and what comes after looks like a guess."""
    once = to_story(read_rawvf(TEXT, "a"))
    flag = once.deeds[1]
    again = [replace(flag, t=flag.t + number / 4, attempt=1 + number) for number in range(3)]
    story = replace(once, deeds=(once.deeds[0], *again, *once.deeds[2:]))
    game = from_story(story)
    assert [str(each.move) for each in game.moves] == MOVES
    assert game.moves[1].t == again[-1].t  # the click that was taken
    written = read_rawvf(write_rawvf(game, "0.1"), "b")
    assert ([str(each.move) for each in written.moves], written.result) == (MOVES, "won")
    assert measures(story) == measures(once)
    assert len(story_data(story)["deeds"]) == len(once.deeds) + 2
    assert len(without_lost_flags((*again, flag, again[1]))) == 2  # taken away, that click lost too


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no whole board"),
        ("what is this", "line 1: this is no line of RAWVF"),
        ("Board:\n0*\n0\nEvents:\n", "no whole board"),
        ("Board:\n0*\n00\nEvents:\n", "nothing is opened"),
        ("Board:\n0*\n00\nEvents:\n1.0 lc 1 1\n1.1 lr 1 1\n0.5 lc 2 2\n", "line 7: its time goes back"),
        ("Board:\n0*\n00\nEvents:\n1.0 lc 9 9\n1.1 lr 9 9\n", "nothing is opened"),
        ("Board:\n" + "0" * 20000 + "\n", "more than 10000 cells"),
        (TEXT.replace("Width: 4", "Width: 30"), "game.rawvf: Width is 30, its board has 4 columns"),
        (TEXT.replace("*000\n", ""), "Height is 3, its board has 2 rows"),
        (TEXT.replace("*000\n", "0000\n"), "Mines is 2, its board has 1 mines"),
    ],
)
def test_broken_rawvf_is_one_line(text: str, told: str) -> None:
    with pytest.raises(FormatError, match=told) as error:
        read_rawvf(text, "game.rawvf")
    assert "\n" not in str(error.value)


def test_a_header_that_tells_no_size_is_none() -> None:
    for size in ("", "Width: ?\nHeight: unknown\nMines:\n"):
        text = TEXT.replace("Width: 4\nHeight: 3\nMines: 2\n", size)
        assert [str(each.move) for each in read_rawvf(text, "a").moves] == MOVES


def test_a_move_beside_the_board_is_refused() -> None:
    with pytest.raises(FormatError, match="row 9, column 9 is not on a board of 4x3"):
        replayed(FIELD, Rules(4, 3, 2), [Deed(0.0, Move(Action.OPEN, 9, 9))])


@pytest.mark.parametrize("kind", ["avf", "evf", "mvf", "rmv"])
def test_a_broken_video_is_one_line_and_ends_nothing(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("ms_toollib", reason="pip install '.[review]'")
    path = tmp_path / f"game.{kind}"
    path.write_bytes(b"garbage" * 7)
    with pytest.raises(FormatError, match=f"this is no whole .{kind} file"):
        read_game(str(path), tmp_path)


def test_without_the_library_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.review.game_files.find_spec", lambda name: None)
    path = tmp_path / "game.avf"
    path.write_bytes(b"")
    with pytest.raises(BotError, match=r"need ms_toollib, which is missing: .*pip install.*\[review\]"):
        read_game(str(path), tmp_path)


def test_a_video_is_read_and_its_measures_are_those_of_the_library(tmp_path: Path) -> None:
    ms_toollib = pytest.importorskip("ms_toollib", reason="pip install '.[review]'")
    field = Minefield.parse("........\n" * 6 + "*.....**\n.......*")
    numbers = [
        [-1 if field.mines[row, column] else int(field.counts[row, column]) for column in range(8)]
        for row in range(8)
    ]
    video = ms_toollib.BaseVideo(numbers, 16)
    for word, row, column in (
        ("lc", 0, 0), ("lr", 0, 0), ("rc", 6, 0), ("rr", 6, 0),
        ("lc", 6, 1), ("cc", 6, 1), ("rr", 6, 1), ("lr", 6, 1), ("lc", 7, 6), ("lr", 7, 6),
    ):  # fmt: skip
        video.step(word, (row * 16 + 8, column * 16 + 8))
        time.sleep(0.002)  # a game of no time has no 3BV/s
    assert video.game_board_state == 3  # won
    video.generate_evf_v4_raw_data()
    (tmp_path / "game.evf").write_bytes(bytes(video.raw_data))
    game = read_game(str(tmp_path / "game.evf"), tmp_path)
    assert (game.kind, game.result) == ("evf", "won")
    assert [str(each.move) for each in game.moves] == ["open 0,0", "flag 6,0", "chord 6,1", "open 7,6"]
    assert list(differences(tmp_path / "game.evf")) == []
    review = Judge().review(game)
    assert [each.verdict.value for each in review.judged][:2] == ["first", "flag"]
    found = line(review)
    assert (found["bbbv"], found["outcome"]) == (video.bbbv, "won")


def test_a_summary_and_its_page(tmp_path: Path) -> None:
    reviews = [Judge().review(read_rawvf(TEXT, name)) for name in ("a", "b")]
    told = summary(reviews)
    assert (told["games"], told["won"]) == (2, 2)
    assert told["moves"]["first"] == 2
    page = review_page(reviews, Judge())
    assert '"games":[{"game":"a"' in page
    alone = review_page(reviews[:1], Judge())
    assert '"verdicts":' in alone
    assert "somebody's \\u003cclone\\u003e" in alone


def test_the_command_prints_lines_and_goes_on_after_a_broken_file(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.rawvf", tmp_path / "bad.rawvf"
    good.write_text(TEXT)
    bad.write_text("nothing")
    result = CliRunner().invoke(cli.command, [str(bad), str(good), "--json"])
    assert result.exit_code == 1
    first, second = (json.loads(text) for text in result.stdout.splitlines())
    assert "no line of RAWVF" in first["error"]
    keys = "game kind columns rows mines outcome seconds bbbv moves forced best weaker needless mistakes"
    assert list(second) == [*keys.split(), "lost_chance", "luck", "lost_error"]
    assert (second["columns"], second["rows"], second["mines"], second["moves"]) == (4, 3, 2, 4)


def test_a_file_of_another_kind_is_told_as_that(tmp_path: Path) -> None:
    """Also in this folder, by its name alone."""
    (tmp_path / "board.png").touch()
    for name in (str(tmp_path / "board.png"), "README.md"):
        with pytest.raises(FormatError, match=r"such a file: name one that ends in \.rawvf, \.txt, \.avf"):
            read_game(name, tmp_path)


def test_the_command_writes_a_page_and_rawvf(tmp_path: Path) -> None:
    good, page, out = tmp_path / "good.rawvf", tmp_path / "a.html", tmp_path / "b.rawvf"
    good.write_text(TEXT)
    result = CliRunner().invoke(cli.command, [str(good), "--html", str(page), "--rawvf", str(out)])
    assert result.exit_code == 0
    assert "judged by best version" in result.stdout
    assert "they forbid bots" in result.stderr
    assert page.read_text().startswith("<!doctype html>")
    assert read_rawvf(out.read_text(), "b").result == "won"
    same = CliRunner().invoke(cli.command, [str(good), "--rawvf", str(good)], standalone_mode=False)
    assert "would write over" in str(same.exception)
