"""What the cells of a board show whose skin nobody knows.

In: a picture. Out: `GeneralReading`s, the best first. The cells of each grid are cut out (`patches`), gathered
by what lies behind them (`backgrounds`) and by what is drawn on them (`clusters`); each cluster gets the
label for which the most speaks (`evidence`, `digit_colours`, `labelling`), under the rules of the game
(`consistency`). `partial_cells` reads cells that are seen in part only.
"""

from bot.vision.general.general_reader import GeneralReading, read_any_boards

__all__ = ["GeneralReading", "read_any_boards"]
