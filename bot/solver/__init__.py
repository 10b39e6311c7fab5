"""What follows from a board: deduction by logic, exact chances of mines, and the strongest guess.

In: a `Board` and its `Rules`, or an `Observation`. Out: a `Deduction` (`deduction/ladder.py`), what is
`Solved` (`position/solve.py`), or the `Thought` of the learned player (`decision.py`).
"""
