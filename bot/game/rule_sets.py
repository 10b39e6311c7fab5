"""The rule sets by name: one engine, and what differs between the games.

What differs is how an opening spreads, how the first click is protected, what a flag does, and what
information can be had besides the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import FirstClick, Rules, Spread
from bot.errors import UsageError
from bot.game.game import Game
from bot.game.levels import check_mines, check_size
from bot.game.minefield import Minefield


@dataclass(frozen=True)
class RuleSet:
    """A game by its name."""

    name: str
    source: str
    """Whose game it is."""
    spread: Spread
    first_click: FirstClick
    columns: int
    rows: int
    mines: int
    """Those of a board of the usual size."""
    hints: int = 0
    """How many questions for the mines of a row, a column or a square a player has."""
    flags_stop: bool = True
    """Whether an opening spares the cells that are flagged."""
    flags_needed: bool = False
    """Whether a game is won only when every mine is flagged besides."""
    has_window: bool = False
    """Whether a theme of the same name plays this game in its window."""

    @property
    def simulated(self) -> str:
        """What the results call its simulated games: not as those in the window of the same name."""
        return f"{self.name} rules" if self.has_window else self.name

    def rules(self, columns: int | None = None, rows: int | None = None, mines: int | None = None) -> Rules:
        """The rules of a game: of the usual size, or of another one with its number of mines.

        Raises UsageError for a size that cannot be played, and for more mines than leave a cell free.
        """
        columns = self.columns if columns is None else columns
        rows = self.rows if rows is None else rows
        mines = self.mines if mines is None else mines
        check_size(columns, rows)
        check_mines(columns, rows, mines, self.first_click)
        return Rules(columns, rows, mines, self.first_click, self.spread)

    def game(
        self,
        rules: Rules | None = None,
        seed: int | None = None,
        minefield: Minefield | None = None,
        hints: int | None = None,
    ) -> Game:
        """A new game of this rule set. `hints` is their number where it is not the usual one."""
        return Game(
            rules or self.rules(),
            seed,
            minefield,
            hints=self.hints if hints is None else hints,
            flags_stop=self.flags_stop,
            flags_needed=self.flags_needed,
        )


ENDOH1 = RuleSet(
    name="endoh1",
    source='Yusuke Endoh\'s "semi-automatic Minesweeper" (IOCCC 2020/endoh1)',
    spread=Spread.EIGHT,
    first_click=FirstClick.REMOVED,
    columns=40,
    rows=24,
    mines=192,
)
"""A mine under the first click is taken away; the counter of mines says so. Cells are opened one by one in
the original: its rules open all around a 0, which comes to an opening over eight neighbours. Its last rule
flags what is left when as many cells are left as mines: so a game is won when every safe cell is open."""

EIBX = RuleSet(
    name="eibx",
    source='eibx\'s "Minesweeper in under 100 lines of C"',
    spread=Spread.FOUR,
    first_click=FirstClick.ANY,
    columns=9,
    rows=9,
    mines=10,
    flags_stop=False,
)
"""The first click can lose. Its flood fill knows no flags: it opens flagged cells like others."""

COMP1511 = RuleSet(
    name="comp1511",
    source="the Minesweeper assignment of UNSW's COMP1511 (2020)",
    spread=Spread.RADIAL,
    first_click=FirstClick.SHIFTED,
    columns=8,
    rows=8,
    mines=10,
    hints=3,
)
"""Reveal radial opens all that reveal square opens, and more: it is what a click does. A column full of
mines cannot be made safe by shifting; then the first click loses."""

WINMINE = RuleSet(
    name="winmine",
    source="Minesweeper of Windows up to XP",
    spread=Spread.EIGHT,
    first_click=FirstClick.MOVED,
    columns=9,
    rows=9,
    mines=10,
    has_window=True,
)
"""The mine under the first click moves to the first free cell from the top left."""

RULE_SETS = {rule_set.name: rule_set for rule_set in (ENDOH1, EIBX, COMP1511, WINMINE)}
"""The rule sets by the names that `--rules` takes."""


def rule_set(name: str) -> RuleSet:
    """The rule set of that name; raises UsageError, which lists the names, for any other."""
    if name not in RULE_SETS:
        raise UsageError(f"there are no rules called {name!r}: use one of {', '.join(RULE_SETS)}")
    return RULE_SETS[name]
