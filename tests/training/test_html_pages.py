"""Boards drawn as web pages: what each family may have, where grids lie, and that pictures can be read."""

from __future__ import annotations

import base64
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.process import children
from bot.screen.programs.browser import BrowserPage
from bot.vision.grid import Grid, Image
from training.reader import html_pages
from training.reader.families import FAMILIES, pool
from training.reader.html import cut, packages
from training.reader.html.chromium import SMOOTHING, BrowserFailed, Chromium, configuration
from training.reader.html.looks import drawings, icons, marks
from training.reader.html.looks import fonts as font_list
from training.reader.html.looks.colours import apart, contrast, least_contrast
from training.reader.html.looks.fonts import Font
from training.reader.html.looks.look import random_look
from training.reader.html.looks.ornaments import ornament
from training.reader.html.looks.palettes import PALETTES
from training.reader.html.looks.schemes import LEAST_CONTRAST, random_inks, random_scheme
from training.reader.html.markup import rims
from training.reader.html_pages import Painter
from training.reader.positions import crowded_position
from training.reader.samples import read_samples

PITCH = 20

needs_chromium = pytest.mark.skipif(
    BrowserPage.program() is None or shutil.which("fc-list") is None,
    reason="there is no Chromium, or no fontconfig: apt-get install chromium fontconfig",
)


@pytest.mark.parametrize(
    ("family", "names"),
    [
        ("palettes", PALETTES),
        ("flags", drawings.FLAGS),
        ("flags", [f"glyph {one}" for one in marks.FLAG_GLYPHS]),
        ("mines", drawings.MINES),
        ("mines", [f"glyph {one}" for one in marks.MINE_GLYPHS]),
    ],
)
def test_each_name_is_drawn_for_training_or_for_its_family_never_for_both(
    family: str, names: tuple[str, ...]
) -> None:
    training, held_out = pool(family, names, ""), pool(family, names, family)
    assert training
    assert held_out
    assert not set(training) & set(held_out)
    assert set(training) | set(held_out) == set(names)


def test_pictures_of_another_family_use_none_of_the_members_of_one() -> None:
    assert pool("flags", drawings.FLAGS, "mines") == pool("flags", drawings.FLAGS, "")


@pytest.mark.parametrize("draw", [drawings.flag, drawings.mine])
def test_what_is_assembled_is_another_drawing_each_time(draw: Callable[..., str]) -> None:
    bodies = [
        draw(np.random.default_rng(seed), drawings.ASSEMBLED, (200, 20, 20), (0, 0, 0)) for seed in range(300)
    ]
    assert len(set(bodies)) == len(bodies)
    colours = [set(re.findall("#[0-9a-f]{6}", body)) for body in bodies]
    assert all({"#c81414"} <= used <= {"#c81414", "#000000"} for used in colours)
    for body in bodies:
        ElementTree.fromstring(f"<svg>{body}</svg>")


@pytest.mark.parametrize(
    ("package", "name", "what", "is_so"),
    [
        ("ph", "flag-fill", "flag", True),
        ("ph", "skull-fill", "mine", False),
        ("ri", "skull-fill", "mine", True),
        ("ri", "skull-fill", "flag", False),
        ("mdi", "bomb-off", "mine", False),
        ("boxicons", "flag-alt-2-filled", "flag", True),
        ("game-icons", "pirate-flag", "flag", False),
    ],
)
def test_packages_of_left_out_families_show_what_they_did_and_others_more(
    package: str, name: str, what: str, is_so: bool
) -> None:
    assert icons.shows(package, name, what) is is_so


def test_training_never_has_a_held_out_palette() -> None:
    members = set(FAMILIES["palettes"].members)
    training = {random_scheme(np.random.default_rng(seed), "").name for seed in range(300)}
    held_out = {random_scheme(np.random.default_rng(seed), "palettes").name for seed in range(100)}
    assert not training & members
    assert held_out <= members
    assert len(held_out) > 5


