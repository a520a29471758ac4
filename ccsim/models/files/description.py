"""What a file of tensors holds: its arrays, opened by the library of each format, and the description of the model.

Nothing in a file is trusted: sizes are checked before memory is allocated, and pickles are never loaded. What tensors
do not say, such as symbols and precision, stands in TOML or JSON.
"""

from __future__ import annotations

import difflib
import json
import math
import os
import re
import tomllib
import warnings
import zipfile
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import Array, InputError, require_integer, require_shape
from ccsim.models.forward_models import is_run, require_file

MOST_BYTES = 1 << 30
"""No file, and no sum of the arrays in it, may be larger."""

MOST_HEADER = 1 << 22
MOST_AXES = 8
MOST_MEMBERS = 1 << 14
MOST_HEADER_OF_ARRAY = 1 << 14
MOST_RATIO = 1 << 10  # no compression of one honest member is better, such as of a mask
MOST_RATIO_IN_ALL = 1 << 4  # nor of all weights together, beyond
SMALL = 1 << 26  # so many bytes, which any archive may unpack to

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

PICKLE = b"\x80"  # how pickles of protocol 2 and later begin
ZIP = b"PK\x03\x04"
TORCH = ".pt", ".pth", ".ckpt", ".bin"

QUANTISED = ("*.qweight", "*.qzeros", "*.g_idx", "*.SCB", "*.weight_scale", "*.weight.absmax", "*.weight_packed")
"""Names by which GPTQ, AWQ, bitsandbytes and compressed-tensors keep quantised weights."""

UNQUANTISED = "quantised weights are not read: save them dequantised, or run the module that has them (file.py:name)"


