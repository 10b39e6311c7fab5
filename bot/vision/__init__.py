"""Where the board is and what each of its cells shows."""
