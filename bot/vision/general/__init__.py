"""Reads boards whose skin is unknown.

In: a picture, shape (height, width, 3), blue, green, red. Out: `GeneralReading`s, the best first. The steps:

    patches            cuts the cells of a grid out at one size
    backgrounds        clusters plain cells by colour and relief, and finds what lies behind the others
    clusters           clusters the other cells by the glyph on them
    evidence           scores the labels of a glyph by shape, colour (digit_colours) and background
    background_labels  the ways in which backgrounds can be covered or opened
    labelling          finds the labels that fit the evidence and the rules of the game (consistency) best
    label_checks       leaves implausible labels unread and corrects some
    partial_cells      reads cells that are cropped or blurred
    general_reader     does all this for each grid of a picture, and rejects grids that are no boards;
                       general_grid_reader does it for one known grid, picture after picture

Most constants of this package were set by hand while making the painted samples (tests/vision/variety.py),
the pictures without a board (training/reader/no_boards) and ../shared/screens read rightly. `python -m
tests.pin check --only samples --only nothing --only screens` shows what another value changes.
"""

from bot.vision.general.general_reader import GeneralReading, read_any_boards

__all__ = ["GeneralReading", "read_any_boards"]
