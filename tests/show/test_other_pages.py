"""The pages of `minebot solve` and `minebot stats` in Chromium."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from pages import needs_chromium, open_pages
from sample_pages import group, store_games

from bot.board import Board, Rules
from bot.cli import solve, stats
from bot.cli.parts.showing.stats_page import MOST_POINTS, by_date, pairs_of, stats_data, stats_page
from bot.errors import UsageError
from bot.lab.report import Tally, groups
from bot.lab.results import Results
from bot.recording.read import load
from bot.show.board_page import board_page
from bot.strategy.advice import advise

ROOT = Path(__file__).parents[2]


def test_the_page_of_statistics_has_dates_times_guesses_and_pairs(tmp_path: Path) -> None:
    store_games(tmp_path / "games.sqlite")
    with Results(tmp_path / "games.sqlite", create=False) as results:
        found = groups(results, guesses=True)
        pairs = pairs_of(results, found, None)
    data = stats_data(found, pairs)
    best, seed = data["groups"]
    assert [(day["from"], day["to"], day["games"], day["rate"]) for day in best["days"]] == [
        ("2026-11-20", "2026-11-20", 2, 1.0),
        ("2026-11-21", "2026-11-21", 2, 0.5),
    ]
    assert best["spread"] == pytest.approx([0.1, 0.2, 0.3, 0.3, 0.4])
    assert [(each["guesses"], each["games"], each["rate"]) for each in best["guesses"]] == [
        ("0", 2, 1.0),
        ("1", 1, 1.0),
        ("2", 1, 0.0),
    ]
    assert [
        (each["first"], each["second"], each["only_first"], each["only_second"]) for each in data["pairs"]
    ] == [("best@1", "seed@1", 2, 0)]
    assert seed["games"] == 4


def test_many_days_are_joined() -> None:
    days = [(f"2026-{month:02d}-{day:02d}", Tally(10, 4)) for month in range(1, 11) for day in range(1, 29)]
    points = by_date(reversed(days))
    assert len(points) == MOST_POINTS
    assert (points[0]["from"], points[0]["to"], points[-1]["to"]) == (
        "2026-01-01",
        "2026-01-07",
        "2026-10-28",
    )
    assert {point["games"] for point in points} == {70}
    assert by_date([]) == []


def test_the_page_of_statistics_is_given_what_the_table_says() -> None:
    data = stats_data([group()])
    assert data["groups"][0]["rate"] == 0.4
    assert [(each["given"], each["rate"]) for each in data["honesty"][0]["bins"]] == [
        (pytest.approx(0.5), 0.5),
        (pytest.approx(0.8), 0.8),
    ]
    assert "<b>winmine" not in stats_page([group()])


def test_one_board_and_one_file_to_stdout() -> None:
    for words, told in (
        (["1#", "1#", "--html", "a.html"], "--html draws one board"),
        (["1#", "--html", "-", "--json"], "both write to stdout"),
        (["1#", "--html", "-", "--picture", "-"], "only one file can go to stdout"),
    ):
        with pytest.raises(UsageError, match=told):
            solve.command.main(words, standalone_mode=False)
    with pytest.raises(UsageError, match="--compare and --html exclude each other"):
        stats.command.main(["--compare", "a", "b", "--html", "a.html"], standalone_mode=False)


def test_a_recorded_frame_becomes_a_page_with_the_screenshot(tmp_path: Path) -> None:
    recording = load(ROOT / "recordings" / "practice-beginner")
    frame = recording.folder / "frames" / f"{recording.frames[2].frame}.png"
    out = tmp_path / "board.html"
    result = CliRunner().invoke(solve.command, [str(frame), "--theme", "practice", "--html", str(out)])
    assert result.exit_code == 0, result.output
    page = out.read_text()
    assert '"source":"data:image/png;base64,' in page
    text = tmp_path / "plain.html"
    assert CliRunner().invoke(solve.command, ["1#/##", "--mines", "1", "--html", str(text)]).exit_code == 0
    assert '"shot":null' in text.read_text()


@pytest.mark.slow
@needs_chromium
def test_players_with_the_same_chances_stand_beside_each_other() -> None:
    one = group()
    other = replace(one, key=one.key._replace(strategy="seed"))
    with open_pages() as page:
        page.show(stats_page([one, other]))
        dots = "[...document.querySelectorAll('#honesty .dot')]"
        places = page.value(f"{dots}.map(e => Math.round(e.getBoundingClientRect().x))")
        assert len(places) == len(set(places)) == 4
        names = "[...document.querySelectorAll('.key li')].map(e => e.textContent)"
        assert page.value(names) == [f"{player}, 12 guesses" for player in ("best@6", "seed@6")]


@pytest.mark.slow
@needs_chromium
def test_the_pages_show_and_ask_for_nothing(tmp_path: Path) -> None:
    store_games(tmp_path / "games.sqlite")
    told = tmp_path / "stats.html"
    words = ["--db", str(tmp_path / "games.sqlite"), "--html", str(told)]
    assert CliRunner().invoke(stats.command, words).exit_code == 0
    recording = load(ROOT / "recordings" / "practice-beginner")
    grid = recording.header.frame_grid()
    shot = recording.frame(recording.frames[2]), grid
    board, rules = Board.parse("1#2##\n12###\n#####"), Rules(5, 3, 4)
    plain = board_page("<i>a board", board, rules, advise(board, rules), ["why: it is so"])
    wide = Board.covered(9, 9)
    pictured = board_page("p", wide, Rules(9, 9, 10), advise(wide, Rules(9, 9, 10)), [], shot)
    with open_pages() as page:
        page.show(plain, 400, dark=True)
        assert page.text("h1") == "<i>a board"
        page.click(".cell[data-cell='10']")
        assert "row 2, column 0: safe" in page.text("#why")
        page.show(pictured)
        assert page.value("document.querySelectorAll('.shot .spot').length") == 81
        page.click(".shot .spot[data-cell='40']")
        assert "row 4, column 4: a mine with 12.35 %" in page.text("#why")
        page.show(stats_page([group()]), 400)
        assert page.value("document.querySelectorAll('#groups tbody tr').length") == 1
        assert page.value("document.querySelectorAll('#honesty .dot').length") == 2
        assert page.value("document.documentElement.scrollWidth") <= 400
        page.show(told.read_text(), 400)
        shown = "[...document.querySelectorAll('[data-chart]')].map(e => e.dataset.chart).join()"
        assert page.value(shown) == "dates,dates,times,pairs,guesses,guesses"
        assert page.text("#pairs tbody td") == "best@1"
        assert page.value("document.querySelectorAll('[data-chart=dates] .dot').length") == 4
        assert page.value("document.documentElement.scrollWidth") <= 400
        assert page.requests() == []
