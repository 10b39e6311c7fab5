"""Choosing a cell where none is certainly safe.

In: a player whose board was counted. Out: the cell to open, with its score or its chance to win.
"""
