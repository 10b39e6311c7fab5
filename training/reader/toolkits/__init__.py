"""Draws boards with other toolkits than training has: only for judging readers, never for training.

In: a random generator and a board. Out: a labelled picture, or None if its look cannot be read.

    schemes     the colours and letters of one look, for all toolkits
    hershey     OpenCV's shapes and its stroke fonts
    tk_looks    cells as Tk's buttons, labels and canvas items
    tk_windows  Tk windows on a virtual screen
    qt_looks    cells as Qt's buttons, labels, table items, graphics items, or painted
    qt_windows  Qt windows that are drawn off screen
    terminals   text in a terminal window (xterm)
    rescaled    pictures of the other painters after scaling and compression that training does not have
"""
