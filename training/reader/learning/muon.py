"""Muon, an optimizer for the weights of layers (K. Jordan et al., "Muon: An optimizer for hidden layers in
neural networks", 2024): each step is the momentum with all its singular values made equal, so that rare
directions, which the gradient hardly shows, are learned as fast as common ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Of the polynomial that brings singular values from 0 to 1 near 1; those of the source."""

STEPS = 5
"""How often the polynomial is applied."""


def orthogonalized(matrix: Any) -> Any:
    """A matrix of the same singular vectors whose singular values are all about 1 (Newton and Schulz)."""
    a, b, c = COEFFICIENTS
    wide = matrix.size(0) <= matrix.size(1)
    x = (matrix if wide else matrix.T) / (matrix.norm() + 1e-7)
    for _ in range(STEPS):
        product = x @ x.T
        x = a * x + (b * product + c * product @ product) @ x
    return x if wide else x.T


class Muon(torch.optim.Optimizer):
    """Muon with Nesterov's momentum; the weights of a convolution count as a matrix of its outputs."""

    def __init__(self, weights: Iterable[Any], lr: float, momentum: float = 0.95) -> None:
        super().__init__(weights, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        """Move all weights by their gradients."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                gradient = weight.grad.flatten(1)
                moved = self.state[weight].setdefault("momentum", torch.zeros_like(gradient))
                moved.lerp_(gradient, 1 - group["momentum"])
                step = orthogonalized(gradient.lerp(moved, group["momentum"]))
                scale = max(1.0, step.size(0) / step.size(1)) ** 0.5
                weight.add_(step.view_as(weight), alpha=-group["lr"] * scale)
