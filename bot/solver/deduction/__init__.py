"""What follows by rules for single numbers: the compiled board, the rules, and the ladder of harder ones.

In: a board. Out: cells that are certainly safe or mines.
"""