@pytest.mark.parametrize("seed", range(40))
def test_every_digit_has_contrast_with_its_ground(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scheme = random_scheme(rng, "")
    _, inks = random_inks(rng, list(scheme.opened), scheme)
    assert len(inks) == 8
    assert min(least_contrast(ink, scheme.opened) for ink in inks) >= LEAST_CONTRAST


def test_a_colour_is_moved_no_further_than_it_must() -> None:
    assert apart((10, 10, 10), [(200, 200, 200)], 50) == (10, 10, 10)
    moved = apart((190, 190, 190), [(200, 200, 200)], 50)
    assert 50 <= contrast(moved, (200, 200, 200)) < 80


def page(board: Board, left: float, top: float, scale: float) -> tuple[Image, dict[str, object]]:
    """A white page with a section 30 CSS pixels from its corner, a black board in it, and their boxes."""
    wide, high = board.columns * PITCH, board.rows * PITCH
    image = np.full((round((high + 200) * scale), round((wide + 200) * scale), 3), 255, np.uint8)
    x, y = 30 + left, 30 + top
    image[round(y * scale) : round((y + high) * scale), round(x * scale) : round((x + wide) * scale)] = 0
    cells = [
        [x + c * PITCH, y + r * PITCH, x + (c + 1) * PITCH, y + (r + 1) * PITCH]
        for r in range(board.rows)
        for c in range(board.columns)
    ]
    boxes = {"section": [30, 30, wide + 130, high + 130], "board": [x, y, x + wide, y + high], "cells": cells}
    return image, boxes


@pytest.mark.parametrize("scale", [1, 1.25, 2])
def test_the_grid_lies_where_the_board_lies_in_the_cut_picture(scale: float) -> None:
    board = Board.parse("....\n.11.\n.1#.\n.11.\n....")
    image, boxes = page(board, 12, 40, scale)
    found = cut.cut(image, boxes, board, scale)
    assert found is not None
    picture, grid = found
    dark = np.argwhere(picture.max(2) == 0)
    top, left = dark.min(0)
    bottom, right = dark.max(0) + 1
    edges = [grid.x, grid.y, grid.x + 4 * grid.cell_width, grid.y + 5 * grid.cell_height]
    assert edges == pytest.approx([left, top, right, bottom], abs=0.5)


def test_cells_that_are_not_equally_spaced_make_no_picture() -> None:
    board = Board.parse("....\n.11.\n.1#.\n.11.\n....")
    image, boxes = page(board, 12, 40, 1)
    cells = boxes["cells"]
    assert isinstance(cells, list)
    cells[2] = [value + 2 for value in cells[2]]
    assert cut.cut(image, boxes, board, 1) is None


def drawn(board: Board, digit: int) -> Image:
    """A board of dark covered and light opened cells, with a stroke of so much contrast for each digit."""
    image = np.full((board.rows * PITCH, board.columns * PITCH, 3), 220, np.uint8)
    for (row, column), code in np.ndenumerate(board.codes):
        cell = image[row * PITCH : (row + 1) * PITCH, column * PITCH : (column + 1) * PITCH]
        if code == Cell.COVERED:
            cell[:] = 120
        elif code:
            cell[5:15, 8:12] = 220 - digit
    return image


@pytest.mark.parametrize(("digit", "can"), [(100, True), (30, True), (15, False), (0, False)])
def test_a_picture_can_be_read_if_its_digits_can_be_seen(digit: int, can: bool) -> None:
    board = Board.parse("....\n.11.\n.1#.\n.11.\n....")
    grid = Grid(0, 0, PITCH, PITCH, board.columns, board.rows)
    assert cut.readable(drawn(board, digit), grid, board) is can


@pytest.mark.parametrize("smoothing", list(SMOOTHING))
def test_letters_that_are_smoothed_otherwise_are_of_the_same_fonts(
    smoothing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FONTCONFIG_FILE", "/own/fonts & signs.conf")
    (included,) = ElementTree.fromstring(configuration(smoothing)).findall("include")
    assert included.text == "/own/fonts & signs.conf"


def test_a_resized_picture_keeps_its_grid() -> None:
    image = np.full((200, 180, 3), 255, np.uint8)
    image[40:160, 30:150] = 0
    grid = Grid(30, 40, PITCH, PITCH, 6, 6)
    seen = set()
    for seed in range(60):
        after, moved, what = cut.befall(np.random.default_rng(seed), image, grid)
        seen.add(what.split()[0])
        dark = np.argwhere(after.max(2) < 128)
        top, left = dark.min(0)
        bottom, right = dark.max(0) + 1
        edges = [moved.x, moved.y, moved.x + 6 * moved.cell_width, moved.y + 6 * moved.cell_height]
        assert edges == pytest.approx([left, top, right, bottom], abs=1)
    assert seen == {"none", "jpeg", "resized"}


def test_the_weights_of_a_font_are_those_of_its_files() -> None:
    files = tuple(
        Path(f"/fonts/lato-latin-{one}.woff2") for one in ("400-normal", "400-italic", "900-normal")
    )
    font = Font("Lato", files)
    assert font.weights == (400, 900)
    assert font.faces().count("@font-face") == 3


@pytest.fixture
def fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fonts that no machine needs to have: those held out, and one for training."""
    names = ("Liberation Sans", *FAMILIES["fonts"].members, *FAMILIES["pixel-fonts"].members)
    monkeypatch.setattr(font_list, "all_fonts", lambda: {name: Font(name) for name in names})


@pytest.mark.slow
@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize(
    "family", ["", *(name for name, one in FAMILIES.items() if one.painter == "html_pages")]
)
def test_no_two_kinds_of_cells_of_a_board_look_the_same(family: str) -> None:
    for seed in range(60):
        look = random_look(np.random.default_rng(seed), family, 1, 9)
        assert set(look.cells) == set(range(Cell.UNREAD))
        seen = list(look.cells.values())
        assert not [one for k, one in enumerate(seen) if one in seen[:k]], seed


@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize("family", ["", "palettes", "flags", "mines"])
def test_ornaments_and_marks_that_could_be_anything_are_for_training_alone(family: str) -> None:
    descriptions = [random_look(np.random.default_rng(seed), family, 1, 9).description for seed in range(80)]
    strange = {
        key: sum(sign in one[key] for one in descriptions)
        for key, sign in (("cells", "ornate"), ("flag", "any "), ("mine", "any "))
    }
    if family:
        assert not any(strange.values())
    else:
        assert all(5 < count < 40 for count in strange.values()), strange


def test_each_ornament_is_a_picture_that_changes_its_ground_a_little() -> None:
    for number in range(40):
        image = ornament(np.random.default_rng(number), 0.3)
        data = image.removeprefix("url(data:image/svg+xml;base64,").removesuffix(")")
        svg = base64.b64decode(data).decode()
        assert len(ElementTree.fromstring(svg)) >= 1
        strengths = [float(one) for one in re.findall(r"rgba\(\d+,\d+,\d+,([\d.]+)\)", svg)]
        assert strengths
        assert 0 < min(strengths) <= max(strengths) <= 0.3


def test_no_mark_is_a_box_in_place_of_a_character_that_no_font_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(font_list, "_characters", lambda: frozenset(map(ord, "⚑⚐✹☠💣✗A")))
    rng = np.random.default_rng(1)
    assert {marks._glyph(rng, "flags", marks.FLAG_GLYPHS, "") for _ in range(30)} == {"⚑"}
    assert {marks._glyph(rng, "flags", marks.FLAG_GLYPHS, "flags") for _ in range(30)} == {"⚐"}
    bombs = {marks.emoji_mark(rng, "mine", marks.MINE_EMOJI, "").text for _ in range(30)}
    assert bombs == {"💣", "☠️"}, "what makes a character coloured is none itself"
    signs = {marks._any_mark(rng, [(255, 255, 255)], (0, 0, 0)).text for _ in range(30)}
    assert signs == {"A", ""}, "figures have no text"


def test_where_no_font_is_known_all_marks_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(font_list, "_characters", lambda: frozenset())
    assert font_list.drawn("⚑✹") == ("⚑", "✹")


@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize("family", ["fonts", "pixel-fonts"])
def test_fonts_are_drawn_only_for_their_family(family: str) -> None:
    members = FAMILIES[family].members
    rngs = [np.random.default_rng(seed) for seed in range(60)]
    assert {random_look(rng, "", 1, 9).font.name for rng in rngs} == {"Liberation Sans"}
    held_out = {random_look(rng, family, 1, 9).font.name for rng in rngs}
    assert held_out <= set(members)
    assert len(held_out) > 2


@pytest.mark.usefixtures("fonts")
def test_a_line_runs_where_covered_cells_end() -> None:
    board = Board.parse("##..\n##..\n....\n....")
    look = replace(random_look(np.random.default_rng(1), "", 1, 4), rim=((0, 0, 0), 2.0))
    look = replace(look, cell_width=10.0, cell_height=20.0)
    assert sorted(rims(look, board)) == [
        (-1, 39, 12, 2),  # below the first two columns
        (9, 39, 12, 2),
        (19, 0, 2, 20),  # right of the first two rows
        (19, 20, 2, 20),
    ]
    assert rims(replace(look, rim=None), board) == []


def test_crowded_boards_show_large_digits_often() -> None:
    boards = [crowded_position(np.random.default_rng(seed), 10, 10) for seed in range(300)]
    counts = np.bincount(np.concatenate([board.codes.ravel() for board in boards]), minlength=Cell.UNREAD)
    assert min(counts[3:8]) > counts[1:9].sum() / 20
    assert counts[8] > counts[1:9].sum() / 50


def running(word: str) -> list[str]:
    """The command lines of the processes that have this word in theirs, where /proc tells them."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            lines.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [line for line in lines if word in line]


@pytest.mark.slow
@needs_chromium
def test_a_run_that_is_stopped_while_the_browser_starts_leaves_nothing(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "training.reader.html_pages", "--out", str(tmp_path / "out")]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [*words, "--largest", "81"], env=environment, stderr=subprocess.PIPE, text=True
    ) as run:
        while run.poll() is None and not list(tmp_path.glob("minebot-pages-*")):
            time.sleep(0.01)
        run.terminate()
        said = run.communicate(timeout=120)[1]
    assert run.returncode == 143, said
    assert not list(tmp_path.glob("minebot-pages-*")), said
    assert not running(str(tmp_path)), said


def program(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """A shell script in the place of Chromium, and a folder for temporary files."""
    path = folder / "browser"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr(BrowserPage, "program", lambda: str(path))
    monkeypatch.setattr("tempfile.tempdir", str(folder))


needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


@needs_bash
def test_a_browser_that_ends_at_once_says_why_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    program(monkeypatch, tmp_path, 'mkdir "$TMPDIR/socket"; echo no room >&2; exit 1')
    with pytest.raises(BrowserFailed, match=r"^Chromium ended: no room$"), Chromium():
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["browser"]


@needs_bash
def test_a_start_that_is_interrupted_leaves_neither_browser_nor_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(monkeypatch, tmp_path, "exec sleep 600")

    def interrupted(_self: Chromium, _method: str) -> None:
        assert list(tmp_path.glob("minebot-pages-*"))
        raise KeyboardInterrupt

    monkeypatch.setattr(Chromium, "_call", interrupted)
    start = children.start
    started: list[subprocess.Popen[bytes]] = []

    def noted(*words: Any, **more: Any) -> subprocess.Popen[bytes]:
        started.append(start(*words, **more))
        return started[-1]

    monkeypatch.setattr(children, "start", noted)
    with pytest.raises(KeyboardInterrupt), Chromium():
        pass
    assert started[0].returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir()] == ["browser"]


class Counted:
    """In the place of a browser; it counts how often one is started."""

    starts = 0

    def __init__(self, smoothing: str) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        self.close()

    def start(self) -> None:
        type(self).starts += 1

    def close(self) -> None:
        pass


def test_a_browser_that_fails_is_started_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers: list[object] = [BrowserFailed("Chromium ended"), (np.zeros((2, 2, 3), np.uint8), [])]

    def drawing(*_words: object) -> object:
        answer = answers.pop(0)
        if isinstance(answer, BrowserFailed):
            raise answer
        return answer

    monkeypatch.setattr(html_pages, "Chromium", Counted)
    monkeypatch.setattr(html_pages, "draw", drawing)
    painter = Painter(tmp_path, 0, seed=1, family="", largest=20)
    assert painter._draw("grey", [], 1)[1] == []
    assert Counted.starts == 2
    assert "Chromium ended: it is started again" in capsys.readouterr().err
    answers += [BrowserFailed("Chromium ended"), BrowserFailed("for good")]
    with pytest.raises(BrowserFailed, match="for good"):
        painter._draw("grey", [], 1)


def test_boards_smaller_than_any_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["html_pages", "--out", str(tmp_path), "--largest", "35"])
    with pytest.raises(SystemExit) as ended:
        html_pages.main()
    assert ended.value.code == 2
    assert "boards have 36 cells or more" in capsys.readouterr().err


def test_help_of_the_packages_loads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["packages", "--help"])
    monkeypatch.setattr(packages, "unpack", lambda *_words: pytest.fail("it loads a package"))
    with pytest.raises(SystemExit) as ended:
        packages.main()
    assert ended.value.code == 0


@pytest.mark.slow
@needs_chromium
def test_chromium_draws_pictures_and_none_twice(tmp_path: Path) -> None:
    assert Painter(tmp_path, 2, seed=3, family="", largest=100, stage="lost").paint() == 2
    assert Painter(tmp_path, 2, seed=3, family="", largest=100, stage="lost").paint() == 0
    samples = list(read_samples(tmp_path))
    assert len(samples) == 2
    for sample in samples:
        (one,) = sample.boards
        assert (one.grid.rows, one.grid.columns) == one.board.codes.shape
        assert one.grid.rect.x + one.grid.rect.width <= sample.image.shape[1] + 1
        assert cut.readable(sample.image, one.grid, one.board)
        assert np.isin(one.board.codes, (Cell.MINE, Cell.EXPLODED)).any()
