"""Arguments of a wrong kind: which one no annotation admits, and what was expected in words.

What a package offers is called through :func:`ccsim.lazy.naming_arguments`: where a call fails by a ``TypeError`` or
the like, annotations are compared with what was given, and an argument that no kind of its own admits is named by an
:class:`~ccsim.errors.InputError`. Other errors go on as they are, and a call that does not fail costs no more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from types import UnionType
from typing import Any, Union, get_args, get_origin

import numpy as np


def wrong_argument(
    function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[str, Any, str] | None:
    """The first argument whose annotation does not admit it, with its value and what was expected."""
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **named).arguments
    except TypeError:  # too few or too many: the error names the function
        return None
    for name, value in given.items():
        parameter = signature.parameters[name]
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        try:
            kind = eval(parameter.annotation, inspect.unwrap(function).__globals__)  # of this package
        except (NameError, TypeError):  # a name that is there for the type checker only, or no annotation
            continue
        if not _admits(kind, value):
            return name, value, _in_words(kind)
    return None


def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    origin = get_origin(kind) or kind
    if hasattr(origin, "__value__"):  # named by a ``type`` statement, as NDArray is from NumPy 2.5 on
        return _parts(origin.__value__)
    return origin, get_args(kind)


def _admits(kind: Any, value: Any) -> bool:
    origin, parts = _parts(kind)
    if origin in (Union, UnionType):
        return any(_admits(part, value) for part in parts)
    if origin is None or origin is type(None):
        return value is None
    if origin is Any or not isinstance(origin, type):
        return True
    if origin in SIMPLE:
        return isinstance(value, origin) or any(hasattr(value, name) for name in SIMPLE[origin][1:])
    if origin.__name__ == "ndarray":
        return _is_array(value)
    if origin in (list, tuple) or (issubclass(origin, Iterable) and not issubclass(origin, Mapping) and parts):
        same = parts[:1] if origin is not tuple or parts[1:] == (...,) else ()
        inside = islice(value, MOST_LOOKED_AT) if same and isinstance(value, Collection) else ()
        return isinstance(value, Iterable) and all(_admits(same[0], each) for each in inside)
    try:
        return isinstance(value, origin)
    except TypeError:  # a protocol that is not there at run time
        return True


def _is_array(value: Any) -> bool:
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):  # rows of several lengths
        return False
    return array.ndim > 0 and array.dtype.kind in "biufcO"


MOST_LOOKED_AT = 64  # of the parts of a list
SIMPLE = {
    int: ("an integer", "__index__"),
    float: ("a number", "__float__"),
    str: ("a text",),
    bool: ("a truth value",),
}
PLAIN = {
    **dict.fromkeys(("Sequence", "Iterable", "Iterator", "Collection", "list", "tuple", "set", "frozenset"), "a list"),
    **{
        "Mapping": "a mapping",
        "dict": "a mapping",
        "ndarray": "an array of numbers",
        "Callable": "a function",
        "Path": "a path",
    },
    "Hashable": "a hashable value",
    "ProtocolBase": "a Protocol",
}


def _in_words(kind: Any) -> str:
    origin, parts = _parts(kind)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_in_words(part) for part in parts if part is not type(None)))
    if origin in SIMPLE:
        return SIMPLE[origin][0]
    name = getattr(origin, "__name__", str(kind))
    words = PLAIN.get(name, f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}")
    if words != "a list" or not parts or not isinstance(get_origin(parts[0]) or parts[0], type):
        return words
    _, _, inside = _in_words(parts[0]).partition(" ")  # without its article
    thing, of, rest = inside.partition(" of ")
    return f"a list of {thing}s{of}{rest}"
