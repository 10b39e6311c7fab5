"""Judges readers on labelled pictures, above all on those of families that no training saw (`families`).

pictures   the labelled pictures of folders, judged side by side
boards     how many boards are read exactly, and by which reader
grids      how many of their grids are found
labels     how their cells are read on the true grids, by the rules that ship and by others
untouched  what untouched boards cost the reader, and grids that are none
"""
