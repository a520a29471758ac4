"""What a file of tensors holds: its arrays, opened by the library of each format, and the description of the model.

Nothing in a file is trusted: sizes are checked before memory is allocated, and pickles are never loaded.
"""

from __future__ import annotations

import difflib
import json
import pickletools
import re
import struct
import tomllib
import warnings
import zipfile
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from fnmatch import fnmatchcase
from importlib import import_module
from os.path import isdir
from pathlib import Path
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import Array, InputError, require_integer, require_memory, require_shape

safetensors = lazy.load("safetensors", extra="files")

MOST_BYTES = 1 << 30  # of a file, and of all arrays in it
MOST_AXES = 8
MOST_IDS = 1 << 20
MOST_EPSILON = 1 << 20
MOST_DESCRIPTION = 1 << 20
MOST_STATES = 16
MOST_TUPLE = 256
MOST_HEADER = 1 << 22  # bytes beside the numbers: tens of thousands of tensors, and a description
NOTE = "ccsim"

KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
KINDS |= {"I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1", "BOOL": "|b1"}
"""Types of safetensors, and of what NumPy reads them as."""

TORCH = ".pt", ".pth", ".ckpt", ".bin"

CALLED = re.compile(
    r"collections OrderedDict|torch\._utils _rebuild_(tensor_v2|parameter|meta_tensor_no_storage)"
    r"|torch ((Double|Float|Half|BFloat16|Long|Int|Short|Char|Byte|Bool|ComplexFloat|ComplexDouble)Storage"
    r"|device|bool|(float|bfloat|int|uint|complex)\d+)"
)
"""What a state dictionary needs. ``weights_only`` allows more, some of which makes gigabytes of a few bytes."""

FIRST_STATE = re.compile(
    r"(^|[._])([hcs]_?0|\w*(init|initial|first|start)_?(h|c|hidden|cell|state)\w*|\w*(state|hidden|cell)_?(0|init))$"
)
"""How learnt first states are called."""


def is_run(path: str | Path) -> bool:
    return Path(path).suffix.lower() == ".onnx" or isdir(path)


def file_size(path: Path) -> int:
    try:
        if not path.is_file():
            raise InputError("file", str(path), "a file that exists")
        return path.stat().st_size
    except OSError as error:
        raise InputError("file", str(path)[-200:], f"a file that can be read ({error.strerror})") from error


class Tensors(dict[str, Array]):
    """Arrays by name, from a ``source``, with ``notes``; those that were read, and ``known`` masks, are remembered.

    Args:
        arrays, notes: by the name of the tensor.
        source: of the arrays, for errors.
    """

    def __init__(self, arrays: Mapping[str, Array], source: str, notes: Mapping[str, str] | None = None) -> None:
        super().__init__(arrays)
        self.source, self.notes = source, dict(notes or {})
        self.known: set[str] = set()
        self._read: dict[str, int] = {}

    @property
    def unused(self) -> tuple[str, ...]:
        """The names that were not read, but for those that are known to be no part of a model."""
        return tuple(sorted(set(self) - set(self._read) - self.known))

    @property
    def numbers(self) -> int:
        """How many numbers were read."""
        return sum(self._read.values())

    def require_used(self, ignored: Sequence[str], checked: bool) -> None:
        """Refuse an unread tensor that no pattern names, and learnt first states unless scores were checked."""
        first = [name for name in self.unused if FIRST_STATE.search(name)]
        if first and not checked:
            expected = "first states that are zero: this looks like a learnt one, which changes what is computed"
            raise InputError("tensors", ", ".join(map(repr, first)), f"{expected}; run the model itself (file.py:name)")
        rest = [name for name in self.unused if not any(fnmatchcase(name, pattern) for pattern in ignored)]
        if rest:
            names = ", ".join(map(repr, rest[:6])) + (f" and {len(rest) - 6} more" if len(rest) > 6 else "")
            expected = (
                "tensors that are read: others could change what is computed, as norms do, and then the module is run"
                " (--module); those that do not, as recorded scores show (check), are named in ignore = [...]"
            )
            raise InputError("tensors", names, expected)

    def take(self, name: str, *shape: int | None, rows: Sequence[int] | None = None) -> Array:
        """The array of this name, or its ``rows``, as float64, finite, of this shape (None: any size of at least 1)."""
        if name not in self:
            near = difflib.get_close_matches(name, self, n=3, cutoff=0.4) or sorted(self)[:6]
            expected = f"a tensor {name!r}; there are {', '.join(map(repr, near)) or 'none'}"
            raise InputError("tensors", self.source, expected)
        array = self[name]
        require_shape(f"tensor {name!r}", array, shape)
        if array.dtype.kind != "f":
            expected = "floating-point numbers; quantised weights are not read: save them dequantised, or run the"
            raise InputError(f"tensor {name!r}", array.dtype.name, f"{expected} module that has them (file.py:name)")
        if rows is not None and max(rows, default=-1) >= len(array):
            raise InputError(f"row of tensor {name!r}", max(rows), f"rows below {len(array)}, such as ids of tokens")
        numbers = array if rows is None else array[list(rows)]
        if not np.isfinite(numbers).all():
            raise InputError(f"tensor {name!r}", "NaN or infinity", "finite numbers")
        self._read[name] = numbers.size
        return numbers.astype(np.float64)

    def bias(self, name: str, *shape: int) -> Array:
        """The array of this name, or zeros if there is none."""
        return self.take(name, *shape) if name in self else np.zeros(shape)


