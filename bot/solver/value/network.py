"""The small networks of the player: two hidden layers of leaky rectifiers and one answer.

Weights lie flat: the sizes of the hidden layers, then each layer input by input, then its offsets.
"""

from __future__ import annotations

import math

from bot.solver.constraints.workspace import Floats
from bot.solver.jit.compiler import part

NEURONS = 256
"""The most neurons of a hidden layer of the value."""

LEAK = 0.01


@part
def network_output(net: Floats, x: Floats, hidden: Floats) -> float:
    """What the network says to the inputs `x`; `hidden` is room for its layers, shape (2, most neurons).

    The weights lie input by input, so that all neurons of a layer are worked out side by side, and an input
    that is 0 costs nothing.
    """
    n = x.shape[0]
    a = int(net[0])
    b = int(net[1])
    first, second = hidden[0], hidden[1]
    at = 2 + n * a
    for i in range(a):
        first[i] = net[at + i]
    at = 2
    for j in range(n):
        of = x[j]
        if of != 0.0:
            for i in range(a):
                first[i] += of * net[at + i]
        at += a
    at += a
    for i in range(a):
        first[i] = max(first[i], LEAK * first[i])
    end = at + a * b
    for i in range(b):
        second[i] = net[end + i]
    for j in range(a):
        of = first[j]
        for i in range(b):
            second[i] += of * net[at + i]
        at += b
    at += b
    total = net[at + b]
    for i in range(b):
        total += net[at + i] * max(second[i], LEAK * second[i])
    return float(total)


@part
def win_value(net: Floats, x: Floats, hidden: Floats) -> float:
    """The chance to win a position with these features."""
    return 1 / (1 + math.exp(-network_output(net, x, hidden)))
