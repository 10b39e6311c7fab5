"""What is pinned, in sections, each cut into pieces of work that need nothing of each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tests.pin import pictures, played_tests, recordings, scenarios, themes
from training.reader.no_boards import NOTHING

Texts = dict[str, str]
"""Canonical texts by the rest of their name, without the section."""

EVERY = 8
"""Of the painted samples every so manieth is quick enough to be looked at each time."""

QUICK_TESTS = ("test_other_games", "test_wiped_away", "test_sighting", "test_endings")
"""The tests that are played quickly."""

QUICK_PITCHES = (20.0, 24.5)


@dataclass(frozen=True)
class Piece:
    """A piece of work."""

    section: str
    does: Callable[[], Texts]
    names: tuple[str, ...]
    """What it gives, as far as that is known: whole names within the section, or what they begin with."""
    quick: bool = True
    cost_s: float = 1.0
    """Roughly how many seconds it takes: the longest ones are begun first."""
    one: Callable[[str], Texts] | None = None
    """The same for one name alone, where that takes less."""

    def gives(self, name: str) -> bool:
        """Whether a fingerprint of the section comes from here."""
        return any(name == one or (one[-1] in "/." and name.startswith(one)) for one in self.names)


def _screens() -> list[Piece]:
    return [
        Piece("screens", partial(pictures.screens, name), (name,))
        for name in pictures.files_in(pictures.SCREENS)
    ]


def _pictures() -> list[Piece]:
    return [
        Piece("pictures", partial(pictures.pictures, name), (name,))
        for name in pictures.files_in(pictures.PICTURES)
    ]


def _samples() -> list[Piece]:
    found = []
    for start in range(0, pictures.SAMPLES, pictures.PART * EVERY):
        # Quick ones lie in pieces of their own.
        for offset in range(EVERY):
            numbers = range(start + offset, start + pictures.PART * EVERY, EVERY)
            names = tuple(map(pictures.sample_name, numbers))
            does = partial(pictures.samples, numbers)
            found.append(Piece("samples", does, names, quick=offset == 0, cost_s=5))
    return found


def _nothing() -> list[Piece]:
    return [Piece("nothing", partial(pictures.nothing, name), (name,)) for name in NOTHING]


def _scaled() -> list[Piece]:
    return [
        Piece(
            "scaled",
            partial(pictures.scaled, theme, (pitch,)),
            (f"{theme}-{pitch:g}px",),
            quick=pitch in QUICK_PITCHES,
        )
        for theme, pitches in pictures.SCALED.items()
        for pitch in pitches
    ]


def _replays() -> list[Piece]:
    return [
        Piece("replays", partial(recordings.replays, name), (name,), cost_s=5) for name in recordings.names()
    ]


def _clicks() -> list[Piece]:
    played = [
        Piece("clicks", partial(scenarios.traces, name), (f"{name}/",), quick=one.quick, cost_s=2)
        for name, one in scenarios.SCENARIOS.items()
    ]
    for file in played_tests.FILES:
        stem = played_tests.stem(file)
        does = partial(played_tests.played, file)
        alone = partial(played_tests.played_alone, file)
        quick = stem in QUICK_TESTS
        played.append(Piece("clicks", does, (f"{stem}.",), quick=quick, cost_s=1 if quick else 60, one=alone))
    return played


def _themes() -> list[Piece]:
    return [Piece("themes", partial(themes.themes, name), (f"{name}/",)) for name in themes.names()]


SECTIONS: dict[str, Callable[[], list[Piece]]] = {
    "screens": _screens,
    "pictures": _pictures,
    "samples": _samples,
    "nothing": _nothing,
    "scaled": _scaled,
    "replays": _replays,
    "clicks": _clicks,
    "themes": _themes,
}
"""The pieces of work of each section; none where what it reads is not here."""