def read_tensors(path: str | Path) -> Tensors:
    """The arrays in a file: safetensors, npz, or PyTorch's, by the name's ending; what is inside must agree with it.

    A file of PyTorch (``.pt``, ``.pth``, ``.ckpt``, ``.bin``) is read with ``weights_only=True``, if PyTorch is
    installed. Raises :class:`~ccsim.errors.InputError` for a file that is damaged or larger than a GiB.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in (".safetensors", ".npz", *TORCH):
        raise InputError("file", path.name, f"a file that ends in .safetensors, .npz, {', '.join(TORCH)}")
    _require_bytes(path, file_size(path))
    if kind == ".safetensors":
        arrays, notes = _read_safetensors(path)
        return Tensors(arrays, path.name, notes)
    return Tensors(read_npz(path) if kind == ".npz" else _read_torch(path), path.name)


def _require_bytes(path: Path, count: int) -> None:
    if count > MOST_BYTES:
        raise InputError("file", path.name, f"at most {MOST_BYTES} bytes when unpacked, not {count}")
    require_memory(4 * count, f"the tensors of {path.name}")


def _damaged(path: Path, error: Exception, advice: str = "") -> InputError:
    reason = (str(error).splitlines() or [""])[0][:200]
    return InputError("file", path.name, f"whole tensors and nothing else ({type(error).__name__}: {reason!r}){advice}")


def _read_safetensors(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > MOST_HEADER:
                raise InputError("file", path.name, f"a header of at most {MOST_HEADER} bytes, not {length}")
            json.loads(file.read(length).decode(), object_pairs_hook=_table)  # of a name twice, one would be dropped
        with safetensors.safe_open(path, "numpy") as opened:
            notes = opened.metadata() or {}
        tensors = safetensors.deserialize(path.read_bytes())
    except (safetensors.SafetensorError, OSError, ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(path, error) from error
    _require_bytes(path, sum(len(tensor["data"]) * (1 + (tensor["dtype"] == "BF16")) for _, tensor in tensors))
    arrays = {}
    for name, tensor in tensors:
        kind, shape = tensor["dtype"], tensor["shape"]
        if kind not in KINDS or len(shape) > MOST_AXES:
            expected = f"one of the types {', '.join(KINDS)}, and at most {MOST_AXES} axes"
            raise InputError(f"tensor {name!r}", (kind, shape), expected)
        try:
            array = np.frombuffer(tensor["data"], KINDS[kind]).reshape(shape)
        except ValueError as error:  # no numbers, but axes longer than NumPy's may be
            raise InputError(f"tensor {name!r}", shape, f"a shape that NumPy has ({error})") from error
        if kind == "BF16":
            wide = array.astype(np.uint32)
            wide <<= 16
            array = wide.view(np.float32)
        arrays[name] = array
    return arrays, notes


def write_safetensors(path: str | Path, arrays: Mapping[str, Array], notes: Mapping[str, str] | None = None) -> None:
    """Write arrays; the same arrays give the same file."""
    save = lazy.load("safetensors.numpy", extra="files").save
    Path(path).write_bytes(save({name: np.asarray(arrays[name]) for name in sorted(arrays)}, dict(notes or {}) or None))


def _members(path: Path) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(path) as archive:
            members, start = archive.infolist(), archive.start_dir
        with path.open("rb") as file:
            begins = file.read(4)
            file.seek(max(0, file.seek(0, 2) - 98))
            last = file.read()
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise _damaged(path, error) from error
    _require_bytes(path, sum(member.file_size for member in members))
    first = min((member.header_offset for member in members), default=0)
    alone = begins == (b"PK\3\4" if members else b"PK\5\6") and first == 0
    if not alone or not _ends_archive(last, path.stat().st_size, start, len(members)):
        raise InputError("file", path.name, "an archive with one directory, and nothing in front of it or behind it")
    return members


def _ends_archive(last: bytes, length: int, start: int, count: int) -> bool:
    """Whether the directory goes from ``start`` to the end records; of several, libraries read different ones."""
    few = min(count, 0xFFFF)
    size = length - 22 - start
    far = last[-42:-38] == b"PK\6\7"
    if far:
        size -= 76
    if size < 0:
        return False
    records = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, few, few, size, start, 0)
    if not far:
        return last[-22:] == records
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, start + size, 1)
    numbers = struct.pack("<2L4Q", 0, 0, count, count, size, start)  # behind the mark, the length, and versions
    return last.startswith(struct.pack("<4sQ", b"PK\6\6", 44)) and last[16:] == numbers + locator + records


def read_npz(path: Path) -> dict[str, Array]:
    """The arrays of numbers in an archive, by name; no objects, which would be pickles, and at most a GiB unpacked."""
    names = [member.filename.removesuffix(".npy") for member in _members(path)]
    if len(set(names)) != len(names):
        raise InputError("file", path.name, f"one array of each name, of {len(names)} in it")
    arrays: dict[str, Array] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for name, member in zip(names, archive.infolist(), strict=True):
                with archive.open(member) as opened:
                    arrays[name] = np.lib.format.read_array(opened, allow_pickle=False)
                    if opened.read(1):
                        raise ValueError(f"bytes behind the array {name!r}")
    except Exception as error:  # whatever NumPy meets in a damaged member; nothing was executed
        raise _damaged(path, error) from error
    for name, array in arrays.items():
        if array.dtype.kind not in "fiub":
            raise InputError(f"tensor {name!r}", array.dtype, "an array of numbers")
    return arrays


SAVE_WEIGHTS = "save the weights alone: torch.save(model.state_dict(), 'weights.pt')"


def _require_state(path: Path, members: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse a pickle that is long, or calls what a state dictionary does not need."""
    pickles = [member for member in members if member.orig_filename.lower().endswith("data.pkl")]
    if len(pickles) != 1 or pickles[0].file_size > MOST_HEADER:
        raise InputError("file", path.name, f"one member data.pkl, of at most {MOST_HEADER} bytes; {SAVE_WEIGHTS}")
    try:
        with zipfile.ZipFile(path) as archive:
            steps = [(step.name, value) for step, value, _ in pickletools.genops(archive.read(pickles[0]))]
    except Exception as error:  # of damaged archives and pickles
        raise _damaged(path, error) from error
    called = {str(value) for step, value in steps if step == "GLOBAL"}
    refused = sorted(name.replace(" ", ".")[:80] for name in called if not CALLED.fullmatch(name))
    if refused:
        expected = f"whole tensors and nothing else, not a pickle that calls {', '.join(refused[:4])}; {SAVE_WEIGHTS}"
        raise InputError("file", path.name, expected)
    if _copies(steps):
        expected = f"tables that are made empty, short shapes, and at most {MOST_STATES} states; {SAVE_WEIGHTS}"
        raise InputError("file", path.name, expected)


