"""Muon, an optimizer for the weights of layers (K. Jordan et al., "Muon: An optimizer for hidden layers in
neural networks", 2024): each step is the momentum with all its singular values made equal, so that rare
directions, which the gradient hardly shows, are learned as fast as common ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import torch

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Of the polynomial that brings singular values from 0 to 1 near 1; those of the source."""

STEPS = 5
"""How often the polynomial is applied."""


def orthogonalized(matrices: Any) -> Any:
    """Matrices, (count, rows, columns), of the same singular vectors whose singular values are all about 1
    (Newton and Schulz)."""
    a, b, c = COEFFICIENTS
    wide = matrices.size(1) <= matrices.size(2)
    x = matrices if wide else matrices.mT
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(STEPS):
        product = x @ x.mT
        x = a * x + (b * product + c * product @ product) @ x
    return x if wide else x.mT


class Muon(torch.optim.Optimizer):
    """Muon with Nesterov's momentum; the weights of a convolution count as a matrix of its outputs. All
    weights must have gradients."""

    def __init__(self, weights: Iterable[Any], lr: float, momentum: float = 0.95) -> None:
        by_shape: defaultdict[tuple[int, ...], list[Any]] = defaultdict(list)
        for weight in weights:
            by_shape[weight.flatten(1).shape].append(weight)
        # Those of one shape are moved together, which takes as long as one.
        groups = [{"params": group} for group in by_shape.values()]
        super().__init__(groups, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        """Move all weights by their gradients."""
        for group in self.param_groups:
            weights = group["params"]
            gradient = torch.stack([weight.grad.flatten(1) for weight in weights])
            moved = self.state[weights[0]].setdefault("momentum", torch.zeros_like(gradient))
            moved.lerp_(gradient, 1 - group["momentum"])
            step = orthogonalized(gradient.lerp(moved, group["momentum"]))
            scale = max(1.0, step.size(1) / step.size(2)) ** 0.5
            steps = [one.view_as(weight) for one, weight in zip(step, weights, strict=True)]
            torch._foreach_add_(weights, steps, alpha=-group["lr"] * scale)
