"""What the cells of a board show whose skin nobody knows.

In: a picture. Out: `GeneralReading`s, the best first. The cells of each grid are cut out (`patches`),
gathered by what lies behind them (`backgrounds`) and by what is drawn on them (`clusters`); each cluster gets
the label with the best evidence (`evidence`, `digit_colours`, `labelling`) that the rules of the game allow
(`consistency`). `partial_cells` reads cells that are seen in part only.
"""

from bot.vision.general.general_reader import GeneralReading, read_any_boards

__all__ = ["GeneralReading", "read_any_boards"]
