"""Boards in two dozen skins of our own, each at any size, stage and damage, alone, in a window, on a desktop.

    skins   draws a board in one of them
    varied  the picture of a number; `python -m training.reader.variety.varied` draws many to train on

The tests read the pictures of small numbers; what is trained on has numbers from `FIRST_LEARNED` on.
"""
