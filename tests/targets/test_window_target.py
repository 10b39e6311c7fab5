"""The whole loop on a virtual screen: well-behaved windows, and ones that misbehave on purpose.

For each the game is finished or the bot stops with a clear line, and a mine is only ever opened by a
guess that said that it was one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from misbehaving import Deaf, Eventful, Late, Plain, Torn, window_of
from playing import INTERVAL_S, Told, impatient, no_record, recorder_in, run, screen_with, session, target_on

from bot.board import LEVELS, Action, Cell, Coordinate, Move, Observation, Phase, Result, Rules
from bot.errors import Stopped, WindowError
from bot.geometry import Point, Rect
from bot.recording.format import BoardEvent
from bot.recording.read import load
from bot.recording.replay import replay
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.base import Decision
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.window_target import WindowTarget
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Image
from bot.vision.themes.schema import DialogSpec
from bot.vision.themes.theme import Theme

pytestmark = pytest.mark.slow

SEEDS = range(3)


@pytest.fixture(scope="module")
def theme() -> Theme:
    return impatient()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("flags", [False, True])
def test_plays_every_level_to_its_end(theme: Theme, level: str, flags: bool) -> None:
    told = run(screen_with(session(level, 5)), theme, how=Play(games=3, flags=flags))
    assert len(told.lines) == 3
    assert {line.outcome for line in told.lines} <= {Result.WON, Result.LOST}
    assert all(line.bbbv is not None and line.mines == LEVELS[level][2] for line in told.lines)


def test_wins_most_beginner_games(theme: Theme) -> None:
    told = run(screen_with(session(seed=1)), theme, how=Play(games=20))
    assert sum(line.outcome is Result.WON for line in told.lines) >= 12


def test_flags_and_chords_leave_every_mine_flagged_and_save_clicks(theme: Theme) -> None:
    content = session(seed=11)
    told = run(screen_with(content), theme, how=Play(flags=True))
    assert told.lines[0].outcome is Result.WON
    assert content.game.mines_left == 0


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0, 3.0])
def test_plays_every_scale_that_was_cut(theme: Theme, scale: float) -> None:
    told = run(screen_with(session(seed=3, scale=scale)), theme)
    assert told.lines[0].outcome in (Result.WON, Result.LOST)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_window_that_lags(theme: Theme, seed: int) -> None:
    told = run(screen_with(Late(session(seed=seed), delay_s=0.05)), theme, how=Play(games=2, flags=True))
    assert {line.outcome for line in told.lines} <= {Result.WON, Result.LOST}


def test_a_window_that_lags_longer_than_the_bot_waits_before_it_clicks_again(theme: Theme) -> None:
    told = run(screen_with(Late(session(seed=1), delay_s=0.3)), theme)
    assert told.lines[0].outcome in (Result.WON, Result.LOST)


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_in_flight_show_pressed_cells_as_opened_ones(theme: Theme, seed: int) -> None:
    told = run(screen_with(Late(session(seed=seed), held_s=0.02)), theme, how=Play(games=2))
    assert {line.outcome for line in told.lines} <= {Result.WON, Result.LOST}


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_that_are_half_drawn(theme: Theme, seed: int) -> None:
    told = run(screen_with(Torn(session(seed=seed))), theme, how=Play(games=2))
    assert {line.outcome for line in told.lines} <= {Result.WON, Result.LOST}


@pytest.mark.parametrize("seed", SEEDS)
def test_lost_clicks_are_sent_again(theme: Theme, seed: int) -> None:
    content = Deaf(session(seed=seed), lambda press: press % 3 == 2)
    told = run(screen_with(content), theme, how=Play(flags=True))
    assert told.lines[0].outcome in (Result.WON, Result.LOST)


def test_a_window_that_takes_no_click_stops_the_bot(theme: Theme) -> None:
    told = run(screen_with(Deaf(session(), lambda press: True)), theme)
    assert told.lines[0].outcome is Result.FAILED
    assert "did nothing" in told.lines[0].reason


def test_no_click_comes_sooner_than_was_asked_for(theme: Theme) -> None:
    """Though the window shows at once what each click did."""
    told = Told()
    target = target_on(screen_with(session(seed=1)), theme, told, min_interval_s=0.1)
    begun = time.perf_counter()
    run_games(target, strategy("best"), Play(), no_record, told)
    assert told.lines[0].clicks > 5
    assert time.perf_counter() - begun >= 0.1 * (told.lines[0].clicks - 1)


def test_the_corner_is_noticed_while_it_is_looked_for_what_a_click_did(theme: Theme) -> None:
    screen, told = VirtualScreen(), Told()

    def slam() -> None:
        screen.pointer = Point(0, 0)

    screen.open(window_of(Eventful(Deaf(session(), lambda press: True), 1, slam)))
    target = target_on(screen, theme, told, interval_s=60.0)
    begun = time.perf_counter()
    with pytest.raises(Stopped, match="fail-safe"):
        run_games(target, strategy("best"), Play(), no_record, told)
    assert time.perf_counter() - begun < 30


def test_a_window_that_moves_is_followed(theme: Theme) -> None:
    content = session("intermediate", 8)
    screen = VirtualScreen()

    def move() -> None:
        screen.stack[0].at = Point(317, 208)

    screen.open(window_of(Eventful(content, 6, move)))
    told = run(screen, theme)
    assert told.lines[0].outcome in (Result.WON, Result.LOST)
    assert any("moved" in text for text in told.texts)


def test_a_window_that_moves_off_the_screen_stops_the_bot(theme: Theme) -> None:
    screen = VirtualScreen()

    def move() -> None:
        screen.stack[0].at = Point(1200, 40)

    screen.open(window_of(Eventful(session(seed=2), 3, move)))
    told = run(screen, theme)
    assert told.lines[0].outcome is Result.FAILED
    assert "Error" not in told.lines[0].reason


@pytest.mark.parametrize("corner", [(30, 70), (150, 70), (30, 190), (150, 190)])
def test_a_covered_corner_stops_the_bot_and_nothing_is_clicked_there(
    theme: Theme, corner: tuple[int, int]
) -> None:
    screen, cover = VirtualScreen(), Plain(60, 60)
    screen.open(
        window_of(
            Eventful(
                session("beginner", 2),
                2,
                lambda: screen.stack.append(VirtualWindow(cover, "a note", Point(*corner))),
            )
        )
    )
    told = run(screen, theme)
    assert told.lines[0].outcome is Result.FAILED
    assert "covered by 'a note'" in told.lines[0].reason
    assert cover.clicks == 0


def test_a_cover_in_the_colours_of_the_window_is_not_taken_for_cells(theme: Theme) -> None:
    screen, cover = VirtualScreen(), Plain(60, 60, (192, 192, 192))
    screen.open(
        window_of(
            Eventful(
                session("beginner", 2),
                2,
                lambda: screen.stack.append(VirtualWindow(cover, "a note", Point(60, 100))),
            )
        )
    )
    told = run(screen, theme)
    assert told.lines[0].outcome is Result.FAILED
    assert cover.clicks == 0


def test_a_cover_that_goes_away_is_waited_for(theme: Theme) -> None:
    looks = 0
    cover = VirtualWindow(Plain(60, 60), "a note", Point(60, 100))

    class Passing(VirtualScreen):
        def grab(self, rect: Rect) -> Image:
            nonlocal looks
            looks += cover in self.stack
            if looks == 40 and cover in self.stack:
                self.stack.remove(cover)
            return super().grab(rect)

    screen = Passing()
    screen.open(window_of(Eventful(session("beginner", 2), 2, lambda: screen.stack.append(cover))))
    told = run(screen, theme)
    assert told.lines[0].outcome in (Result.WON, Result.LOST)


def test_a_closed_window_stops_the_bot(theme: Theme) -> None:
    screen = VirtualScreen()
    screen.open(window_of(Eventful(session(seed=2), 3, lambda: screen.stack.clear())))
    told = run(screen, theme)
    assert told.lines[0].outcome is Result.FAILED
    assert "was closed" in told.lines[0].reason


def with_dialog(theme: Theme) -> Theme:
    dialogs = [DialogSpec(title="Congratulations", kind="name")]
    return replace(theme, behaviour=replace(theme.behaviour, dialogs=tuple(dialogs)))


@pytest.mark.parametrize(("records", "keys"), [(True, "minebotenter"), (False, "escape")])
def test_a_dialog_of_the_game_is_answered(theme: Theme, records: bool, keys: str) -> None:
    screen = VirtualScreen()
    dialog = Plain(120, 80)
    window = VirtualWindow(dialog, "Congratulations!", Point(50, 90), program="practice")
    dialog.on_key = lambda name: screen.stack.remove(window) if name in ("enter", "escape") else None
    screen.open(window_of(Eventful(session(seed=2), 3, lambda: screen.stack.append(window))))
    told = Told()
    sighting = choose(look_around(screen, screen, [with_dialog(theme)]), None)
    target = WindowTarget(
        sighting,
        screen,
        screen,
        Pointer(screen, INTERVAL_S),
        PlaySettings(records=records),
        tell=told.texts.append,
    )
    run_games(target, strategy("best"), Play(), no_record, told)
    assert told.lines[0].outcome in (Result.WON, Result.LOST)
    typed = "".join(key for key in dialog.keys if key not in ("end", "backspace"))
    assert typed == keys
    assert dialog.clicks == 0


def test_the_dialog_of_another_program_is_left_alone(theme: Theme) -> None:
    screen, dialog = VirtualScreen(), Plain(120, 80)
    window = VirtualWindow(dialog, "Congratulations!", Point(50, 90), program="a shop")
    screen.open(window_of(Eventful(session(seed=2), 3, lambda: screen.stack.append(window))))
    told = run(screen, with_dialog(theme))
    assert told.lines[0].outcome is Result.FAILED
    assert dialog.keys == []


def test_the_fail_safe_corner_stops_at_once_and_keeps_the_recording(theme: Theme, tmp_path: Path) -> None:
    screen = VirtualScreen()

    def slam() -> None:
        screen.pointer = Point(0, 0)

    content = Eventful(session("intermediate", 8), 7, slam)
    screen.open(window_of(content))
    with pytest.raises(Stopped, match="fail-safe"):
        run(screen, theme, record=recorder_in(tmp_path))
    assert content.clicks == 7, "a click after the pointer was in the corner"
    recording = load(next(tmp_path.iterdir()))
    assert recording.outcome is not None
    assert recording.outcome.result is Result.STOPPED
    assert not replay(recording, partial(GlyphReader, theme.skin), strategy("best")).differences


def test_ctrl_c_leaves_a_line_and_a_recording(theme: Theme, tmp_path: Path) -> None:
    screen = VirtualScreen()

    def interrupt() -> None:
        raise KeyboardInterrupt

    screen.open(window_of(Eventful(session("intermediate", 8), 7, interrupt)))
    told = Told()
    target = target_on(screen, theme, told)
    with pytest.raises(KeyboardInterrupt):
        run_games(target, strategy("best"), Play(), recorder_in(tmp_path), told)
    assert told.lines[0].outcome is Result.STOPPED
    assert not screen.held
    assert load(next(tmp_path.iterdir())).outcome is not None


def test_a_person_who_moves_the_mouse_pauses_the_bot(theme: Theme) -> None:
    screen, pauses = VirtualScreen(), 0

    def push() -> None:
        screen.pointer = Point(700, 600)

    def go_on(_: Callable[[], bool]) -> None:
        nonlocal pauses
        pauses += 1

    screen.open(window_of(Eventful(session("intermediate", 8), 5, push)))
    told = run(screen, theme, takeover=go_on)
    assert pauses == 1
    assert told.lines[0].outcome in (Result.WON, Result.LOST)


def test_a_person_who_starts_a_new_game_meanwhile_is_not_clicked_over(theme: Theme) -> None:
    """What was clicked before the pause must not be sent again on the board that is there after it."""
    content = session("intermediate", 8)
    screen = VirtualScreen()

    def push() -> None:
        screen.pointer = Point(700, 600)

    def new_game(_: Callable[[], bool]) -> None:
        content.new_game()

    screen.open(window_of(Eventful(content, 5, push)))
    told = run(screen, theme, takeover=new_game)
    assert told.lines[0].outcome is Result.STOPPED
    assert told.lines[1].outcome in (Result.WON, Result.LOST)


def test_the_game_that_a_person_began_and_played_in_has_its_own_mine_total(theme: Theme) -> None:
    """It was played with the total of the one before, for its board was no untouched one."""
    content, screen = session(seed=8), VirtualScreen()

    def push() -> None:
        screen.pointer = Point(700, 600)

    def other_level(_: Callable[[], bool]) -> None:
        content.new_game(Rules(9, 9, 20))
        content.game.open(4, 4)

    class Totals(Told):
        def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
            super().decided(observation, decision, clicks, seconds)
            assert observation.rules.mines == content.rules.mines

    told = Totals()
    screen.open(window_of(Eventful(content, 4, push)))
    target = target_on(screen, theme, told, takeover=other_level)
    run_games(target, strategy("best"), Play(), no_record, told)
    assert [line.mines for line in told.lines] == [10, 20]
    assert told.lines[-1].outcome in (Result.WON, Result.LOST)


def test_with_nobody_to_ask_a_moved_mouse_stops_the_bot(theme: Theme) -> None:
    screen = VirtualScreen()

    def push() -> None:
        screen.pointer = Point(700, 600)

    screen.open(window_of(Eventful(session("intermediate", 8), 5, push)))
    with pytest.raises(Stopped, match="moved the mouse"):
        run(screen, theme)


def test_a_board_that_lies_stops_the_bot_with_a_picture(theme: Theme) -> None:
    """A window whose numbers contradict each other is looked at again, then left alone."""

    class Lying:
        """Says that every board is contradictory."""

        name, version = "lying", 1

        def decide(self, observation: Observation, turn: int) -> Decision:
            from bot.errors import ContradictionError

            raise ContradictionError("the 1 at row 0, column 0 has no mine")

    told = run(screen_with(session()), theme, player=Lying())
    assert told.lines[0].outcome is Result.FAILED
    assert "the 1 at row 0, column 0" in told.lines[0].reason
    picture = Path(told.lines[0].reason.split("what was seen: ")[1].rstrip(")"))
    assert picture.exists()
    assert told.lines[0].clicks == 0


def test_no_window_is_told(theme: Theme) -> None:
    screen = VirtualScreen()
    with pytest.raises(WindowError, match="no Minesweeper board was found"):
        choose(look_around(screen, screen, [theme]), None)


def test_two_windows_are_listed_and_one_is_chosen(theme: Theme) -> None:
    screen = VirtualScreen()
    screen.open(VirtualWindow(session(), "left game", Point(40, 40)))
    screen.open(VirtualWindow(session("intermediate"), "right game", Point(500, 90)))
    seen = look_around(screen, screen, [theme])
    with pytest.raises(WindowError, match=r"1: 'left game'.*2: 'right game'"):
        choose(seen, None)
    assert choose(seen, "RIGHT").title == "right game"
    assert choose(seen, "1").title == "left game"
    with pytest.raises(WindowError, match="no board lies in a window called 'middle'"):
        choose(seen, "middle")


@pytest.mark.parametrize("at", [(-60, 40), (1230, 40), (40, -90), (40, 900)])
def test_a_window_with_cells_off_the_screen_is_not_played(theme: Theme, at: tuple[int, int]) -> None:
    content = session()
    screen = VirtualScreen()
    screen.open(VirtualWindow(content, "minebot practice", Point(*at)))
    with pytest.raises(WindowError, match=r"off the screen|edge cannot be seen|no Minesweeper board"):
        choose(look_around(screen, screen, [theme]), None)


@pytest.mark.parametrize(
    ("at", "size"),
    [((40, 40), (60, 120)), ((40, 200), (200, 60)), ((120, 30), (90, 80)), ((150, 80), (60, 180))],
)
def test_a_covered_board_is_not_started(theme: Theme, at: tuple[int, int], size: tuple[int, int]) -> None:
    screen = screen_with(session())
    screen.open(VirtualWindow(Plain(*size), "a note", Point(*at)))
    with pytest.raises(WindowError, match=r"'minebot practice'.* is covered by 'a note': move that away"):
        choose(look_around(screen, screen, [theme]), None)


@pytest.mark.parametrize("flags", [False, True])
def test_a_recorded_game_replays_without_a_difference(theme: Theme, tmp_path: Path, flags: bool) -> None:
    run(
        screen_with(session("intermediate", 3)),
        theme,
        how=Play(games=2, flags=flags),
        record=recorder_in(tmp_path),
    )
    for folder in tmp_path.iterdir():
        recording = load(folder)
        result = replay(recording, partial(GlyphReader, theme.skin), strategy("best"))
        assert recording.outcome is not None
        assert recording.frames
        assert not result.differences


def test_what_is_certain_is_opened_while_other_clicks_are_under_way(theme: Theme, tmp_path: Path) -> None:
    content = Late(session("expert", 3), delay_s=0.03)
    told = run(screen_with(content), theme, how=Play(games=3), record=recorder_in(tmp_path))
    early = 0
    for folder in tmp_path.iterdir():
        recording = load(folder)
        boards = [event for event in recording.events if isinstance(event, BoardEvent) and event.early]
        early += len(boards)
        assert all(board.phase is Phase.PLAYING for board in boards)
        result = replay(recording, partial(GlyphReader, theme.skin), strategy("best"))
        assert not result.differences
    assert len(told.lines) == 3
    assert early > 3


def test_clicks_stay_inside_the_board(theme: Theme) -> None:
    content = session("intermediate", 3)
    clicked: list[Coordinate | None] = []

    class Watching(Plain):
        pass

    real = content.press

    def press(x: int, y: int, button: int) -> None:
        clicked.append(content.layout.cell_at(x, y))
        real(x, y, button)

    content.press = press  # type: ignore[method-assign]
    run(screen_with(content), theme)
    assert clicked
    assert None not in clicked


def test_no_click_is_made_where_the_window_lay_until_the_pointer_moved(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = screen_with(session(seed=3))
    target = target_on(screen, theme, Told())
    target.observe()
    move = screen.move
    clicked: list[tuple[object, ...]] = []

    def moved(point: Point) -> None:
        screen.stack[0].at = Point(317, 208)
        move(point)

    monkeypatch.setattr(screen, "move", moved)
    monkeypatch.setattr(screen, "click", lambda *words: clicked.append(words))
    assert target.act([Move(Action.OPEN, 0, 0)]) == 0
    assert not clicked


@pytest.mark.parametrize("moves", [False, True])
def test_nothing_is_taken_early_from_a_window_that_is_being_moved(
    theme: Theme, monkeypatch: pytest.MonkeyPatch, moves: bool
) -> None:
    """Cells of a page that went two rows down were read where others had been clicked."""
    window = Deaf(session(seed=3), loses=lambda press: press == 3)
    target = target_on(screen_with(window), theme, Told())
    target.observe()
    target.act([Move(Action.OPEN, 0, 0)])
    target.observe()
    asked: list[Observation] = []
    moved: list[bool] = []

    def wanted(early: Observation) -> bool:
        asked.append(early)
        moved.append(moves)
        return True

    monkeypatch.setattr(target.observer, "has_moved", lambda: bool(moved) and moved.pop())
    covered = target.observe().board.where(Cell.COVERED)
    target.act([Move(Action.OPEN, *covered[0]), Move(Action.OPEN, *covered[-1])])
    seen = target.observe(wanted)
    assert asked
    assert seen.early is not moves
