"""What a sequence of pictures of a window means.

In: pictures with what was read in them, and times. Out: an `Observation` once a board counts, and until then
what it waits for. `motion` compares pictures, `settle_times` says how long they must stay the same,
`pending_clicks` says which clicks were lost, `game_end` which signs end a game whose end hides its board, and
`tracker` decides. Nothing here sleeps or clicks.
"""

from bot.targets.window.track.game_end import GameEnd, game_end_for
from bot.targets.window.track.settle_times import SettleTimes
from bot.targets.window.track.tracker import Tracker, Waiting

__all__ = ["GameEnd", "SettleTimes", "Tracker", "Waiting", "game_end_for"]
