"""Boards that are written in characters: their looks, and the lines that they stand in."""
