"""Which cell to click: one small file for each named strategy, and their registry."""