@dataclass(frozen=True, eq=False)
class Deferred:
    """An array in a file, of which nothing but its shape is known until it is asked for.

    Attributes:
        shape: its shape.
        dtype: of what is read.
        load: reads it: the rows with these numbers along its first axis, or all of it if None.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    load: Callable[[Sequence[int] | None], Array] = field(repr=False)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.load(None), dtype=dtype)


Stored = Array | Deferred


FIRST_STATE = re.compile(
    r"(^|[._])([hcs]_?0|\w*(init|initial|first|start)_?(h|c|hidden|cell|state)\w*|\w*(state|hidden|cell)_?(0|init))$"
)
"""How learnt first states are called."""


class Tensors(Mapping[str, Stored]):
    """Arrays by name, which remember who was asked for.

    Attributes:
        source: where they are from, for messages.
        notes: texts that came with them.
        known: names of arrays that are no part of a model and need not be asked for, such as masks.
    """

    def __init__(self, arrays: Mapping[str, Stored], source: str, notes: Mapping[str, str] | None = None) -> None:
        self._arrays, self.source, self.notes = dict(arrays), source, dict(notes or {})
        self._read: dict[str, int] = {}
        self.known: set[str] = set()

    def __getitem__(self, name: str) -> Stored:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def renamed(self, names: Mapping[str, str]) -> Tensors:
        """The same arrays, some of them under other names: new name to old.

        Raises :class:`~ccsim.errors.InputError` for an old name that there is none of.
        """
        for old in names.values():
            if old not in self._arrays:
                raise InputError("names", old, f"the name of a tensor in {self.source}")
        rest = {name: array for name, array in self._arrays.items() if name not in names.values()}
        return Tensors(rest | {new: self._arrays[old] for new, old in names.items()}, self.source, self.notes)

    @property
    def unused(self) -> tuple[str, ...]:
        """The names that nobody asked for, but for those that are known to be no part of a model."""
        return tuple(sorted(set(self._arrays) - set(self._read) - self.known))

    @property
    def numbers(self) -> int:
        """How many numbers were asked for."""
        return sum(self._read.values())

    def require_used(self, ignored: Iterable[str], norms: str = "", checked: bool = False) -> None:
        """Raises :class:`~ccsim.errors.InputError` for a tensor that nobody asked for and no pattern names.

        ``norms`` says what reads norms, should there be one among them: these do change what is computed. Learnt first
        states do too, whatever a pattern says, unless scores were ``checked``: first states are zero here.
        """
        patterns = list(ignored)
        first = [name for name in self.unused if FIRST_STATE.search(name)]
        if first and not checked:
            expected = "first states that are zero: this looks like a learnt one, which changes what is computed"
            raise InputError("tensors", ", ".join(map(repr, first)), f"{expected}; run the model itself (file.py:name)")
        rest = [name for name in self.unused if not any(fnmatchcase(name, pattern) for pattern in patterns)]
        if rest:
            names = ", ".join(map(repr, rest[:6])) + (f" and {len(rest) - 6} more" if len(rest) > 6 else "")
            others = [name for name in rest if not norms or "norm" not in name]
            hints = [f"norms do change it: {norms}"] if len(others) < len(rest) else []
            told = "if they do not, as recorded scores show (check), say ignore"
            hints += [f"{told} = [{json.dumps(name)}]" for name in others[:1]]
            expected = f"tensors that are read: others could change what is computed; {'; '.join(hints)}"
            raise InputError("tensors", names, expected)

    def take(self, name: str, *shape: int | None, rows: Sequence[int] | None = None) -> Array:
        """The array of this name as float64, finite, with this shape (None: any size of at least 1).

        With ``rows``, which must exist, only these are read, and only their numbers are looked at.

        Raises :class:`~ccsim.errors.InputError` that names the tensor, and what was expected of it.
        """
        if name not in self._arrays:
            near = difflib.get_close_matches(name, self._arrays, n=3, cutoff=0.4) or sorted(self._arrays)[:6]
            packed = [each for each in self._arrays if any(fnmatchcase(each, pattern) for pattern in QUANTISED)]
            why = f"; {packed[0]!r}: {UNQUANTISED}" if packed else ""
            expected = f"a tensor {name!r}; there are {', '.join(map(repr, near)) or 'none'}{why}"
            raise InputError("tensors", self.source, expected)
        array = self._arrays[name]
        require_shape(f"tensor {name!r}", array, shape)
        if array.dtype.kind not in "f":
            why = f"; {UNQUANTISED}" if array.dtype.itemsize == 1 else ""
            raise InputError(f"tensor {name!r}", array.dtype.name, f"floating-point numbers{why}")
        numbers = array.load(rows) if isinstance(array, Deferred) else array if rows is None else array[list(rows)]
        if not np.isfinite(numbers).all():
            raise InputError(f"tensor {name!r}", "NaN or infinity", "finite numbers")
        self._read[name] = numbers.size
        return numbers.astype(np.float64)

    def bias(self, name: str, *shape: int) -> Array:
        """The array of this name, or zeros if there is none."""
        return self.take(name, *shape) if name in self._arrays else np.zeros(shape)


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
        arrays, notes = _read_safetensors(path)
        return Tensors(arrays, path.name, notes)
    if not begin.startswith(ZIP):
        advice = "" if kind == ".npz" else ": save torch.save(model.state_dict(), ...) with PyTorch 1.6 or later"
        what = f"a pickle, which is not loaded{advice}" if begin.startswith(PICKLE) else "none"
        raise InputError("file", path.name, f"a {kind} archive; this is {what}")
    if kind == ".npz":
        return Tensors(read_npz(path), path.name)
    return Tensors(_read_torch(path), path.name)


def _read_safetensors(path: Path) -> tuple[dict[str, Deferred], dict[str, str]]:
    """The arrays, each read when it is asked for, and the texts of ``__metadata__``; bfloat16 becomes float32, exactly.

    The library requires that the tensors lie one after the other and fill the file to its end, with the sizes that
    their shapes have. Numbers are read from these places: it has none of bfloat16 for NumPy, and a file that shrinks
    while it is mapped into memory would end the process.
    """
    with path.open("rb") as file:
        start = 8 + int.from_bytes(file.read(8), "little")
    if start > MOST_HEADER:
        raise _wrong("safetensors file", path, f"a header of at most {MOST_HEADER} bytes, not {start}")
    arrays = {}
    try:
        with safe_open(path, "numpy") as opened:
            notes = opened.metadata() or {}
            for name in opened.offset_keys():
                tensor = opened.get_slice(name)
                kind, shape = tensor.get_dtype(), tuple(tensor.get_shape())
                if kind not in KINDS or len(shape) > MOST_AXES:
                    expected = f"one of the types {', '.join(KINDS)}, and at most {MOST_AXES} axes"
                    raise InputError(f"tensor {name!r}", (kind, shape[: MOST_AXES + 1]), expected)
                arrays[name] = _numbers_of(path, name, start, kind, shape)
                start += math.prod(shape) * np.dtype(KINDS[kind]).itemsize
    except (SafetensorError, OSError) as error:
        raise _wrong("safetensors file", path, f"all that the format demands ({str(error)[:200]})") from error
    return arrays, notes


def _numbers_of(path: Path, name: str, start: int, kind: str, shape: tuple[int, ...]) -> Deferred:
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
            raise _wrong("safetensors file", path, f"{count * stored.itemsize} bytes of tensor {name!r}")
        return found

    return Deferred(shape, np.dtype(np.float32) if kind == "BF16" else stored, load)


def write_safetensors(path: str | Path, arrays: Mapping[str, Array], notes: Mapping[str, str] | None = None) -> None:
    """Write float32 or float64 arrays; the same arrays give the same file."""
    for name, array in arrays.items():
        if np.asarray(array).dtype not in (np.float32, np.float64):
            raise InputError(f"tensor {name!r}", np.asarray(array).dtype.name, "float32 or float64")
    temporary = Path(path).with_name(f".{Path(path).name}.part")
    temporary.write_bytes(save({name: np.asarray(arrays[name]) for name in sorted(arrays)}, dict(notes or {}) or None))
    os.replace(temporary, path)


def read_npz(path: Path) -> dict[str, Deferred]:
    """The arrays of an archive, by name, each read when it is asked for.

    Raises :class:`~ccsim.errors.InputError` for arrays of objects (which would be pickles), members that are no
    arrays, shapes that do not fit the member's size, archives that would unpack to more than a GiB, and damage.
    """
    with _whole(path), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        unpacked, packed = sum(member.file_size for member in members), path.stat().st_size
        if len(members) > MOST_MEMBERS or unpacked > MOST_BYTES:
            raise _wrong("npz archive", path, f"at most {MOST_MEMBERS} members and {MOST_BYTES} bytes when unpacked")
        if unpacked > max(SMALL, MOST_RATIO_IN_ALL * packed):
            raise _wrong("npz archive", path, f"members not to unpack to {unpacked} bytes from {packed}")
        if len({member.filename for member in members}) != len(members):
            raise _wrong("npz archive", path, "every name once")
        odd = [member.filename for member in members if not member.filename.endswith(".npy")]
        if odd:
            raise _wrong("npz archive", path, f"members that are .npy arrays, not {odd[0]!r}")
        return {member.filename.removesuffix(".npy"): _member(path, archive, member) for member in members}


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """What goes wrong with a damaged archive is an error of the file."""
    try:
        yield
    except InputError:
        raise
    except (
        ValueError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise _wrong("npz archive", path, f"whole members ({type(error).__name__})") from error


def _member(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Deferred:
    """An array whose header was checked and whose numbers are not read yet."""
    if member.file_size > MOST_RATIO * max(member.compress_size, 1 << 10):
        raise _wrong(
            "npz archive",
            path,
            f"{member.filename!r} not to unpack to {member.file_size} bytes from {member.compress_size}",
        )
    with archive.open(member) as file:
        shape, kind = _header_of(path, member, file)

    def load(rows: Sequence[int] | None) -> Array:
        with _whole(path), np.load(path, allow_pickle=False) as again:
            array = again[member.filename]
        return np.asarray(array if rows is None else array[list(rows)])

    return Deferred(shape, kind, load)


def _header_of(path: Path, member: zipfile.ZipInfo, file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and type, which must fit the size of the member."""
    try:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            read: Any = np.lib.format.read_array_header_1_0
        elif version == (2, 0):
            read = np.lib.format.read_array_header_2_0
        else:
            raise _wrong("npz archive", path, f"{member.filename!r} in version 1.0 or 2.0 of the format, not {version}")
        shape, _, kind = read(file, max_header_size=MOST_HEADER_OF_ARRAY)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise _wrong("npz archive", path, f"{member.filename!r} with the header of an array") from error
    if kind.hasobject or kind.kind not in "fiub":
        raise InputError(f"tensor {member.filename!r}", str(kind), "numbers; objects would be pickles")
    sizes_fit = len(shape) <= MOST_AXES and all(type(size) is int and 0 <= size < 1 << 48 for size in shape)
    needed = math.prod(shape) * kind.itemsize if sizes_fit else -1
    rest = member.file_size - file.tell()
    if needed != rest:
        raise InputError(f"tensor {member.filename!r}", shape, f"a shape that fills {rest} bytes of {kind}")
    return shape, kind


