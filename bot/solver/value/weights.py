"""Reading the weights of the networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bot.errors import FormatError
from bot.solver.constraints.workspace import Floats
from bot.solver.value.inputs import CORRECTION_INPUTS, FEATURES
from bot.solver.value.network import NEURONS

NET = Path(__file__).with_name("value.npy")
"""The learned value of a position: a network over the numbers of `bot.solver.value.inputs`."""

CORRECTION = Path(__file__).with_name("correction.npy")
"""What scores leave out: a network over what `bot.solver.guess.score_correction` sees."""


def read_net(path: Path = NET, inputs: int = FEATURES) -> Floats:
    """The weights of a network, the value if not said otherwise. Raises FormatError where they are none for
    so many inputs."""
    try:
        net = np.load(path)
    except OSError as error:
        raise FormatError(f"{path} cannot be read ({error}): install minebot again") from None
    except Exception:  # numpy and zipfile raise errors of many kinds for what is cut or damaged
        net = None
    if isinstance(net, np.ndarray) and net.ndim == 1 and net.dtype.kind == "f" and np.isfinite(net).all():
        # The first two numbers are the sizes of the layers.
        if net.shape[0] <= 2 or not 0 < net[0] <= NEURONS or not 0 < net[1] <= NEURONS:
            raise FormatError(f"{path} holds no weights for {inputs} inputs: install minebot again")
        first, second = int(net[0]), int(net[1])
        size = 2 + first * (inputs + 1) + second * (first + 1) + second + 1
        if net.shape[0] == size:
            return np.ascontiguousarray(net, np.float64)
    raise FormatError(f"{path} holds no weights for {inputs} inputs: install minebot again")


def read_correction(path: Path = CORRECTION) -> Floats:
    """The weights of the correction of scores, as `read_net` reads them."""
    return read_net(path, CORRECTION_INPUTS)