def _copies(steps: Sequence[tuple[str, Any]]) -> bool:
    """Whether a pickle could copy something large again and again, with a few bytes each time.

    As PyTorch saves it, tables are made empty, states are few, and in tuples of four or more only names are repeated.
    """
    tables: set[Any] = set()
    names: set[Any] = set()
    marks: list[int] = []
    foreign = -1
    for place, (step, value) in enumerate(steps):
        got = step in ("BINGET", "LONG_BINGET")
        if (step, value) == ("GLOBAL", "collections OrderedDict") or (got and value in tables):
            after = steps[place + 1]
            if after[0] in ("BINPUT", "LONG_BINPUT"):
                tables.add(after[1])
                after = steps[place + 2]
            if after[0] != "EMPTY_TUPLE":
                return True
        if step in ("BINPUT", "LONG_BINPUT"):
            (names.add if steps[place - 1][0] in ("BINUNICODE", "GLOBAL") else names.discard)(value)
        elif step == "EMPTY_LIST" or (got and value not in names):
            foreign = place
        elif step == "MARK":
            marks.append(place)
        elif step in ("TUPLE", "APPENDS", "SETITEMS"):
            start = marks.pop() if marks else -1
            if step == "TUPLE" and (foreign > start or place - start > MOST_TUPLE):
                return True
    return sum(step == "BUILD" for step, _ in steps) > MOST_STATES


