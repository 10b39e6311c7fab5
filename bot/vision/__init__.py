"""Where the board is and what each of its cells shows.

In: a picture, shape (height, width, 3), blue, green, red. Out: a `PictureReading`, or, for a grid that is
known, a `Reading` of every picture of it. One room for each step:

    themes/    what a skin looks like, read from `templates/`
    grids/     where the cells lie: any lattice by its periodicity, a known skin's by its colours and marks
    cells/     what the cells of a known skin show
    header/    the face, the mine counter, buttons
    general/   what the cells of any other skin show, by a trained network

Each room, or the module of a constant, names the command that shows what another value changes. The history
keeps what was changed for which picture; it does not say by which command a first value was found.
"""

from bot.vision.grid import Grid, Image
from bot.vision.picture_reader import PictureReading, read_boards, read_picture
from bot.vision.reading import Reading

__all__ = ["Grid", "Image", "PictureReading", "Reading", "read_boards", "read_picture"]
