"""The safetensors format: a length, a header in JSON, and the numbers. Read with every claim of the header checked."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.tensors import Deferred

MOST_HEADER = 1 << 22
MOST_AXES = 8

KINDS = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "|i1",
    "U8": "|u1",
    "BOOL": "|b1",
}


def read_safetensors(path: Path) -> tuple[dict[str, Deferred], dict[str, str]]:
    """The arrays, each read when it is asked for, and the texts of ``__metadata__``; bfloat16 becomes float32, exactly.

    Raises :class:`~ccsim.errors.InputError` unless the tensors lie one after the other and fill the file to its end,
    as the format demands, with the sizes that their shapes have.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or not 2 <= length <= min(MOST_HEADER, size - 8):
            raise _wrong(path, f"a header of at most {MOST_HEADER} bytes that the file holds, not {length}")
        header = _header(path, file.read(length))
        notes = _notes(path, header.pop("__metadata__", {}))
        room = size - 8 - length
        places = sorted((_place(path, name, entry, room), name) for name, entry in header.items())
        end = 0
        for (start, stop, *_), name in places:
            if start != end:
                raise _wrong(path, f"tensor {name!r} to start at {end}, where the last one ends, not at {start}")
            end = stop
        if end != room:
            raise _wrong(path, f"tensors that fill {room} bytes, not {end}")
    return {
        name: _deferred(path, name, 8 + length + start, kind, shape) for (start, _, kind, shape), name in places
    }, notes


def write_safetensors(path: str | Path, arrays: Mapping[str, Array], notes: Mapping[str, str] | None = None) -> None:
    """Write float32 or float64 arrays, sorted by name, so that the same arrays give the same file."""
    header: dict[str, Any] = {"__metadata__": dict(notes)} if notes else {}
    parts, end = [], 0
    kinds = {np.dtype("float32"): "F32", np.dtype("float64"): "F64"}
    for name in sorted(arrays):
        array = np.asarray(arrays[name])
        if array.dtype not in kinds:
            raise InputError(f"tensor {name!r}", array.dtype.name, "float32 or float64")
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        header[name] = {
            "dtype": kinds[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [end, end + len(data)],
        }
        parts.append(data)
        end += len(data)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    temporary = Path(path).with_name(f".{Path(path).name}.part")
    temporary.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))
    os.replace(temporary, path)


def _header(path: Path, text: bytes) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) != len(pairs):
            raise _wrong(path, "every name once in its header")
        return dict(pairs)

    try:
        header = json.loads(text.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:  # also what is no UTF-8, and integers of thousands of digits
        if isinstance(error, InputError):
            raise
        raise _wrong(path, f"a header in JSON ({type(error).__name__})") from error
    if not isinstance(header, dict):
        raise _wrong(path, "a header that is an object")
    return header


def _notes(path: Path, notes: Any) -> dict[str, str]:
    if not isinstance(notes, dict) or not all(isinstance(text, str) for text in notes.values()):
        raise _wrong(path, "__metadata__ of texts")
    return notes


def _place(path: Path, name: str, entry: Any, room: int) -> tuple[int, int, str, tuple[int, ...]]:
    """Where a tensor is, its type and its shape; nothing is allocated."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise _wrong(path, f"dtype, shape and data_offsets of tensor {name!r}")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in KINDS:
        raise InputError(f"tensor {name!r}", kind, f"one of the types {', '.join(KINDS)}")
    if not _whole(shape) or len(shape) > MOST_AXES:
        raise InputError(f"tensor {name!r}", shape, f"a shape of at most {MOST_AXES} sizes of at least 0")
    if not _whole(offsets) or len(offsets) != 2 or not offsets[0] <= offsets[1] <= room:
        raise InputError(f"tensor {name!r}", offsets, f"two offsets in order, at most {room}")
    needed = math.prod(shape) * np.dtype(KINDS[kind]).itemsize
    if offsets[1] - offsets[0] != needed:
        raise InputError(f"tensor {name!r}", offsets, f"{needed} bytes for the shape {tuple(shape)} of {kind}")
    return offsets[0], offsets[1], kind, tuple(shape)


def _whole(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1 << 48 for value in values)


def _deferred(path: Path, name: str, start: int, kind: str, shape: tuple[int, ...]) -> Deferred:
    """The tensor that begins at so many bytes of the file."""
    stored, each = np.dtype(KINDS[kind]), math.prod(shape[1:])

    def load(rows: Sequence[int] | None) -> Array:
        runs = [(0, math.prod(shape))] if rows is None else [(row * each, each) for row in rows]
        with path.open("rb") as file:
            parts = [_numbers(file, start + first * stored.itemsize, count) for first, count in runs]
        array = np.concatenate(parts).reshape(shape if rows is None else (len(runs), *shape[1:]))
        return (array.astype(np.uint32) << 16).view(np.float32) if kind == "BF16" else array

    def _numbers(file: BinaryIO, place: int, count: int) -> Array:
        file.seek(place)
        found = np.fromfile(file, dtype=stored, count=count)
        if len(found) != count:
            raise _wrong(path, f"{count * stored.itemsize} bytes of tensor {name!r}")
        return found

    return Deferred(shape, np.dtype(np.float32) if kind == "BF16" else stored, load)


def _wrong(path: Path, expected: str) -> InputError:
    return InputError("file", path.name, f"a safetensors file with {expected}")
