"""How programs are started that a test sends signals to."""

from __future__ import annotations

import signal

OF_A_TERMINAL = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""What a shell has its background jobs ignore (Ctrl-C), and `nohup` what it starts; children inherit that."""


def as_from_a_terminal() -> None:
    """For a `preexec_fn`: let signals end the program as they do in a terminal."""
    for number in OF_A_TERMINAL:
        signal.signal(number, signal.SIG_DFL)
