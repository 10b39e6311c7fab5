"""The page of a run that goes on: who may ask for it, and what it shows in Chromium."""

from __future__ import annotations

import http.client
import json
import socket
import struct
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from pages import needs_chromium, open_pages

from bot.board import Board, Observation, Phase, Rules
from bot.show.live import HOST, LiveView
from bot.strategy.base import Candidate, Decision, Kind

SEEN = Observation(Board.parse("1###\n####"), Phase.PLAYING, Rules(4, 2, 2))
GUESS = Decision(
    Kind.GUESS,
    "value",
    safe=((1, 3),),
    survival=0.75,
    reason="<b>why</b>",
    chances={(0, 1): 0.5, (1, 3): 0.25},
    candidates=(Candidate((1, 3), 0.75, win=0.5),),
)


@pytest.fixture
def view() -> Iterator[LiveView]:
    live = LiveView("minebot at work")
    try:
        yield live
    finally:
        live.close()


def asked(view: LiveView, path: str, host: str | None = None) -> tuple[int, bytes]:
    parts = urlsplit(view.address)
    connection = http.client.HTTPConnection(HOST, parts.port or 0, timeout=20)
    try:
        connection.request("GET", path, headers={} if host is None else {"Host": host})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_only_this_machine_with_the_token_is_answered(view: LiveView) -> None:
    path = urlsplit(view.address).path
    assert urlsplit(view.address).hostname == "127.0.0.1"
    assert view._server.server_address[0] == "127.0.0.1"
    assert len(path) > 20
    assert asked(view, path)[0] == 200
    assert asked(view, f"{path}news")[0] == 200
    for wrong in ("/", "/news", "/x/news", f"{path}../", f"{path}news?x"):
        assert asked(view, wrong)[0] == 404, wrong
    assert asked(view, path, "rebound.example:80")[0] == 403


def test_the_news_are_what_was_seen_last(view: LiveView) -> None:
    path = urlsplit(view.address).path
    view.game_starts(3)
    view.shown(SEEN, GUESS, 7, 1.5)
    view.game_over("won", 2.0, 1, 0.75)
    view.game_over("stopped", None, 0, 1.0)
    news = json.loads(asked(view, f"{path}news")[1])
    assert (news["board"], news["game"], news["clicks"]) == ("1#######", 3, 7)
    assert (news["won"], news["played"], len(news["games"])) == (1, 1, 2)
    assert news["position"]["decision"]["reason"] == "<b>why</b>"


def test_the_clicks_and_the_board_of_a_game_are_not_told_of_the_next_one(view: LiveView) -> None:
    view.game_starts(1)
    view.shown(SEEN, GUESS, 7, 1.5)
    view.game_over("won", 2.0, 1, 0.75)
    view.game_starts(2)
    news = json.loads(asked(view, f"{urlsplit(view.address).path}news")[1])
    assert (news["game"], news["clicks"], news["board"]) == (2, 0, None)


def test_it_knows_that_a_page_is_open(view: LiveView) -> None:
    assert not view.is_shown(0)
    asked(view, urlsplit(view.address).path)
    assert not view.is_shown(0)
    asked(view, f"{urlsplit(view.address).path}news")
    assert view.is_shown(20)


def test_news_that_are_still_sent_are_not_shown_yet(view: LiveView) -> None:
    # A run that ended then would cut them off: more of them than the system takes before they are read.
    parts = urlsplit(view.address)
    view._change(board="#" * 20_000_000)
    connection = http.client.HTTPConnection(HOST, parts.port or 0, timeout=20)
    connection.request("GET", f"{parts.path}news")
    answer = connection.getresponse()  # its head is there
    assert not view.is_shown(0.3)
    assert len(answer.read()) > 20_000_000
    assert view.is_shown(20)
    connection.close()


def test_after_the_end_nobody_is_answered() -> None:
    view = LiveView("a run")
    path = urlsplit(view.address).path
    view.close()
    with pytest.raises(OSError, match="refused"):
        asked(view, path)


@pytest.mark.slow
def test_a_page_that_is_closed_while_it_is_answered_is_told_nobody(
    view: LiveView, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = urlsplit(view.address)
    asks = f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
    for _ in range(50):
        with socket.create_connection((HOST, parts.port or 0), timeout=20) as client:
            # Closed at once, with a reset: the answer cannot be written.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.send(asks)
    assert asked(view, parts.path)[0] == 200  # those before it were taken up by then
    assert capfd.readouterr().err == ""


@pytest.mark.slow
@needs_chromium
def test_the_page_follows_the_run(view: LiveView) -> None:
    with open_pages() as page:
        page.go(view.address, 1200, 900)
        view.game_starts(1)
        view.shown(SEEN, GUESS, 7, 1.5)
        page.until("document.querySelectorAll('.cell').length === 8")
        assert page.text(".cell[data-cell='7']") == "25"
        assert "guess by value, safe 75.0 %, wins 50.0 %: <b>why</b>" in page.text("#told")
        view.game_over("won", 2.0, 1, 0.75)
        page.until("document.querySelector('#rate').textContent === '1 of 1 won'")
        assert page.value("document.querySelectorAll('main b').length") == 0
        assert all(address.startswith(view.address) for address in page.requests())
        assert page.text("#status") == "game 1, 7 clicks"
        view.game_starts(2)
        page.until("document.querySelector('#status').textContent === 'game 2, waiting for its first board'")
        assert page.text("#told") == "", "the decision of the game before"
        view.game_over("lost", 1.0, 0, 1.0)
        view.close()
        page.until("document.body.dataset.ended === 'yes'")
        assert page.text("#rate") == "1 of 2 won"
