"""A forward pass of a user on rows of ids: which way to feed it works, and where scores are in its output."""

from __future__ import annotations

import copy
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ccsim.errors import Array, InputError
from ccsim.models.step_models import as_module
from ccsim.plain_data import printable

LENGTHS = re.compile(r"(?:^|_)(?:len|lens|length|lengths|sizes)$|seqlens?$")
STATES = re.compile(r"hid|state|^h(?:_?\d|_?t|_?x|_?c|_?prev|_?init|_?n)?$|^hc|^carry|^memory|^past|^prev|^init")
HOOKS = "init_hidden", "initHidden", "init_state", "initial_state", "init_hidden_state", "get_initial_state"


@dataclass(frozen=True, eq=False)
class Feeding:
    """How ids (batch, L) go into a forward pass: ``arranged`` makes one argument of them, ``more`` the others."""

    way: str
    others: str
    arranged: Callable[[Array], Array]
    more: Callable[[int, int], list[Any]]
    sequence_first: bool

    @property
    def description(self) -> str:
        return f"{self.way}{', of shape (N, batch)' * self.sequence_first}{self.others}"

    def arguments(self, ids: Array) -> tuple[Array, list[Any]]:
        made = self.arranged(ids)
        return (np.swapaxes(made, 0, 1) if self.sequence_first else made), self.more(*ids.shape)


def feedings(forward: Any, module: Any, torch: Any, largest: int, sequence_first: bool) -> list[Feeding]:
    width = getattr(forward, "vector_width", None)  # of a graph of ONNX
    ways: list[Way] = [("ids", lambda ids: ids)]
    others: list[tuple[str, More]] = [("", lambda count, length: [])]
    if module is not None:
        ways, others = [*ways, *_as_floats(module, torch, largest)], _others(forward, module, torch)
    elif width is not None:
        ways = _vectors(max(width, largest + 1), False)
    return [
        Feeding(way, other, arranged, more, sequence_first)
        for way, arranged in ways
        for other, more in others
        if not sequence_first or way in ("ids", *SWAPPED)
    ]


SWAPPED = "vectors with a single 1", "numbers from 0 on, one at each position"
Way = tuple[str, Callable[[Array], Array]]
More = Callable[[int, int], list[Any]]


def _as_floats(module: Any, torch: Any, largest: int) -> list[Way]:
    nn = torch.nn
    parts = [each for each in module.modules() if next(each.parameters(recurse=False), None) is not None]
    if any(isinstance(each, nn.Embedding | nn.EmbeddingBag) for each in parts):
        return []
    first = next(iter(parts), None)
    reads = next(
        (getattr(first, name) for name in ("input_size", "in_features", "in_channels") if hasattr(first, name)), 0
    )
    ways: list[Way] = [(SWAPPED[1], lambda ids: ids[:, :, None].astype(float))]
    ways.append(("numbers from 0 on, a row for each word", lambda ids: ids.astype(float)))
    if isinstance(first, nn.Conv1d):
        ways.append(("numbers from 0 on, in one channel", lambda ids: ids[:, None, :].astype(float)))
    for width in {largest + 1, reads} if largest < reads <= 2 * largest + 2 else {largest + 1}:
        ways += _vectors(width, isinstance(first, nn.Conv1d))
    return ways


def _vectors(width: int, channels: bool) -> list[Way]:
    eye = np.eye(width)
    joined: Way = (
        f"vectors of {width} numbers with a single 1, joined in a row",
        lambda ids: eye[ids].reshape(len(ids), -1),
    )
    ways: list[Way] = [(SWAPPED[0], lambda ids: eye[ids]), joined]
    if channels:
        ways.append(("vectors with a single 1, channels first", lambda ids: np.swapaxes(eye[ids], 1, 2)))
    return ways


def _others(forward: Any, module: Any, torch: Any) -> list[tuple[str, More]]:
    """What else ``forward`` must be given: numbers of symbols, first states; all that may be left out is."""
    called = module.forward if forward is module else forward
    try:
        known = list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError):  # of a function that is not written in Python
        return [("", lambda count, length: [])]
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    required = [each for each in known if each.kind in kinds and each.default is each.empty][1:]
    odd = [each.name for each in known if each.kind is each.KEYWORD_ONLY and each.default is each.empty]
    odd += [each.name for each in required if not LENGTHS.search(each.name) and not STATES.search(each.name)]
    if odd:
        expected = (
            "a forward pass of ids, and perhaps of their lengths and a first state; give a function that hands over the"
            " rest: def model(ids): ..."
        )
        raise InputError("forward", f"forward({', '.join(each.name for each in known)})", expected)
    if not required:
        return [("", lambda count, length: [])]
    names = " and ".join(each.name for each in required)
    ways: list[tuple[str, More]] = []
    stateless = all(LENGTHS.search(each.name) for each in required)
    for way, state in [("", None)] if stateless else _states(module, torch):

        def more(count: int, length: int, state: Any = state) -> list[Any]:
            full = torch.full((count,), length, dtype=torch.int64)
            return [full if LENGTHS.search(each.name) else state(count) for each in required]

        ways.append((f" with {names}{way}", more))
    return ways


