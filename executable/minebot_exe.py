"""What minebot.exe runs: the command, and for its own children what `python -m NAME` runs."""

from __future__ import annotations

import multiprocessing
import runpy
import sys

from bot.cli.main import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.argv[1:2] == ["-m"]:
        # minebot starts its window, its checks and its workers by `sys.executable -m`, which is this file.
        name = sys.argv[2]
        sys.argv[:] = [sys.executable, *sys.argv[3:]]
        runpy.run_module(name, run_name="__main__")
    else:
        main()
