"""Damaged and odd inputs for minebot's commands: files, texts and options, made from seeds.

In: a kind of input and a number. Out: what was wrong with how minebot took it. Nothing is, if it ended with a
status of its own, said why in a line, and took neither too long nor too much memory. `python -m tests.fuzz`
tries many; `test_fuzz.py` tries a few of each kind.
"""
