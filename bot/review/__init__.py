"""Judges how games were played. In: a recording or a file that players keep. Out: a verdict for each move."""
