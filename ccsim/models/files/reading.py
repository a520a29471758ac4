"""Named arrays from a file, with nothing taken on trust: every size is checked before anything is allocated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ccsim.errors import InputError
from ccsim.models.files.npz import read_npz
from ccsim.models.files.safetensors import read_safetensors
from ccsim.models.files.tensors import MOST_BYTES, Tensors
from ccsim.models.files.torch_files import read_torch

__all__ = ["TORCH", "read_tensors", "require_file"]

PICKLE = b"\x80"  # how pickles of protocol 2 and later begin
ZIP = b"PK\x03\x04"
INDEX = ".safetensors.index.json"
TORCH = ".pt", ".pth", ".ckpt", ".bin"
MOST_INDEX = 1 << 22  # bytes


def read_tensors(path: str | Path) -> Tensors:
    """The arrays in a file: safetensors, npz, or PyTorch's, by the name's ending; what is inside must agree with it.

    Pickles are never loaded. A file of PyTorch (``.pt``, ``.pth``, ``.ckpt``, ``.bin``) is read by ``torch.load`` with
    ``weights_only=True``, if PyTorch is installed. Raises :class:`~ccsim.errors.InputError` for anything else, and for
    a file that is damaged, larger than a GiB, or not what it says. A name that ends in ``.safetensors.index.json`` is
    that of a list of files, as Hugging Face makes it, which are read as one.
    """
    path = Path(path)
    if path.name.endswith(INDEX):
        return _read_shards(path)
    kind = path.suffix.lower()
    if kind not in (".safetensors", ".npz", *TORCH):
        raise InputError("file", path.name, f"a file that ends in .safetensors, .npz, {', '.join(TORCH)}")
    size, begin = require_file(path)
    if size > MOST_BYTES:
        raise InputError("file", path.name, f"at most {MOST_BYTES} bytes, not {size}")
    if kind == ".safetensors":
        # A safetensors file begins with the length of its header, of which half the bytes are 0.
        if begin.startswith(ZIP) or (begin.startswith(PICKLE) and any(begin[4:])):
            raise InputError("file", path.name, "a safetensors file; this is a pickle or an archive and is not loaded")
        arrays, notes = read_safetensors(path)
        return Tensors(arrays, path.name, notes)
    if not begin.startswith(ZIP):
        advice = "" if kind == ".npz" else ": save torch.save(model.state_dict(), ...) with PyTorch 1.6 or later"
        what = f"a pickle, which is not loaded{advice}" if begin.startswith(PICKLE) else "none"
        raise InputError("file", path.name, f"a {kind} archive; this is {what}")
    if kind == ".npz":
        return Tensors(read_npz(path), path.name)
    return Tensors(read_torch(path), path.name)


def _read_shards(path: Path) -> Tensors:
    """The arrays of several files, each in the one that ``weight_map`` says."""
    size, _ = require_file(path)
    expected = "an object with weight_map, a table from the names of tensors to those of files in the same folder"
    try:
        index: Any = json.loads(path.read_text(encoding="utf-8")) if size <= MOST_INDEX else None
    except (ValueError, RecursionError) as error:
        raise InputError("file", path.name, f"JSON ({type(error).__name__})") from error
    places = index.get("weight_map") if isinstance(index, dict) else None
    if not isinstance(places, dict) or not places or not all(isinstance(name, str) for name in places.values()):
        raise InputError("file", path.name, expected)
    shards = {name: _shard(path, name) for name in sorted(set(places.values()))}
    found = {name: shard for shard, tensors in shards.items() for name in tensors}
    for name in sorted(set(found) | set(places)):
        if found.get(name) != places.get(name):
            raise InputError(f"tensor {name!r}", found.get(name), f"in the file {places.get(name)!r} of {path.name}")
    if sum(map(len, shards.values())) != len(found):
        raise InputError("file", path.name, "every tensor in one file alone")
    return Tensors({name: shards[shard][name] for name, shard in places.items()}, path.name)


def _shard(path: Path, name: str) -> Tensors:
    if Path(name).name != name or not name.endswith(".safetensors"):
        raise InputError("file", path.name, f"names of files in the same folder that end in .safetensors, not {name!r}")
    return read_tensors(path.with_name(name))


def require_file(path: Path) -> tuple[int, bytes]:
    """How large a file is, and how it begins."""
    try:
        if not path.is_file():
            raise InputError("file", str(path), "a file that exists")
        with path.open("rb") as file:
            return path.stat().st_size, file.read(8)
    except OSError as error:
        raise InputError("file", str(path)[-200:], f"a file that can be read ({error.strerror})") from error