def _read_torch(path: Path) -> dict[str, Array]:
    members = _members(path)
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise InputError("file", path.name, "an archive as PyTorch saves it, in which nothing is compressed")
    _require_state(path, members)
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
        raise _damaged(path, error, f"; {SAVE_WEIGHTS}") from error
    for name in ("state_dict", "model_state_dict", "model"):
        if isinstance(loaded, dict) and isinstance(loaded.get(name), dict):
            loaded = loaded[name]
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in loaded):
        raise InputError("file", type(loaded).__name__, "a state dictionary: tensors by name")
    arrays: dict[str, Array] = {}
    for name, tensor in loaded.items():
        if not isinstance(tensor, torch.Tensor):
            expected = "a tensor: a state dictionary has them by name, perhaps under state_dict or model"
            raise InputError(f"tensor {name!r}", type(tensor).__name__, expected)
        # A view repeats the numbers of a small storage as often as it likes.
        if sum(array.size for array in arrays.values()) + tensor.numel() > MOST_BYTES // 8:
            raise InputError(f"tensor {name!r}", tuple(tensor.shape), f"at most {MOST_BYTES // 8} numbers in all")
        try:
            tensor = tensor.detach()
            arrays[name] = np.asarray((tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy())
        except (TypeError, RuntimeError) as error:  # types that NumPy does not have, and tensors without numbers
            raise InputError(f"tensor {name!r}", str(tensor.dtype), "dense numbers of a type that NumPy has") from error
    return arrays


@dataclass(frozen=True)
class ReadOut:
    """Names of weights (answers, width) and perhaps a bias (answers,); ``rows`` are the answers'; None: all of them.

    Of two answers there may be a single row: the second wins where the number is above a threshold.

    Attributes:
        weight, bias: names of tensors.
        rows: places of rows.
    """

    weight: str
    bias: str | None = None
    rows: tuple[int, ...] | None = None


def _symbol(value: Any, argument: str, depth: int = 4) -> Hashable:
    if isinstance(value, list) and depth:
        return tuple(_symbol(item, argument, depth - 1) for item in value)
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise InputError(argument, value, "texts, integers, and lists of these")
    return value


def _tokens(given: Any, argument: str) -> tuple[Hashable | None, ...]:
    if isinstance(given, list):
        return tuple(None if token is None else _symbol(token, argument) for token in given)
    if not given:
        raise InputError("tokens", given, "a list of symbols, or a table from symbols to ids")
    ids = {symbol: require_integer(f"tokens[{symbol!r}]", number, 0, MOST_IDS) for symbol, number in given.items()}
    if len(set(ids.values())) != len(ids):
        raise InputError("tokens", given, "ids that are all different")
    return tokens_of(ids)


def tokens_of(ids: Mapping[Hashable, int]) -> tuple[Hashable | None, ...]:
    symbols = {number: symbol for symbol, number in ids.items()}
    return tuple(symbols.get(number) for number in range(max(symbols) + 1))


def _read_out(given: Any, _: str) -> ReadOut:
    given = {"weight": given} if isinstance(given, str) else given
    if not {"weight"} <= set(given) <= {"weight", "bias", "rows"}:
        raise InputError("read_out", given, "a table with weight, and if need be bias and rows")
    if not all(isinstance(given.get(name, ""), str) for name in ("weight", "bias")):
        raise InputError("read_out", given, "the names of two tensors")
    rows = given.get("rows")
    if rows is not None:
        if not isinstance(rows, list):
            raise InputError("read_out.rows", rows, "a list of row numbers")
        rows = tuple(require_integer("read_out.rows", row, low=0) for row in rows)
        if len(set(rows)) != len(rows):
            raise InputError("read_out.rows", rows, "rows that are all different")
    return ReadOut(given["weight"], given.get("bias"), rows)


def _precision(given: Any, _: str) -> Precision:
    if not isinstance(given, dict):
        return as_precision(given)
    if set(given) != {"integer_bits", "fraction_bits"}:
        raise InputError("precision", given, "a number of bits, or integer_bits and fraction_bits")
    return Precision.fixed_point(**given)


def _text(given: Any, argument: str) -> str:
    if not isinstance(given, str):
        raise InputError(argument, given, "a list of texts")
    return given


def _list_of(read: Callable[[Any, str], Any]) -> Callable[[Any, str], tuple[Any, ...]]:
    return lambda given, argument: tuple(read(each, argument) for each in given)


ENTRIES: Mapping[str, tuple[str, Any, Callable[[Any, str], Any] | None]] = {
    **dict.fromkeys(("architecture", "convention", "prefix", "activation"), ("a text", str, None)),
    **dict.fromkeys(("embedding", "positions"), ("the name of a tensor", str, None)),
    **dict.fromkeys(("tensors", "check"), ("the name of a file", str, None)),
    **dict.fromkeys(("saturate", "residual"), ("true or false", bool, None)),
    **dict.fromkeys(("memory", "length", "heads"), ("an integer", int, None)),
    **dict.fromkeys(("epsilon", "threshold"), ("a number", int | float, None)),
    **dict.fromkeys(
        ("before", "after"),
        ("a list of ids", list, _list_of(lambda each, name: require_integer(name, each, 0, MOST_IDS))),
    ),
    **dict.fromkeys(("layers", "ignore"), ("a list of texts", list, _list_of(_text))),
    "tokens": ("a list of symbols, or a table from symbols to ids", list | dict, _tokens),
    "read_out": ("a table with weight, and if need be bias and rows", dict | str, _read_out),
    "answers": ("a list of answers", list, _list_of(_symbol)),
    "precision": ("a number of bits, or integer_bits and fraction_bits", object, _precision),
    "options": ("a table", dict, None),
}
"""Of each entry what is expected, its type in plain data, and what makes of it what a description holds."""


ARCHITECTURES: Mapping[str, tuple[str, ...]] = {
    "elman": ("pytorch",),
    "lstm": ("pytorch",),
    "gru": ("pytorch",),
    "transformer": ("huggingface", "nanogpt", "pytorch"),
    "diagonal": ("arrays",),
    "mamba": ("mamba",),
    "linear-attention": ("arrays",),
}
"""For each architecture the conventions in which its tensors can be named, the usual one first."""

COMMON = frozenset({"architecture", "convention", "prefix", "embedding", "tokens", "read_out", "answers", "threshold"})
COMMON |= {"precision", "saturate", "tensors", "ignore", "check", "before", "after"}
"""Entries that mean something for every architecture."""

OWN: Mapping[str, frozenset[str]] = {
    "elman": frozenset({"residual", "activation"}),
    "lstm": frozenset({"residual", "memory"}),
    "gru": frozenset({"residual"}),
    "transformer": frozenset({"heads", "length", "activation", "epsilon"}),
    "diagonal": frozenset({"residual", "layers", "activation", "memory"}),
    "mamba": frozenset({"residual", "layers", "memory"}),
    "linear-attention": frozenset({"residual", "layers", "activation", "memory"}),
}
"""The other entries that each architecture reads; what is in neither is refused, as it would claim another model."""

OF_ENCODER = frozenset({"positions", "options"})
"""Those that a transformer of PyTorch reads besides."""


@dataclass(frozen=True)
class Description:
    """What a model in a file is.

    Attributes:
        architecture: one of :data:`ARCHITECTURES`.
        tokens: the symbols in the order of their ids (the rows of the embedding); None for an id without a symbol.
        read_out: which tensors make the answer.
        convention: how tensors are named and laid out; the usual one of the architecture if empty.
        answers: the answers, in the order of the read-out.
        precision: of all numbers, in fixed point; None if whoever loads the model gives it.
        memory: of the memory cell of an LSTM, a state space or a matrix of sums, in bits; the precision if None.
        saturate: whether numbers out of range become the nearest in range; else they are errors.
        embedding: the tensor with a row for each id; "one-hot" for rows with a single 1; None: the usual name.
        positions: of a transformer of PyTorch, the tensor with a row for each position, or "none".
        prefix: what is in front of the names of the architecture's tensors.
        layers: prefixes of the layers, one each, for ``mamba`` and ``arrays``.
        residual: whether the inputs of each recurrent layer are added to its outputs.
        length: N, of a transformer whose position embedding is longer than its words.
        heads, epsilon, options: attention heads; of layer norms; of PyTorch's transformers ``norm_first``.
        activation: of a simple recurrent network, a state space, an inner layer, or of keys and queries.
        tensors: the file with the tensors, in the same folder.
        ignore: patterns, such as ``lm_head.*``, of tensors that are no part of what is read here; any other tensor that
            is not used is an error, as it could change what is computed.
        check: an .npz file in the same folder with words and the scores of your own model on them, which the reading
            must agree with (see :func:`~ccsim.models.files.record_check`).
        before: ids in front of each word, such as that of BOS, or of padding there.
        after: ids behind it, such as those of a separator and a query; the answer is at the last.
        threshold: above which a single score is the second of two answers; see
            :class:`~ccsim.models.model.Decision` for what holds without it.
    """

    architecture: str
    tokens: tuple[Hashable | None, ...]
    read_out: ReadOut
    convention: str = ""
    answers: tuple[Hashable, ...] = (0, 1)
    precision: Precision | None = None
    memory: int | None = None
    saturate: bool = False
    embedding: str | None = None
    positions: str | None = None
    prefix: str = ""
    layers: tuple[str, ...] = ("",)
    residual: bool = False
    length: int | None = None
    heads: int | None = None
    activation: str | None = None
    epsilon: float = 1e-5
    options: Mapping[str, Any] = field(default_factory=dict)
    tensors: str | None = None
    ignore: tuple[str, ...] = ()
    check: str | None = None
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    threshold: float | None = None

    def __post_init__(self) -> None:
        around = *self.before, *self.after
        tokens = [*self.tokens, *[None] * (max(around, default=-1) + 1 - len(self.tokens))]
        for number in around:  # an id without a symbol gets one, such as <1>
            tokens[number] = f"<{number}>" if tokens[number] is None else tokens[number]
        object.__setattr__(self, "tokens", tuple(tokens))
        if self.architecture not in ARCHITECTURES:
            expected = f"one of {', '.join(ARCHITECTURES)}; any other is run: give the module (--module)"
            raise InputError("architecture", self.architecture, expected)
        conventions = ARCHITECTURES[self.architecture]
        object.__setattr__(self, "convention", self.convention or conventions[0])
        if self.convention not in conventions:
            raise InputError("convention", self.convention, f"one of {', '.join(conventions)} for {self.architecture}")
        defaults = {each.name: {} if each.default is MISSING else each.default for each in fields(self)}
        self._require_read(name for name, usual in defaults.items() if getattr(self, name) != usual)
        if set(self.options) - {"norm_first"}:
            raise InputError("options", sorted(self.options), "norm_first alone")
        if not self.alphabet or len(set(self.alphabet)) != len(self.alphabet):
            raise InputError("tokens", self.tokens, "one or more symbols, all different")
        if not 0 <= self.epsilon <= MOST_EPSILON:
            raise InputError("epsilon", self.epsilon, f"a number from 0 to {MOST_EPSILON}")
        if not self.layers:
            raise InputError("layers", self.layers, "the prefix of one layer or more")
        if self.activation is None and self.architecture == "elman":
            raise InputError("activation", None, "tanh or relu: the tensors of a simple network do not determine it")

    def _require_read(self, names: Iterable[str]) -> None:
        own = OWN[self.architecture]
        if (self.architecture, self.convention) == ("transformer", "pytorch"):
            own |= OF_ENCODER
        for name in names:
            if name not in COMMON | own:
                expected = f"none: {self.architecture} ({self.convention}) has the entries {', '.join(sorted(own))}"
                raise InputError(name, getattr(self, name), f"{expected}, and those of every model")

    @property
    def alphabet(self) -> tuple[Hashable, ...]:
        """The symbols, in the order of their ids."""
        return tuple(token for token in self.tokens if token is not None)

    @property
    def frame(self) -> tuple[tuple[Hashable | None, ...], tuple[Hashable | None, ...]]:
        """The symbols in front of and behind each word."""
        return tuple(self.tokens[each] for each in self.before), tuple(self.tokens[each] for each in self.after)

    @property
    def ids(self) -> list[int]:
        """The id of each symbol."""
        return [place for place, token in enumerate(self.tokens) if token is not None]

    @classmethod
    def from_json(cls, data: Any) -> Description:
        """From plain data, as TOML and JSON give it; the error names the entry that is wrong.

        ``tokens`` is a list of symbols by id, or an object from symbols to ids; ``precision`` a number of bits, or an
        object with ``integer_bits`` and ``fraction_bits``.
        """
        if not isinstance(data, dict):
            raise InputError("description", type(data).__name__, "a table of entries")
        entries = {}
        for name, value in data.items():
            if name not in ENTRIES:
                near = difflib.get_close_matches(str(name), ENTRIES, n=1)
                raise InputError("description", name, f"no such entry{f'; {near[0]} is one' if near else ''}")
            what, kind, read = ENTRIES[name]
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise InputError(name, value, what)
            entries[name] = value if read is None else read(value, name)
        for name in ("architecture", "tokens", "read_out"):
            if name not in data:
                raise InputError("description", sorted(data), f"an entry {name}")
        described = cls(**entries)
        described._require_read(entries)  # also entries that repeat a default
        return described


def find_description(path: str | Path) -> tuple[Description, Tensors]:
    """The description and the tensors of a model, from the path of either.

    A description, in TOML or JSON, names the file with the tensors or has its name up to the ending; that of a file
    with tensors is in the same folder, or in its ``__metadata__`` under "ccsim".
    """
    path = Path(path)
    if path.suffix.lower() in (".toml", ".json"):
        described = _plain_data(path)
        name = described.get("tensors") if isinstance(described, dict) else None
        if name is not None and (not isinstance(name, str) or not name or Path(name).name != name):
            raise InputError("tensors", name, "the name of a file in the same folder")
        same = (path.with_suffix(kind) for kind in (".safetensors", ".npz", *TORCH))
        tensors = path.with_name(name) if name is not None else next(filter(Path.is_file, same), None)
        if tensors is None:
            raise InputError("description", path.name, "an entry tensors, or tensors in a file of the same name")
        return Description.from_json(described), read_tensors(tensors)
    if is_run(path):
        expected = f"tensors; this is run as it is: ForwardModel(open_forward({path.name!r}), ...)"
        raise InputError("file", path.name, expected)
    read = read_tensors(path)
    if NOTE in read.notes:
        return Description.from_json(_parsed(read.notes[NOTE], ".json", path.name)), read
    for kind in (".toml", ".json"):
        if path.with_suffix(kind).is_file():
            return Description.from_json(_plain_data(path.with_suffix(kind))), read
    expected = f"a description, {path.with_suffix('.toml').name} or in its metadata under {NOTE!r}"
    raise InputError("file", path.name, f"{expected}; or the module that has these weights (--module)")


def _plain_data(path: Path) -> Any:
    if file_size(path) > MOST_DESCRIPTION:
        raise InputError("description", path.name, f"a file of at most {MOST_DESCRIPTION} bytes")
    try:
        text = path.read_text(encoding="utf-8")
    except (ValueError, OSError) as error:
        raise InputError("description", path.name, f"text in UTF-8 ({error})") from error
    return _parsed(text, path.suffix.lower(), path.name)


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError(f"one entry twice among {[name for name, _ in pairs][:6]}")
    return table


def _parsed(text: str, kind: str, name: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_table) if kind == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also integers of thousands of digits
        raise InputError("description", name, f"{kind[1:].upper()} ({error})") from error