def _read_torch(path: Path) -> dict[str, Stored]:
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


def _wrong(kind: str, path: Path, expected: str) -> InputError:
    return InputError("file", path.name, f"{'an' if kind[0] == 'n' else 'a'} {kind} with {expected}")


MOST_IDS = 1 << 20
MOST_AROUND = 1 << 16  # ids around each word


@dataclass(frozen=True)
class ReadOut:
    """Which tensors make the answer.

    Attributes:
        weight: of shape (answers, width), or (1, width) for two answers: the second, where the number is above a
            threshold.
        bias: of shape (answers,), or None.
        rows: which rows of a larger matrix are the answers, such as the ids of answer tokens; all of them if None.
    """

    weight: str
    bias: str | None = None
    rows: tuple[int, ...] | None = None


def _tokens(given: Any) -> tuple[Any, ...]:
    if isinstance(given, list):
        return tuple(None if token is None else _symbol("tokens", token) for token in given)
    if not given:
        raise InputError("tokens", given, "a list of symbols, or a table from symbols to ids")
    ids = {symbol: require_integer(f"tokens[{symbol!r}]", number, 0, MOST_IDS) for symbol, number in given.items()}
    if len(set(ids.values())) != len(ids):
        raise InputError("tokens", given, "ids that are all different")
    return tokens_of(ids)


