"""The dialog of a won game on a desktop that lists no windows: it is known by what it hides, and by when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from misbehaving import Plain, Wrapped, window_of
from playing import INTERVAL_S, Told, impatient, no_record, session

from bot.board import Board, Phase, Result, Rules
from bot.geometry import Point, Rect
from bot.practice.session import PracticeSession
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import NoWindows
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.events import dialogs
from bot.targets.window.events.hidden_win import may_be_won
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.window_target import WindowTarget
from bot.vision.grid import Image
from bot.vision.themes.schema import DialogSpec
from bot.vision.themes.theme import Theme

pytestmark = pytest.mark.slow

WON_SEED = 11
"""A seed whose first game is won."""


@dataclass
class Watched(Wrapped):
    """Does something whenever its game is in a phase, after a click."""

    played: PracticeSession
    phase: Phase
    happens: Callable[[], None]

    def release(self, x: int, y: int, button: int) -> None:
        self.content.release(x, y, button)
        if self.played.game.phase is self.phase:
            self.happens()


class Slow(VirtualScreen):
    """Shows the dialog of a stage once the board was looked at so often since it was due."""

    def __init__(self, stage: Stage, looks: int) -> None:
        super().__init__()
        self._stage, self._looks, self._seen = stage, looks, 0

    def grab(self, rect: Rect) -> Image:
        if self._stage.due:
            if self._seen >= self._looks:
                self._stage.show()
                self._seen = 0
            self._seen += 1
        return super().grab(rect)


class Asking(Plain):
    """A dialog with a box to write in."""

    def image(self) -> Image:
        image: Image = super().image().copy()
        image[120:140, 20:380] = 255
        return image


class Stage:
    """A game on a screen, and a dialog over it that comes by itself and closes at a key."""

    def __init__(
        self,
        phase: Phase,
        *,
        closes: bool = True,
        looks: int = 0,
        game: PracticeSession | None = None,
        dialog: Plain | None = None,
    ) -> None:
        """The dialog, one that hides a part of the board if none is given, comes after the board was
        looked at so often at the end."""
        self.screen = Slow(self, looks)
        self.game = game or session(seed=WON_SEED)
        self.dialog = dialog or Plain(190, 250)
        self._closes = closes
        self._window = VirtualWindow(self.dialog, "Congratulations!", Point(30, 30), program="practice")
        self.dialog.on_key = self._strike
        self.shown = 0
        self.due = False
        self.screen.open(window_of(Watched(self.game, self.game, phase, self._show)))

    def _show(self) -> None:
        self.due = True

    def show(self) -> None:
        self.due = False
        if self._window not in self.screen.stack and not (
            self.shown and self.game.game.phase is Phase.PLAYING
        ):
            self.screen.stack.append(self._window)
            self.shown += 1

    def _strike(self, name: str) -> None:
        if self._closes and name == "enter":
            self.screen.stack.remove(self._window)

    def play(self, games: int) -> Told:
        theme, told = theme_with_dialog(), Told()
        target = WindowTarget(
            choose(look_around(self.screen, NoWindows(), [theme]), None),
            self.screen,
            NoWindows(),
            Pointer(self.screen, INTERVAL_S),
            PlaySettings(look_limit_s=1.0),
            tell=told.texts.append,
        )
        run_games(target, strategy("best"), Play(games=games), no_record, told)
        return told


def theme_with_dialog() -> Theme:
    theme = impatient()
    spec = DialogSpec(title="Congratulations", kind="name")
    return replace(theme, behaviour=replace(theme.behaviour, dialogs=(spec,)))


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "UNCOVERED_S", 0.5)


@pytest.mark.parametrize("looks", [0, 1, 2, 5])
def test_the_dialog_of_a_won_game_is_answered_and_the_next_game_played(looks: int) -> None:
    """It may come before the end of the game was seen, while it comes to rest, and after that."""
    stage = Stage(Phase.WON, looks=looks)
    told = stage.play(games=2)
    assert told.lines[0].outcome is Result.WON
    assert {line.outcome for line in told.lines} <= {Result.WON, Result.LOST}
    assert len(told.lines) == 2
    typed = "".join(key for key in stage.dialog.keys if key not in ("end", "backspace"))
    assert typed.startswith("minebotenter")
    assert "entered 'minebot' in 'Congratulations'" in told.texts
    assert stage.dialog.clicks == 0


def test_a_game_that_is_won_by_one_large_opening_is_won() -> None:
    stage = Stage(Phase.WON, game=PracticeSession(Rules(9, 9, 1), 1.0, 3), dialog=Plain(100, 150))
    told = stage.play(games=1)
    assert [line.outcome for line in told.lines] == [Result.WON]
    assert told.lines[0].clicks == 1
    assert "entered 'minebot' in 'Congratulations'" in told.texts


def test_a_dialog_that_hides_all_of_its_board_is_answered_if_it_asks_for_a_text() -> None:
    """The last clicks of this game open so much that a win behind the dialog is not sure by that alone."""
    for dialog, outcome in ((Asking(400, 400), Result.WON), (Plain(400, 400), Result.FAILED)):
        stage = Stage(Phase.WON, game=PracticeSession(Rules(8, 8, 4), 1.0, 11), dialog=dialog)
        told = stage.play(games=1)
        assert [line.outcome for line in told.lines] == [outcome]
        assert bool(dialog.keys) is (outcome is Result.WON)


BEFORE = Board.parse("""
1#######
1#######
########
########
########
########
########
########
""")
"""Far from its end: what follows opens more than a fifth of it. It has 4 mines."""

WON = """
1F1.....
111.....
.!!!!!..
.!!!!!..
.!!!!!..
.1F21...
123F1...
1F211...
"""
"""It is won, and a dialog hides its middle."""


def may_follow(text: str, mines: int | None = 4, *, sent: int = 1, asks: bool = False) -> bool:
    """Whether `BEFORE` may have been won by one click, or so many, by what is seen after it."""
    return may_be_won(BEFORE, Board.parse(text), mines, sent, asks=asks)


def test_a_win_is_known_by_what_is_seen_around_its_dialog() -> None:
    assert may_follow(WON)
    assert not may_follow(WON, mines=None)
    assert not may_follow(WON.replace("1F1.", "2F1."))  # another game


def test_what_hides_a_game_that_goes_on_hides_no_win() -> None:
    # The dialog hides one mine more, so that a covered cell that is none is not one too many.
    hidden = WON.replace("1F1.", "1!1.")
    assert may_follow(hidden)
    assert not may_follow(hidden.replace("1F211...", "#F211..."))  # the 1 above it has two around it
    assert not may_follow(
        hidden.replace("123F1...", "133F1...")
    )  # the 3 has two, and nothing is hidden there
    # More than half of the board is hidden: what is seen says little.
    assert not may_follow("1!1.....\n111.....\n" + 5 * "!!!!!!!!\n" + "........")
    # Nothing was opened that is seen: anything may have been put there.
    assert not may_follow("1!!!!!!!\n1!!!!!!!\n" + 6 * "!!!!!!!!\n")


def test_what_hides_all_of_a_board_is_its_dialog_if_it_asks_for_a_text() -> None:
    """Three clicks of a real game of 8x8 cells opened 28 more, and the dialog hid them all."""
    hidden = 8 * "!!!!!!!!\n"
    assert may_follow(hidden, 10, sent=20, asks=True)
    assert not may_follow(hidden, 10, sent=20)
    assert not may_follow(hidden, 10, sent=19, asks=True)  # over half of the board would be opened unseen
    assert not may_follow("1!!!!!!!\n11!!!!!!\n##!!!!!!\n" + 5 * "!!!!!!!!\n", 10, sent=20, asks=True)


def test_what_hides_a_game_in_play_gets_no_key() -> None:
    stage = Stage(Phase.PLAYING)
    told = stage.play(games=1)
    assert [line.outcome for line in told.lines] == [Result.FAILED]
    assert "is not to be seen any more: show its window" in told.lines[0].reason
    assert stage.dialog.keys == []


def test_a_dialog_that_stays_is_answered_once() -> None:
    stage = Stage(Phase.WON, closes=False)
    told = stage.play(games=1)
    assert [line.outcome for line in told.lines] == [Result.FAILED]
    assert stage.dialog.keys.count("enter") == 1
