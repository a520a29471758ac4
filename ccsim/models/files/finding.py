"""Where a model's description stands: in a file of its own, beside its tensors, in them, or in a folder."""

from __future__ import annotations

import json
import tomllib
from os.path import isdir
from pathlib import Path
from typing import Any

from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.graph_parts import GraphTensors, graph_entries
from ccsim.models.files.hugging_face import CONFIG, OWN, described, weights_of
from ccsim.models.files.onnx_cells import CELLS
from ccsim.models.files.onnx_files import open_onnx
from ccsim.models.files.onnx_graphs import translate
from ccsim.models.files.reading import TORCH, read_tensors, require_file
from ccsim.models.files.tensors import Tensors

__all__ = ["find_description"]

MOST_DESCRIPTION = 1 << 20
NOTE = "ccsim"


def find_description(path: str | Path) -> tuple[Description, Tensors]:
    """The description and the tensors of a model, from either of its files.

    ``path`` is a description in TOML or JSON, which names the file with the tensors or has its name up to the ending;
    or it is the file with the tensors, whose description is beside it, or in its ``__metadata__`` under "ccsim". Beside
    a graph of ONNX the description has no more than ``tokens``, ``answers``, precision and ``check``: the graph tells
    the rest. Or it is a folder (or the ``config.json`` in it) as Hugging Face saves a model, with an optional
    ``ccsim.toml``, in which stand the entries of a description that ``config.json`` does not say.
    """
    path = Path(path)
    if path.name == CONFIG and isinstance(given := _parsed(path), dict) and "model_type" in given:
        path = path.parent
    if isdir(path):  # where the path is too long for a name, this is false and no error
        return _of_folder(path)
    if path.suffix.lower() in (".toml", ".json"):
        plain = _parsed(path)
        beside = _beside(path, plain.get("tensors") if isinstance(plain, dict) else None)
        if beside.suffix.lower() == ".onnx":
            return _of_graph(beside, plain)
        return Description.from_json(plain), read_tensors(beside)
    if path.suffix.lower() == ".onnx":
        return _of_graph(path, None)
    tensors = read_tensors(path)
    if NOTE in tensors.notes:
        return Description.from_json(_json(tensors.notes[NOTE], path.name)), tensors
    for kind in (".toml", ".json"):
        if path.with_suffix(kind).is_file():
            return Description.from_json(_parsed(path.with_suffix(kind))), tensors
    expected = f"a description beside it, {path.with_suffix('.toml').name}, or one in its metadata under {NOTE!r}"
    raise InputError("file", path.name, expected)


def _of_graph(path: Path, plain: Any) -> tuple[Description, Tensors]:
    """A graph of ONNX tells what it computes; tokens, answers and precision are said beside it, or in its notes."""
    require_file(path)
    graph = open_onnx(path)
    if plain is None and NOTE in graph.notes:
        plain = _json(graph.notes[NOTE], path.name)
    for kind in (".toml", ".json"):
        if plain is None and path.with_suffix(kind).is_file():
            plain = _parsed(path.with_suffix(kind))
    if not isinstance(plain, dict):
        expected = f"a description beside it, {path.with_suffix('.toml').name}, with the tokens"
        raise InputError("file", path.name, expected)
    if not any(operation.kind in CELLS for operation in graph.operations):
        return Description.from_json(graph_entries(plain)), GraphTensors(graph)
    read = translate(graph)
    twice = sorted({*read.told, "prefix", "names", "residual"} & set(plain))
    if twice:
        raise InputError("description", twice, "no entry that the graph tells")
    return Description.from_json({**plain, **read.told}), Tensors(read.tensors, path.name, read.notes)


def _of_folder(folder: Path) -> tuple[Description, Tensors]:
    """A model as Hugging Face saves it (see :func:`~ccsim.models.files.hugging_face.described`)."""
    own = _parsed(folder / OWN) if (folder / OWN).is_file() else {}
    named = own.get("tensors")
    if named is not None and not isinstance(named, str):
        raise InputError("tensors", named, "the name of a file")
    config = _parsed(folder / CONFIG)
    tensors = read_tensors(weights_of(folder, named))
    return Description.from_json(described(config, own, tensors)), tensors


def _beside(path: Path, name: Any) -> Path:
    if name is not None:
        if not isinstance(name, str) or Path(name).name != name:
            raise InputError("tensors", name, "the name of a file in the same folder")
        return path.with_name(name)
    for kind in (".safetensors", ".npz", *TORCH, ".onnx"):
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
