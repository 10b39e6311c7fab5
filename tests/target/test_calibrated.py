"""Calibrations that do not fit the window that is there: told in one line, and nothing is clicked."""

from __future__ import annotations

import shutil

import pytest
from playing import session

from bot.errors import WindowError
from bot.files import user_data
from bot.geometry import Point
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.target.calibrated import calibrated
from bot.target.profile import GridPlace, NewGame, Profile, WindowPlace
from bot.target.sighting import choose
from bot.vision.theme import load_theme


def made_on(screen: VirtualScreen, theme: str) -> Profile:
    """A calibration of the beginner's window at its usual size."""
    played = session()
    picture, layout = played.image(), played.layout
    return Profile(
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


def problem(here: VirtualScreen, profile: Profile) -> str:
    """Why the window on a screen is not played by a calibration; empty where it is."""
    try:
        choose(calibrated(here, here, {"mine": profile}), None)
    except WindowError as error:
        return str(error)
    return ""


def test_it_fits_its_own_window_wherever_that_lies(theme: str) -> None:
    here = VirtualScreen()
    here.open(VirtualWindow(session(), "a game", Point(333, 222)))
    assert problem(here, made_on(here, theme)) == ""


def test_one_that_was_made_on_another_screen_is_told(theme: str) -> None:
    profile = made_on(VirtualScreen(1280, 1024), theme)
    here = VirtualScreen(1920, 1080)
    here.open(VirtualWindow(session(scale=2.0), "a game", Point(50, 50)))
    told = problem(here, profile)
    assert "on a screen of 1280x1024, this one is 1920x1080" in told, told
    assert "run `minebot calibrate --name mine` again" in told


def test_another_board_in_a_window_of_that_size_is_told(theme: str) -> None:
    here = VirtualScreen()
    profile = made_on(here, theme)
    shutil.rmtree(user_data() / "templates" / theme)
    shutil.copytree(load_theme("winmine").folder, user_data() / "templates" / theme)
    here.open(VirtualWindow(session(), "a game", Point(50, 50)))
    assert "look like nothing that its calibration 'mine' knows" in problem(here, profile)
