"""Whatever is offered, called with arguments of a wrong kind, names the argument, the value and what was expected."""

import inspect
import pickle
from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import Enum
from importlib import import_module

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.argument_kinds import wrong_argument
from tests.test_house import files

WRONG = (object(), None, "no such thing", [[0, 1], [1]], {"a": 1})


def offered():
    for face in (import_module(name) for name, paths in files().items() if paths[0].with_suffix(".pyi").exists()):
        for name in getattr(face, "__all__", ()):
            thing = getattr(face, name)
            if inspect.isclass(thing) and (issubclass(thing, (Exception, Enum)) or inspect.isabstract(thing)):
                continue
            if inspect.isroutine(thing) or inspect.isclass(thing):
                yield name, thing


def test_arguments_of_a_wrong_kind_are_named():
    for name, thing in offered():
        every = inspect.signature(thing).parameters.values()
        needed = [
            one for one in every if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        ]
        for wrong in WRONG if needed else ():
            args = [wrong for one in needed if one.kind is not one.KEYWORD_ONLY]
            try:
                thing(*args, **{one.name: wrong for one in needed if one.kind is one.KEYWORD_ONLY})
            except (AttributeError, IndexError, KeyError, TypeError) as error:
                pytest.fail(f"{name}({wrong!r}): {type(error).__name__}: {error}")
            except (ValueError, OSError):
                pass


CALLS = {
    "seconds = 'a': expected a number": lambda: cc.bounds.deterministic([[0, 1], [1, 0]], seconds="a"),
    "array = 3: expected": lambda: cc.CommunicationMatrix.from_array(3),
    "prime = 'a': expected an integer": lambda: cc.bounds.rank_modulo(np.eye(2, dtype=int), "a"),
    "cells = 3: expected a list": lambda: cc.bounds.first_clash(cc.problems.equality(2), 3),
    "protocol = 3: expected a Protocol": lambda: cc.explore(3),
    "tree = 'a': expected a ProtocolTree": lambda: cc.plots.tree_picture("a"),
}


def test_an_error_names_what_was_given_and_what_was_expected():
    for message, call in CALLS.items():
        with pytest.raises(InputError) as caught:
            call()
        assert message in str(caught.value)


def test_only_arguments_that_no_kind_admits_are_named():
    def taken(a: "int | None", b: "Sequence[Sequence[int]]" = (), c: "Callable[[], int]" = int, **more: "int") -> None:
        """Nothing."""

    for args in ((1,), (None, [[1], (2,)]), (np.int64(1), ()), (True, [], min)):
        assert wrong_argument(taken, args, {"x": "any"}) is None
    assert wrong_argument(taken, ("1",), {}) == ("a", "1", "an integer")
    assert wrong_argument(taken, (1, [[1, "2"]]), {}) == ("b", [[1, "2"]], "a list of lists of integers")
    assert wrong_argument(taken, (1, [], 3), {}) == ("c", 3, "a function")
    assert wrong_argument(taken, (), {}) is None

    def also(a: "Mapping[str, int]", b: "tuple[Hashable, ...]") -> None:
        """Nothing."""

    assert wrong_argument(also, ({}, "ab"), {}) is None
    assert wrong_argument(also, ([], "ab"), {})[2] == "a mapping"
    assert wrong_argument(also, ({}, [[]]), {})[2] == "a list of hashable values"


def test_errors_of_what_is_passed_on_stay_as_they_are():
    with pytest.raises(TypeError, match="unexpected keyword"):
        cc.bounds.cover_number([[1]], 1, colour="red")


def test_functions_go_to_other_processes():
    for name in ("deterministic", "summary", "cover_number"):
        function = getattr(cc.bounds, name)
        assert pickle.loads(pickle.dumps(function)) is function
