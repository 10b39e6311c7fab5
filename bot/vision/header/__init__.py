"""What a game shows beside and over its cells: the face, the mine counter, buttons.

In: a picture and the grid of the board in it. Out: the mood of the face, a number, the place of a button.
"""

from bot.vision.header.button import find_any_button, find_button
from bot.vision.header.counter import CounterReader, counter_reader
from bot.vision.header.face import FaceReader

__all__ = ["CounterReader", "FaceReader", "counter_reader", "find_any_button", "find_button"]
