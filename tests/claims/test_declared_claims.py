"""A claim that is declared as a function: what is found of it, and what newcomers get wrong, told in one line."""

from functools import partial

import pytest

from ccsim.claims import Constant, Direction, Finding, Paper, Role, Source, check, param
from ccsim.errors import InputError
from ccsim.problems import equality
from protocols.classical import trivial

BITS = param("n", 4, "bits of each string")


def sent(length):
    return Finding.of_exploration(trivial(equality(length)).explore())


def stated(length: int = BITS):
    """Sending everything decides equality.

    It is run on all inputs.
    """
    return sent(length)


def declared(function=stated, place="Theorem 1", direction=Direction.UPPER, formula="n + 1", **more):
    source = Source(Paper("mine", "Myself 2025"))
    assert source.claim(place, direction=direction, formula=formula, **more)(function) is function
    return source.claims[0]


def test_the_first_paragraph_states_and_the_arguments_are_the_parameters():
    claim = declared()
    assert (claim.name, claim.source) == ("mine-theorem-1", "Myself 2025, Theorem 1")
    assert claim.statement == "Sending everything decides equality."
    assert [(each.name, each.symbol, each.default) for each in claim.parameters] == [("length", "n", 4)]
    assert check(claim, length=2).description == "tight"
    assert declared(name="By sending").name == "mine-by-sending"
    assert declared(role=Role.RESULT, sharpens="x").source == "Theorem 1"


def test_a_claim_whose_value_is_another_one_is_broken():
    assert check(declared(formula="n"), length=2).description == "broken"
    assert check(declared(direction=Direction.EXACT, formula="n + 2"), length=2).description == "broken"


def without_docstring(length: int = BITS):
    return sent(length)


def without_parameter(length):
    """It."""


def with_a_number(length: int = 4):
    """It."""


def with_any_number(*args):
    """It."""


def with_zero(length: int = param("n", 0, "bits")):
    """It."""


def with_one_symbol_for_two(length: int = BITS, width: int = param("n", 2)):
    """It."""


def of_a_constant(length: int = param("c", 4)):
    """It."""


class Room:
    def method(self, length: int = BITS):
        """It."""


UNDECLARED = [
    (without_docstring, {}, "without_docstring = None: expected a docstring that states the claim"),
    (lambda length=BITS: sent(length), {}, "<lambda> = None: expected a docstring"),
    (without_parameter, {}, "length = 'nothing': expected a parameter as its default, such as param"),
    (with_a_number, {}, "length = 4: expected a parameter as its default"),
    (with_any_number, {}, "args = 'nothing': expected a parameter"),
    (Room.method, {}, "self = 'nothing': expected a parameter"),
    (Room, {}, "measure = .*: expected a function"),
    (partial(stated, length=3), {}, "measure = .*: expected a function"),
    (with_zero, {}, "length = 0: expected an integer of at least 1"),
    (with_one_symbol_for_two, {}, "symbol = .*'n', 'n'.*: expected another one for each parameter"),
    (of_a_constant, {"constant": Constant("2", "ours")}, "symbol = .*'c', 'c'.*: expected another one"),
    (stated, {"direction": "upper"}, "direction = 'upper': expected a Direction"),
    (stated, {"role": "step"}, "role = 'step': expected a Role"),
    (stated, {"place": ""}, "name = 'mine-': expected words in lower case"),
    (stated, {"tags": "equality"}, "tags = 'equality': expected a tuple"),
    (stated, {"hypotheses": "n is even"}, "hypotheses = 'n is even': expected a tuple"),
    (stated, {"sizes": {"length": 3}}, "sizes = .*: expected a tuple"),
    (stated, {"sizes": ()}, "sizes = .*: expected one setting or more"),
    (stated, {"sizes": ({"n": 3},)}, "n = 3: expected for mine-theorem-1: length"),
    (stated, {"sizes": ({"length": 0},)}, "length = 0: expected an integer of at least 1"),
]


def test_what_cannot_be_declared_is_told_with_what_was_given_and_what_is_expected():
    for function, more, said in UNDECLARED:
        with pytest.raises(InputError, match=said) as told:
            declared(function, **more)
        assert "\n" not in str(told.value)


def test_what_is_no_paper_no_step_and_no_claim_is_refused():
    for attempt, said in [
        (lambda: Source("Myself 2025"), "paper = 'Myself 2025': expected a paper, such as Paper"),
        (lambda: param("n", 4, step=0), "step = 0: expected 1 or more"),
        (lambda: check(stated), "claim = .*stated.*: expected a Claim"),
        (lambda: declared(repair="read n + 1"), "repair = .*: expected nothing for a statement: only a line"),
        (lambda: declared(sharpens="another"), "sharpens = .*: expected nothing for a statement, which is not ours"),
    ]:
        with pytest.raises(InputError, match=said):
            attempt()


def test_what_is_wrong_in_measuring_is_a_broken_verdict_with_its_reason():
    def told(function=stated, **more):
        verdict = check(declared(function, **more))
        assert verdict.word == "broken"
        return verdict.reason

    def no_finding(length: int = BITS):
        """It."""
        return length + 1

    assert "only n, not N" in told(formula="N + 1")
    assert "formula = 'n +* 1'" in told(formula="n +* 1")
    assert "only n, not c" in told(formula="c*n")
    assert "measures int, not a Finding" in told(no_finding)
    assert "nothing is claimed" in told(formula=None)
