"""PyTorch's own files, only by its loader of weights, which builds tensors and executes nothing else."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.tensors import MOST_BYTES, UNQUANTISED, Deferred, Stored


def read_torch(path: Path) -> dict[str, Stored]:
    """The tensors of a state dictionary (or of one under ``state_dict``, ``model_state_dict``, ``model``).

    They stay in the file, in virtual memory, until they are asked for.

    Raises :class:`~ccsim.errors.InputError` without PyTorch, for an archive that would unpack to more than a GiB, and
    for whatever ``torch.load(..., weights_only=True)`` refuses.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
            packed = any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist())
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise InputError("file", path.name, "a whole archive as PyTorch saves it") from error
    if packed:
        raise InputError("file", path.name, "an archive as PyTorch saves it, in which nothing is compressed")
    if unpacked > MOST_BYTES:
        raise InputError("file", path.name, f"at most {MOST_BYTES} bytes when unpacked, not {unpacked}")
    try:
        torch: Any = import_module("torch")
    except ImportError as error:
        expected = "PyTorch to be installed, or the same tensors as a .safetensors or .npz file"
        raise InputError("file", path.name, expected) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of types of tensors that it will give up one day
            loaded = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    except Exception as error:  # it raises whatever its unpickler meets; nothing was executed
        reason = (str(error).splitlines() or [""])[0][:200]
        advice = "save the weights alone: torch.save(model.state_dict(), 'weights.pt')"
        expected = f"tensors and plain values alone ({type(error).__name__}: {reason!r}); {advice}"
        raise InputError("file", path.name, expected) from error
    for name in ("state_dict", "model_state_dict", "model"):
        if isinstance(loaded, dict) and isinstance(loaded.get(name), dict):
            loaded = loaded[name]
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in loaded):
        raise InputError("file", type(loaded).__name__, "a state dictionary: tensors by name")
    held = 0
    for name, tensor in loaded.items():
        if isinstance(tensor, dict):
            raise InputError("file", name, "a state dictionary: tensors by name, perhaps under state_dict or model")
        if not isinstance(tensor, torch.Tensor) or tensor.layout != torch.strided:
            raise InputError(f"tensor {name!r}", type(tensor).__name__, "a dense tensor")
        if tensor.is_quantized:
            raise InputError(f"tensor {name!r}", str(tensor.dtype), f"floating-point numbers; {UNQUANTISED}")
        held += tensor.numel() * 8  # a view repeats the numbers of a small storage as often as it likes
        if held > MOST_BYTES:
            raise InputError(f"tensor {name!r}", tuple(tensor.shape), f"at most {MOST_BYTES // 8} numbers in all")
    return {name: _stored(torch, name, tensor) for name, tensor in loaded.items()}


def _stored(torch: Any, name: str, tensor: Any) -> Stored:
    """The tensor as it lies in the file; bfloat16, which NumPy does not have, when it is asked for."""
    if tensor.dtype == torch.bfloat16:

        def load(rows: Sequence[int] | None) -> Array:
            part = tensor.detach() if rows is None else tensor.detach()[list(rows)]
            return _array(name, part.float())

        return Deferred(tuple(tensor.shape), np.dtype(np.float32), load)
    return _array(name, tensor.detach())


def _array(name: str, tensor: Any) -> Array:
    try:
        return np.asarray(tensor.numpy())
    except (TypeError, RuntimeError) as error:  # types that NumPy does not have, and tensors without numbers
        raise InputError(f"tensor {name!r}", str(tensor.dtype), "numbers of a type that NumPy has") from error
