"""Reads boards whose skin is unknown, by trained networks and the rules of the game.

In: a picture, shape (height, width, 3), blue, green, red. Out: `GeneralReading`s, the best first. The steps:

    cell_windows    cuts the cells of a grid out at one size, each look once
    network         what three networks say of them, in numpy, weights in weights_1.npz to weights_3.npz;
                    board_network is their second part
    cell_reader     the networks on one grid after the other of a picture
    odds            how unlikely a board is by the rules, by how games go, by how its cells look
    label_search    the likeliest labels by all of these
    labelling       joins what the networks say with the rules, and leaves unread what is not sure
    second_look     where a grid lies best, and what is read there
    general_reader  does all this for each grid of a picture, and rejects grids that are no boards;
                    general_grid_reader does it for one known grid, picture after picture

`training/reader` makes the weights; `python -m training.reader.checks.boards --only-general` counts what is
read of labelled pictures.
"""

from bot.vision.general.general_reader import GeneralReading, read_any_boards

__all__ = ["GeneralReading", "read_any_boards"]
