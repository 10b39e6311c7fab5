"""The theme of Windows 7, which is drawn too: found and read at any size, and played by its dialogs."""

from __future__ import annotations

import time

import numpy as np
import pytest
from glass import Glass, painted
from misbehaving import Plain
from playing import Told, no_record

from bot.board import LEVELS, Board, Cell, Phase, Result
from bot.geometry import Point
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer, stop_at_takeover
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.spectator import Spectator
from bot.targets.window.window_target import WindowTarget
from bot.vision.grid import Image
from bot.vision.skin_search import find_boards
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import load_skins, load_theme, load_themes
from theming.draw_themes import DRAWINGS, window_of
from training.reader.variety.varied import position, sample

pytestmark = pytest.mark.slow

LEGAL = Board.parse("#.12345678\nF.*Xx#....\n####......\n####..1111\n##1112..12\n####21..2#")


@pytest.fixture(scope="module")
def skins() -> list[Skin]:
    return load_skins()


def on_screen(picture: Image) -> Image:
    height, width = picture.shape[:2]
    screen = np.full((max(768, height + 80), max(1024, width + 90), 3), (110, 80, 50), np.uint8)
    screen[37 : 37 + height, 53 : 53 + width] = picture
    return screen


@pytest.mark.parametrize(
    "size",
    [17, 18, 20, 22, 25, 31, 44, 64],
)
def test_every_kind_of_cell_is_read_at_any_size(skins: list[Skin], size: int) -> None:
    (found,) = find_boards(on_screen(window_of(DRAWINGS["windows7"], LEGAL, size)), skins)
    assert (found.skin.name, found.hidden_sides, found.reading.board) == ("windows7", (), LEGAL)


@pytest.mark.parametrize("pitch", [18.0, 19.3, 22.0, 26.7, 31.5, 38.0, 44.4, 63.0])
@pytest.mark.parametrize("stage", ["fresh", "first", "late"])
def test_a_window_of_another_hand_is_found_and_no_cell_misread(
    skins: list[Skin], pitch: float, stage: str
) -> None:
    board = position(np.random.default_rng(round(pitch)), 16, 16, 40, stage)
    (found,) = find_boards(on_screen(painted(board, pitch)[0]), skins)
    assert (found.skin.name, found.reading.board.codes.shape) == ("windows7", board.codes.shape)
    read = found.reading.board.codes != Cell.UNREAD
    assert np.array_equal(found.reading.board.codes[read], board.codes[read])
    # Cells of 19 and 20 pixels side by side are drawn an eighth wider or narrower than they should be.
    assert read.mean() > (0.9 if pitch < 20 else 0.95)
    assert read.all() or pitch % 1


NO_BOARD = pytest.mark.xfail(strict=True, reason="what is left is no possible board: none is told at all")


@pytest.mark.parametrize(
    "at",
    [
        (190, 0),
        (204, 0),
        (0, 190),
        pytest.param((-430, 0), marks=NO_BOARD),
        pytest.param((0, -430), marks=NO_BOARD),
    ],
)
def test_a_board_of_which_a_part_is_covered_is_not_played(at: tuple[int, int]) -> None:
    """Cut off at a line between its cells or elsewhere, on any side."""
    content, screen = Glass((16, 16, 40), 1, 30.0), VirtualScreen()
    screen.open(VirtualWindow(content, "Minesweeper", Point(200, 100), program="minesweeper"))
    (whole,) = look_around(screen, screen, [load_theme("windows7")])
    board = whole.view.grid_on_screen()
    assert not whole.problem
    cover = Plain(600, 600)
    screen.open(VirtualWindow(cover, "a note", Point(board.x + at[0], board.y + at[1]), program="notes"))
    sightings = look_around(screen, screen, [load_theme("windows7")])
    assert sightings
    assert all(one.problem for one in sightings)


def played(screen: VirtualScreen, told: Told, how: Play) -> None:
    sighting = choose(look_around(screen, screen, load_themes()), None)
    assert sighting.name == "windows7"
    pointer = Pointer(screen, 0.0005, stop_at_takeover)
    target = WindowTarget(sighting, screen, screen, pointer, PlaySettings(), tell=told.texts.append)
    run_games(target, strategy("seed"), how, no_record, told)


def test_the_pale_cells_of_another_skin_are_not_taken_for_it(skins: list[Skin]) -> None:
    assert find_boards(sample(20287).image, skins) == []


def glass_on(seed: int, pitch: float) -> tuple[Glass, VirtualScreen]:
    content, screen = Glass(LEVELS["beginner"], seed, pitch), VirtualScreen()
    screen.open(VirtualWindow(content, "Minesweeper", Point(40, 40), program="minesweeper"))
    content.dialogs_on(screen)
    return content, screen


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("seed", "pitch", "flags"), [(20, 18.0, False), (20, 31.0, True), (30, 20.0, False)])
def test_it_is_played_game_after_game_by_its_dialogs(seed: int, pitch: float, flags: bool) -> None:
    content, screen = glass_on(seed, pitch)
    told = Told()
    played(screen, told, Play(games=3, flags=flags))
    outcomes = [(line.theme, line.mines, line.outcome) for line in told.lines]
    # Of the third game the last dialog may not have come yet.
    won, lost = ("windows7", 10, Result.WON), ("windows7", 10, Result.LOST)
    assert outcomes == [won, won, lost]
    assert content.dialogs[:2] == ["Game Won", "Game Won"]


@pytest.mark.timeout(120)
def test_a_game_follows_on_a_lost_one() -> None:
    content, screen = glass_on(22, 20.0)
    told = Told()
    played(screen, told, Play(games=2))
    assert [line.outcome for line in told.lines] == [Result.LOST, Result.WON], told.lines
    assert content.dialogs[0] == "Game Lost"


def test_somebody_who_only_looks_on_sees_the_end_by_its_dialog() -> None:
    content, screen = glass_on(20, 22.0)
    (sighting,) = look_around(screen, screen, [load_theme("windows7")])
    spectator = Spectator(WindowObserver(sighting, screen, screen))
    game = content.game
    game.open(4, 4)
    until = time.perf_counter() + 20
    while (seen := spectator.look()) is None and time.perf_counter() < until:
        time.sleep(0.01)
    assert seen is not None
    truth = game.truth_for_simulators
    assert truth is not None
    for row, column in seen.board.where(Cell.COVERED):
        if not truth.mines[row, column]:
            game.open(row, column)
    while (seen is None or not seen.phase.over) and time.perf_counter() < until:
        seen = spectator.look()
        time.sleep(0.01)
    assert seen is not None
    assert seen.phase is Phase.WON
    assert not seen.board.count(Cell.UNREAD)  # though the dialog lies over it


def test_a_game_that_is_half_played_is_not_thrown_away() -> None:
    content, screen = glass_on(3, 22.0)
    content.game.open(0, 0)
    assert content.game.phase is Phase.PLAYING
    before = content.game.board
    told = Told()
    played(screen, told, Play(new=True))
    assert told.lines[0].outcome is Result.FAILED
    assert "--resume" in told.lines[0].reason
    assert content.game.board == before
