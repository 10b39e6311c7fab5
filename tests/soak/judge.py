"""What is wrong with what came of a part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.soak.faults import Fault
from tests.soak.plan import Part

FLAT = 1.15
"""How much more memory minebot may have at the end of a long run than after its first games."""


@dataclass
class Played:
    """What came of a part."""

    lines: list[dict[str, Any]]
    """What `minebot run --json` printed, a game each."""
    status: int | None
    """Its exit status; None if it had to be killed."""
    told: str = ""
    """What it said besides."""
    without_guess: Sequence[str] = ()
    """The recordings of games that were lost on a move that was not called a guess."""
    left: Sequence[str] = ()
    """The processes that ran on."""
    memory_mb: Sequence[float] = field(default_factory=list)
    """The memory of minebot after each game."""
    after_fault: bool = True
    """Whether minebot still ran when the fault happened."""
    not_done: str = ""
    """Why the fault could not be made to happen; empty if it did."""


def faults_of(part: Part, fault: Fault, played: Played) -> list[str]:
    """What is wrong, each in a line; empty if the part ended as the documentation says."""
    wrong = [f"{recording}: lost on a move that was not called a guess" for recording in played.without_guess]
    wrong += [f"runs on: {process}" for process in played.left]
    if played.not_done:
        wrong.append(f"it did not happen: {played.not_done}")
    if "Traceback" in played.told:
        wrong.append(f"a traceback: {played.told.strip().splitlines()[-1]}")
    if played.status is None:
        return [*wrong, "it did not end"]
    if played.status not in fault.statuses:
        wrong.append(f"exit status {played.status}: {(played.told.strip().splitlines() or [''])[-1]}")
    for line in played.lines:
        pattern = {"failed": fault.failed, "stopped": fault.stopped}.get(line["outcome"])
        allowed = pattern is None or (pattern and re.search(pattern, f"{line['reason']} {played.told}"))
        if not allowed:
            wrong.append(f"{line['outcome']}: {line['reason']} ({line['recording']})")
    ended_well = played.status == 0 and len(played.lines) < part.games
    if ended_well:
        wrong.append(f"{len(played.lines)} games of {part.games}")
    if part.fault == "memory" and len(played.memory_mb) >= part.games:
        early, late = max(played.memory_mb[10:30]), max(played.memory_mb[-20:])
        if late > FLAT * early:
            wrong.append(f"its memory grew from {early:.0f} to {late:.0f} MB")
    return wrong
