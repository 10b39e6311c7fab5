"""Whole games, compiled: those whose clicks are recorded, self-play to learn from, and candidates played on
in the same layouts.
"""