def tokens_of(ids: Mapping[Hashable, int]) -> tuple[Hashable | None, ...]:
    """The symbols in the order of their ids, None for an id that has none."""
    symbols = {number: symbol for symbol, number in ids.items()}
    return tuple(symbols.get(number) for number in range(max(symbols) + 1))


def _symbol(argument: str, value: Any, depth: int = 4) -> Hashable:
    """A text, an integer, or a list of these, which becomes a tuple, such as a point."""
    if isinstance(value, list) and depth:
        return tuple(_symbol(argument, item, depth - 1) for item in value)
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise InputError(argument, value, "texts, integers, and lists of these")
    return value


def _read_out(given: Any) -> ReadOut:
    if isinstance(given, str):
        return ReadOut(given)
    if not {"weight"} <= set(given) <= {"weight", "bias", "rows"}:
        raise InputError("read_out", given, "a table with weight, and if need be bias and rows")
    if not all(isinstance(given.get(name, ""), str) for name in ("weight", "bias")):
        raise InputError("read_out", given, "the names of two tensors")
    rows = given.get("rows")
    if rows is not None:
        if not isinstance(rows, list):
            raise InputError("read_out.rows", rows, "a list of row numbers")
        if len(set(map(repr, rows))) != len(rows):
            raise InputError("read_out.rows", rows, "rows that are all different")
        rows = tuple(require_integer("read_out.rows", row, low=0) for row in rows)
    return ReadOut(given["weight"], given.get("bias"), rows)


def _precision(given: Any) -> Precision:
    if isinstance(given, dict):
        if set(given) != {"integer_bits", "fraction_bits"}:
            raise InputError("precision", given, "a number of bits, or integer_bits and fraction_bits")
        return Precision.fixed_point(given["integer_bits"], given["fraction_bits"])
    return as_precision(given)


def _texts(given: Any, argument: str, what: str) -> Any:
    """A table of texts as it is, a list of texts as a tuple."""
    if not all(isinstance(text, str) for text in (given.values() if isinstance(given, dict) else given)):
        raise InputError(argument, given, what)
    return given if isinstance(given, dict) else tuple(given)


def _around(given: list[Any], argument: str, what: str) -> tuple[int, ...]:
    if len(given) > MOST_AROUND:
        raise InputError(argument, len(given), f"at most {MOST_AROUND} ids")
    return tuple(require_integer(argument, number, 0, MOST_IDS) for number in given)


