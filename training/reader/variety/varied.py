"""Pictures with known boards, of every kind that can be thought of: skins, stages, scales, damage, places.

python -m training.reader.variety.varied --pictures 3000 --out looks/varied
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow

from bot.board import Board, Cell, Codes, neighbour_sums
from bot.vision.grid import Grid, Image
from training.reader.painted import fill
from training.reader.samples import LabelledBoard, LabelledPicture
from training.reader.variety.skins import drawn, skins

Rng = np.random.Generator
Marks = npt.NDArray[np.bool_]

FIRST_LEARNED = 1_000_000
"""The tests read pictures of smaller numbers."""

STAGES = ("fresh", "first", "middle", "late", "won", "lost", "flagged")
SIZES = (
    (9, 9, 10),
    (16, 16, 40),
    (30, 16, 99),
    (8, 8, 10),
    (10, 8, 10),
    (18, 14, 40),
    (24, 20, 99),
    (12, 11, 20),
)
EFFECTS = ("none", "jpeg", "gif", "night", "dim", "smooth", "hover", "pointer")
PLACES = ("crop", "window", "desktop")


@dataclass(frozen=True)
class Sample:
    """A picture and its board."""

    name: str
    image: Image
    board: Board
    grid: Grid
    """Where the board lies in the picture."""
    hidden: tuple[tuple[int, int], ...] = ()
    """Cells over which the pointer lies: they may be unread."""


def position(rng: Rng, columns: int, rows: int, mines: int, stage: str) -> Board:
    """A board as it may be at a stage of a game."""
    flat = np.zeros(rows * columns, bool)
    flat[rng.choice(rows * columns, mines, replace=False)] = True
    field: Marks = flat.reshape(rows, columns)
    numbers = neighbour_sums(field)
    codes = np.full((rows, columns), Cell.COVERED, np.int8)
    if stage == "fresh":
        return Board(codes)
    zeros = np.argwhere(~field & (numbers == 0))
    opened = np.zeros((rows, columns), bool)
    start = zeros[rng.integers(len(zeros))] if len(zeros) else np.argwhere(~field)[0]
    _open(field, numbers, opened, int(start[0]), int(start[1]))
    wanted = {"first": 0.0, "middle": 0.5, "late": 0.85, "won": 1.0, "lost": 0.5, "flagged": 0.6}[stage]
    safe = np.argwhere(~field)
    rng.shuffle(safe)
    for row, column in safe:
        if opened.sum() >= wanted * len(safe):
            break
        _open(field, numbers, opened, int(row), int(column))
    codes[opened] = numbers[opened]
    if stage in ("won", "flagged", "late", "lost"):
        beside = field & (neighbour_sums(opened) > 0)
        share = {"won": 1.0, "flagged": 1.0, "late": 0.5, "lost": 0.4}[stage]
        codes[(field if stage == "won" else beside) & (rng.random(field.shape) < share)] = Cell.FLAG
    if stage == "flagged":
        far = (codes == Cell.COVERED) & field & (rng.random(field.shape) < 0.15)
        codes[far] = Cell.QUESTION
    if stage == "lost":
        codes[field & (codes == Cell.COVERED)] = Cell.MINE
        mined = np.argwhere(codes == Cell.MINE)
        if len(mined):
            row, column = mined[rng.integers(len(mined))]
            codes[row, column] = Cell.EXPLODED
    return Board(codes)


def _open(field: Marks, numbers: Codes, opened: Marks, row: int, column: int) -> None:
    front = [(row, column)]
    while front:
        r, c = front.pop()
        if opened[r, c] or field[r, c]:
            continue
        opened[r, c] = True
        if numbers[r, c] == 0:
            front += [
                (a, b)
                for a in range(max(0, r - 1), min(field.shape[0], r + 2))
                for b in range(max(0, c - 1), min(field.shape[1], c + 2))
            ]


def desktop(rng: Rng, picture: Image) -> Image:
    """A desktop with windows of text, a table and icons, and a picture on it."""
    return on_desktop(rng, picture)[0]


def on_desktop(rng: Rng, picture: Image) -> tuple[Image, tuple[int, int]]:
    """The same, and the pixel of the desktop where the picture begins."""
    height, width = max(768, picture.shape[0] + 140), max(1280, picture.shape[1] + 420)
    screen = np.zeros((height, width, 3), np.uint8)
    slope = np.linspace(0, 60, width)[None, :, None] + np.linspace(0, 40, height)[:, None, None]
    screen[:] = (np.array([110, 70, 30]) + slope).astype(np.uint8)
    left = screen[20 : height - 40, 10:330]
    left[:] = 248
    for y in range(30, left.shape[0] - 10, 19):
        text = "".join(rng.choice(list("abcdefghij klmno pqrstu vwxyz"), rng.integers(8, 34)))
        cv2.putText(left, text, (10, y), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (30, 30, 30), 1, cv2.LINE_AA)
    for y in range(40, left.shape[0] // 3, 22):
        left[y] = 200
    for x in (70, 150, 230):
        left[40 : left.shape[0] // 3, x] = 200
    for icon in range(8):
        x = 350 + 60 * icon
        screen[height - 36 : height - 8, x : x + 28] = rng.integers(0, 255, 3)
    x = int(rng.integers(350, width - picture.shape[1] - 20))
    y = int(rng.integers(30, height - picture.shape[0] - 60))
    screen[y - 24 : y, x : x + picture.shape[1]] = (90, 60, 40)
    cv2.putText(
        screen, "Mines", (x + 8, y - 7), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA
    )
    screen[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
    return screen, (x, y)


def damaged(image: Image, effect: str, rng: Rng) -> Image:
    """The picture as it comes out of a bad camera, a small palette, a tinted or dimmed screen."""
    if effect == "jpeg":
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 96))])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    if effect == "gif":
        memory = io.BytesIO()
        Pillow.fromarray(image[:, :, ::-1]).convert("P", palette=Pillow.Palette.ADAPTIVE).save(memory, "GIF")
        return np.ascontiguousarray(np.asarray(Pillow.open(memory).convert("RGB"))[:, :, ::-1])
    if effect == "night":
        return np.asarray(image * np.array([0.62, 0.85, 1.0]), np.uint8)
    if effect == "dim":
        return np.asarray(image * 0.62, np.uint8)
    if effect == "smooth":
        return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8)
    return image


ARROW = [(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)]


def sample(seed: int) -> Sample:
    """The picture of a number: skins, stages and all the rest go round at different speeds."""
    rng = np.random.default_rng(seed)
    names = list(skins())
    name = names[seed % len(names)]
    stage = STAGES[(seed // 3) % len(STAGES)]
    columns, rows, mines = SIZES[(seed // 2) % len(SIZES)]
    effect = EFFECTS[(seed // 5) % len(EFFECTS)]
    place = PLACES[(seed // 7) % len(PLACES)]
    base = 26 if name.startswith("checkered") else 18
    pitch = base * float(rng.choice([0.75, 1.0, 1.25, 1.37, 1.5, 1.75, 2.0, 2.5, 3.0]))
    if columns * pitch > 1500:
        pitch = base * float(rng.choice([0.8, 1.0, 1.25, 1.5]))
    if rng.random() < 0.5:
        pitch = float(round(pitch))
    pitch = max(pitch, 14.0)
    board = position(rng, columns, rows, mines, stage)
    picture, grid = drawn(skins()[name], board, pitch, margin=0 if place == "crop" else 14)
    hidden: list[tuple[int, int]] = []
    if effect == "hover":
        row, column = int(rng.integers(rows)), int(rng.integers(columns))
        rect = grid.cell_rect(row, column)
        cv2.rectangle(picture, (rect.x, rect.y), (rect.right - 1, rect.bottom - 1), (30, 90, 30), 1)
        hidden.append((row, column))
    if effect == "pointer":
        row, column = int(rng.integers(rows)), int(rng.integers(columns))
        middle = grid.center((row, column))
        points = np.array(ARROW, np.int32) + np.array([middle.x, middle.y], np.int32)
        cv2.fillPoly(picture, [points], (255, 255, 255))
        cv2.polylines(picture, [points], True, (0, 0, 0), 1, cv2.LINE_AA)
        around = {((middle.y + dy - grid.y) // pitch, (middle.x + dx - grid.x) // pitch) for dx, dy in ARROW}
        hidden += [(int(r), int(c)) for r, c in around if r < rows and c < columns]
    if place == "desktop":
        picture, (x, y) = on_desktop(rng, picture)
        grid = replace(grid, x=grid.x + x, y=grid.y + y)
    picture = damaged(picture, effect, rng)
    title = f"{seed} {name} {stage} {columns}x{rows} {pitch:g}px {effect} {place}"
    return Sample(title, picture, board, grid, tuple(hidden))


def wrong_cells(sample: Sample, board: Board) -> list[tuple[int, int, str, str]]:
    """The cells that were read as something else, each with what was read and what it is."""
    got, want = board.lines, sample.board.lines
    return [
        (row, column, got[row][column], want[row][column])
        for row in range(len(want))
        for column in range(len(want[0]))
        if got[row][column] != want[row][column]
        and not (got[row][column] == "!" and (row, column) in sample.hidden)
    ]


def labelled(seed: int, name: str) -> LabelledPicture:
    """The picture of a number, to train on."""
    one = sample(seed)
    return LabelledPicture(name, one.image, (LabelledBoard(one.grid, one.board, {"skin": one.name}),))


@click.command(help=__doc__)
@click.option("--pictures", default=3000)
@click.option("--out", required=True, type=click.Path(path_type=Path))
def main(pictures: int, out: Path) -> None:
    """Draw the pictures that are not in the folder yet."""
    fill(out, pictures, FIRST_LEARNED, "varied", lambda rng, name: labelled(_number(name), name))


def _number(name: str) -> int:
    return FIRST_LEARNED + int(name.rsplit("-", 1)[1])


if __name__ == "__main__":
    main()
