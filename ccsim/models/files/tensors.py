"""Named arrays of a model, each asked for with its shape."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

import numpy as np

from ccsim.arrays import Array, require_shape
from ccsim.errors import InputError

__all__ = ["MOST_BYTES", "Tensors"]

MOST_BYTES = 1 << 30
"""No file, and no sum of the arrays in it, may be larger."""


class Tensors(Mapping[str, Array]):
    """Arrays by name, which remember who was asked for.

    Attributes:
        source: where they are from, for messages.
        notes: texts that came with them.
        known: names of arrays that are no part of a model and need not be asked for, such as masks.
    """

    def __init__(self, arrays: Mapping[str, Array], source: str, notes: Mapping[str, str] | None = None) -> None:
        self._arrays, self.source, self.notes = dict(arrays), source, dict(notes or {})
        self.used: set[str] = set()
        self.known: set[str] = set()

    def __getitem__(self, name: str) -> Array:
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
        return tuple(sorted(set(self._arrays) - self.used - self.known))

    @property
    def numbers(self) -> int:
        """How many numbers were asked for."""
        return sum(self._arrays[name].size for name in self.used)

    def require_used(self, ignored: Iterable[str]) -> None:
        """Raises :class:`~ccsim.errors.InputError` for a tensor that nobody asked for and no pattern names."""
        patterns = list(ignored)
        rest = [name for name in self.unused if not any(fnmatchcase(name, pattern) for pattern in patterns)]
        if rest:
            names = ", ".join(map(repr, rest[:6])) + (f" and {len(rest) - 6} more" if len(rest) > 6 else "")
            example = f"ignore = [{json.dumps(rest[0])}]"
            expected = f"tensors that are read: others could change what is computed; if they do not, say {example}"
            raise InputError("tensors", names, expected)

    def take(self, name: str, *shape: int | None) -> Array:
        """The array of this name as float64, finite, with this shape (None: any size of at least 1).

        Raises :class:`~ccsim.errors.InputError` that names the tensor, and what was expected of it.
        """
        if name not in self._arrays:
            near = difflib.get_close_matches(name, self._arrays, n=3, cutoff=0.4) or sorted(self._arrays)[:6]
            raise InputError(
                "tensors", self.source, f"a tensor {name!r}; there are {', '.join(map(repr, near)) or 'none'}"
            )
        array = self._arrays[name]
        require_shape(f"tensor {name!r}", array, shape)
        if array.dtype.kind not in "f":
            raise InputError(f"tensor {name!r}", array.dtype.name, "floating-point numbers")
        if not np.isfinite(array).all():
            raise InputError(f"tensor {name!r}", "NaN or infinity", "finite numbers")
        self.used.add(name)
        return array.astype(np.float64)

    def maybe(self, name: str, *shape: int | None) -> Array | None:
        """The array of this name, or None if there is none."""
        return self.take(name, *shape) if name in self._arrays else None

    def bias(self, name: str, *shape: int) -> Array:
        """The array of this name, or zeros if there is none."""
        given = self.maybe(name, *shape)
        return np.zeros(shape) if given is None else given
