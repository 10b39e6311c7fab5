"""All that can be said about one position, in the words of Python.

In: a board and the rules, or an observation. Out: certain cells, chances, dead cells, what contradicts.
"""
