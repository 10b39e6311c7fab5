"""Cuts out the pictures of a window's face: at play, lost and won."""

from __future__ import annotations

from collections.abc import Sequence

from bot.calibrate.infer.cell_clusters import cropped
from bot.calibrate.infer.played_game import PlayedGame
from bot.geometry import Rect
from bot.targets.window.events.new_game_places import NewGameCandidate, changed_places
from bot.vision.grid import Image
from bot.vision.themes.schema import Mood

MARGIN = 2
"""Pixels around what changes that belong to the face as well."""


def learned_face(
    found: NewGameCandidate | None, games: Sequence[PlayedGame], lost: Sequence[PlayedGame], won: Image | None
) -> tuple[Rect | None, dict[Mood, Image]]:
    """The place of the face in pixels of the window's picture, if one starts a new game, and its pictures.

    The pictures are empty where they do not tell how the game stands. `found` is what has started a new game,
    `lost` are the lost ones of the games, `won` is the end of a won one.
    """
    if found is None or found.place is None or found.way.kind != "place" or not lost:
        return None, {}
    in_play, at_end = lost[-1].before, lost[-1].end
    changed = [place for place in changed_places(at_end, in_play) if place.contains(found.place)]
    if not changed:
        return None, {}
    box = found.box or changed[0]
    box = Rect(box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN)
    box = box.clipped(Rect(0, 0, in_play.shape[1], in_play.shape[0]))
    happy = {cropped(game.before, box).tobytes() for game in games}
    sad = {cropped(game.end, box).tobytes() for game in lost}
    if won is None or len(happy) > 1 or len(sad) > 1:
        return box, {}
    pictures: dict[Mood, Image] = {
        "happy": cropped(in_play, box),
        "lost": cropped(at_end, box),
        "won": cropped(won, box),
    }
    distinct = len({picture.tobytes() for picture in pictures.values()}) == len(pictures)
    return box, pictures if distinct else {}
