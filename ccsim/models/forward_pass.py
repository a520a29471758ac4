"""The one place where people's own forward passes are run: ids of words go in, scores with named axes come out."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.forward_inputs import Feeding, feedings
from ccsim.models.forward_outputs import Layout, arrays_in, described, layouts
from ccsim.models.module_state import as_module
from ccsim.plain_data import printable

COUNTS = 5, 7, 11, 13  # numbers of words with which it is seen which axis is which
MOST_COPIED = 1 << 27  # numbers of a module that is copied to run it in double precision
FUNCTION = "or give a function from ids (batch, N) to scores (batch, outputs): def model(ids): ..."


@dataclass(frozen=True)
class _Plan:
    """How words of one length are run."""

    feeding: Feeding
    layout: Layout


class ForwardPass:
    """A PyTorch module, or any function from ids, that is run on words; what it returns is read by an explicit layout.

    Which axis is the batch is seen by running other numbers of words; which one the positions, by its length, and where
    that leaves two ways, by running words of another length. What is not clear then is refused. All runs are to be
    within :func:`~ccsim.models.module_state.left_as_found`.

    Attributes:
        forward: what is run.
        module: the PyTorch module in it, or None.
        sequence_first: whether it takes ids of shape (N, batch).
    """

    def __init__(
        self,
        forward: Callable[..., Any],
        largest: int,
        sequence_first: bool,
        fits: Callable[[int], bool],
        wanted: str,
    ) -> None:
        self.forward, self.sequence_first = forward, sequence_first
        self.module, self._torch = as_module(forward), sys.modules.get("torch")
        self._largest, self._fits, self._wanted = largest, fits, wanted
        self._plans: dict[int, _Plan] = {}
        self._double: Any = None

    @property
    def told(self) -> str:
        """What is fed and where the scores are found, for people; empty where it is ids and all that is returned."""
        if not self._plans:
            return ""
        plan = next(iter(self._plans.values()))
        fed = "" if plan.feeding.told == "ids" else f"it is fed {plan.feeding.told}"
        axes, names = plan.layout, {}
        for name, axis in (("batch", axes.batch), ("N", axes.positions), ("outputs", axes.outputs)):
            if axis is not None:
                names[axis] = name
        order = ", ".join(names[axis] for axis in sorted(names))
        usual = order in ("batch, outputs", "batch, N, outputs", "batch", "batch, N")
        where = [axes.entry] if axes.entry else []
        where += [] if usual else [f"shape ({order})"]
        return "; ".join([fed] * bool(fed) + [f"scores are {', '.join(where)}"] * bool(where))

    def run(self, ids: Array, double: bool = False) -> Array:
        """Scores (batch, positions or 1, outputs) of ids (batch, L); in double precision of a copy, if asked."""
        plan = self._plan(ids)
        usual = self._torch.get_default_dtype() if double else None  # type: ignore[union-attr]
        try:
            if double:
                self._torch.set_default_dtype(self._torch.float64)  # type: ignore[union-attr]
            returned = self._returned(plan.feeding, ids, self._in_double() if double else self.forward)
        finally:
            if double:
                self._torch.set_default_dtype(usual)  # type: ignore[union-attr]
        array = arrays_in(returned).get(plan.layout.entry)
        scores = None if array is None else plan.layout.read(array, len(ids))
        if scores is None:
            shape, axis = plan.layout.shape, plan.layout.batch
            wanted = f"scores of shape {shape}, as before, with {len(ids)} in place of {shape[axis]}"
            raise InputError("forward", _came_back(returned), f"for {len(ids)} words {wanted}")
        return scores

    def settle(self, ids: Array) -> Layout:
        """Find out how words of this length are run."""
        return self._plan(ids).layout

    def _in_double(self) -> Any:
        """A copy in double precision; raises whatever it cannot be copied for."""
        if self._double is None:
            assert self.module is not None
            if sum(each.numel() for each in self.module.parameters()) > MOST_COPIED:
                raise MemoryError
            self._double = copy.deepcopy(self.module).double().eval()
        return self._double if self.forward is self.module else getattr(self._double, self.forward.__name__)

    def _returned(self, feeding: Feeding, ids: Array, forward: Any = None) -> Any:
        first, more = feeding.arguments(ids)
        forward = self.forward if forward is None else forward
        try:
            if self.module is None:
                return forward(first, *more)
            some = next(getattr(forward, "__self__", forward).parameters(), None)
            kind = None if first.dtype.kind in "iu" or some is None else some.dtype
            kind = self._torch.get_default_dtype() if first.dtype.kind == "f" and some is None else kind  # type: ignore[union-attr]
            given = self._torch.as_tensor(np.ascontiguousarray(first), dtype=kind)  # type: ignore[union-attr]
            return forward(given if some is None else given.to(some.device), *more)
        except Exception as error:  # whatever people's own code raises
            raise InputError("forward", _raised(error), f"scores for {feeding.told} of shape {first.shape}") from error

    def _plan(self, ids: Array) -> _Plan:
        """How words of the length of these are run, found out once."""
        length = ids.shape[1]
        if length not in self._plans:
            known = next(iter(self._plans.values()), None)
            self._plans[length] = self._found(ids, known)
        return self._plans[length]

    def _found(self, ids: Array, known: _Plan | None) -> _Plan:
        ways = feedings(self.forward, self.module, self._torch, self._largest, self.sequence_first)
        if known is not None:
            ways = [each for each in ways if (each.way, each.others) == (known.feeding.way, known.feeding.others)]
        ran, failed = dict[str, tuple[Feeding, Any]](), None
        for feeding in ways:
            if feeding.way in ran or "ids" in ran:
                continue
            try:
                ran[feeding.way] = feeding, self._tried(feeding, ids)
            except InputError as error:
                failed = failed or error
        if not ran:
            assert failed is not None
            raise failed
        plans = [_Plan(feeding, layout) for feeding, tried in ran.values() for layout in tried]
        if known is not None:
            plans = [each for each in plans if each.layout.axes == known.layout.axes] or plans
        plans = self._logits_alone(plans)
        if len(plans) > 1:
            plans = self._at_another_length(plans, ids)
        if len(plans) > 1 and self._all_same(plans, ids):
            plans = plans[:1]
        if len(plans) == 1:
            return plans[0]
        if plans:
            told = " or ".join(f"{each.feeding.told}, read as {_axes_told(each.layout)}" for each in plans)
            raise InputError(
                "forward",
                _Shown(told),
                f"one way to run words of {ids.shape[1]} symbols; say another length, {FUNCTION}",
            )
        raise self._unread(next(iter(ran.values()))[0], ids)

    def _tried(self, feeding: Feeding, ids: Array) -> list[Layout]:
        """All layouts that two runs, of other numbers of words, leave open."""
        length = ids.shape[1]
        one, two = [count for count in COUNTS if count != length][:2]
        first, second = (arrays_in(self._returned(feeding, np.resize(ids, (count, length)))) for count in (one, two))
        found = []
        for entry, array in first.items():
            if entry in second:
                shapes = array.shape, second[entry].shape
                found += layouts(entry, shapes, (one, two), length, self._fits)
        return found

    @staticmethod
    def _logits_alone(plans: list[_Plan]) -> list[_Plan]:
        """Of each way to feed it what is called logits in what is returned, if that can be read as scores."""
        ways = {each.feeding.way for each in plans if each.layout.entry == "its entry 'logits'"}
        return [each for each in plans if each.feeding.way not in ways or each.layout.entry == "its entry 'logits'"]

    def _at_another_length(self, plans: list[_Plan], ids: Array) -> list[_Plan]:
        """Those plans that can be followed for words with one more or one fewer symbol; all if none can be run."""
        for other in (np.concatenate([ids, ids[:, -1:]], axis=1), ids[:, :-1]):
            kept, ways = [], {each.feeding.way: each.feeding for each in plans}
            for way, feeding in ways.items():
                try:
                    axes = [(each.entry, each.axes) for each in self._tried(feeding, other)] if other.shape[1] else []
                except InputError:
                    continue
                mine = [each for each in plans if each.feeding.way == way]
                kept += [each for each in mine if (each.layout.entry, each.layout.axes) in axes]
            if kept:
                return kept
        return plans

    def _all_same(self, plans: list[_Plan], ids: Array) -> bool:
        """Whether all ways give the same scores."""
        scores = []
        for plan in plans:
            found = arrays_in(self._returned(plan.feeding, ids[:64])).get(plan.layout.entry)
            scores.append(None if found is None else plan.layout.read(found, len(ids[:64])))
        first = scores[0]
        return first is not None and all(
            each is not None and each.shape == first.shape and np.allclose(each, first, equal_nan=True)
            for each in scores
        )

    def _unread(self, feeding: Feeding, ids: Array) -> InputError:
        """The error that says what came back."""
        count = next(each for each in COUNTS if each != ids.shape[1])
        returned = self._returned(feeding, np.resize(ids, (count, ids.shape[1])))
        shapes = [array.shape for array in arrays_in(returned).values()]
        expected = f"for {count} words of {ids.shape[1]} ids: {self._wanted}"
        known, length = any(count in shape for shape in shapes), ids.shape[1]
        if not known and any(length in shape for shape in shapes) and not self.sequence_first:
            expected += (
                "; no axis is that of the words: if it takes (N, batch), say --sequence-first (sequence_first=True)"
            )
        elif known and any(size not in (length, 1) for shape in shapes for size in shape[1:]):
            expected += "; of more outputs say which are the answers: --rows (rows=)"
        return InputError("forward", _came_back(returned), f"{expected}; {FUNCTION}")


@dataclass(frozen=True)
class _Shown:
    """A text that stands in an error without quotes."""

    text: str

    def __repr__(self) -> str:
        return printable(self.text)


def _raised(error: Exception) -> _Shown:
    return _Shown(f"{type(error).__name__}: {error}"[:110])


def _came_back(returned: Any) -> _Shown:
    return _Shown(described(returned))


def _axes_told(layout: Layout) -> str:
    names = {layout.batch: "batch", layout.positions: "N", layout.outputs: "outputs"}
    axes = f"({', '.join(names.get(axis, '1') for axis in range(len(layout.shape)))})"
    return f"{layout.entry} {axes}" if layout.entry else axes
