"""The strategies by the names that `--strategy` takes."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import UsageError
from bot.strategy.base import Strategy
from bot.strategy.best import Best
from bot.strategy.exact import Exact
from bot.strategy.local import Local
from bot.strategy.seed import Seed

_STRATEGIES: tuple[Strategy, ...] = (Best(), Exact(), Seed(), Local())


def names() -> tuple[str, ...]:
    """The names, the default first."""
    return tuple(each.name for each in _STRATEGIES)


def strategy(name: str, think: int = 1, limit_s: float | None = None) -> Strategy:
    """The strategy of that name, with a multiple of the usual budget of thought and, for live play, the
    seconds after which more thought is cut short.

    Raises UsageError, which lists the names, for any other, and for one that takes no thought.
    """
    for each in _STRATEGIES:
        if each.name != name:
            continue
        if isinstance(each, Best):
            return replace(each, think=think, limit_s=limit_s)
        if think != 1:
            raise UsageError(f"--think goes with the strategy best: {name} decides at once")
        return each
    raise UsageError(f"no strategy is called {name!r}: use one of {', '.join(names())}")
