"""Lays out Windows' Python under Wine: `lay_out.sh FOLDER`, with the programs that it needs."""
