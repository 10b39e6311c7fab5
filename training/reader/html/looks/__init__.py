"""How boards look: random colours, fonts, faces of cells and what stands on them, independent of each other.

In: random numbers and the name of a family. Out: a `Look` (`look`), from which any board can be drawn.

    colours    colours, and how far they are apart
    palettes   named palettes
    schemes    the colours of covered and opened cells, and of the digits
    fonts      the fonts of this machine, and those of unpacked npm packages
    icons      emoji and icons of unpacked npm packages
    drawings   flags and mines of our own
    assembled  those that are put together from parts at random
    marks      what stands on a cell: any of these
    surfaces   the faces of covered and of opened cells
    look       all of it for one board
"""
