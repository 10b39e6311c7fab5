"""Pins what the solver plays and says: `python -m tests.pin.solver write` and `check`.

Each kind is a sequence of games or positions that is the same on every machine, item i whatever the number of
items. Of the first N of them one hash is kept, which changes with every click and with the last bit of every
chance. `check` does the items again, up to `--items`, and says which kinds differ, with how long they took:

    python -m tests.pin.solver check
    python -m tests.pin.solver write --items 20000 --only "best expert" --only "best beginner"
    python -m tests.pin.solver check --items 20000

It is apart from `python -m tests.pin`, because the solver is compiled first, which takes minutes.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from bot.board import LEVELS, Board, Cell, FirstClick, Observation, Phase, Rules
from bot.game.minefield import Minefield
from bot.lab.games import Player, Playout, generated, play_compiled, play_loop
from bot.solver.decision import decide
from bot.solver.endgame.perfect_play import play_perfectly
from bot.solver.guess.player import new_player
from bot.solver.guess.settings import BEST_SCORE, SAFEST
from bot.solver.position.random_layouts import sample_layouts
from bot.solver.position.solve import Contradiction, solve_board
from bot.solver.simulate.paired_candidates import compare_candidates
from bot.solver.simulate.self_play import play_many
from bot.solver.value.inputs import CORRECTION_INPUTS
from bot.solver.value.weights import read_correction, read_net
from training.boards import first_cell, minefields, seed_compiled

FILE = Path(__file__).with_name("solver.json")
"""The hashes, by kind and by how many items they are of."""

SEED = 16
"""Of all items."""

SIZES = ((8, 8, 10), (9, 9, 10), (16, 16, 40), (30, 16, 99), (6, 5, 7), (30, 16, 130))
"""Columns, rows and mines of the boards of the positions, in turn."""

SMALL = ((4, 4, 5), (5, 5, 6), (6, 4, 6))
"""The same for the positions that are searched to the end."""


@dataclass(frozen=True)
class Kind:
    """What is pinned under one name."""

    lines: Callable[[], Iterator[str]]
    """A text for each item, without end."""
    quick: int
    """How many items are done where no number is given."""


def bits(number: float | None) -> str:
    """A number to its last bit."""
    return "-" if number is None else float(number).hex()


def cells(places: Iterable[tuple[int, int]]) -> str:
    """Cells as text."""
    return " ".join(f"{row},{column}" for row, column in places)


def _line(playout: Playout) -> str:
    guesses = " ".join(map(bits, playout.guesses))
    return f"{playout.result.value} | {cells(playout.clicks)} | {guesses}"


def games(strategy: str, level: str, think: int = 1) -> Iterator[str]:
    """The games of a strategy at a level: result, clicks, and the chance that each guess was given."""
    columns, rows, mines = LEVELS[level]
    rules = Rules(columns, rows, mines, FirstClick.SAFE)
    made = Player(strategy, think).made()
    for task in generated(rules, sys.maxsize, SEED):
        yield _line(play_compiled(task, made) or play_loop(task, made))


def positions(sizes: Sequence[tuple[int, int, int]]) -> Iterator[tuple[Board, Rules]]:
    """Boards of all stages of a game: safe cells at random and what their zeros open, every fourth with
    flags, right and wrong ones, and every seventh with no mine total."""
    for number in itertools.count():
        rng = random.Random(SEED * 1_000_003 + number)
        columns, rows, mines = sizes[number % len(sizes)]
        rules = Rules(columns, rows, mines)
        first = rng.randrange(rows), rng.randrange(columns)
        minefield = Minefield.generate(rules, first, rng)
        counts = minefield.counts
        codes = np.full((rows, columns), int(Cell.COVERED), np.int8)
        waiting = [first]
        goal = rng.random() * (rows * columns - mines)
        while waiting or np.count_nonzero(codes <= 8) < goal:
            if not waiting:
                free = np.argwhere((codes > 8) & ~minefield.mines)
                row, column = free[rng.randrange(len(free))]
                waiting = [(int(row), int(column))]
            row, column = waiting.pop()
            if codes[row, column] <= 8 or minefield.mines[row, column]:
                continue
            codes[row, column] = counts[row, column]
            if counts[row, column] == 0:
                waiting += Board(codes.copy()).neighbours(row, column)
        if number % 4 == 3:
            for row, column in np.argwhere(codes > 8):
                if rng.random() < 0.2:
                    codes[row, column] = int(Cell.FLAG)
        yield Board(codes), Rules(columns, rows, None if number % 7 == 6 else mines)


def solved() -> Iterator[str]:
    """All that `solve_board` says, chances and logarithms as bits."""
    for board, rules in positions(SIZES):
        try:
            one = solve_board(board, rules)
        except Contradiction as error:
            yield str(error)
            continue
        chance = " ".join(f"{row},{column}:{bits(p)}" for (row, column), p in sorted(one.chance.items()))
        yield (
            f"{cells(one.safe)} | {cells(one.mines)} | {cells(one.dead)} | {one.solutions}"
            f" | {bits(one.log10_solutions)} | {one.approximate} | {chance}"
        )


def thoughts() -> Iterator[str]:
    """All that `best` finds on a position: what it opens, and the score of each candidate as bits."""
    for board, rules in positions(SIZES):
        if rules.mines is None:
            continue
        one = decide(board, rules.mines)
        chance = " ".join(f"{row},{column}:{bits(p)}" for (row, column), p in sorted(one.chance.items()))
        weighed = " ".join(
            f"{cells([each.cell])}:{bits(each.win)}:{bits(each.score)}:{bits(each.most)}"
            for each in one.weighed
        )
        kind = one.kind + 1 if one.kind else 0  # as it was numbered when this was first written
        yield (
            f"{one.found} {kind} {one.cell} {one.nodes} | {cells(one.safe)} | {cells(one.mines)}"
            f" | {chance} | {weighed}"
        )


def perfect() -> Iterator[str]:
    """The chance to win by perfect play of small positions, and of each of their cells."""
    for board, rules in positions(SMALL):
        found = play_perfectly(board, rules, layouts=300)
        if found is None:
            yield "-"
            continue
        covered = board.where(Cell.COVERED, Cell.FLAG)
        after = " ".join(f"{cells([cell])}:{bits(found.after(cell))}" for cell in covered[:4])
        yield f"{cells([found.best])} {bits(found.win)} | {after}"


def drawn() -> Iterator[str]:
    """Layouts that `sample_layouts` draws for a position."""
    for number, (board, rules) in enumerate(positions(SIZES[:3])):
        observation = Observation(board, Phase.PLAYING, rules)
        found = sample_layouts(observation, 20, np.random.default_rng(number))
        yield "-" if found is None else np.packbits(found[1]).tobytes().hex()


LEARNING_LEVEL = "expert"

BATCH = 4
"""Games of self-play for each item."""


def self_play(setting: str) -> Iterator[str]:
    """Four games of self-play an item, with `control` or `explore`: results, and what was recorded to learn
    from."""
    columns, rows, mines = LEVELS[LEARNING_LEVEL]
    for number in itertools.count():
        player = new_player(rows, columns, mines, net=read_net(), correction=read_correction(), records=1000)
        player.settings.policy = BEST_SCORE
        setattr(player.settings, setting, 4 if setting == "explore" else 1)
        layouts = minefields(rows, columns, mines, FirstClick.SAFE, BATCH, number)
        results = np.zeros(BATCH)
        seed_compiled(number)
        play_many(player, None, layouts, first_cell(player.field, FirstClick.SAFE), results)
        size = int(player.record_size[0])
        kept = (results, player.record[:size], player.record_outcome[:size], player.record_weight[:size])
        yield " ".join(each.tobytes().hex() for each in kept)


def compared() -> Iterator[str]:
    """Four games an item with the candidates of one guess of each played on in four layouts."""
    columns, rows, mines = LEVELS[LEARNING_LEVEL]
    for number in itertools.count():
        player, scout = (
            new_player(rows, columns, mines, net=read_net(), correction=read_correction(), layouts=each)
            for each in (20000, 400)
        )
        for each, policy in ((player, BEST_SCORE), (scout, SAFEST)):
            each.settings.policy = policy
            each.settings.control = 1
        scout.settings.layouts = 1
        layouts = minefields(rows, columns, mines, FirstClick.SAFE, BATCH, number)
        stops = np.arange(BATCH, dtype=np.int32) % 2
        seen, results = np.zeros((BATCH, 3, CORRECTION_INPUTS)), np.zeros((BATCH, 3, 2))
        seed_compiled(number)
        compare_candidates(
            player, scout, layouts, first_cell(player.field, FirstClick.SAFE), stops, 4, seen, results
        )
        yield f"{seen.tobytes().hex()} {results.tobytes().hex()}"


KINDS: dict[str, Kind] = {
    "best expert": Kind(lambda: games("best", "expert"), 200),
    "best beginner": Kind(lambda: games("best", "beginner"), 400),
    "best expert, think 3": Kind(lambda: games("best", "expert", 3), 20),
    "exact expert": Kind(lambda: games("exact", "expert"), 200),
    "exact beginner": Kind(lambda: games("exact", "beginner"), 400),
    "seed expert": Kind(lambda: games("seed", "expert"), 20),
    "solved": Kind(solved, 300),
    "thoughts": Kind(thoughts, 300),
    "perfect play": Kind(perfect, 100),
    "drawn layouts": Kind(drawn, 100),
    "controlled games": Kind(lambda: self_play("control"), 10),
    "explored games": Kind(lambda: self_play("explore"), 10),
    "compared candidates": Kind(compared, 5),
}


@dataclass(frozen=True)
class Done:
    """What doing the items of a kind gave."""

    hashes: dict[int, str]
    """By how many items."""
    first_s: float
    """Seconds for the first item: with the compiling, where the cache has nothing."""
    each_ms: float
    """Milliseconds of the processor for each later item."""


def done(kind: Kind, numbers: Iterable[int]) -> Done:
    """Do the items of a kind up to the largest of these numbers, with the hash at each of them."""
    wanted = sorted(set(numbers))
    digest = hashlib.blake2b(digest_size=8)
    hashes: dict[int, str] = {}
    begun, core, first_s = time.perf_counter(), 0.0, 0.0
    for number, line in enumerate(itertools.islice(kind.lines(), wanted[-1]), 1):
        digest.update(line.encode() + b"\n")
        if number == 1:
            first_s, core = time.perf_counter() - begun, time.process_time()
        if number in wanted:
            hashes[number] = digest.hexdigest()
    each_ms = 1000 * (time.process_time() - core) / max(wanted[-1] - 1, 1)
    return Done(hashes, first_s, each_ms)


def load(file: Path) -> dict[str, dict[int, str]]:
    """The hashes of a file; none where there is no file."""
    if not file.exists():
        return {}
    kept = json.loads(file.read_text(encoding="utf-8"))
    return {name: {int(number): one for number, one in hashes.items()} for name, hashes in kept.items()}


ONLY = click.option(
    "--only", multiple=True, type=click.Choice(list(KINDS)), help="Only this kind; may be repeated."
)
ITEMS = click.option("--items", type=click.IntRange(min=1), help="How many games or positions of each kind.")
PLACE = click.option("--file", type=click.Path(path_type=Path), default=FILE, help="Where the hashes are.")


@click.group(help=__doc__)
def main() -> None:
    """Choose one of the commands."""


@main.command()
@ONLY
@ITEMS
@PLACE
def write(only: Sequence[str], items: int | None, file: Path) -> None:
    """Write the hash of so many items; those of other numbers of items are kept only where they still
    hold."""
    for name in only or KINDS:
        number = items or KINDS[name].quick
        kept = load(file)
        before = {count: one for count, one in kept.get(name, {}).items() if count < number}
        now = done(KINDS[name], [number, *before])
        kept[name] = now.hashes
        if before != {count: now.hashes[count] for count in before}:
            click.echo(f"{name}: no longer what it was")
        text = {each: {str(count): one for count, one in sorted(kept[each].items())} for each in sorted(kept)}
        file.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
        _report(name, now, "written")


@main.command()
@ONLY
@ITEMS
@PLACE
def check(only: Sequence[str], items: int | None, file: Path) -> None:
    """Compare with the hashes of the file; exit status 1 where one differs, or where there is none."""
    kept = load(file)
    wrong = False
    for name in only or kept:
        numbers = [count for count in kept.get(name, {}) if count <= (items or KINDS[name].quick)]
        if not numbers:
            click.echo(f"{name}: no hash of so few is kept")
            wrong = True
            continue
        now = done(KINDS[name], numbers)
        fine = all(now.hashes[count] == kept[name][count] for count in numbers)
        _report(name, now, "as it was" if fine else "DIFFERS")
        wrong |= not fine
    if wrong:
        sys.exit(1)


def _report(name: str, now: Done, word: str) -> None:
    click.echo(
        f"{name}: {max(now.hashes)} {word}; the first took {now.first_s:.1f} s, each later one"
        f" {now.each_ms:.2f} ms of the processor"
    )


if __name__ == "__main__":
    main()
