"""The page of a game: what it is given, that text cannot run, and that it plays, by clicks in Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from games import BOARDS, make_header, picture, record_game
from pages import Page, needs_chromium, open_pages
from sample_pages import HOSTILE, story

from bot.board import Action, Board, Move, Observation, Outcome, Phase, Result, Rules
from bot.recording.read import load
from bot.recording.write import Recorder
from bot.review.played_game import from_story
from bot.show.build import PAGES, built, kinds
from bot.show.game_page import chances_data, game_page, story_data
from bot.show.page import script_text
from bot.show.story import Decided, Position, Story, story_of, with_chances
from bot.strategy.base import Decision, Kind
from bot.vision.reading import Reading


def test_the_built_pages_are_what_their_sources_make() -> None:
    assert kinds()
    assert {path.stem for path in PAGES.glob("*.html")} == set(kinds())
    for kind in kinds():
        assert (PAGES / f"{kind}.html").read_text(encoding="utf-8") == built(kind), "python -m bot.show.build"


def test_the_boards_can_be_made_again_from_their_changes() -> None:
    data = story_data(story())
    letters = list(data["board"])
    for position, seen in zip(data["positions"], story().positions, strict=True):
        for letter, *cells in position["changes"]:
            for cell in cells:
                letters[cell] = letter
        assert "".join(letters) == "".join(seen.seen.board.lines)


def test_chances_measures_and_the_minefield_are_given() -> None:
    data = story_data(story())
    told = data["positions"][1]["chances"]
    found = dict(told["others"])
    for first, length in zip(told["runs"][::2], told["runs"][1::2], strict=True):
        found |= dict.fromkeys(range(first, first + length), told["usual"])
    assert found == {3: 1.0, 8: 0.5, 9: 0.5, 10: 0.25, 11: 0.0}
    assert data["minefield"] == [3, 8]
    assert data["measures"]["3BV"] == 2
    assert data["chance"] == [{"t": 1.0, "position": 1, "value": 0.6, "kind": "exact"}]


def test_no_text_ends_the_script() -> None:
    text = script_text({"a": HOSTILE + "<!--&\u2028"})
    assert not {"<", ">", "&", "\u2028"} & set(text)
    assert json.loads(text)["a"].startswith("</script>")
    page = game_page(story(HOSTILE))
    assert page.count("<script>document") == 0
    assert "&lt;/script&gt;" in page.split("</title>")[0]


def test_a_recording_becomes_a_story(tmp_path: Path) -> None:
    told = story_of(load(record_game(tmp_path / "game")), "game")
    assert [str(position.seen.board) for position in told.positions] == ["###\n###", "1##\n###", "11#\n11#"]
    assert [deed.move.cell for deed in told.deeds] == [(0, 0), (0, 1), (1, 2)]
    assert [deed.person for deed in told.deeds] == [False, False, True]
    assert (told.result, told.seconds) == ("won", 0.5)
    data = story_data(told)
    assert len(data["positions"]) == 3
    assert json.loads(script_text(data)) == json.loads(json.dumps(data))


def test_what_a_person_did_came_before_the_board_that_shows_it(tmp_path: Path) -> None:
    with Recorder(tmp_path / "game", make_header(options={"watch": True})) as record:
        record.decision(0, Decision(Kind.FIRST, "first click", ((0, 0),)))
        for turn, board in enumerate(BOARDS[1:]):
            frame = record.frame(picture(board), 0, 0)
            reading = Reading(board, np.zeros((2, 3), np.float32))
            record.board(frame, reading, Phase.WON if turn else Phase.PLAYING, 1)
            record.person(Move(Action.OPEN, 0, turn))
        record.outcome(Outcome(Result.WON), seconds=1.0, clicks=0, guesses=1, survival=0.5, bbbv=2)
    told = story_of(load(tmp_path / "game"), "game")
    assert [str(position.seen.board) for position in told.positions] == ["###\n###", "1##\n###", "11#\n11#"]
    times = [position.t for position in told.positions]
    for number, deed in enumerate(told.deeds):
        assert times[number] <= deed.t <= times[number + 1]
    assert told.source == "a person, WineMine"
    played = from_story(told)
    assert [each.before.board for each in played.moves] == [told.positions[0].seen.board, BOARDS[1]]


def test_chances_of_many_cells_are_few_numbers() -> None:
    chances = {(row, column): 0.2 for row in range(16) for column in range(30)} | {(3, 4): 0.5}
    assert chances_data(chances, 30) == {"usual": 0.2, "runs": [0, 94, 95, 385], "others": [[94, 0.5]]}


def test_chances_are_worked_out_where_the_record_has_none() -> None:
    position = replace(story().positions[2], chances={})
    solved = with_chances(position)
    assert solved.chances == {(0, 3): 1.0, (2, 0): 1.0}
    over = story().positions[3]
    assert with_chances(over) is over


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    """One browser for all of these tests."""
    with open_pages() as page:
        yield page


@needs_chromium
def test_the_page_plays_by_clicks(browser: Page) -> None:
    browser.show(game_page(story()))
    assert browser.text("h1") == "a game"
    assert browser.text("#clock").startswith("0.00 s")
    browser.click("#forward")
    assert "click: open row 0, column 0" in browser.text("#told")
    browser.click("#guess-on")
    assert "guess by value, safe 75.0 %, wins 60.0 %" in browser.text("#told")
    assert browser.value("document.querySelectorAll('.cell.guess').length") == 1
    assert browser.text(".cell[data-cell='10']") == "25"
    browser.click("#layer-chances")
    assert browser.text(".cell[data-cell='10']") == ""
    browser.click("#end")
    assert browser.text("#clock") == "3.00 s of 3.00 s, click 3 of 3"
    browser.click("#guesses button")
    assert browser.text("#clock").startswith("1.00 s")
    browser.click("#layer-threebv")
    assert browser.value("document.querySelectorAll('.cell.opening').length") == 10
    browser.click("#layer-path")
    assert browser.value("document.querySelectorAll('.over polyline').length") == 1
    browser.click("#begin")
    browser.click("#play")
    assert browser.value("document.getElementById('play').getAttribute('aria-pressed')") == "true"
    browser.click("#play")
    assert browser.value("document.getElementById('play').getAttribute('aria-pressed')") == "false"
    assert browser.value("failed") == []
    assert browser.requests() == []


@needs_chromium
def test_the_page_is_walked_through_by_keys(browser: Page) -> None:
    browser.show(game_page(story()))
    for key, time in (("ArrowRight", "0.50"), ("End", "3.00"), ("Home", "0.00"), ("PageDown", "1.00")):
        browser.key(key)
        assert browser.text("#clock").startswith(f"{time} s"), key
    browser.key("1")
    assert browser.value("document.getElementById('layer-chances').checked") is False
    browser.key("1")
    browser.value("document.querySelector('.cell').focus()")
    browser.key("ArrowDown")
    browser.key("ArrowDown")
    browser.key("ArrowRight")
    browser.key("ArrowRight")
    label = browser.value("document.activeElement.getAttribute('aria-label')")
    assert label == "row 2, column 2, covered, mine 25.0 %, the guess"
    assert "row 2, column 2" in browser.text("#why")
    browser.key("ArrowRight")
    assert "safe: the 1 at row 1, column 2" in browser.text("#why")
    assert browser.text("#clock").startswith("1.00 s")  # the arrows walk in the board, not in time


@needs_chromium
def test_a_game_without_a_guess_misses_no_chance_to_win(browser: Page) -> None:
    told = story()
    certain = tuple(
        replace(each, decided=None if each.decided is None else replace(each.decided, kind=Kind.CERTAIN))
        for each in told.positions
    )
    browser.show(game_page(replace(told, positions=certain)))
    assert "at guesses: there was none" in browser.text("main")
    assert "minebot review" not in browser.text("main")


@needs_chromium
def test_a_reader_of_the_screen_is_told(browser: Page) -> None:
    browser.show(game_page(story()))
    unnamed = """[...document.querySelectorAll('button, input, select, [role=img], [role=grid]')].filter(e =>
        !e.getAttribute('aria-label') && !e.labels?.length && !e.textContent.trim()).length"""
    assert browser.value(unnamed) == 0
    browser.key("End")
    assert "open row 2, column 1" in browser.text("[aria-live]")
    assert "0.00 seconds" not in browser.value("document.getElementById('graph').getAttribute('aria-label')")
    assert browser.value("document.documentElement.lang") == "en"


@needs_chromium
def test_a_long_game_is_walked_through_in_both_directions(browser: Page) -> None:
    """More boards than are kept, and more guesses than are listed at once."""
    rules = Rules(20, 10, 1)
    letters = ["#"] * 200
    positions = []
    boards = []
    for number in range(180):
        boards.append("".join(letters))
        board = Board.parse("\n".join(boards[-1][row * 20 : row * 20 + 20] for row in range(10)))
        guess = Decided(Kind.GUESS, "safest", "", (divmod(number, 20),), (), 0.5)
        positions.append(Position(float(number), Observation(board, Phase.PLAYING, rules), guess))
        letters[number] = "1"
    browser.show(game_page(Story("long", "a test", rules, tuple(positions), (), "won")))
    for position in (0, 179, 49, 50, 51, 120, 3):
        browser.value(f"jump({position})")
        covered = browser.value("document.querySelectorAll('.cell.covered').length")
        assert covered == 200 - position, position
    assert browser.value("document.querySelectorAll('#guesses tbody').length") == 180
    assert browser.text("#guesses .now td") == "4"
