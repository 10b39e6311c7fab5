"""Draws Minesweeper boards as home-made games look, with a random look each: no file of any game is used.

In: a random generator and the fonts of this machine. Out: pictures (height, width, 3) as `uint8`, red, green,
blue, until `training/reader/painted.py` writes them.

    colours        random colours and sets of them
    layers         a stamp that is laid over a cell, and shapes drawn smoothly
    fonts          the fonts of this machine that have digits that can be told apart
    bitmaps        hand-made digits
    digits         the eight digits of one look
    figures        the shapes of flags, mines and explosions
    marks          flags, mines, wrong flags, question marks of one look
    tiles          the backgrounds of covered and opened cells
    boards         a whole board of one look
    surroundings   what a window, a page or a desktop shows around it
    effects        scaling, JPEG, blur, noise, tints
    readable       whether the cells of a drawn board can still be told apart, and where it ends
"""
