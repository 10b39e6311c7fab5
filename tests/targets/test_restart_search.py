"""What follows a try of a way that started no game: what is tried next, and what is never tried again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.board import Board
from bot.errors import WindowError
from bot.targets.window.events import restart_search
from bot.vision.themes.behaviour import GameBehaviour, NewGameWay

FACE = NewGameWay("place", 100, 20)
FACE_NEARBY = NewGameWay("place", 103, 18)
CARD = NewGameWay("end place", 100, 200)
F2, N, F5 = (NewGameWay("key", key=key) for key in ("f2", "n", "f5"))
BOARD, OTHER_BOARD = Board.parse("#1\n#1"), Board.parse("#1\n11")
PICTURE = np.zeros((4, 4, 3), np.uint8)


@dataclass
class Scripted:
    """A window without a theme in which each try of a way does what a script says.

    An effect is one word: `starts` a game, is `refused`, `opens` a window, `stays` over the board, `uncovers`
    the board, `changes` the board, or does `nothing`; the last word of a way holds for all later tries.
    """

    script: dict[NewGameWay, list[str]]
    """The ways in the order in which they are found, and what each try of them does."""
    found_later: dict[NewGameWay, NewGameWay] = field(default_factory=dict)
    """Where a way is found once it was tried."""
    is_page: bool = False
    over: bool = True
    known: NewGameWay | None = None
    tried: list[NewGameWay] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    effect: str = ""
    board: Board = BOARD
    windows: list[Any] = field(default_factory=list)
    waits: int = 0

    def __post_init__(self) -> None:
        self.observer: Any = SimpleNamespace(
            behaviour=GameBehaviour(new_game=self.known),
            useless=[],
            contradicted=False,
            has_moved=lambda: False,
            title="Mines",
            window=SimpleNamespace(program="chromium" if self.is_page else "kmines"),
        )

    def search(self, monkeypatch: pytest.MonkeyPatch) -> list[NewGameWay]:
        """Search once; the ways that were tried, in order."""
        self.tried = []
        for name in ("comes", "restart_ways", "wait_for_person", "_do", "_undone", "_has_uncovered"):
            monkeypatch.setattr(restart_search, name, getattr(self, name))
        monkeypatch.setattr(restart_search, "_goes_on", lambda *_: False)
        monkeypatch.setattr(restart_search, "_rested", lambda _: (PICTURE, True))
        monkeypatch.setattr(restart_search, "has_begun", lambda *_: False)
        monkeypatch.setattr(restart_search, "dialogs", self)
        controls: Any = SimpleNamespace(
            observer=self.observer,
            seen=lambda: (PICTURE, SimpleNamespace(board=self.board)),
            windows=SimpleNamespace(windows=lambda: [*self.windows]),
            say=self.texts.append,
            settings=SimpleNamespace(wait_s=1.0),
        )
        tracker: Any = SimpleNamespace(
            was_over=self.over,
            in_play=None,
            played=None,
            look=lambda *_: None,
            pending=SimpleNamespace(slowest_s=0.0),
        )
        restart_search.by_search(controls, tracker, 1.0)
        return self.tried

    def restart_ways(self, *_: object, over: bool) -> Iterator[NewGameWay]:
        assert over is self.over
        for way in self.script:
            yield self.found_later.get(way, way) if way in self.tried else way

    def wait_for_person(self, *_: object) -> bool:
        self.waits += 1
        return True

    def answer_all(self, _: Any, *, start: bool) -> None:
        pass

    def dismiss(self, _: Any, windows: Sequence[Any]) -> None:
        assert windows == self.windows
        self.windows = []

    def _do(self, _: Any, way: NewGameWay, at: object) -> bool:
        self.tried.append(way)
        assert len(self.tried) < 50, "the search has no end"
        as_scripted = {later: first for first, later in self.found_later.items()}
        effects = self.script[as_scripted.get(way, way)]
        self.effect = effects.pop(0) if len(effects) > 1 else effects[0]
        if self.effect == "opens":
            self.windows = [SimpleNamespace(id=9, title="Scores")]
        if self.effect == "changes":
            self.board = OTHER_BOARD if self.board == BOARD else BOARD
        return self.effect != "refused"

    def comes(self, *_: object) -> bool:
        return self.effect == "starts"

    def _undone(self, *_: object) -> bool:
        return self.effect != "stays"

    def _has_uncovered(self, *_: object) -> bool:
        return self.effect == "uncovers"


@pytest.mark.parametrize("effect", ["opens", "changes"])
def test_a_way_that_did_something_else_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, effect: str
) -> None:
    window = Scripted({FACE: [effect], F2: ["nothing"], N: ["starts"]})
    assert window.search(monkeypatch) == [FACE, F2, N]
    assert window.observer.useless == [FACE, F2]
    assert window.observer.behaviour.new_game == N
    assert window.texts[-1] == "a new game is started by the key N"
    assert ("the button at 100,20 of the window opened 'Scores': not tried again" in window.texts) is (
        effect == "opens"
    )


def test_what_did_nothing_is_clicked_once_more_where_nothing_else_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A key that did nothing is not struck again."""
    window = Scripted({FACE: ["nothing", "starts"], F2: ["nothing"], CARD: ["nothing"]})
    assert window.search(monkeypatch) == [FACE, F2, CARD, FACE]
    assert window.observer.useless == [F2]


