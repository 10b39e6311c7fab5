"""The chance of a mine in each cell, exactly: frontier components, the dynamic programme that counts the
solutions of each, their combination under the mine total, and layouts drawn at random.

In: constraints or a compiled board. Out: chances, and the number of solutions.
"""
