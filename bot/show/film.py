"""A recorded game as a sequence of pictures, each with the time for which it is shown.

Nothing is read or decided again: what is drawn over the frames is what the recording holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.board import Board, Coordinate
from bot.errors import UsageError
from bot.recording.draw import draw, enlarged
from bot.recording.format import (
    BoardEvent,
    ClickEvent,
    DecisionEvent,
    FrameEvent,
    OutcomeEvent,
    PersonEvent,
)
from bot.recording.read import Recording
from bot.strategy.base import Kind
from bot.vision.grid import Image

OVERLAY_CELL = 28
"""Pixels that a cell has at least under the overlay, so that a chance of two digits can be read."""

CAPTION_LINES = 4
"""Lines below the picture. Their number never changes: all pictures of a film have one size."""

HOLD_S = 2.0
"""Seconds for which the last picture is shown: the end of a game is what people want to see."""

CLICK_S = 0.3
"""Seconds of the film for which a click is marked."""

LARGEST = 4096
"""Maximum width and height of a picture, in pixels: what players of films take."""


@dataclass(frozen=True)
class Cut:
    """Which part of a game is shown, and how. Raises UsageError for what cannot be."""

    speed: float = 1.0
    """Seconds of the game for each second of the film."""
    start: float = 0.0
    """Seconds of the recording."""
    end: float | None = None
    """Seconds of the recording; None for its end."""
    scale: float | None = None
    """Times that a frame is enlarged; None for as much as the overlay needs."""
    overlay: bool = True
    """Whether the reading, the chances, the decision and its reason are drawn."""

    def __post_init__(self) -> None:
        if self.end is not None and self.end <= self.start:
            raise UsageError(f"--to {self.end:g} is not after --from {self.start:g}: give a later time")


@dataclass(frozen=True)
class _Scene:
    """What is to be drawn at one moment."""

    frame: FrameEvent
    board: BoardEvent | None = None
    decision: DecisionEvent | None = None
    clicked: tuple[Coordinate, ...] = ()
    """The cells that were clicked lately, the last one last."""
    outcome: OutcomeEvent | None = None


def pictures(recording: Recording, cut: Cut, rate: float) -> Iterator[tuple[Image, float]]:
    """The pictures of a film, each with the seconds of the film for which it is shown.

    All have one size, and no two that follow each other are alike. `rate`: pictures a second at most. Raises
    UsageError where nothing was recorded in the part that is to be shown, or the pictures would be too large;
    FormatError for a picture that is missing or damaged.
    """
    last = max((event.t for event in recording.events), default=0.0)
    if cut.start > last:
        raise UsageError(f"--from {cut.start:g} is after the end: the recording is {last:.2f} s long")
    scenes = list(_scenes(recording, cut, rate))
    if not scenes:
        last = max((event.t for event in recording.frames), default=0.0)
        raise UsageError(
            f"{recording.folder}: there is no picture between --from and --to: the last is at {last:.1f} s"
        )
    scale = _scale(recording, cut)
    image, shown = None, None
    for number, (tick, scene) in enumerate(scenes):
        following = scenes[number + 1][0] if number + 1 < len(scenes) else None
        seconds = HOLD_S if following is None else (following - tick) / rate
        if image is None or shown != scene.frame.shown:
            image, shown = recording.frame(scene.frame), scene.frame.shown
        yield _drawn(recording, scene, image, scale, overlay=cut.overlay), seconds


def _scale(recording: Recording, cut: Cut) -> float:
    """Times that the frames are enlarged. Raises UsageError where that makes them too large."""
    grid = recording.header.frame_grid()
    scale = cut.scale
    if scale is None:
        cell = min(grid.cell_width, grid.cell_height)
        scale = float(max(1, -(-OVERLAY_CELL // cell))) if cut.overlay else 1.0
    height, width = recording.frame(recording.frames[0]).shape[:2]
    if max(height, width) * scale > LARGEST or min(height, width) * scale < 16:
        raise UsageError(
            f"--scale {scale:g} makes pictures of {width * scale:.0f}x{height * scale:.0f} pixels: 16 to"
            f" {LARGEST} can be shown"
        )
    return scale


def _scenes(recording: Recording, cut: Cut, rate: float) -> Iterator[tuple[int, _Scene]]:
    """The scenes that differ, each with its place in time in steps of 1 / rate, ascending."""
    end = float("inf") if cut.end is None else cut.end
    scene: _Scene | None = None
    waiting: tuple[int, _Scene] | None = None
    shown: _Scene | None = None
    clicks: list[tuple[float, Coordinate]] = []
    for event in recording.events:
        if event.t > end:
            break
        clicks = [(t, cell) for t, cell in clicks if event.t - t <= CLICK_S * cut.speed]
        if isinstance(event, FrameEvent):
            same = scene is not None and scene.frame.shown == event.shown
            scene = scene if same else _Scene(event)
        elif scene is None or not cut.overlay:
            continue
        elif isinstance(event, BoardEvent):
            scene = replace(scene, board=event)
        elif isinstance(event, DecisionEvent):
            scene = replace(scene, decision=event)
        elif isinstance(event, OutcomeEvent):
            scene = replace(scene, outcome=event)
        elif isinstance(event, (ClickEvent, PersonEvent)):
            clicks.append((event.t, (event.row, event.column)))
        else:
            continue
        assert scene is not None
        scene = replace(scene, clicked=tuple(cell for _, cell in clicks))
        tick = max(0, int((event.t - cut.start) / cut.speed * rate))
        if waiting is not None and tick > waiting[0] and waiting[1] != shown:
            yield waiting
            shown = waiting[1]
        waiting = tick, scene
    if waiting is not None and waiting[1] != shown:
        yield waiting


def _drawn(recording: Recording, scene: _Scene, image: Image, scale: float, *, overlay: bool) -> Image:
    if not overlay:
        return enlarged(image, scale)
    decision = scene.decision
    board = None if scene.board is None else Board.parse("\n".join(scene.board.cells))
    rows, columns = recording.header.rules.rows, recording.header.rules.columns
    clicked = tuple(cell for cell in scene.clicked if cell[0] < rows and cell[1] < columns)
    return draw(
        image,
        recording.header.frame_grid(scene.frame),
        board,
        safe=tuple(decision.safe) if decision else (),
        mines=tuple(decision.mines) if decision else (),
        guess=decision is not None and decision.kind is Kind.GUESS,
        chances={(row, column): chance for row, column, chance in decision.chances} if decision else None,
        clicked=clicked,
        caption=_caption(recording, scene),
        scale=scale,
        caption_lines=CAPTION_LINES,
    )


def _caption(recording: Recording, scene: _Scene) -> tuple[str, ...]:
    header, event, decision = recording.header, scene.board, scene.decision
    first = f"{scene.frame.t:.2f} s, {header.strategy}"
    if event is not None:
        first += f", {event.phase.value}, mines {'unknown' if event.mines is None else event.mines}"
    lines = [first]
    if event is not None:
        lines += [f"refused: {fault}" for fault in event.faults[:1]]
    if decision is not None:
        survival = f", survival {100 * decision.survival:.1f} %" if decision.kind is Kind.GUESS else ""
        lines += [
            f"turn {decision.turn}: {decision.kind.value} by {decision.rung}{survival}",
            decision.reason,
        ]
    if scene.outcome is not None:
        told = f": {scene.outcome.reason}" if scene.outcome.reason else ""
        lines.append(f"{scene.outcome.result.value}{told}")
    return tuple(lines)
