"""A page that shows a run while it goes on, served to this machine alone.

The server listens on 127.0.0.1, on a free port, and answers only under an address with a token that nobody
else knows. The page asks for news; it can be closed at any time, and the run never waits for it.
"""

from __future__ import annotations

import json
import secrets
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bot.board import Observation
from bot.show.game_page import position_data
from bot.show.page import page
from bot.show.story import Decided, Position
from bot.strategy.base import Decision

HOST = "127.0.0.1"
"""The only address that is listened on: no other machine can reach it."""

LOOKS_S = 1.0
"""Seconds within which a page that is open asks for news again; it does four times a second."""

GAMES_KEPT = 200
"""Lines of games that the page is given, the last ones."""


class _Server(ThreadingHTTPServer):
    """Answers each page in a thread of its own."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that was closed while it was answered is none of the run's business."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class LiveView:
    """Serves the page of a run until `close`. Raises OSError where no port can be had."""

    def __init__(self, title: str) -> None:
        self._lock = threading.Lock()
        self._state: dict[str, Any] = {"version": 0, "game": 0, "won": 0, "played": 0, "games": []}
        self._shown = threading.Event()
        self._told = -1, 0.0
        """The version of the news that a page got last, and when."""
        self._token = secrets.token_urlsafe(16)
        self._server = _Server((HOST, 0), self._handler(page("live", title, {"title": title})))
        self._thread = threading.Thread(target=self._server.serve_forever, name="live view", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where the page is, with its token."""
        return f"http://{HOST}:{self._server.server_port}/{self._token}/"

    def is_shown(self, limit_s: float) -> bool:
        """Wait until a page has got news, at most so many seconds; whether one did."""
        return self._shown.wait(limit_s)

    def game_starts(self, number: int) -> None:
        """Game `number`, from 1, is about to be played: what was shown is of the one before."""
        self._change(game=number, board=None, clicks=0)

    def shown(self, seen: Observation, decision: Decision, clicks: int = 0, seconds: float = 0.0) -> None:
        """A position was seen and decided on; so many clicks and seconds into the game."""
        decided = Decided(
            decision.kind,
            decision.rung,
            decision.reason,
            decision.safe,
            decision.mines,
            decision.survival,
            decision.candidates,
        )
        position = Position(seconds, seen, decided, decision.chances)
        self._change(
            columns=seen.board.columns,
            rows=seen.board.rows,
            board="".join(seen.board.lines),
            position=position_data(position, seen.board.columns),
            clicks=clicks,
        )

    def game_over(self, outcome: str, seconds: float | None, guesses: int, survival: float) -> None:
        """A game ended."""
        with self._lock:
            line = {"outcome": outcome, "seconds": seconds, "guesses": guesses, "survival": survival}
            games = [*self._state["games"], line | {"game": self._state["game"]}]
            self._state |= {
                "games": games[-GAMES_KEPT:],
                "played": self._state["played"] + (outcome in ("won", "lost")),
                "won": self._state["won"] + (outcome == "won"),
                "version": self._state["version"] + 1,
            }

    def close(self) -> None:
        """Serve no more; a page that is open gets the last news, and keeps what it shows."""
        while self._is_behind():
            time.sleep(0.02)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _is_behind(self) -> bool:
        """Whether a page has asked lately, and does not know the last news."""
        with self._lock:
            version, asked = self._told
            return version != self._state["version"] and time.monotonic() < asked + LOOKS_S

    def _change(self, **news: Any) -> None:
        with self._lock:
            self._state |= news
            self._state["version"] += 1

    def _news(self) -> tuple[int, bytes]:
        """The version of the news, and the news."""
        with self._lock:
            return self._state["version"], json.dumps(self._state).encode()

    def _has(self, version: int) -> None:
        """A page has got the news of this version, wholly: a run that ends now cuts no answer off."""
        with self._lock:
            self._told = version, time.monotonic()
        self._shown.set()

    def _handler(self, html: str) -> type[BaseHTTPRequestHandler]:
        view = self

        class Handler(BaseHTTPRequestHandler):
            """Answers for the page and its news, and for nothing else."""

            def do_GET(self) -> None:
                """The page, or the news."""
                base = f"/{view._token}/"
                # A page of another site whose name was made to point here sends that name.
                if self.headers.get("Host") != f"{HOST}:{view._server.server_port}":
                    self.send_error(403)
                elif secrets.compare_digest(self.path.encode(), base.encode()):
                    self._answer(html.encode(), "text/html; charset=utf-8")
                elif secrets.compare_digest(self.path.encode(), f"{base}news".encode()):
                    version, news = view._news()
                    self._answer(news, "application/json")
                    view._has(version)
                else:
                    self.send_error(404)

            def _answer(self, content: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.send_header("X-Content-Type-Options", "nosniff")
                self.send_header("Referrer-Policy", "no-referrer")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: the token would stand in the terminal again and again."""

        return Handler
