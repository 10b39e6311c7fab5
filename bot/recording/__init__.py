"""Recordings of played games: written, read back, replayed, drawn."""
