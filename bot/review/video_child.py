"""Reads a video file of the field in a process of its own: python bot/review/video_child.py KIND FILE

Prints one JSON object. A broken file ends the library's process as a whole, and so only this one.
"""

from __future__ import annotations

import json
import sys

READERS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}
"""The class of `ms_toollib` for each suffix."""


def main() -> None:
    """Read the file that the words name."""
    import ms_toollib

    kind, path = sys.argv[1:]
    video = getattr(ms_toollib, READERS[kind])(path)
    video.parse()
    video.analyse()
    presses = []
    for each in video.events:
        event = each.event
        if event is None or not event.is_mouse():
            continue
        mouse = event.unwrap_mouse()
        if mouse.mouse != "mv":
            presses.append([float(each.time), mouse.mouse, int(mouse.x), int(mouse.y)])
    size = int(video.pix_size)
    told = {
        "board": [[int(cell) for cell in row] for row in video.board],
        "cell": size,
        "presses": presses,
        "seconds": float(video.rtime),
        "player": _text(video.player_identifier),
        "program": _text(video.software),
        "created": str(video.start_time),
    }
    sys.stdout.write(json.dumps(told))


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


if __name__ == "__main__":
    main()
