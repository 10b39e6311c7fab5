"""What replaying the shipped recordings gives: each reading, each decision again, the differences."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from bot.board import Observation
from bot.files import shipped
from bot.recording.read import load
from bot.recording.replay import replay
from bot.strategy.base import Decision, StandsFor
from bot.strategy.registry import strategy
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Image
from bot.vision.reading import Reading
from bot.vision.themes.theme import load_theme


def names() -> list[str]:
    """The shipped recordings."""
    return sorted(path.parent.name for path in shipped("recordings").glob("*/game.jsonl"))


@dataclass
class _Reads:
    """A reader that writes down what it reads."""

    reader: GlyphReader
    lines: list[str] = field(default_factory=list)

    @property
    def by_likeness(self) -> bool:
        return self.reader.by_likeness

    def read(self, image: Image, *, header: bool = False) -> Reading:
        reading = self.reader.read(image, header=header)
        cells = " ".join(reading.board.lines)
        self.lines.append(f"reads {cells} face={reading.face} counter={reading.counter}")
        return reading


@dataclass(frozen=True)
class _Decides(StandsFor):
    """A strategy that writes down what it decides."""

    lines: list[str]

    def decide(self, observation: Observation, turn: int) -> Decision:
        decision = self.inner.decide(observation, turn)
        cells = [[(int(r), int(c)) for r, c in found] for found in (decision.safe, decision.mines)]
        self.lines.append(
            f"decides {decision.kind.value} {decision.rung} {cells} {decision.survival:.6f} on"
            f" {observation.phase.value} {observation.rules.mines}"
        )
        return decision


def replays(name: str) -> dict[str, str]:
    """One shipped recording."""
    recording = load(shipped("recordings") / name)
    theme, header = load_theme(recording.header.theme), recording.header
    reader = _Reads(GlyphReader(theme.skin, header.frame_grid()))
    result = replay(recording, lambda _: reader, _Decides(strategy(header.strategy), reader.lines))
    counts = {
        "frames": result.frames,
        "boards": result.boards,
        "decisions": result.decisions,
        "cut short": result.cut_short,
    }
    found = [f"differs {one.frame} {one.kind} {one.text}" for one in result.differences]
    return {name: "\n".join([json.dumps(counts), *reader.lines, *found])}
