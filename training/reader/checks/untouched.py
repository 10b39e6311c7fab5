"""What untouched boards cost the reader of unknown skins, and what grids cost that are none.

`python -m training.reader.checks.untouched` paints boards of which nothing is opened, and pictures without a
board; it prints the share of each whose `Labelling.cost` is at most a bound, as `MAX_UNTOUCHED_COST` of
bot/vision/general/general_reader.py is one.
"""

from __future__ import annotations

import argparse

import numpy as np

from bot.board import UNOPENED, Board, Cell
from bot.vision.general.cell_reader import CellReader
from bot.vision.general.general_reader import MAX_UNCLEAR, MAX_UNTOUCHED_COST, labelled
from bot.vision.general.labelling import Labelling
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import grid_batches, without_dithering
from bot.vision.surfaces import is_surface
from training.reader.no_boards import NOTHING, picture_without_board
from training.reader.painted import paint_once
from training.reader.positions import random_size

BOUNDS = (0.002, 0.005, 0.01, 0.03, 0.06, 0.1, MAX_UNTOUCHED_COST)

Costs = list[float]


def cost_of_untouched(image: Image, grid: Grid) -> float | None:
    """What the lattice of a grid costs in a picture (height, width, 3); None if some of it looks opened, or
    if it is known for a surface."""
    found = labelled(CellReader(), without_dithering(image), grid)
    if found is None or not looks_untouched(found[1]):
        return None
    # What is not told by its cost is told by these.
    return None if is_surface(image, found[0]) else found[1].cost


def looks_untouched(labelling: Labelling) -> bool:
    """Whether almost all cells are read, and none of them as opened."""
    unread = labelling.codes == Cell.UNREAD
    return bool(unread.mean() <= MAX_UNCLEAR and np.isin(labelling.codes[~unread], UNOPENED).all())


def of_boards(count: int, seed: int) -> Costs:
    """The costs of painted untouched boards, on their true grids."""
    costs: Costs = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        columns, rows = random_size(rng, largest=150)
        painted = paint_once(rng, "untouched", Board.covered(columns, rows))
        if painted is not None:
            cost = cost_of_untouched(painted.image, painted.boards[0].grid)
            costs += [] if cost is None else [cost]
    return costs


def of_no_boards(count: int, seed: int) -> Costs:
    """The costs of the grids that are found in pictures without a board, `count` of each kind."""
    costs: Costs = []
    for kind in NOTHING:
        for number in range(count):
            image = picture_without_board(kind, seed + number).image
            grids = {one.grid: None for batch in grid_batches(image) for one in batch}
            costs += [cost for grid in grids if (cost := cost_of_untouched(image, grid)) is not None]
    return costs


def table(boards: Costs, others: Costs) -> list[str]:
    """A line for each bound: the share of the boards, and of the other grids, that cost at most as much."""
    lines = [f"{'cost at most':>12}{f'{len(boards)} boards':>14}{f'{len(others)} others':>14}"]
    for bound in BOUNDS:
        shares = (sum(cost <= bound for cost in costs) / max(1, len(costs)) for costs in (boards, others))
        lines.append(f"{bound:12}" + "".join(f"{share:14.1%}" for share in shares))
    return lines


def main(arguments: list[str] | None = None) -> None:
    """Draw, read and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=200, help="painted boards")
    parser.add_argument("--pictures", type=int, default=3, help="pictures of each kind without a board")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args(arguments)
    boards, others = of_boards(options.boards, options.seed), of_no_boards(options.pictures, options.seed)
    print("\n".join(table(boards, others)))


if __name__ == "__main__":
    main()
