"""Calibrations that do not fit the window that is there: told in one line, and nothing is clicked."""

from __future__ import annotations

import re
import shutil

import msgspec
import pytest
from misbehaving import Plain
from playing import Moving, no_record, session

from bot.board import Observation
from bot.errors import FormatError, WindowError
from bot.files import user_data
from bot.game_line import GameLine
from bot.geometry import Point
from bot.recording.record import NullRecorder
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.base import Decision
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.calibration import (
    Calibration,
    GridPlace,
    NewGame,
    WindowPlace,
    own_calibrations,
    write_calibration,
)
from bot.targets.window.locate.board_finder import choose
from bot.targets.window.locate.calibrated import find_calibrated
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.window_target import WindowTarget
from bot.vision.themes.theme import load_theme


def made_on(screen: VirtualScreen, theme: str) -> Calibration:
    """A calibration of the beginner's window at its usual size."""
    played = session()
    picture, layout = played.image(), played.layout
    return Calibration(
        schema=1,
        theme=theme,
        window=WindowPlace("a game", "virtual", picture.shape[1], picture.shape[0]),
        grid=GridPlace(layout.board.x, layout.board.y, layout.pitch, layout.pitch, 9, 9),
        new_game=NewGame("key", key="f2"),
        park=(2, 2),
        screen=(screen.monitors()[0].width, screen.monitors()[0].height),
    )


@pytest.fixture
def theme() -> str:
    """A theme of the user's with the looks of the built-in window."""
    folder = user_data() / "templates" / "mine"
    shutil.copytree(load_theme("practice").folder, folder)
    return "mine"


@pytest.mark.parametrize("number", ["inf", "-inf", "nan", "1e300"])
@pytest.mark.parametrize("key", ["x", "cell_width"])
def test_a_grid_that_cannot_be_is_told(key: str, number: str, theme: str) -> None:
    path = write_calibration("mine", made_on(VirtualScreen(), theme))
    text = path.read_text()
    path.write_text(re.sub(rf"^{key} = .*$", f"{key} = {number}", text, count=1, flags=re.MULTILINE))
    assert path.read_text() != text
    with pytest.raises(FormatError, match="a grid of such cells cannot be: calibrate that window again"):
        own_calibrations()


def test_one_whose_theme_is_not_there_is_told_and_left_out(theme: str) -> None:
    """Every `minebot run` ended with a line that did not say which calibration it was."""
    write_calibration("good", made_on(VirtualScreen(), theme))
    file = write_calibration("own", made_on(VirtualScreen(), "gone"))
    told: list[str] = []
    assert list(own_calibrations(told.append)) == ["good"]
    assert told == [f"{file}: there is no theme 'gone': calibrate that window again; going on without it"]


def problem(here: VirtualScreen, calibration: Calibration) -> str:
    """Why the window on a screen is not played by a calibration; empty where it is."""
    try:
        choose(find_calibrated(here, here, {"mine": calibration}), None)
    except WindowError as error:
        return str(error)
    return ""


def test_it_fits_its_own_window_wherever_that_lies(theme: str) -> None:
    here = VirtualScreen()
    here.open(VirtualWindow(session(), "a game", Point(333, 222)))
    assert problem(here, made_on(here, theme)) == ""


@pytest.mark.parametrize("title", ["a game", "another game"])
def test_a_board_of_the_window_above_is_not_taken_for_its_own(title: str, theme: str) -> None:
    """Its clicks reached the other window, and what they opened was no board of its own."""
    here = VirtualScreen()
    here.open(VirtualWindow(session(), "a game", Point(333, 222)))
    over = here.open(VirtualWindow(session(), title, Point(333, 222)))
    found = find_calibrated(here, here, {"mine": made_on(here, theme)})
    assert [one.window.id for one in found if one.window] == [over.id] * (title == "a game")


@pytest.mark.parametrize("at", [(2000, 2000), (-400, 50)])
def test_a_window_wholly_off_the_screen_is_not_looked_at(at: tuple[int, int], theme: str) -> None:
    """It ended every `minebot run`, also of another window: no picture can be made of it."""
    here = VirtualScreen()
    here.open(VirtualWindow(session(), "a game", Point(*at)))
    assert "no Minesweeper board was found" in problem(here, made_on(here, theme))
    here.open(VirtualWindow(session(), "a game", Point(333, 222)))
    assert problem(here, made_on(here, theme)) == ""


def test_one_that_was_made_on_another_screen_is_told(theme: str) -> None:
    calibration = made_on(VirtualScreen(1280, 1024), theme)
    here = VirtualScreen(1920, 1080)
    here.open(VirtualWindow(session(scale=2.0), "a game", Point(50, 50)))
    told = problem(here, calibration)
    assert "on a screen of 1280x1024, this one is 1920x1080" in told, told
    assert "run `minebot calibrate --name mine` again" in told


class Resizer:
    """Makes the window larger in the middle of the game."""

    def __init__(self, window: VirtualWindow) -> None:
        self.window = window
        self.ended: list[GameLine] = []

    def game_starts(self, number: int) -> None:
        pass

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        if clicks:
            self.window.content = session(scale=1.5)

    def game_over(self, line: GameLine) -> None:
        self.ended.append(line)


def test_a_window_that_is_resized_in_the_middle_of_a_game_is_told(theme: str) -> None:
    here = VirtualScreen()
    window = here.open(VirtualWindow(session(), "a game", Point(333, 222)))
    sighting = choose(find_calibrated(here, here, {"mine": made_on(here, theme)}), None)
    target = WindowTarget(sighting, here, here, Pointer(here, 0.0005), PlaySettings(look_limit_s=1))
    resizer = Resizer(window)
    run_games(target, strategy("seed"), Play(), lambda _: NullRecorder(), resizer)
    (line,) = resizer.ended
    assert line.outcome.value == "failed"
    assert (
        "was resized to 244x321, and its calibration is for 164x216: give it that size again" in line.reason
    )


@pytest.mark.slow
def test_a_window_that_moves_between_two_games_is_followed(theme: str) -> None:
    here, backdrop = VirtualScreen(), Plain(1280, 1024)
    here.open(VirtualWindow(backdrop, "the desktop", Point(0, 0)))
    window = here.open(VirtualWindow(session(), "a game", Point(333, 222)))
    face = session().layout.face.center
    calibration = msgspec.structs.replace(made_on(here, theme), new_game=NewGame("face", face.x, face.y))

    sighting = choose(find_calibrated(here, here, {"mine": calibration}), None)
    target, told = (
        WindowTarget(sighting, here, here, Pointer(here, 0.0005)),
        Moving(window=window, across=Point(700, 500)),
    )
    run_games(target, strategy("seed"), Play(games=3), no_record, told)
    assert [line.outcome.value in ("won", "lost") for line in told.lines] == [True] * 3, told.lines[-1].reason
    assert backdrop.clicks == 0


def test_another_board_in_a_window_of_that_size_is_told(theme: str) -> None:
    here = VirtualScreen()
    calibration = made_on(here, theme)
    shutil.rmtree(user_data() / "templates" / theme)
    shutil.copytree(load_theme("winmine").folder, user_data() / "templates" / theme)
    here.open(VirtualWindow(session(), "a game", Point(50, 50)))
    assert "look like nothing that its calibration 'mine' knows" in problem(here, calibration)
