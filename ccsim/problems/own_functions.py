"""Functions of two parties from a rule that people write in one line: :func:`function`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, overload

import numpy as np

from ccsim.errors import Array, InputError, require_integer, require_memory
from ccsim.matrices import CommunicationMatrix, Relation
from ccsim.problems.catalogue import Problem
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction, as_function, flattened, mesh
from ccsim.problems.inputs import ANNOTATED, KINDS, InputSet, Integers, Listed, kind_of, parameters_of
from ccsim.problems.sequence_tasks import Partition, SequenceTask
from ccsim.tables import coded

DOMAIN = f'{", ".join(map(repr, KINDS))}, or a list of inputs such as range(5) or ["red", "blue"]'
PAIR = f"{DOMAIN}; for rows and columns a tuple of two of them"
HINT = 'inputs are integers here; strings of n bits are asked for by inputs="bits" or "strings", or annotations'
MOST_BITS = 30  # of an input: beyond them no table is made
SAMPLED = 8  # pairs of inputs on which a rule for arrays is tried alone

Rule = Callable[..., Any]


@overload
def function(
    rule: Rule,
    *,
    n: int | None = None,
    inputs: Any = None,
    vectorised: bool | None = None,
    name: str | None = None,
) -> TwoPartyFunction: ...
@overload
def function(
    rule: None = None,
    *,
    n: int | None = None,
    inputs: Any = None,
    vectorised: bool | None = None,
    name: str | None = None,
) -> Callable[[Rule], TwoPartyFunction]: ...
def function(
    rule: Rule | None = None,
    *,
    n: int | None = None,
    inputs: Any = None,
    vectorised: bool | None = None,
    name: str | None = None,
) -> TwoPartyFunction | Callable[[Rule], TwoPartyFunction]:
    """The two-party function of a rule f(x, y), whose values are its answers; without a rule, a decorator.

    Args:
        rule: takes x and y, and n if it has a parameter of that name. It returns the answer, any value that can be
            hashed (``True`` and ``False`` are 1 and 0), or None where the pair is outside the promise.
        n: the bits of each input, if ``inputs`` does not list them.
        inputs: ``"integers"`` (0 to 2^n - 1), ``"bits"`` (:class:`~ccsim.Bits`) or ``"strings"`` (texts such as
            ``"0110"``); or the inputs themselves, such as ``range(5)``, a list or an input set. A tuple of two of these
            is rows and columns. None: what the parameters are annotated with, ``int``, ``Bits``, ``str`` or
            ``numpy.ndarray`` (integers, vectorised), else integers.
        vectorised: whether the rule takes an array of all x, of shape (rows, 1), and one of all y, of shape
            (1, columns), at once: of numbers for integers and bits, of 0 and 1 along one more axis for strings.
            None: it does if it takes no single inputs.
        name: what tables call it; None: the name of the rule.

    The whole table is computed, and a rule that takes single inputs is called for each pair of them. Raises
    :class:`~ccsim.errors.InputError` with the pair of inputs at which a rule fails or returns no answer.

    >>> function(lambda x, y: x + y >= 4, n=2).matrix.codes.tolist()
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]]
    >>> @function(n=3)
    ... def starts_alike(x: Bits, y: Bits):
    ...     return x[:2] == y[:2]
    >>> starts_alike.name, starts_alike("010", "011")
    ('starts_alike(3)', 1)
    >>> function(lambda x, y: x[y], n=3, inputs=("strings", range(3)))("011", 0)
    '0'
    """
    if rule is None:
        return partial(function, n=n, inputs=inputs, vectorised=vectorised, name=name)
    if not callable(rule):
        raise InputError("rule", rule, "a function of x and y, such as lambda x, y: x == y")
    if n is not None:
        n = require_integer("n", n, low=1, high=MOST_BITS)
    rule, annotated = _of_two(rule, n)
    plain = inputs is None and annotated == [inspect.Parameter.empty] * 2
    if inputs is None:
        inputs = tuple(map(kind_of, annotated))
        vectorised = True if vectorised is None and np.ndarray in annotated else vectorised
    given = inputs if isinstance(inputs, tuple) else (inputs, inputs)
    if len(given) != 2:
        raise InputError("inputs", inputs, PAIR)
    parts = tuple(_domain(one, n) for one in given)
    title = name or getattr(rule, "__name__", "<lambda>").replace("<lambda>", "f")
    title = title if n is None or name else f"{title}({n})"
    shape = parts[0].size, parts[1].size
    require_memory(100 * shape[0] * shape[1], f"the table of {title} ({shape[0]} x {shape[1]})")
    codes, answers = _table(title, rule, parts, vectorised, HINT if plain else "")
    if not (codes >= 0).any():
        raise InputError(
            f"answers of {title}", None, "an answer for some pair of inputs; the rule returned None for all"
        )

    def evaluate(*rows: Array) -> Array:
        flat = [flattened(part, own) for part, own in zip(parts, rows, strict=True)]
        x, y = (part.places(own).reshape(axes) for part, (own, axes) in zip(parts, flat, strict=True))
        return np.asarray(codes[x, y])

    return TwoPartyFunction(title, parts, tuple(answers), evaluate, returns="codes")


def of_size(given: Any, n: int) -> MultipartyFunction | Relation:
    """The instance of size n of what people have: a rule f(x, y), a function of n that makes it, or itself."""
    alone = as_instance(given, n)
    if alone is not None:
        return alone
    if not callable(given):
        raise InputError("function", given, "a rule f(x, y), a function of n, a two-party function or a matrix")
    try:
        count = len([one for one in parameters_of(given) if one.default is inspect.Parameter.empty])
    except (TypeError, ValueError):
        count = 2
    if count != 1:
        rule: Rule = given
        return function(rule, n=n)
    made = given(n)
    instance = as_instance(made, n)
    if instance is None:
        raise InputError(f"{getattr(given, '__name__', 'function')}({n})", made, "a two-party function or a matrix")
    return instance


def as_instance(given: Any, n: int) -> MultipartyFunction | Relation | None:
    if isinstance(given, SequenceTask):
        return given.split(Partition.odd_even(given.length))
    if isinstance(given, Relation):
        return given
    if isinstance(given, MultipartyFunction | CommunicationMatrix | list | tuple) or hasattr(given, "__array__"):
        return as_function(given)
    if isinstance(given, Problem):
        instance: MultipartyFunction = given.function(n)
        return instance
    return None


def _of_two(rule: Rule, n: int | None) -> tuple[Rule, list[Any]]:
    """The rule of two inputs, with the annotations of both; n is given to a rule that asks for it."""
    empty = inspect.Parameter.empty
    try:
        parameters = parameters_of(rule)
    except (TypeError, ValueError):  # a ufunc of NumPy, say, tells nothing of its parameters
        return rule, [empty] * 2
    needed = [one for one in parameters if one.default is empty and one.kind is not inspect.Parameter.VAR_POSITIONAL]
    own = [one for one in needed[2:] if one.name == "n"]
    if len(needed) - len(own) != 2 and len(needed) == len(parameters):
        raise InputError("rule", rule, f"a function of two inputs, f(x, y), not of {len(needed)}")
    if own:
        bound = partial(rule, n=n)
        bound.__name__ = rule.__name__  # type: ignore[attr-defined]
        rule = bound
    return rule, [one.annotation for one in (*parameters, *parameters)[:2]]


def _domain(given: Any, n: int | None) -> InputSet:
    kind = ANNOTATED.get(given) if isinstance(given, type) else given
    if isinstance(kind, str) and kind in KINDS:
        if n is None:
            raise InputError("n", n, "how many bits an input has, such as n=4")
        return KINDS[kind](n)
    if isinstance(given, InputSet):
        return given
    if isinstance(given, range) and given and given.step == 1:
        return Integers(len(given), low=given.start)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InputError("inputs", given, PAIR)
    try:
        return Listed(value.item() if isinstance(value, np.generic) else value for value in given)
    except TypeError:
        raise InputError("inputs", given, "inputs that can be hashed, such as tuples in place of lists") from None


def _table(
    title: str, rule: Rule, parts: Sequence[InputSet], vectorised: bool | None, hint: str
) -> tuple[Array, Sequence[Hashable]]:
    if not vectorised:
        try:
            return coded(list(_one_by_one(title, rule, parts, hint)), labels=True)
        except InputError as error:
            if vectorised is False or error.__cause__ is None:  # it takes single inputs
                raise
            try:
                given = _at_once(title, rule, parts)
            except Exception:  # no arrays, either
                raise error from None
    else:
        given = _at_once(title, rule, parts)
    if given.dtype.kind in "biu":  # few values, so that each is looked at once
        values, places = np.unique(given, return_inverse=True)
        codes, answers = coded([values.tolist()], labels=True)
        return codes[0][places.reshape(given.shape)], answers
    x, y = map(list, parts)
    pairs = np.ndenumerate(given.astype(object))
    plain = [_answer(title, value, (x[row], y[column])) for (row, column), value in pairs]
    return coded([plain[at : at + len(y)] for at in range(0, len(plain), len(y))], labels=True)


def _one_by_one(title: str, rule: Rule, parts: Sequence[InputSet], hint: str) -> Iterator[list[Hashable]]:
    rows, columns = map(list, parts)
    for x in rows:
        answers = []
        for y in columns:
            try:
                answer = rule(x, y)
            except Exception as error:
                more = f"; {hint}" if hint and isinstance(error, TypeError | AttributeError | IndexError) else ""
                wanted = f"a rule that answers it, not {type(error).__name__}: {error}{more}"
                raise InputError(f"inputs of {title}", (x, y), wanted) from error
            answers.append(_answer(title, answer, (x, y)))
        yield answers


def _answer(title: str, answer: Any, pair: tuple[Any, Any]) -> Hashable:
    if isinstance(answer, np.ndarray | np.generic) and answer.size == 1:
        answer = answer.item()
    if isinstance(answer, float) and answer == answer and answer % 1:
        expected = f"an exact answer at {pair}, such as a whole number, a text or a Fraction, not a rounded number"
    elif answer is not None and getattr(type(answer), "__hash__", None) is vars(object)["__hash__"]:
        expected = f"at {pair} an answer that is compared by its value, as numbers and texts are"
    elif not isinstance(answer, Hashable):
        expected = f"at {pair} an answer that can be hashed (a tuple in place of a list), or None for no promise"
    else:
        try:
            hash(answer)
            return answer
        except TypeError:
            expected = f"at {pair} an answer that can be hashed, with all its parts"
    raise InputError(f"answer of {title}", answer, expected)


def _at_once(title: str, rule: Rule, parts: Sequence[InputSet]) -> Array:
    """The answers of a rule for arrays: the same, for some pairs, as of arrays of one input and of plain integers."""
    shape = tuple(part.size for part in parts)
    rows = [part.array(part.indices()) for part in parts]
    try:
        given = np.broadcast_to(np.asarray(rule(*mesh(rows))), shape)
    except Exception as error:
        expected = f"an array of shape {shape} (vectorised=True), not {type(error).__name__}: {error}"
        raise InputError(f"what {title} returns", None, expected) from error
    draw = np.random.default_rng(0)
    last = tuple(size - 1 for size in shape)
    for cell in [(0, 0), last, *(tuple(draw.integers(shape).tolist()) for _ in range(SAMPLED))]:
        single = [own[[place]] for own, place in zip(rows, cell, strict=True)]
        tried = [rule(*single)]
        if all(own.ndim == 1 for own in single):
            with suppress(Exception):  # it takes arrays only
                tried.append(rule(*(own.item() for own in single)))
        for alone in map(np.asarray, tried):
            if alone.size != 1 or not _same(alone.reshape(-1)[0], given[cell]):
                pair = tuple(part.value(place) for part, place in zip(parts, cell, strict=True))
                expected = (
                    f"{alone.tolist()}, as for {pair} alone (integers of 64 bits overflow; no sums over all inputs)"
                )
                raise InputError(f"what {title} returns for arrays", given[cell], expected)
    return given


def _same(one: Any, other: Any) -> bool:
    return bool(one == other or (one != one and other != other))