def test_what_did_nothing_twice_is_not_clicked_a_third_time(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Scripted({FACE: ["nothing"], F2: ["nothing"], CARD: ["nothing"]})
    assert window.search(monkeypatch) == [FACE, F2, CARD, FACE, CARD]
    assert window.waits == 1
    assert set(window.observer.useless) == {FACE, F2, CARD}
    assert window.search(monkeypatch) == [], "what is useless is so after later games too"


def test_what_did_nothing_is_clicked_once_more_before_a_page_is_loaded_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = Scripted({FACE: ["nothing"], F5: ["nothing"], CARD: ["nothing"]}, is_page=True)
    assert window.search(monkeypatch) == [FACE, FACE, F5, CARD, CARD]


def test_a_button_that_is_found_elsewhere_by_some_pixels_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Scripted({FACE: ["nothing"], F2: ["nothing"]}, {FACE: FACE_NEARBY})
    assert window.search(monkeypatch) == [FACE, F2, FACE_NEARBY]
    assert window.observer.useless == [F2, FACE_NEARBY]


def test_a_click_that_was_swallowed_is_made_again_at_once_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Scripted({FACE: ["uncovers", "starts"], F2: ["nothing"]})
    assert window.search(monkeypatch) == [FACE, FACE]
    assert window.observer.useless == []
    window = Scripted({FACE: ["uncovers"], F2: ["nothing"]})
    assert window.search(monkeypatch) == [FACE, FACE, F2, FACE], "then it has done nothing, and counts so"
    assert window.observer.useless == [F2, FACE]


def test_of_ways_that_cannot_be_tried_each_third_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Scripted({FACE: ["refused"], CARD: ["refused", "nothing"], F2: ["starts"]})
    assert window.search(monkeypatch) == [FACE, FACE, FACE, CARD, CARD, F2]
    assert window.observer.useless == [FACE, CARD]


def test_what_stays_over_the_board_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Scripted({CARD: ["nothing"], FACE: ["stays"], F2: ["starts"]})
    assert window.search(monkeypatch) == [CARD, FACE]
    assert window.waits == 1
    assert window.observer.useless == [CARD, FACE], "CARD has had no second try, and gets none later"


@pytest.mark.parametrize("reloaded", ["starts", "stays", "nothing"])
def test_what_stays_over_a_page_goes_when_it_is_loaded_again(
    monkeypatch: pytest.MonkeyPatch, reloaded: str
) -> None:
    window = Scripted({CARD: ["nothing"], FACE: ["stays"], F2: ["starts"], F5: [reloaded]}, is_page=True)
    assert window.search(monkeypatch) == [CARD, FACE, F5]
    assert window.waits == (reloaded != "starts")
    assert window.observer.useless == ([FACE] if reloaded == "starts" else [FACE, F5])


def test_a_way_that_has_worked_before_is_tried_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Scripted({N: ["opens", "nothing"], F2: ["starts"]}, known=N)
    assert window.search(monkeypatch) == [N, N, N, F2]
    assert window.texts[0] == "the key N opened 'Scores': closed"
    assert window.observer.useless == [N]
    window = Scripted({N: ["nothing", "starts"], F2: ["starts"]}, known=N)
    assert window.search(monkeypatch) == [N, N]
    assert window.texts == [], "what is known is not news"


def test_a_known_place_that_did_nothing_once_gets_its_second_try(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Scripted({FACE: ["nothing", "changes", "changes", "starts"], F2: ["nothing"]}, known=FACE)
    assert window.search(monkeypatch) == [FACE, FACE, FACE, F2, FACE]


def test_what_kept_a_half_played_game_may_be_tried_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What opened a window is not, and neither is a key."""
    window = Scripted({FACE: ["nothing"], CARD: ["opens"], F2: ["nothing"]}, over=False)
    with pytest.raises(restart_search.NoWay, match="no way was found to throw the game of 'Mines' away"):
        window.search(monkeypatch)
    assert window.tried == [FACE, CARD, F2, FACE]
    assert window.observer.useless == [CARD, F2]


def test_a_window_has_so_many_ways_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restart_search, "MOST_WAYS", 2)
    window = Scripted({F2: ["nothing"], FACE: ["nothing"], N: ["starts"]})
    assert window.search(monkeypatch) == [F2, FACE, FACE]


def test_where_nobody_starts_a_game_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Scripted({F2: ["nothing"]})
    monkeypatch.setattr(Scripted, "wait_for_person", lambda *_: False)
    with pytest.raises(WindowError, match=r"nobody did within 0.0167 minutes"):
        window.search(monkeypatch)


def test_what_was_useless_when_the_window_went_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever comes in place of the game gets no key."""
    window = Scripted({FACE: ["opens"], F2: ["starts"]})

    def gone() -> bool:
        if window.tried:
            raise WindowError("the window is gone")
        return False

    window.observer.has_moved = gone
    with pytest.raises(WindowError, match="is gone"):
        window.search(monkeypatch)
    assert (window.tried, window.observer.useless) == ([FACE], [FACE])
