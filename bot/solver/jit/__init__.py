"""Compiling with numba, and keeping what was compiled. In: Python functions. Out: compiled ones."""
