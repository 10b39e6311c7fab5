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
    steps = []
    while (step := game.step()) is not None:
        steps.append(step)
    return steps


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


def test_the_steps_run_in_the_order_of_the_priorities() -> None:
    for seed in range(20):
        prepared = chance_map(12, 9, 15, random.Random(seed))
        game = SemiAutomatic(prepared, settle)
        for cell in range(12 * 9):
            game.probe(*divmod(cell, 12))
            while True:
                safe, mines = settle(game.board)
                ready = [
                    prepared.priorities[row * 12 + column]
                    for row, column in (*safe, *mines)
                    if game.board[row, column] == Cell.COVERED
                ]
                step = game.step()
                if step is None or not ready:
                    break
                assert prepared.priorities[step.row * 12 + step.column] == min(ready)
                assert game.phase is not Phase.LOST
            if game.phase.over:
                break


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
