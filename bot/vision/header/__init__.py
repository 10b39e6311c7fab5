"""What stands beside the cells of a board: the face, the mine counter, buttons over the board.

In: a picture and the grid of the board in it. Out: the mood of the face, a number, the place of a button.
"""

from bot.vision.header.button import find_any_button, find_button
from bot.vision.header.header_reader import HeaderReader
from bot.vision.header.seven_segment import read_seven_segment

__all__ = ["HeaderReader", "find_any_button", "find_button", "read_seven_segment"]
