"""Named arrays of a model, each asked for with its shape."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from ccsim.arrays import Array, require_shape
from ccsim.errors import InputError

MOST_BYTES = 1 << 30
"""No file, and no sum of the arrays in it, may be larger."""

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
        """How many axes there are."""
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
        whole: names of those that were asked for and are whole numbers with scales.
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

    def taken(self, other: Tensors) -> None:
        """What was asked for under the same names elsewhere was asked for here."""
        self._read |= other._read

    def maybe(self, name: str, *shape: int | None) -> Array | None:
        """The array of this name, or None if there is none."""
        return self.take(name, *shape) if name in self._arrays else None

    def bias(self, name: str, *shape: int) -> Array:
        """The array of this name, or zeros if there is none."""
        given = self.maybe(name, *shape)
        return np.zeros(shape) if given is None else given
