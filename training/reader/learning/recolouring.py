"""Gives the boards of a batch other colours, and makes them more or less sharp."""

from __future__ import annotations

from typing import Any

import torch

PERMUTED, INVERTED, GREYED, LIT, BENT, BLURRED, NOISY = 0.2, 0.12, 0.1, 0.4, 0.15, 0.12, 0.15
"""Part of the boards whose colours are exchanged, inverted, made greyer, brighter or darker, or brighter or
darker in the middle alone, and of those that are blurred and noisy."""

GREY = (0.114, 0.587, 0.299)
"""How bright blue, green and red are (ITU-R BT.601)."""

OF_ALL, OF_EACH, OFFSETS = (0.5, 1.15), (0.6, 1.1), (-15.0, 25.0)
"""Ranges of what all colours are multiplied by, or each of them, and of what is added to them, of 255."""

BENDS, BLURS, NOISES = (0.6, 1.6), (0.3, 1.0), (0.5, 5.0)
"""Ranges of the exponents, and of the standard deviations of blurs in pixels and of noise, of 255."""

NO_BLUR = 0.01
"""A standard deviation that changes nothing."""


def recoloured(windows: Any, board: Any, boards: int) -> Any:
    """Windows, (windows, side, side, 3), in other colours, all those of a board in the same way: 0 to 255, in
    whole numbers. From which board each is of, (windows,), and the number of boards."""
    device, side = windows.device, windows.shape[1]

    def is_so(part: float) -> Any:
        return torch.rand(boards, device=device) < part

    def between(bounds: tuple[float, float], *more: int) -> Any:
        return bounds[0] + (bounds[1] - bounds[0]) * torch.rand(boards, *more, device=device)

    matrix, offset = _colours(is_so, between, boards, device)
    pixels = windows.flatten(1, 2).float() @ matrix[board] + offset[board][:, None]
    bend = (1 + is_so(BENT) * (between(BENDS) - 1))[board]
    pixels = (pixels / 255).clamp(0, 1) ** bend[:, None, None] * 255
    blur = (is_so(BLURRED) * between(BLURS)).clamp(min=NO_BLUR)
    # Half precision tells an eighth of a step of colour apart.
    exact = torch.float16 if device.type == "cuda" else torch.float32
    pixels = _blurred(pixels.view(len(windows), side, -1).to(exact), blur, board)
    noise = (is_so(NOISY) * between(NOISES)).to(exact)[board]
    pixels = pixels + torch.randn_like(pixels) * noise[:, None, None]
    return (pixels + 0.5).clamp(0, 255).to(torch.uint8).view(windows.shape)


def _colours(is_so: Any, between: Any, boards: int, device: Any) -> tuple[Any, Any]:
    """What the colours of each board are multiplied by, (boards, 3, 3), and what is added, (boards, 3)."""
    one = torch.eye(3, device=device)
    orders = torch.rand(boards, 3, device=device).argsort(1)
    matrix = torch.where(is_so(PERMUTED)[:, None, None], one[orders], one)
    is_inverted = is_so(INVERTED)[:, None].float()
    part = (is_so(GREYED) * between((0.5, 1.0)))[:, None, None]
    brightness = sum(share * one[:, index] for index, share in enumerate(GREY))
    grey = (1 - part) * one + part * brightness[:, None]
    gain = torch.where(is_so(0.5)[:, None], between(OF_EACH, 3), between(OF_ALL)[:, None])
    is_lit = is_so(LIT)[:, None]
    gain, more = 1 + is_lit * (gain - 1), is_lit * between(OFFSETS)[:, None]
    matrix = (matrix * (1 - 2 * is_inverted)[:, None]) @ grey * gain[:, None]
    # The columns of `grey` add up to one, so an offset that is the same for all colours stays what it is.
    return matrix, 255 * is_inverted * gain + more


def _blurred(pixels: Any, sigmas: Any, board: Any) -> Any:
    """Windows, (windows, side, side * 3), blurred by Gaussians of the standard deviations of their boards,
    (boards,): by a product of matrices for each direction."""
    side = pixels.shape[1]
    places = torch.arange(side, device=pixels.device)
    weights = torch.exp(-0.5 * ((places - places[:, None]) / sigmas[:, None, None]) ** 2)
    weights = (weights / weights.sum(2, keepdim=True)).to(pixels.dtype)
    across = torch.kron(weights, torch.eye(3, dtype=pixels.dtype, device=pixels.device)).mT.contiguous()
    return torch.bmm(torch.bmm(weights[board], pixels), across[board])
