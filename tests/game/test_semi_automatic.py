"""endoh1's semi-automatic game: the pictures of its document, its last rule, its order, and its end."""

from __future__ import annotations

import random

import pytest

from bot.board import Action, Board, Cell, Move, Phase
from bot.game.priority_map import PriorityMap, chance_map, read_map
from bot.game.semi_automatic import SemiAutomatic
from bot.strategy.local import settle

# As in the document: `?` an unprobed cell, `!` a flag, `.` a probed cell whose number is not shown, a blank a
# cell that the picture leaves out. The last picture's third row begins with a tab.
PICTURES = {
    "rule 1": """
    ? ? ?      . . .
    ? 3 ?  =>  . 3 .
    ! ! !      ! ! !
""",
    "rule 2": """
    . ? ?      . ! !
    . 4 ?  =>  . 4 !
    . 2 !      . 2 !
""",
    "rule 3": """
    ? ? ?        . . .
    ? 1 ? ?  =>  . 1 ? ?
    ? ? 4 .      . ? 4 .
      ? . !        ? . !
""",
    "rule 4": """
    ? ? ? ?      ! ? ? ?
    ? 3 1 2  =>  ! 3 1 2
\t2 2 . .      2 2 . .
""",
}


def read_picture(text: str) -> tuple[list[str], list[str]]:
    """The cells before and after, a letter a cell, both of the same shape."""
    lines = [line.replace("\t", "    ")[4:] for line in text.strip("\n").split("\n")]
    arrow = next(line.index("=>") for line in lines if "=>" in line)
    after_from = arrow + len("=>  ")
    before = [line[:arrow][::2].rstrip() for line in lines]
    after = [line[after_from:][::2].rstrip() for line in lines]
    width = max(map(len, before + after))
    return [line.ljust(width) for line in before], [line.ljust(width) for line in after]


def seen(before: list[str]) -> Board:
    """What the rules may look at: a number at the edge of a picture has neighbours that are not shown."""
    rows = []
    for row, line in enumerate(before):
        letters = ""
        for column, letter in enumerate(line):
            edge = row in (0, len(before) - 1) or column in (0, len(line) - 1)
            letters += (
                "#" if letter == "?" else "*" if letter == "!" else "x" if edge or letter in ". " else letter
            )
        rows.append(letters)
    return Board.parse("\n".join(rows))


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_of_the_document(name: str) -> None:
    before, after = read_picture(PICTURES[name])
    safe, mines = settle(seen(before))
    changed = {
        (row, column): letter
        for row, line in enumerate(after)
        for column, letter in enumerate(line)
        if letter != before[row][column]
    }
    assert len(changed) >= 2
    assert {cell for cell, letter in changed.items() if letter == "."} <= set(safe)
    assert {cell for cell, letter in changed.items() if letter == "!"} <= set(mines)
    if name in ("rule 1", "rule 2"):
        assert changed.keys() == {*safe, *mines}


def run(game: SemiAutomatic) -> list[Move]:
    moves = []
    while step := game.step():
        moves += step
        assert len(moves) <= game.map.columns * game.map.rows
    return moves


WALL = ".....\n.***.\n.***.\n.***.\n....."
RING = [(row, column) for row in range(5) for column in range(5) if {row, column} & {0, 4}]


@pytest.mark.parametrize(
    ("field", "probes", "final_rule", "after", "phase"),
    [
        # All is settled by the rules.
        ("...\n...\n..*", [(0, 0)], True, "...\n.11\n.1F", Phase.WON),
        # A mine behind others touches no number: only the last rule flags it.
        (WALL, RING, True, "12321\n2FFF2\n3FFF3\n2FFF2\n12321", Phase.WON),
        (WALL, RING, False, "12321\n2FFF2\n3F#F3\n2FFF2\n12321", Phase.PLAYING),
        # It flags, it does not probe: a safe cell behind them is left to the player.
        (
            WALL.replace("***.\n.***.\n.***", "***.\n.*.*.\n.***"),
            RING,
            True,
            "12321\n2FFF2\n3F#F3\n2FFF2\n12321",
            Phase.PLAYING,
        ),
        # The mine under the first click is taken away.
        ("*..\n...\n...", [(0, 0)], True, "...\n...\n...", Phase.WON),
        ("*..\n...\n...", [(0, 2), (0, 0)], True, "F1.\n11.\n...", Phase.WON),
        # Nothing follows, and a guess may lose.
        ("*..\n...\n..*", [(1, 1)], True, "###\n#2#\n###", Phase.PLAYING),
        ("*..\n...\n..*", [(1, 1), (0, 0)], True, "X##\n#2#\n##*", Phase.LOST),
    ],
)
def test_fields_before_and_after(
    field: str, probes: list[tuple[int, int]], final_rule: bool, after: str, phase: Phase
) -> None:
    rows = field.split("\n")
    mined = [letter == "*" for row in rows for letter in row]
    order = sorted(range(len(mined)), key=lambda cell: not mined[cell])
    priorities = tuple(order.index(cell) for cell in range(len(mined)))
    prepared = PriorityMap(len(rows[0]), len(rows), sum(mined), priorities)
    game = SemiAutomatic(prepared, settle, final_rule)
    for probe in probes:
        game.probe(*probe)
        run(game)
    assert str(game.board) == after
    assert game.phase is phase


