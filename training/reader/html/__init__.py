"""Draws boards as web pages in headless Chromium, with looks as wide as the world draws them.

In: random numbers and a board. Out: pictures whose grids are known from the layout of the page.

    chromium       one browser, driven through the DevTools protocol
    packages       gets the fonts and icons that are drawn
    looks          how boards look: colours, fonts, faces of cells, flags, mines
    markup         a board of a look as HTML
    vector         the same as SVG and on a canvas
    surroundings   what stands around a board
    cut            pictures out of a page: where the grid lies, whether it can be read, what else befalls them
"""
