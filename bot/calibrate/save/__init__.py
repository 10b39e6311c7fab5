"""Keeps what was learned of a window: a theme, a calibration, a person's corrections.

In: `Findings`. Out: files in the user's folder, each written whole.
"""
