"""Whole games on virtual windows that behave well or badly, as they are traced by a fixed clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from glass import Glass
from learning import Pupil
from misbehaving import Deaf, Eventful, Late, Plain, Torn, window_of
from playing import INTERVAL_S, Told, impatient, no_record, screen_with, session, target_on

from bot.assist import Turn
from bot.board import LEVELS, Action, Move
from bot.calibrate.lesson import Learned
from bot.errors import BotError
from bot.geometry import Point
from bot.practice.session import PracticeSession
from bot.screen.virtual import Content, VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.partial import Partial
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.calibration import own_calibrations
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.locate.calibrated import find_calibrated
from bot.targets.window.window_target import WindowTarget
from bot.vision.themes.theme import load_theme, load_themes
from tests.pin.trace import Trace, traced
from tests.test_assist import Person, assisted, hinted, lucky, sit, unlucky


@dataclass(frozen=True)
class Scenario:
    """Something that is played."""

    plays: Callable[[Trace], object]
    quick: bool = True


def traces(name: str) -> dict[str, str]:
    """What a scenario sends and tells."""
    with traced() as trace:
        try:
            SCENARIOS[name].plays(trace)
        except BotError as error:
            trace.said.append(f"{type(error).__name__}: {error}")
    return {f"{name}/clicks": trace.clicks(), f"{name}/told": trace.lines()}


def _play(screen: VirtualScreen, how: Play | None = None) -> None:
    told = Told()
    target = target_on(screen, impatient(), told)
    run_games(target, strategy("best"), how or Play(), no_record, told)


def _games(level: str, *, seed: int = 5, scale: float = 1.0, flags: bool = False, games: int = 1) -> Scenario:
    def plays(_: Trace) -> None:
        _play(screen_with(session(level, seed, scale)), Play(games=games, flags=flags))

    return Scenario(plays)


def _odd(make: Callable[[PracticeSession], Content], level: str = "beginner", *, games: int = 1) -> Scenario:
    """A window that behaves badly by itself."""

    def plays(_: Trace) -> None:
        _play(screen_with(make(session(level, 2))), Play(games=games, flags=True))

    return Scenario(plays)


def _eventful(happens: Callable[[VirtualScreen, PracticeSession], None], *, after: int = 6) -> Scenario:
    """A game to which something happens after so many clicks."""

    def plays(_: Trace) -> None:
        content, screen = session("intermediate", 8), VirtualScreen()
        screen.open(window_of(Eventful(content, after, lambda: happens(screen, content))))
        _play(screen)

    return Scenario(plays)


def _moves(screen: VirtualScreen, _: PracticeSession) -> None:
    screen.stack[0].at = Point(317, 208)


def _leaves(screen: VirtualScreen, _: PracticeSession) -> None:
    screen.stack[0].at = Point(1200, 40)


def _grows(_: VirtualScreen, content: PracticeSession) -> None:
    content.key("3")


def _shrinks(_: VirtualScreen, content: PracticeSession) -> None:
    content.key("1")


def _begins_anew(_: VirtualScreen, content: PracticeSession) -> None:
    content.key("F2")


def _is_covered(screen: VirtualScreen, _: PracticeSession) -> None:
    screen.open(VirtualWindow(Plain(60, 60), "a note", Point(60, 100)))


def _gets_a_dialog(screen: VirtualScreen, _: PracticeSession) -> None:
    screen.open(VirtualWindow(Plain(120, 80), "Congratulations!", Point(50, 90), program="practice"))


def _is_closed(screen: VirtualScreen, _: PracticeSession) -> None:
    screen.stack.clear()


def _mouse_is_moved(screen: VirtualScreen, _: PracticeSession) -> None:
    screen.pointer = Point(700, 600)


def _by_dialogs(seed: int, pitch: float, *, flags: bool = False) -> Scenario:
    """Game after game by the dialogs that tell how each has ended."""

    def plays(_: Trace) -> None:
        content, screen = Glass(LEVELS["beginner"], seed, pitch), VirtualScreen()
        screen.open(VirtualWindow(content, "Minesweeper", Point(40, 40), program="minesweeper"))
        content.dialogs_on(screen)
        told = Told()
        target = target_on(screen, load_theme("windows7"), told)
        run_games(target, strategy("seed"), Play(games=3, flags=flags), no_record, told)

    return Scenario(plays)


def _among_all_themes(level: str, scale: float) -> Scenario:
    """The window is found among all themes that there are."""

    def plays(trace: Trace) -> None:
        screen, told = screen_with(session(level, 4, scale)), Told()
        sighting = choose(look_around(screen, screen, load_themes()), None)
        trace.said.append(f"found {sighting.name} in {sighting.title!r}")
        target = WindowTarget(sighting, screen, screen, Pointer(screen, INTERVAL_S), tell=told.texts.append)
        run_games(target, strategy("exact"), Play(games=2), no_record, told)

    return Scenario(plays)


def _described(learned: Learned) -> list[str]:
    means = sorted((look.code, look.seen, look.why) for look in learned.looks)
    return [
        f"mines {learned.mines}, first click {learned.first_click.value} by {learned.first_clicks}",
        f"way {learned.new_game}, flags to win {learned.flags_to_win}",
        f"games {learned.games}, clicks {learned.clicks}",
        *(f"means {code} by {seen}: {why}" for code, seen, why in means),
        *learned.notes,
    ]


def _learned(seed: int, *, plays_on: int = 2) -> Scenario:
    """A window that is learned from scratch, and played by what was learned."""

    def plays(trace: Trace) -> None:
        trace.said.extend(_described(Pupil(session(seed=seed)).learn()))
        trace.sent.append("learned")
        told, other = Told(), VirtualScreen()
        other.open(VirtualWindow(session(seed=77), "a game", Point(300, 200)))
        sighting = choose(find_calibrated(other, other, {"mine": own_calibrations()["mine"]}), None)
        target = WindowTarget(sighting, other, other, Pointer(other, INTERVAL_S), tell=told.texts.append)
        run_games(target, Partial(strategy("exact")), Play(games=plays_on, new=True), no_record, told)

    return Scenario(plays)


def _with_a_person(level: str, seed: int, *, loses: bool = False, flags: bool = False) -> Scenario:
    """A person makes the guesses, the bot what is certain."""

    def plays(_: Trace) -> None:
        assisted(sit(unlucky if loses else lucky, level, seed), how=Play(flags=flags))

    return Scenario(plays)


def _hints(level: str, seed: int) -> Scenario:
    """A person plays, the bot looks on and tells what is certain."""

    def plays(_: Trace) -> None:
        person: Person = sit(lucky, level, seed)
        shown = person.shown

        def follows(turn: Turn) -> None:
            shown(turn)
            cell = turn.safe[0] if turn.safe else person.a_safe_cell()
            person.does(Move(Action.OPEN, *cell))

        person.shown = follows  # type: ignore[method-assign]
        hinted(person)

    return Scenario(plays)


SCENARIOS: dict[str, Scenario] = {
    "beginner": _games("beginner", games=4),
    "beginner-flags": _games("beginner", games=4, flags=True),
    "intermediate": _games("intermediate", games=3),
    "intermediate-flags": _games("intermediate", games=3, flags=True),
    "expert": _games("expert", games=3),
    "expert-flags": _games("expert", games=2, flags=True, seed=11),
    "scale-1.5": _games("intermediate", scale=1.5, seed=3),
    "scale-2": _games("intermediate", scale=2.0, seed=3, flags=True),
    "scale-3": _games("beginner", scale=3.0, seed=3),
    "all-themes": _among_all_themes("beginner", 1.0),
    "all-themes-scale-2": _among_all_themes("beginner", 2.0),
    "lags": _odd(lambda content: Late(content, delay_s=0.05), games=2),
    "lags-long": _odd(lambda content: Late(content, delay_s=0.3)),
    "holds": _odd(lambda content: Late(content, held_s=0.02), games=2),
    "torn": _odd(Torn, "intermediate", games=2),
    "loses-clicks": _odd(lambda content: Deaf(content, lambda press: press % 3 == 2), "intermediate"),
    "loses-all": _odd(lambda content: Deaf(content, lambda press: True)),
    "moved": _eventful(_moves),
    "moved-off": _eventful(_leaves),
    "larger-level": _eventful(_grows),
    "smaller-level": _eventful(_shrinks),
    "begun-anew": _eventful(_begins_anew),
    "covered": _eventful(_is_covered),
    "dialog": _eventful(_gets_a_dialog),
    "closed": _eventful(_is_closed),
    "mouse-moved": _eventful(_mouse_is_moved),
    "dialogs": _by_dialogs(20, 18.0),
    "dialogs-flags": _by_dialogs(20, 31.0, flags=True),
    "dialogs-lost": _by_dialogs(22, 20.0),
    "learned": _learned(0),
    "learned-other": _learned(9),
    "assist": _with_a_person("intermediate", 1),
    "assist-flags": _with_a_person("expert", 3, flags=True),
    "assist-lost": _with_a_person("expert", 5, loses=True),
    "hint": _hints("beginner", 2),
}
"""By name, which is that of the fingerprints."""
