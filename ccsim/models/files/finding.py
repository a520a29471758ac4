"""Where a model's description stands: in a file of its own, beside its tensors, or in them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.reading import TORCH, read_tensors
from ccsim.models.files.runtimes import is_run
from ccsim.models.files.tensors import Tensors

MOST_DESCRIPTION = 1 << 20
NOTE = "ccsim"


def find_description(path: str | Path) -> tuple[Description, Tensors]:
    """The description and the tensors of a model, from either of its files.

    ``path`` is a description in TOML or JSON, which names the file with the tensors or has its name up to the ending;
    or it is the file with the tensors, whose description is beside it, or in its ``__metadata__`` under "ccsim".
    """
    path = Path(path)
    if path.suffix.lower() in (".toml", ".json"):
        plain = _parsed(path)
        beside = _beside(path, plain.get("tensors") if isinstance(plain, dict) else None)
        return Description.from_json(plain), read_tensors(beside)
    if is_run(path):
        expected = f"tensors; this is run as it is: ForwardModel(open_forward({path.name!r}), ...)"
        raise InputError("file", path.name, expected)
    tensors = read_tensors(path)
    if NOTE in tensors.notes:
        return Description.from_json(_json(tensors.notes[NOTE], path.name)), tensors
    for kind in (".toml", ".json"):
        if path.with_suffix(kind).is_file():
            return Description.from_json(_parsed(path.with_suffix(kind))), tensors
    expected = f"a description beside it, {path.with_suffix('.toml').name}, or one in its metadata under {NOTE!r}"
    raise InputError("file", path.name, f"{expected}; or the module that has these weights (--module)")


def _beside(path: Path, name: Any) -> Path:
    if name is not None:
        if not isinstance(name, str) or Path(name).name != name:
            raise InputError("tensors", name, "the name of a file in the same folder")
        return path.with_name(name)
    for kind in (".safetensors", ".npz", *TORCH):
        if path.with_suffix(kind).is_file():
            return path.with_suffix(kind)
    raise InputError("description", path.name, "an entry tensors, or tensors in a file of the same name")


def _parsed(path: Path) -> Any:
    try:
        if not path.is_file() or path.stat().st_size > MOST_DESCRIPTION:
            raise InputError("description", str(path), f"a file of at most {MOST_DESCRIPTION} bytes")
        text = path.read_text(encoding="utf-8")
        return _json(text, path.name) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also what is no UTF-8, and integers of thousands of digits
        if isinstance(error, InputError):
            raise
        raise InputError("description", path.name, f"TOML ({error})") from error
    except OSError as error:
        raise InputError("description", str(path)[-200:], f"a file that can be read ({error.strerror})") from error


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also integers of thousands of digits
        raise InputError("description", name, f"JSON ({error})") from error