INSIDE = [(3, 3), (3, 4), (4, 3), (4, 4)]


def test_only_the_last_rule_finishes_its_map() -> None:
    for final_rule, phase, left in ((True, Phase.WON, 0), (False, Phase.PLAYING, 4)):
        game = SemiAutomatic(read_map("last-rule"), settle, final_rule)
        game.probe(0, 0)
        run(game)
        assert (game.phase, game.game.mines_left) == (phase, left)
        assert game.board.where(Cell.COVERED) == ([] if final_rule else INSIDE)


Cells = frozenset[tuple[int, int]]


def around(board: Board, cell: tuple[int, int], reach: int = 1) -> list[tuple[int, int]]:
    rows = range(max(0, cell[0] - reach), min(board.rows, cell[0] + reach + 1))
    columns = range(max(0, cell[1] - reach), min(board.columns, cell[1] + reach + 1))
    return [(row, column) for row in rows for column in columns]


def says(board: Board, number: tuple[int, int]) -> tuple[Cells, Action] | None:
    """What follows for the neighbours of a number from all ways to lay mines around it and one other one."""

    def seen(cell: tuple[int, int]) -> tuple[Cells, int]:
        near = around(board, cell)
        flags = sum(board[one] == Cell.FLAG for one in near)
        return frozenset(one for one in near if board[one] == Cell.COVERED), board[cell] - flags

    own, mines = seen(number)
    others = [(frozenset[tuple[int, int]](), 0)]
    others += [seen(one) for one in around(board, number, 2) if one != number and 0 <= board[one] <= 8]
    for other, other_mines in others:
        only = own - other
        counts = {
            alone
            for alone in range(len(only) + 1)
            for both in range(len(own & other) + 1)
            for rest in range(len(other - own) + 1)
            if alone + both == mines and both + rest == other_mines
        }
        if only and counts == {0}:
            return only, Action.OPEN
        if only and counts == {len(only)}:
            return only, Action.FLAG
    return None


def test_a_step_is_all_that_follows_of_the_next_number_in_the_order_of_the_priorities() -> None:
    steps = alone = 0
    for seed in range(5):
        prepared = chance_map(8, 7, 9, random.Random(seed))
        order = [divmod(prepared.priorities.index(priority), 8) for priority in range(8 * 7)]
        game = SemiAutomatic(prepared, settle, final_rule=False)
        place = 0
        for cell in range(8 * 7):
            game.probe(*divmod(cell, 8))
            while game.phase is Phase.PLAYING:
                board = game.board
                for _ in order:
                    expected = says(board, order[place]) if 0 <= board[order[place]] <= 8 else None
                    if expected is not None:
                        break
                    place = (place + 1) % len(order)
                step = game.step()
                if expected is None:
                    assert step == []
                    break
                assert {move.cell for move in step} == expected[0]
                assert {move.action for move in step} == {expected[1]}
                steps += 1
                alone += len(step) == 1
            if game.phase.over:
                break
    assert steps > 50
    assert alone < steps


def test_the_last_rule_flags_a_cell_a_step_the_last_one_first() -> None:
    game = SemiAutomatic(read_map("last-rule"), settle)
    game.probe(0, 0)
    steps = []
    while step := game.step():
        steps.append(step)
    assert [step[-1].cell for step in steps[-4:]] == sorted(INSIDE, reverse=True)


def test_flags_are_never_wrong_and_only_the_player_loses() -> None:
    rng = random.Random(3)
    ends = set()
    for seed in range(60):
        game = SemiAutomatic(chance_map(9, 9, 10, random.Random(seed)), settle)
        while not game.phase.over:
            left = game.board.where(Cell.COVERED)
            game.probe(*rng.choice(left))
            if game.phase is Phase.LOST:
                break
            for step in run(game):
                truth = game.game.truth_for_simulators
                assert truth is not None
                assert bool(truth.mines[step.cell]) == (step.action is Action.FLAG)
        ends.add(game.phase)
    assert ends == {Phase.WON, Phase.LOST}
