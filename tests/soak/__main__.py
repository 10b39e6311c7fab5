"""Play many games on real windows, and let things happen to them; resumable.

Plays the parts whose results do not lie in --folder, a line each, and prints a table of all of them. Exits
with 1 if anything is wrong. Ctrl-C ends it, and the next start goes on with the part that was interrupted.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tests.kills.linux import ROOT
from tests.soak.part import GAME_S
from tests.soak.plan import DESKTOPS, WINDOWS, Part, plan

PART_S = 180.0
"""Time that a part may take besides its games, in seconds: a desktop and a window are started."""


@click.command(help=__doc__)
@click.option("--games", default=1000, show_default=True, help="How many games in all.")
@click.option("--seed", default=0, show_default=True, help="The seed of the plan.")
@click.option("--folder", type=Path, default=Path("build/soak"), show_default=True, help="Where results go.")
@click.option("--for", "minutes", type=float, help="End after so many minutes; the next start goes on.")
@click.option("--window", type=click.Choice(list(WINDOWS)), help="Only the parts on this window.")
@click.option("--desktop", type=click.Choice(DESKTOPS), help="Only the parts on this desktop.")
@click.option("--share", "share", default="1/1", show_default=True, help="Only each N-th part, as 2/3.")
@click.option("--again", is_flag=True, help="Play the parts again in which something was wrong.")
@click.option("--table", is_flag=True, help="Play nothing, only print the table.")
def command(
    games: int,
    seed: int,
    folder: Path,
    minutes: float | None,
    window: str | None,
    desktop: str | None,
    share: str,
    again: bool,
    table: bool,
) -> None:
    """Play what is left of the plan."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"results-{seed}.jsonl"
    parts = plan(games, seed)
    until = time.monotonic() + (minutes or 1e9) * 60
    results = _results(file)
    wrong = [result for result in results if again and result.get("wrong")]
    done = Counter(_kind(result) for result in results if result not in wrong)
    place, shares = (int(word) for word in share.split("/"))
    for part in parts:
        wanted = window in (None, part.window) and desktop in (None, part.desktop)
        wanted = wanted and part.number % shares == place - 1
        done[part.kind] -= 1
        if table or not wanted or done[part.kind] >= 0:
            continue
        if time.monotonic() > until:
            break
        if before := next((one for one in wrong if _kind(one) == part.kind), None):
            wrong.remove(before)
            part = replace(part, number=before["number"])  # its result takes the place of the wrong one
        result = _play(part, folder)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(result) + "\n")
        click.echo(_line(result))
    results = _results(file)
    click.echo(_table(results, parts))
    sys.exit(1 if any(result.get("wrong") for result in results) else 0)


def _results(file: Path) -> list[dict[str, Any]]:
    """What came of each part; of one that was played again the last."""
    if not file.exists():
        return []
    results = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return list({(result["number"], *_kind(result)): result for result in results}.values())


def _kind(result: dict[str, Any]) -> tuple[str, str, int, str]:
    """Of which parts a result is one."""
    return result["window"], result["desktop"], result["games"], result["fault"]


def _play(part: Part, folder: Path) -> dict[str, Any]:
    """Play a part in a process of its own, which ends with everything that it started."""
    asked, told = folder / f"part-{part.number}.ask", folder / f"part-{part.number}.json"
    shutil.rmtree(told.with_suffix(".kept"), ignore_errors=True)
    asked.write_text(json.dumps(part.words()))
    told.unlink(missing_ok=True)
    log = folder / f"part-{part.number}.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.part", str(asked.resolve()), str(told.resolve())],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            stderr=errors,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(PART_S + GAME_S * part.games)
        except subprocess.TimeoutExpired:
            pass
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    asked.unlink()
    if not told.exists():
        last = (log.read_text().strip().splitlines() or ["it did not end"])[-1]
        return part.words() | {"outcomes": [], "wrong": [f"the part itself failed: {last}"]}
    result: dict[str, Any] = json.loads(told.read_text())
    told.unlink()
    log.unlink()
    return result


def _line(result: dict[str, Any]) -> str:
    """A part as a line for people."""
    what = f"{result['number']:4} {result['window']} on {result['desktop']}"
    if result["fault"]:
        what += f", {result['fault']}"
    if "skipped" in result:
        return f"{what}: skipped, {result['skipped']}"
    came = ", ".join(f"{count} {word}" for word, count in Counter(result["outcomes"]).items())
    return f"{what}: {came or 'no game'}: {'; '.join(result['wrong']) or 'fine'}"


def _table(results: Sequence[dict[str, Any]], parts: Sequence[Part]) -> str:
    """What came of the parts, a row for what happened in them, and one for each window without that."""
    rows = ["| what | parts | games | won | lost | stopped | failed | wrong |", "| --- " * 8 + "|"]
    played = [result for result in results if "skipped" not in result]
    names = sorted({_name(result) for result in played}, key=lambda name: (name.startswith("nothing"), name))
    for name in [*names, "all"]:
        some = [result for result in played if name in (_name(result), "all")]
        outcomes = Counter(outcome for result in some for outcome in result["outcomes"])
        counts = [outcomes[word] for word in ("won", "lost", "stopped", "failed")]
        wrong = sum(bool(result["wrong"]) for result in some)
        cells = [name, len(some), outcomes.total(), *counts, wrong]
        rows.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    skipped = Counter(result["skipped"] for result in results if "skipped" in result)
    rows.append(f"{len(results)} of {len(parts)} parts")
    rows += [f"skipped {count}: {why}" for why, count in skipped.items()]
    return "\n".join(rows)


def _name(result: dict[str, Any]) -> str:
    """The row that a part counts in."""
    return str(result["fault"] or f"nothing, {result['window']} on {result['desktop']}")


if __name__ == "__main__":
    command()
