"""minebot: reads a Minesweeper window from its pixels, works out what is safe, and clicks."""

__version__ = "0.1.0"
