"""Constraints over cells, apart from any board: what single ones settle, and their arrays for the compiled
parts."""