def _states(module: Any, torch: Any) -> list[tuple[str, Any]]:
    states: list[tuple[str, Any]] = []
    for name in HOOKS:
        own = getattr(module, name, None)
        if callable(own):
            wants = [each for each in inspect.signature(own).parameters.values() if each.default is each.empty]
            made = (lambda count, own=own: own(count)) if wants else (lambda count, own=own: own())
            states.append((f" from {name}()", made))
    states.append((" None", lambda count: None))
    recurrent = (each for each in module.modules() if isinstance(each, torch.nn.RNNBase | torch.nn.RNNCellBase))
    if (layer := next(recurrent, None)) is not None:
        states.append((" 0", lambda count: _zeros(torch, layer, count)))
    width = getattr(module, "hidden_size", None) or getattr(module, "hidden_dim", None)
    if isinstance(width, int):
        states.append((" 0", lambda count: torch.zeros(count, width)))
    return states


def _zeros(torch: Any, layer: Any, count: int) -> Any:
    some = next(layer.parameters())
    if isinstance(layer, torch.nn.RNNCellBase):
        zeros = some.new_zeros(count, layer.hidden_size)
        return (zeros, zeros.clone()) if isinstance(layer, torch.nn.LSTMCell) else zeros
    rows = layer.num_layers * (2 if layer.bidirectional else 1)
    zeros = some.new_zeros(rows, count, layer.proj_size or layer.hidden_size)
    return (zeros, some.new_zeros(rows, count, layer.hidden_size)) if isinstance(layer, torch.nn.LSTM) else zeros


MOST = 6  # entries that are shown of what came back


@dataclass(frozen=True)
class ScoreAxes:
    """The axes of words, positions and outputs in one entry of what is returned; None for one that is not there."""

    entry: str
    batch: int
    positions: int | None
    outputs: int | None
    shape: tuple[int, ...]

    def read(self, array: Array, count: int) -> Array | None:
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
        return self.batch, self.positions, self.outputs

    def __str__(self) -> str:
        names = {self.batch: "batch", self.positions: "N", self.outputs: "outputs"}
        axes = f"({', '.join(names.get(axis, '1') for axis in range(len(self.shape)))})"
        return f"{self.entry} {axes}" if self.entry else axes


def arrays_in(returned: Any) -> dict[str, Array]:
    if hasattr(returned, "logits"):
        arrays = arrays_in(returned.logits)
        return {"its logits": arrays[""]} if "" in arrays else {}
    if isinstance(returned, Mapping):
        names = sorted(returned, key=lambda name: name != "logits")
        return {
            f"its entry {name!r}": array
            for name in names
            for inside, array in arrays_in(returned[name]).items()
            if not inside
        }
    if isinstance(returned, list | tuple) and not _is_numbers(returned):
        parts = enumerate(map(arrays_in, returned), start=1)
        return {f"entry {place} of {len(returned)}": arrays[""] for place, arrays in parts if "" in arrays}
    array = _array(returned)
    return {} if array is None else {"": array}


def _is_numbers(returned: Any) -> bool:
    if isinstance(returned, list | tuple):
        return bool(returned) and all(map(_is_numbers, returned))
    return isinstance(returned, int | float | np.number)


def _array(returned: Any) -> Array | None:
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
) -> list[ScoreAxes]:
    """Readings of an array: the axis that changes with the count is that of words, others are N, outputs or 1."""
    one, two = shapes
    if len(one) != len(two) or len(one) > 4:
        return []
    changed = [axis for axis, sizes in enumerate(zip(one, two, strict=True)) if sizes[0] != sizes[1]]
    if len(changed) != 1 or (one[changed[0]], two[changed[0]]) != counts:
        return []
    rest = [axis for axis in range(len(one)) if axis != changed[0]]
    wide = [axis for axis in rest if one[axis] != 1]
    fitting = []
    for positions in (None, *rest):
        for outputs in (None, *rest):
            used = {axis for axis in (positions, outputs) if axis is not None}
            right = positions is None or (positions != outputs and one[positions] == length)
            right &= fits(1 if outputs is None else one[outputs])
            if right and set(wide) <= used and used <= set(wide):
                fitting.append(ScoreAxes(entry, changed[0], positions, outputs, one))
    return fitting


COUNTS = 5, 7, 11, 13  # numbers of words with which it is seen which axis is which
MOST_COPIED = 1 << 27  # numbers of a module that is copied to run it in double precision
LOGITS = "its entry 'logits'"
FUNCTION = "or give a function from ids (batch, N) to scores (batch, outputs): def model(ids): ..."


