#!/bin/sh
# The minebot of .venv/bin, where install.sh copies it. Python does not hear Ctrl-C while it starts: it would answer
# with a traceback of its own. minebot listens as soon as it can (bot/process/interrupts.py), and misses none.
'''exec' env --block-signal=INT "$(dirname "$(readlink -f "$0")")/python" "$0" "$@"
' '''
import sys

from bot.cli.main import main

if __name__ == "__main__":  # processes that play games beside this one import it
    sys.exit(main())
