"""The themes that are drawn: made by their script; the classic one found, read, and played in windows drawn
by another hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest
from misbehaving import Wrapped
from playing import Told, no_record, screen_with, session

from bot.board import Board, Cell, Result
from bot.practice.draw import BLACK, NUMBER_COLOURS, RED, raised, sunken
from bot.practice.layout import CELL
from bot.practice.sketch import Sketch
from bot.session import Play, run_games
from bot.strategy.registry import strategy
from bot.targets.window.act.pointer import Pointer, stop_at_takeover
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.window_target import WindowTarget
from bot.vision.grid import Image
from bot.vision.skin_search import find_boards
from bot.vision.themes.theme import load_theme, load_themes
from theming import drawn_classic
from theming.draw_themes import DRAWINGS, draw, window_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", DRAWINGS)
def test_what_is_in_the_project_is_what_the_script_draws(tmp_path: Path, name: str) -> None:
    draw(tmp_path / name, DRAWINGS[name])
    shipped, made = load_theme(name), load_theme(tmp_path / name)
    assert shipped.spec == made.spec
    for one, other in zip(shipped.skin.glyph_sets, made.skin.glyph_sets, strict=True):
        assert np.array_equal(one.codes, other.codes)
        assert np.abs(one.glyphs.astype(int) - other.glyphs).max() <= 1


@dataclass
class Grey(Wrapped):
    """Our window's game in the classic look as another hand draws it: other digits, flags and faces."""

    glyphs: dict[int, Image] = field(default_factory=dict)

    def image(self) -> Image:
        game = self.content.game  # type: ignore[attr-defined]
        layout = self.content.layout  # type: ignore[attr-defined]
        picture: Image = self.content.image().copy()
        face = layout.face
        cv2.circle(picture, (face.center.x, face.center.y), face.width // 3, (0, 200, 200), -1)
        for row in range(game.board.rows):
            for column in range(game.board.columns):
                rect = layout.cell(row, column)
                code = game.board[row, column]
                picture[rect.y : rect.bottom, rect.x : rect.right] = self._glyph(code, rect.width)
        return picture

    def _glyph(self, code: int, size: int) -> Image:
        if code not in self.glyphs:
            self.glyphs[code] = drawn_otherwise(code, size)
        return self.glyphs[code]


def drawn_otherwise(code: int, size: int) -> Image:
    """A cell as the script does not draw it: digits thicker and moved, the flag slimmer."""
    if 1 <= code <= 8:
        strokes = tuple([(x + 0.3, y - 0.2) for x, y in points] for points in drawn_classic.DIGITS[code - 1])
        return drawn_classic.stroked(sunken(size), strokes, 2.2, NUMBER_COLOURS[code - 1])
    if code == Cell.FLAG:
        sketch = Sketch(raised(size), CELL)
        sketch.polygon([(8.6, 3.4), (8.6, 8.4), (4.6, 5.9)], RED)
        sketch.polygon([(8.0, 3.0), (9.0, 3.0), (9.0, 11.6), (8.0, 11.6)], BLACK)
        sketch.polygon([(5.0, 10.6), (11.4, 10.6), (11.4, 12.4), (5.0, 12.4)], BLACK)
        return sketch.picture()
    theme = load_theme("classic")
    return np.asarray(cv2.resize(theme.skin.glyph_set_for(size).glyph(code), (size, size)), np.uint8)


@pytest.mark.parametrize(("scale", "flags"), [(1.0, True), (1.25, False), (2.0, True)])
def test_a_classic_window_of_another_hand_is_played(scale: float, flags: bool) -> None:
    screen = screen_with(Grey(session("beginner", 5, scale)))
    told = Told()
    sighting = choose(look_around(screen, screen, load_themes()), None)
    assert sighting.name == "classic"
    assert sighting.reading.counter == 10
    pointer = Pointer(screen, 0.0005, stop_at_takeover)
    target = WindowTarget(sighting, screen, screen, pointer, PlaySettings(), tell=told.texts.append)
    run_games(target, strategy("seed"), Play(games=3, flags=flags), no_record, told)
    assert {line.outcome for line in told.lines} <= {Result.WON, Result.LOST}
    assert [(line.theme, line.mines) for line in told.lines] == [("classic", 10)] * 3


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_our_own_untouched_window_is_not_taken_for_it(scale: float) -> None:
    screen = screen_with(session("beginner", 5, scale))
    (sighting,) = look_around(screen, screen, load_themes())
    assert sighting.name == "practice"


@pytest.mark.parametrize("size", [16, 18, 20, 22, 24, 29, 32, 40, 48])
@pytest.mark.parametrize("damage", ["none", "noise", "jpeg"])
def test_pictures_of_it_are_read_at_any_size(request: pytest.FixtureRequest, size: int, damage: str) -> None:
    if (size, damage) == (16, "jpeg"):
        smeared = "the smallest cells count as having ink where JPEG smears their outlines"
        request.applymarker(pytest.mark.xfail(strict=True, reason=smeared))
    theme = load_theme("classic")
    rng = np.random.default_rng(size)
    board = Board.parse("#.12345678\nF?*Xx#....\n####......\n####..1111\n##1112..12\n####21..2#")
    picture = window_of(DRAWINGS["classic"], board, size)
    if damage == "noise":
        picture = np.clip(picture + rng.normal(0, 2.0, picture.shape), 0, 255).round().astype(np.uint8)
    if damage == "jpeg":
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    (found,) = find_boards(picture, [theme.skin])
    assert found.reading.board.codes.shape == board.codes.shape
    read = found.reading.board.codes != Cell.UNREAD
    assert np.array_equal(found.reading.board.codes[read], board.codes[read])
    assert read.mean() > (0.8 if damage == "jpeg" else 0.98)
