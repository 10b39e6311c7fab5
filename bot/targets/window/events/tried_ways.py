"""What is known of the ways to a new game that were tried in a window, and which of them are tried again."""

from __future__ import annotations

from enum import Enum, auto

from bot.vision.themes.behaviour import NewGameWay

KNOWN_TRIES = 3
"""How often a way that has started a game before is tried: a busy window loses a click or a key, and what
tells the end of a game may come late."""

REFUSALS = 3
"""After so many ways that could not be tried, since a person had the mouse or what was to be clicked looked
otherwise, the last of them is given up."""

ONE_PLACE = 6
"""How far apart places of one button lie at most, in pixels: its edges may be found otherwise."""


class Effect(Enum):
    """What a way did that started no game, and what follows."""

    OPENED_WINDOW = auto()
    """It opened another window, which was closed again: it is useless."""
    SPOILT = auto()
    """It laid something over the board that stays: it is useless, and so is any other click. A page can still
    be loaded again."""
    UNCOVERED = auto()
    """Its click took away what lay over the board, wherever that was: it is tried again at once. Counts once
    for a way, then it is NOTHING or ANOTHER."""
    NOTHING = auto()
    """Its click changed nothing. A game may take no click at once after its end, and a busy machine loses
    some: tried once more, when nothing else is left to try but to load the page again."""
    ANOTHER = auto()
    """It changed the board, or was a key, which is not lost as a click is: it is useless."""


class TriedWays:
    """What is known of each way that was tried in one search for the way that starts a game.

    A way that has failed is *useless*, and not tried again. Two effects earn it one more try each:

    - UNCOVERED: it is *swallowed*, and at once no longer useless.
    - NOTHING: it is *in vain*, and stays useless until `retry` makes it *retried*, and no longer useless.

    A way that fails again is useless again, and what it has earned once it does not earn a second time.
    """

    def __init__(self, useless: list[NewGameWay], known: NewGameWay | None) -> None:
        """`useless`: the list in which this search and later ones of the same window keep what is; it is
        changed. `known`: the way that started the game before."""
        self.useless = useless
        """What has failed: not tried again in this window, nor after its later games."""
        self._in_vain: list[NewGameWay] = []
        """What has changed nothing by its click: tried once more when nothing else is left."""
        self._retried: list[NewGameWay] = []
        """What has had, or is about to have, that second try: there is no third."""
        self._swallowed: list[NewGameWay] = []
        """What was tried again at once since something over the board had taken its click: not again so."""
        self._known = known
        self._failures = 0
        """How often the known way has failed."""
        self._refusals = 0
        """How many tries of any way were refused."""

    def is_known(self, way: NewGameWay) -> bool:
        """Whether a way is the one that started the game before."""
        return way == self._known

    def may_try(self, way: NewGameWay) -> bool:
        """Whether a way is neither useless nor one with another that is."""
        return not _is_among(way, self.useless)

    def may_be_swallowed(self, way: NewGameWay) -> bool:
        """Whether a way can still earn another try by UNCOVERED."""
        return not _is_among(way, self._swallowed)

    def refuse(self, way: NewGameWay) -> None:
        """A way could not be tried: it may be tried again, but each third that is refused is given up."""
        self._refusals += 1
        if self._refusals % REFUSALS == 0:
            self.useless.append(way)

    def fail(self, way: NewGameWay) -> None:
        """A way was tried and has started no game: it is useless, unless it is the known one and has tries
        left."""
        is_known = self.is_known(way)
        self._failures += is_known
        if not is_known or self._failures >= KNOWN_TRIES:
            self.useless.append(way)

    def judge(self, way: NewGameWay, effect: Effect) -> None:
        """Give a way that has failed another try where its effect earns one, at once or by `retry`."""
        if effect is Effect.UNCOVERED:
            self._free([way])
            self._swallowed.append(way)
        elif effect is Effect.NOTHING and not _is_among(way, self._retried):
            self._in_vain.append(way)

    def retry(self) -> bool:
        """Let the ways whose click changed nothing be tried once more; whether there was one."""
        again, self._in_vain = self._in_vain, []
        self._free(again)
        self._retried += again
        return bool(again)

    def free_retried(self) -> None:
        """Let what did nothing, also at its second try, be tried in later searches: a button that keeps a
        half-played game may be the one that starts the next game at its end."""
        self._free(self._retried)

    def _free(self, ways: list[NewGameWay]) -> None:
        """Let ways be tried again."""
        self.useless[:] = [way for way in self.useless if way not in ways]


def _is_among(way: NewGameWay, others: list[NewGameWay]) -> bool:
    """Whether a way is one with any of some others."""
    return any(_are_one(way, other) for other in others)


def _are_one(way: NewGameWay, other: NewGameWay) -> bool:
    """Whether two ways are the same key, or places of one button."""
    if way.kind == "key" or other.kind == "key":
        return way.key == other.key
    return max(abs(way.x - other.x), abs(way.y - other.y)) <= ONE_PLACE
