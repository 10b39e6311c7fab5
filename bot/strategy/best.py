"""`best`: the strongest strategy so far. For now it is `seed` with the rules of `local` before its own."""

from __future__ import annotations

from bot.solver.deduction import Rung
from bot.strategy.local import LOCAL_RUNGS
from bot.strategy.seed import Seed

BEST = Seed(name="best", version=1, rungs=LOCAL_RUNGS | Rung.CONTRADICTION)
