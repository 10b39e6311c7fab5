"""The weights of networks in files, as they are trained and as they ship."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from bot.errors import FormatError
from bot.vision.general.network import POWER, STEP, unpacked
from training.reader.learning.model import Model

FINEST = 101
"""The largest whole number that weights are written in while a network is trained."""

DENSE = "cell.dense"
"""The last layer of a cell network."""


def whole_numbers(words: str) -> tuple[int, int]:
    """The largest whole numbers of the weights of a cell network and of a board network, as `26,5` names
    them; raises ValueError if these are not two numbers up to 127."""
    cells, _, boards = words.partition(",")
    numbers = int(cells), int(boards)
    if not 1 <= min(numbers) <= max(numbers) <= np.iinfo(np.int8).max:
        raise ValueError(f"{words}: not two whole numbers from 1 to 127")
    return numbers


def exported(model: Model) -> dict[str, npt.NDArray[Any]]:
    """The weights as `Network` takes them; the normalisations of convolutions become a scale and a bias."""
    weights: dict[str, Any] = {}
    cells = model.cells
    for index, (convolution, norm) in enumerate(zip(cells.convolutions, cells.norms, strict=True)):
        deviation = torch.sqrt(norm.running_var + norm.eps)
        scale = norm.weight / deviation
        weights[f"cell.{index}.weight"] = convolution.weight.permute(2, 3, 1, 0)
        weights[f"cell.{index}.scale"] = scale
        weights[f"cell.{index}.bias"] = norm.bias - norm.running_mean * scale
        # For `load_weights` alone.
        weights[f"cell.{index}.mean"], weights[f"cell.{index}.deviation"] = norm.running_mean, deviation
    weights[f"{DENSE}.weight"], weights[f"{DENSE}.bias"] = cells.dense.weight.T, cells.dense.bias
    for name, one in model.board.state_dict().items():
        weights[f"board.{name}"] = one.T if one.dim() == 2 else one
    return packed({name: one.detach().cpu().numpy().astype(np.float32) for name, one in weights.items()})


def packed(
    weights: Mapping[str, npt.NDArray[np.float32]], largest: int = FINEST, of_boards: int = FINEST
) -> dict[str, Any]:
    """Weights as `unpacked` takes them: matrices in whole numbers up to `largest`, those of board networks up
    to another number, the rest in half precision."""
    written: dict[str, npt.NDArray[Any]] = {}
    for name, one in weights.items():
        if one.ndim < 2:
            written[name] = one.astype(np.float16)
            continue
        most = np.abs(one).max(axis=tuple(range(one.ndim - 1)))
        finest = of_boards if name.startswith("board.") else largest
        # Half precision has no room for the steps of the finest.
        kind = np.float32 if finest == FINEST else np.float16
        step = (np.maximum(most, np.finfo(np.float16).tiny) / finest**POWER).astype(kind)
        codes = np.round((np.abs(one) / step) ** (1 / POWER))
        written[name] = (np.sign(one) * codes).astype(np.int8)
        written[f"{name}{STEP}"] = step
    return written


def rounded(matrix: Any, largest: int) -> Any:
    """A matrix of a network, (out, in, any more), as `packed` writes it in whole numbers up to the
    `largest`."""
    inside = tuple(range(1, matrix.dim()))
    most = matrix.abs().amax(inside, keepdim=True).clamp(min=np.finfo(np.float16).tiny)
    step = most / largest**POWER
    return matrix.sign() * (matrix.abs() / step).pow(1 / POWER).round().pow(POWER) * step


def load_weights(model: Model, weights: Mapping[str, npt.NDArray[Any]]) -> bool:
    """Give a model what `exported` wrote, to train on from there; whether there was a board network of this
    form among it, and not only a cell network."""
    read = {name: torch.from_numpy(one) for name, one in unpacked(weights).items()}
    state: dict[str, Any] = {}
    for index, norm in enumerate(model.cells.norms):
        weight, scale, bias, mean, deviation = (
            read[f"cell.{index}.{name}"] for name in ("weight", "scale", "bias", "mean", "deviation")
        )
        state[f"convolutions.{index}.weight"] = weight.permute(3, 2, 0, 1)
        state[f"norms.{index}.weight"] = scale * deviation
        state[f"norms.{index}.bias"] = bias + scale * mean
        state[f"norms.{index}.running_mean"] = mean
        state[f"norms.{index}.running_var"] = deviation**2 - norm.eps
        state[f"norms.{index}.num_batches_tracked"] = norm.num_batches_tracked
    state["dense.weight"], state["dense.bias"] = read[f"{DENSE}.weight"].T, read[f"{DENSE}.bias"]
    model.cells.load_state_dict(state)
    names = model.board.state_dict()
    if any(f"board.{name}" not in read for name in names):
        return False
    boards = {name: read[f"board.{name}"] for name in names}
    model.board.load_state_dict({name: one.T if one.dim() == 2 else one for name, one in boards.items()})
    return True


def mean_weights(paths: Sequence[Path]) -> dict[str, npt.NDArray[np.float32]]:
    """One network between several of one descent, whose weights lie in files: the mean of each of them.

    Raises FormatError where a file has no weights. Method: Wortsman and others, "Model soups: averaging
    weights of multiple fine-tuned models improves accuracy without increasing inference time", 2022.
    """
    members = [_read_weights(path) for path in paths]
    return {name: np.mean([one[name] for one in members], axis=0, dtype=np.float32) for name in members[0]}


def _read_weights(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            weights = unpacked({name: file[name] for name in file.files})
    except OSError as error:
        raise FormatError(f"{path} cannot be read ({error.strerror or error})") from None
    except Exception:  # numpy and zipfile raise errors of many kinds for what is cut or damaged
        weights = {}
    if f"{DENSE}.weight" not in weights:
        raise FormatError(f"{path} is not what `learn` wrote, or not all of it: begin at another file")
    return weights