_ENTRIES: Mapping[str, tuple[Any, str, Callable[[Any, str, str], Any] | None]] = {
    "architecture": (str, "a text", None),
    "convention": (str, "a text", None),
    "tokens": (list | dict, "a list of symbols, or a table from symbols to ids", lambda given, *_: _tokens(given)),
    "read_out": (dict | str, "a table with weight, and if need be bias and rows", lambda given, *_: _read_out(given)),
    "answers": (list, "a list of answers", lambda given, *_: tuple(_symbol("answers", answer) for answer in given)),
    "precision": (object, "a number of bits, or integer_bits and fraction_bits", lambda given, *_: _precision(given)),
    "memory": (int, "a number of bits", None),
    "saturate": (bool, "true or false", None),
    "embedding": (str, "the name of a tensor", None),
    "positions": (str, "the name of a tensor", None),
    "prefix": (str, "a text", None),
    "names": (dict, "a table from usual names to names in the file", _texts),
    "layers": (list, "a list of prefixes, one for each layer", _texts),
    "residual": (bool, "true or false", None),
    "length": (int, "a number of symbols", None),
    "heads": (int, "a number of heads", None),
    "activation": (str, "the name of a function", None),
    "epsilon": (int | float, "a number", None),
    "options": (dict, "a table", None),
    "tensors": (str, "the name of a file", None),
    "ignore": (list, "a list of patterns of names", _texts),
    "check": (str, "the name of a file", None),
    "before": (list, "a list of ids", _around),
    "after": (list, "a list of ids", _around),
    "padding": (list, "a list of ids", _around),
    "threshold": (int | float, "a number", None),
}
"""Of each entry the type in plain data, what is expected, and what makes of it what a description holds."""


ARCHITECTURES: Mapping[str, tuple[str, ...]] = {
    "elman": ("pytorch",),
    "lstm": ("pytorch",),
    "gru": ("pytorch",),
    "transformer": ("huggingface", "nanogpt", "pytorch"),
    "diagonal": ("arrays", "s4d"),
    "mamba": ("mamba",),
    "linear-attention": ("arrays",),
}
"""For each architecture the conventions in which its tensors can be named, the usual one first."""

OPTIONS = ("norm_first", "embedding_scale")
"""What :attr:`Description.options` may hold."""

FIXED = ("lstm", "gru", "mamba")
"""Architectures whose functions are fixed."""

MOST_EPSILON = 1 << 20


