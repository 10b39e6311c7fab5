"""Cuts out the pictures of a window's face: at play, lost and won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.calibrate.infer.cell_clusters import cropped
from bot.calibrate.infer.new_game_places import NewGameCandidate, changed_places
from bot.calibrate.infer.played_game import PlayedGame
from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.themes.schema import Mood

MARGIN = 2
"""Pixels around what changes that belong to the face as well."""


@dataclass(frozen=True)
class LearnedFace:
    """Where the face lies, and what it shows."""

    box: Rect | None = None
    """In pixels of the window's picture; None where no face was seen to change."""
    pictures: dict[Mood, Image] = field(default_factory=dict)
    """Empty where they do not tell how the game stands."""


def learned_face(
    found: NewGameCandidate | None, games: Sequence[PlayedGame], lost: Sequence[PlayedGame], won: Image | None
) -> LearnedFace:
    """The face that starts a new game, if one does: `found` is what has started one.

    `lost` are the lost ones of the games, `won` is the end of a won one.
    """
    if found is None or found.place is None or found.way.kind != "place" or not lost:
        return LearnedFace()
    in_play, at_end = lost[-1].before, lost[-1].end
    changed = [place for place in changed_places(at_end, in_play) if place.contains(found.place)]
    if not changed:
        return LearnedFace()
    box = _with_margin(found.box or changed[0], in_play)
    happy = {cropped(game.before, box).tobytes() for game in games}
    sad = {cropped(game.end, box).tobytes() for game in lost}
    if won is None or len(happy) > 1 or len(sad) > 1:
        return LearnedFace(box)
    pictures: dict[Mood, Image] = {
        "happy": cropped(in_play, box),
        "lost": cropped(at_end, box),
        "won": cropped(won, box),
    }
    distinct = len({picture.tobytes() for picture in pictures.values()}) == len(pictures)
    return LearnedFace(box, pictures if distinct else {})


def _with_margin(box: Rect, frame: Image) -> Rect:
    wider = Rect(box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN)
    return wider.clipped(Rect(0, 0, frame.shape[1], frame.shape[0]))
