"""Named arrays from a file, with nothing taken on trust: every size is checked before anything is allocated."""

from __future__ import annotations

from pathlib import Path

from ccsim.errors import InputError
from ccsim.models.files.npz import read_npz
from ccsim.models.files.safetensors import read_safetensors
from ccsim.models.files.tensors import MOST_BYTES, Tensors
from ccsim.models.files.torch_files import read_torch
from ccsim.models.runtimes import require_file

PICKLE = b"\x80"  # how pickles of protocol 2 and later begin
ZIP = b"PK\x03\x04"
TORCH = ".pt", ".pth", ".ckpt", ".bin"


def read_tensors(path: str | Path) -> Tensors:
    """The arrays in a file: safetensors, npz, or PyTorch's, by the name's ending; what is inside must agree with it.

    Pickles are never loaded. A file of PyTorch (``.pt``, ``.pth``, ``.ckpt``, ``.bin``) is read by ``torch.load`` with
    ``weights_only=True``, if PyTorch is installed. Raises :class:`~ccsim.errors.InputError` for anything else, and for
    a file that is damaged, larger than a GiB, or not what it says.
    """
    path = Path(path)
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
