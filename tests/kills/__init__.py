"""Kills minebot at random moments and looks at what is left: `python -m tests.kills 100`.

In: a Python to run minebot by, that of this machine (`linux`) or Windows' under Wine
(`tests/windows_python`), and the number of a kill, which says when and how. Out: what is wrong after it.
"""