class _Plan(NamedTuple):
    feeding: Feeding
    layout: ScoreAxes


class ForwardPass:
    """A PyTorch module or any function from ids; runs must be within ``step_models.left_as_found``."""

    def __init__(
        self, forward: Callable[..., Any], largest: int, sequence_first: bool, fits: Callable[[int], bool], wanted: str
    ) -> None:
        self.forward, self.sequence_first = forward, sequence_first
        self.module, self._torch = as_module(forward), sys.modules.get("torch")
        self._largest, self._fits, self._wanted = largest, fits, wanted
        self._plans: dict[int, _Plan] = {}
        self._double: Any = None

    @property
    def description(self) -> str:
        if not self._plans:
            return ""
        plan = next(iter(self._plans.values()))
        fed = [] if plan.feeding.description == "ids" else [f"it is fed {plan.feeding.description}"]
        names = zip(plan.layout.axes, ("batch", "N", "outputs"), strict=True)
        order = ", ".join(name for _, name in sorted((axis, name) for axis, name in names if axis is not None))
        where = [plan.layout.entry] if plan.layout.entry else []
        if order not in ("batch, outputs", "batch, N, outputs", "batch", "batch, N"):
            where.append(f"shape ({order})")
        return "; ".join([*fed, *([f"scores are {', '.join(where)}"] if where else [])])

    def run(self, ids: Array, double: bool = False) -> Array:
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
            raise InputError("forward", Unquoted(described(returned)), f"for {len(ids)} words {wanted}")
        return scores

    def axes_of(self, ids: Array) -> ScoreAxes:
        return self._plan(ids).layout

    def _in_double(self) -> Any:
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
            reason = Unquoted(f"{type(error).__name__}: {error}"[:110])
            raise InputError("forward", reason, f"scores for {feeding.description} of shape {first.shape}") from error

    def _plan(self, ids: Array) -> _Plan:
        length = ids.shape[1]
        if length not in self._plans:
            known = next(iter(self._plans.values()), None)
            self._plans[length] = self._new_plan(ids, known)
        return self._plans[length]

    def _new_plan(self, ids: Array, known: _Plan | None) -> _Plan:
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
        logits = {each.feeding.way for each in plans if each.layout.entry == LOGITS}  # scores by their name
        plans = [each for each in plans if each.feeding.way not in logits or each.layout.entry == LOGITS]
        if len(plans) > 1:
            plans = self._at_another_length(plans, ids)
        if len(plans) > 1 and self._all_same(plans, ids):
            plans = plans[:1]
        if len(plans) == 1:
            return plans[0]
        if plans:
            ways_left = " or ".join(f"{each.feeding.description}, read as {each.layout}" for each in plans)
            expected = f"one way to run words of {ids.shape[1]} symbols; give another length, {FUNCTION}"
            raise InputError("forward", Unquoted(ways_left), expected)
        raise self._unread(next(iter(ran.values()))[0], ids)

    def _tried(self, feeding: Feeding, ids: Array) -> list[ScoreAxes]:
        length = ids.shape[1]
        one, two = [count for count in COUNTS if count != length][:2]
        first, second = (arrays_in(self._returned(feeding, np.resize(ids, (count, length)))) for count in (one, two))
        return [
            axes
            for entry in first
            if entry in second
            for axes in layouts(entry, (first[entry].shape, second[entry].shape), (one, two), length, self._fits)
        ]

    def _at_another_length(self, plans: list[_Plan], ids: Array) -> list[_Plan]:
        """The plans that also work for words with one more or one fewer symbol; all if none can be run."""
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
        scores = []
        for plan in plans:
            array = arrays_in(self._returned(plan.feeding, ids[:64])).get(plan.layout.entry)
            scores.append(None if array is None else plan.layout.read(array, len(ids[:64])))
        first = scores[0]
        return first is not None and all(
            each is not None and each.shape == first.shape and np.allclose(each, first, equal_nan=True)
            for each in scores
        )

    def _unread(self, feeding: Feeding, ids: Array) -> InputError:
        count = next(each for each in COUNTS if each != ids.shape[1])
        returned = self._returned(feeding, np.resize(ids, (count, ids.shape[1])))
        shapes = [array.shape for array in arrays_in(returned).values()]
        expected = f"for {count} words of {ids.shape[1]} ids: {self._wanted}"
        known, length = any(count in shape for shape in shapes), ids.shape[1]
        if not known and any(length in shape for shape in shapes) and not self.sequence_first:
            expected += (
                "; no axis is that of the words: if it takes (N, batch), give --sequence-first (sequence_first=True)"
            )
        elif known and any(size not in (length, 1) for shape in shapes for size in shape[1:]):
            expected += "; of more outputs give those that are the answers: --rows (rows=)"
        return InputError("forward", Unquoted(described(returned)), f"{expected}; {FUNCTION}")


class Unquoted(str):
    def __repr__(self) -> str:
        return printable(str(self))
