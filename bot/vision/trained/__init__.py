"""Reads boards whose skin is unknown by a trained network. Not yet chosen by `read_boards`: `general` is.

In: a picture, shape (height, width, 3), blue, green, red. Out: `TrainedReading`s, the best first. The steps:

    cell_windows    cuts the cells of a grid out at one size, each look once
    network         what the network says of them, in numpy, with the weights in weights.npz
    cell_reader     the network on one grid, picture after picture
    broken_rules    by how much a board breaks the rules of the game
    labelling       joins what the network says with the rules, and leaves unread what is not sure
    trained_reader  does all this for each grid of a picture, and rejects grids that are no boards

`training/reader` makes the weights; `python -m training.reader.read_check --only-trained` counts what it
reads, `--only-general` what the rules by hand read of the same pictures.
"""

from bot.vision.trained.trained_reader import TrainedReading, read_trained_boards

__all__ = ["TrainedReading", "read_trained_boards"]
