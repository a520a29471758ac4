"""Tensors of ONNX that lie in a file beside the graph, as PyTorch's exporter writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

from ccsim.errors import InputError
from ccsim.models.files.tensors import MOST_BYTES

__all__ = ["require_inside"]


def require_inside(tensors: list[Any], path: Path) -> int:
    """Put what lies outside into the tensors; how many bytes there are in all.

    Raises :class:`~ccsim.errors.InputError` unless it lies in files of the graph's folder, in places that these have,
    of a GiB at most in all.
    """
    places = [_place(tensor, path) for tensor in tensors]
    held = sum(length for _, _, length in places)
    if held > MOST_BYTES:
        raise InputError("file", path.name, f"at most {MOST_BYTES} bytes outside of it, not {held}")
    for tensor, (beside, start, length) in zip(tensors, places, strict=True):
        try:
            with beside.open("rb") as file:
                data = _read(file, start, length)
        except OSError as error:
            raise InputError(f"tensor {tensor.name!r}", beside.name, f"a file to read ({error.strerror})") from error
        tensor.raw_data = data
        tensor.ClearField("external_data")
        tensor.ClearField("data_location")
    return held


def _read(file: BinaryIO, start: int, length: int) -> bytes:
    file.seek(start)
    return file.read(length)


def _place(tensor: Any, path: Path) -> tuple[Path, int, int]:
    """In which file the numbers of a tensor lie, from which byte, and how many bytes they are."""
    entries = {each.key: each.value for each in tensor.external_data}
    name = entries.get("location", "")
    beside = path.with_name(name) if name and Path(name).name == name and "\0" not in name else None
    if beside is None or beside.is_symlink() or not beside.is_file():
        raise InputError(f"tensor {tensor.name!r}", name, "external data in a file of the same folder")
    size = beside.stat().st_size
    numbers = [entries.get("offset", "0"), entries.get("length", "")]
    if not all(text.isascii() and len(text) < 16 and (text.isdigit() or not text) for text in numbers):
        raise InputError(f"tensor {tensor.name!r}", numbers, "an offset and a length in bytes")
    start = int(numbers[0] or 0)
    length = int(numbers[1]) if numbers[1] else size - start
    if not 0 <= start <= start + length <= size:
        raise InputError(f"tensor {tensor.name!r}", (start, length), f"a place among the {size} bytes of {name!r}")
    return beside, start, length