@dataclass(frozen=True)
class Description:
    """What a model in a file is.

    Attributes:
        architecture: one of :data:`ARCHITECTURES`.
        tokens: the symbols in the order of their ids (the rows of the embedding); None for an id without a symbol.
        read_out: which tensors make the answer.
        convention: how tensors are named and laid out; the usual one of the architecture if None.
        answers: the answers, in the order of the read-out.
        precision: of all numbers, in fixed point; None if whoever loads the model gives it.
        memory: of the memory cell of an LSTM, a state space or a matrix of sums, in bits; the precision if None.
        saturate: whether numbers out of range become the nearest in range; else they are errors.
        embedding: the tensor with a row for each id; "one-hot" for rows with a single 1; None: the usual name.
        positions: of a transformer of PyTorch, the tensor with a row for each position, "sinusoidal", or "none".
        prefix: what is in front of the names of the architecture's tensors.
        names: for tensors that are called otherwise: usual name (after the prefix) to name in the file.
        layers: prefixes of the layers, one each, for ``mamba``, ``arrays`` and state spaces.
        residual: whether the inputs of each recurrent layer are added to its outputs.
        length: N, of a transformer whose position embedding is longer than its words.
        heads: attention heads.
        activation: of a simple recurrent network, a state space, an inner layer, or of keys and queries.
        epsilon: of layer norms.
        options: of PyTorch's transformers ``norm_first`` and ``embedding_scale`` (a number, or "sqrt-width").
        tensors: the file with the tensors, beside this one.
        ignore: patterns, such as ``lm_head.*``, of tensors that are no part of what is read here; any other tensor that
            is not used is an error, as it could change what is computed.
        check: an .npz file beside the tensors with words and what your own model says on them, which the reading of
            the tensors must agree with (see :func:`~ccsim.models.files.record_check`).
        before: ids in front of each word, such as that of BOS, or of padding there.
        after: ids behind it, such as those of a separator and a query; the answer stands at the last.
        threshold: above which a single score is the second of two answers; see
            :class:`~ccsim.models.model.Decision` for what holds without it.
        padding: ids behind the answer, where nothing masks them: of an encoder of PyTorch, as other models see none.
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
    names: Mapping[str, str] = field(default_factory=dict)
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
    padding: tuple[int, ...] = ()
    threshold: float | None = None

    def __post_init__(self) -> None:
        around = *self.padding, *self.before, *self.after
        object.__setattr__(self, "tokens", _with_names(self.tokens, around))
        if self.architecture not in ARCHITECTURES:
            expected = f"one of {', '.join(ARCHITECTURES)}; any other is run: give the module (--module)"
            raise InputError("architecture", self.architecture, expected)
        conventions = ARCHITECTURES[self.architecture]
        object.__setattr__(self, "convention", self.convention or conventions[0])
        if self.convention not in conventions:
            raise InputError("convention", self.convention, f"one of {', '.join(conventions)} for {self.architecture}")
        unknown = sorted(set(self.options) - set(OPTIONS))
        if unknown:
            raise InputError("options", unknown, f"some of {', '.join(OPTIONS)}")
        if self.positions is not None and (self.architecture, self.convention) != ("transformer", "pytorch"):
            raise InputError(
                "positions", self.positions, "none, as only the convention pytorch of a transformer has it"
            )
        if self.padding and (self.architecture, self.convention) != ("transformer", "pytorch"):
            raise InputError("padding", self.padding, "none: only an encoder of PyTorch sees what is behind the answer")
        symbols = [token for token in self.tokens if token is not None]
        if not symbols or len(set(symbols)) != len(symbols):
            raise InputError("tokens", self.tokens, "one or more symbols, all different")
        if not 0 <= self.epsilon <= MOST_EPSILON:
            raise InputError("epsilon", self.epsilon, f"a number from 0 to {MOST_EPSILON}")
        if not self.layers:
            raise InputError("layers", self.layers, "the prefix of one layer or more")
        if self.activation is not None and self.architecture in FIXED:
            raise InputError("activation", self.activation, f"none for {self.architecture}, whose functions are fixed")
        if self.activation is None and self.architecture == "elman":
            raise InputError("activation", None, "tanh or relu: the tensors of a simple network do not tell")

    @property
    def alphabet(self) -> tuple[Hashable, ...]:
        """The symbols, in the order of their ids."""
        return tuple(token for token in self.tokens if token is not None)

    @property
    def frame(self) -> tuple[tuple[Hashable | None, ...], tuple[Hashable | None, ...]]:
        """The symbols in front of and behind each word.

        Padding is read first: to an encoder only positions tell the order of what it reads, and these are turned too.
        """
        ends = ([self.tokens[number] for number in part] for part in (self.padding + self.before, self.after))
        front, back = map(tuple, ends)
        return front, back

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
        if "arithmetic" in data:
            expected = "a precision, in fixed point; a step or a module that is run computes in its own floating point"
            raise InputError("arithmetic", data["arithmetic"], expected)
        entries = {}
        for name, value in data.items():
            if name not in _ENTRIES:
                near = difflib.get_close_matches(str(name), _ENTRIES, n=1)
                raise InputError("description", name, f"no such entry{f'; {near[0]} is one' if near else ''}")
            kind, what, read = _ENTRIES[name]
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise InputError(name, value, what)
            entries[name] = value if read is None else read(value, name, what)
        for name in ("architecture", "tokens", "read_out"):
            if name not in data:
                raise InputError("description", sorted(data), f"an entry {name}")
        return cls(**entries)


def _with_names(tokens: tuple[Hashable | None, ...], around: tuple[int, ...]) -> tuple[Hashable | None, ...]:
    """The tokens, with a symbol such as <1> for each id around the words that has none."""
    named = [*tokens, *[None] * (max(around, default=-1) + 1 - len(tokens))]
    for number in around:
        if named[number] is None:
            named[number] = f"<{number}>"
    return tuple(named)


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
