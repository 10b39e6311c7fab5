"""The strategies by the names that `--strategy` takes."""

from __future__ import annotations

from bot.errors import UsageError
from bot.strategy.base import Strategy
from bot.strategy.best import BEST
from bot.strategy.exact import Exact
from bot.strategy.local import Local
from bot.strategy.seed import Seed

_STRATEGIES: tuple[Strategy, ...] = (BEST, Exact(), Seed(), Local())


def names() -> tuple[str, ...]:
    """The names, the default first."""
    return tuple(each.name for each in _STRATEGIES)


def strategy(name: str) -> Strategy:
    """The strategy of that name; raises UsageError, which lists the names, for any other."""
    for each in _STRATEGIES:
        if each.name == name:
            return each
    raise UsageError(f"no strategy is called {name!r}: use one of {', '.join(names())}")
