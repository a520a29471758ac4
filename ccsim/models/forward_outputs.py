"""What a forward pass gives: where the scores are in it, and which of their axes is which."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arrays import Array

MOST = 6  # entries that are shown of what came back


@dataclass(frozen=True)
class Layout:
    """Where scores are.

    Attributes:
        entry: of what is returned, such as "its logits"; empty if it is all.
        batch: the axis of the words.
        positions: the axis of the positions, or None if there is only one.
        outputs: the axis of the outputs, or None if each score is alone.
        shape: of the array, for some number of words.
    """

    entry: str
    batch: int
    positions: int | None
    outputs: int | None
    shape: tuple[int, ...]

    def read(self, array: Array, count: int) -> Array | None:
        """Scores (words, positions, outputs); None where the shape is another one."""
        wanted = tuple(count if axis == self.batch else size for axis, size in enumerate(self.shape))
        if array.shape != wanted:
            if count != 1 or array.size != np.prod(wanted):
                return None
            array = array.reshape(wanted)  # squeeze() took away the axis of a single word as well
        axes = [axis for axis in (self.batch, self.positions, self.outputs) if axis is not None]
        array = np.moveaxis(array, axes, range(len(axes)))
        array = array.reshape(array.shape[: len(axes)])
        array = array if self.positions is not None else array[:, None]
        return array if self.outputs is not None else array[..., None]

    @property
    def axes(self) -> tuple[int, int | None, int | None]:
        """All three."""
        return self.batch, self.positions, self.outputs


def arrays_in(returned: Any) -> dict[str, Array]:
    """The arrays of numbers in what a forward pass returned, by what they are called there, likeliest first."""
    if hasattr(returned, "logits"):
        found = arrays_in(returned.logits)
        return {"its logits": found[""]} if "" in found else {}
    if isinstance(returned, Mapping):
        names = sorted(returned, key=lambda name: name != "logits")
        return {
            f"its entry {name!r}": array
            for name in names
            for told, array in arrays_in(returned[name]).items()
            if not told
        }
    if isinstance(returned, list | tuple) and not _is_numbers(returned):
        parts = enumerate(map(arrays_in, returned), start=1)
        return {f"entry {place} of {len(returned)}": arrays[""] for place, arrays in parts if "" in arrays}
    array = _array(returned)
    return {} if array is None else {"": array}


def _is_numbers(returned: Any) -> bool:
    """Whether a list is one of numbers, or of lists of them."""
    if isinstance(returned, list | tuple):
        return bool(returned) and all(map(_is_numbers, returned))
    return isinstance(returned, int | float | np.number)


def _array(returned: Any) -> Array | None:
    """An array of real numbers, or None."""
    if returned is None or isinstance(returned, str | bytes):
        return None
    try:
        if hasattr(returned, "detach"):
            returned = returned.detach().cpu()
            array = returned.numpy() if returned.is_complex() else returned.double().numpy()
        else:
            array = np.asarray(returned)
    except Exception:  # whatever people's own objects raise
        return None
    return array.astype(np.float64) if array.dtype.kind in "biuf" else None


def described(returned: Any, depth: int = 0) -> str:
    """What came back, for people: types and shapes.

    >>> described((np.zeros((3, 2)), None))
    'a tuple of (an array of shape (3, 2), None)'
    """
    if returned is None:
        return "None"
    if hasattr(returned, "shape"):
        what = "a tensor" if hasattr(returned, "detach") else "an array"
        return f"{what} of shape {tuple(returned.shape)}"
    name = type(returned).__name__
    if depth < 2 and isinstance(returned, Mapping):
        parts = [f"{key!r}: {described(value, depth + 1)}" for key, value in list(returned.items())[:MOST]]
        return f"a {name} of {{{', '.join(parts)}}}"
    if depth < 2 and isinstance(returned, list | tuple):
        return f"a {name} of ({', '.join(described(each, depth + 1) for each in returned[:MOST])})"
    return f"a {name}"


def layouts(
    entry: str,
    shapes: tuple[tuple[int, ...], tuple[int, ...]],
    counts: tuple[int, int],
    length: int,
    fits: Callable[[int], bool],
) -> list[Layout]:
    """The ways in which an array can be read that has these shapes for so many words of a length.

    The axis of the words is the one that changes with their number. One axis may have as many entries as a word has
    positions, one as many as outputs are wanted; all others have one entry.
    """
    one, two = shapes
    if len(one) != len(two) or len(one) > 4:
        return []
    changed = [axis for axis, sizes in enumerate(zip(one, two, strict=True)) if sizes[0] != sizes[1]]
    if len(changed) != 1 or (one[changed[0]], two[changed[0]]) != counts:
        return []
    rest = [axis for axis in range(len(one)) if axis != changed[0]]
    wide = [axis for axis in rest if one[axis] != 1]
    found = []
    for positions in (None, *rest):
        for outputs in (None, *rest):
            used = {axis for axis in (positions, outputs) if axis is not None}
            right = positions is None or (positions != outputs and one[positions] == length)
            right &= fits(1 if outputs is None else one[outputs])
            if right and set(wide) <= used and used <= set(wide):
                found.append(Layout(entry, changed[0], positions, outputs, one))
    return found
