"""Finds lattices of unknown looks, and how far a board reaches on them.

By the interiors of cells, the way that finds most:

    interiors       the plain parts of a picture, up to lines, bevels and gaps; what stands alone on them
    seen_lattices   interiors, or drawings, of one size at equal distances
    grounds         where drawings stand low in their cells: the edges of covered and opened cells
    cell_evidence   what speaks for each cell of a lattice
    extent          the rectangle of cells for which most speaks

By periodicity, where noise or texture leaves nothing plain:

    periodicity     the parts of the picture that repeat, and with which pitch
    pitch           the exact pitch and phase of the lines along one direction
    borders         which borders between cells are visible
    lattice         how far the board reaches
"""
