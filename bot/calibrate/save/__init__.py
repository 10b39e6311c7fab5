"""Keeps what was learned of a window: a theme, a calibration, a person's corrections.

In: a window that was played. Out: files in the user's folder, each written whole.
"""
