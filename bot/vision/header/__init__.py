"""What a game shows beside and over its cells: the face, the mine counter, buttons.

In: a picture and the grid of the board in it. Out: the mood of the face, a number, the place of a button.

`python -m tests.pin check --only screens --only samples --only scaled` shows what another value of a constant
changes in boards that are read; tests/vision/test_header.py, test_counter.py and test_text_counter.py check
the header alone, and tests/targets/test_game_end.py the buttons.
"""

from bot.vision.header.button import find_any_button, find_button
from bot.vision.header.counter import CounterReader, counter_reader
from bot.vision.header.face import FaceReader

__all__ = ["CounterReader", "FaceReader", "counter_reader", "find_any_button", "find_button"]
