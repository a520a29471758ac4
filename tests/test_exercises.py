"""The checks of exercises: right answers pass, and wrong ones are told why, without the answer."""

from fractions import Fraction

import numpy as np

import ccsim as cc
from ccsim.bounds.bracket import Bracket, Side
from ccsim.displays import html
from ccsim.exercises import (
    Reply,
    check_confusion,
    check_cost,
    check_deterministic,
    check_error,
    check_fooling_set,
    check_gap,
    check_model,
    check_number,
    check_one_way,
    check_protocol,
    check_rectangle,
    check_that,
)
from ccsim.models import TransitionTable, dyck_automaton
from ccsim.problems import Partition, disjointness, dyck, equality, equality_of_halves, index, parity
from protocols.classical import fingerprint_equality, inner_product_equality, trivial

PARITY = TransitionTable("01", (0, 1), [[[0, 1], [1, 0]]], [0, 1])
HALVES = equality_of_halves(4)
DIAGONAL = [(x, x) for x in equality(2).alice]
GAP = np.random.default_rng(13).integers(0, 2, (5, 5)).tolist()

RIGHT = {
    "number": lambda: check_number(7, lambda: 7),
    "integer of NumPy": lambda: check_number(np.int64(7), lambda: 7),
    "fraction": lambda: check_number(Fraction(1, 2), lambda: 0.5),
    "that": lambda: check_that(3, lambda n: n % 2 == 1, "it is odd"),
    "that, spread": lambda: check_that((3, 4), lambda a, b: a < b, "they rise"),
    "protocol": lambda: check_protocol(trivial(parity(3)), parity(3)),
    "cost": lambda: check_cost(4, trivial(equality(3))),
    "error": lambda: check_error(("00", "01"), inner_product_equality(2, 1)),
    "error of at least": lambda: check_error(("00", "01"), inner_product_equality(2, 1), Fraction(1, 4)),
    "rectangle": lambda: check_rectangle(disjointness(2), ["00", "01"], ["00", "10"], 1, at_least=4),
    "fooling set": lambda: check_fooling_set(equality(2), DIAGONAL, size=4),
    "fooling set of words": lambda: check_fooling_set(dyck(2).split(Partition.odd_even(2)), [(("(",), (")",))]),
    "deterministic": lambda: check_deterministic(3, equality(2)),
    "deterministic, a matrix": lambda: check_deterministic(3, equality(2).matrix),
    "gap": lambda: check_gap(GAP),
    "one-way": lambda: check_one_way(4, index(4)),
    "one-way, the other way": lambda: check_one_way(2, index(4), "bob-to-alice"),
    "confusion": lambda: check_confusion(("0101", "1001"), PARITY, HALVES, 2),
    "model": lambda: check_model(dyck_automaton(2, 2), dyck(4), most_state_bits=3),
}

WRONG = {
    "too small": (lambda: check_number(6, lambda: 7), "6 is too small"),
    "too large": (lambda: check_number(8, lambda: 7), "8 is too large"),
    "no number": (lambda: check_number("7", lambda: 7), "'7' is not a number"),
    "a truth value": (lambda: check_number(True, lambda: 1), "True is not a number"),
    "not odd": (lambda: check_that(4, lambda n: n % 2 == 1, "it is odd"), "does not hold that it is odd"),
    "too many": (lambda: check_that((1, 2, 3), lambda a, b: True, "they rise"), "cannot be tried"),
    "other kind": (lambda: check_that(4, lambda text: text.count("A"), "fine"), "cannot be tried"),
    "bad argument": (lambda: check_that("AXB", Partition, "fine"), "AXB"),
    "no protocol": (lambda: check_protocol(equality(2), equality(2)), "is not a Protocol"),
    "other function": (lambda: check_protocol(trivial(parity(2)), equality(2)), "another function"),
    "other shape": (lambda: check_protocol(trivial(equality(3)), equality(2)), "another function"),
    "coins": (lambda: check_protocol(fingerprint_equality(2), equality(2)), "draws coins"),
    "too many bits": (lambda: check_protocol(trivial(parity(3)), parity(3), most_bits=2), "4 bits at worst"),
    "cost": (lambda: check_cost(5, trivial(equality(3))), "too large"),
    "no error there": (lambda: check_error(("01", "01"), inner_product_equality(2, 1)), "probability 0"),
    "less error": (lambda: check_error(("00", "01"), inner_product_equality(2, 1), 0.75), "probability 1/2"),
    "another colour": (lambda: check_rectangle(disjointness(2), ["01"], ["00", "01"], 1), "(01, 01) has the answer 0"),
    "too small a rectangle": (
        lambda: check_rectangle(disjointness(2), ["00"] * 2, ["00"] * 2, 1, 4),
        "but in 1 cell: 4 are possible",
    ),
    "no such row": (lambda: check_rectangle(disjointness(2), ["000"], ["00"], 1), "exactly 2 bits"),
    "no rows": (lambda: check_rectangle(disjointness(2), None, ["00"], 1), "cannot be tried"),
    "one text": (lambda: check_fooling_set(equality(2), ("00", "11")), "'00' is not a pair"),
    "text for bits": (lambda: check_deterministic("3", equality(2)), "'3' is not a number of bits"),
    "half a bit": (lambda: check_deterministic(2.5, equality(2)), "2.5 is not a number of bits"),
    "one word": (lambda: check_confusion("0101", PARITY, HALVES, 2), "are not two words"),
    "no model": (lambda: check_model(None, HALVES), "None is not a SequenceModel"),
    "no division": (lambda: check_that(0, lambda n: 1 / n > 0, "fine"), "cannot be tried"),
    "clash": (lambda: check_fooling_set(equality(2), [("00", "01"), ("10", "11")]), "can share a leaf"),
    "twice": (lambda: check_fooling_set(equality(2), DIAGONAL[:1] * 2), "appears twice"),
    "too few cells": (lambda: check_fooling_set(equality(2), DIAGONAL[:3], size=4), "of 3 cells"),
    "too few bits": (lambda: check_deterministic(2, equality(2)), "too few"),
    "too many bits of D": (lambda: check_deterministic(4, equality(2)), "better protocol"),
    "no gap": (lambda: check_gap([[0, 1], [1, 0]]), "2 suffice"),
    "not Boolean": (lambda: check_gap([[0, 2], [1, 0]]), "must be 0 and 1"),
    "ragged": (lambda: check_gap([[0, 1], [1]]), "2 cells like the first row"),
    "one-way": (lambda: check_one_way(3, index(4)), "too small"),
    "other state": (lambda: check_confusion(("0101", "0001"), PARITY, HALVES, 2), "states are different"),
    "other end": (lambda: check_confusion(("0101", "1010"), PARITY, HALVES, 2), "after the first 2"),
    "same answer": (lambda: check_confusion(("0111", "1011"), PARITY, HALVES, 2), "so is the answer"),
    "wrong model": (lambda: check_model(PARITY, HALVES), "is right"),
    "too large a model": (lambda: check_model(dyck_automaton(2, 2), dyck(4), most_state_bits=2), "3 bits of state"),
    "other symbols": (lambda: check_model(PARITY, dyck(4)), "one that"),
}


def test_right_answers_pass():
    for name, check in RIGHT.items():
        reply = check()
        assert reply, name
        assert str(reply).startswith("right: ")


def test_wrong_answers_are_told_why():
    for name, (check, why) in WRONG.items():
        reply = check()
        assert reply.right is False, name
        assert why in reply.reason


def test_dots_are_no_answer():
    for check in (
        lambda: check_number(..., lambda: 7),
        lambda: check_rectangle(disjointness(2), ..., ..., 1),
        lambda: check_protocol(..., parity(2), most_bits=2),
        lambda: check_model(task=HALVES, model=...),
        lambda: check_that((..., 3), lambda a, b: a < b, "fine"),
        lambda: check_rectangle(disjointness(2), ["00", ...], ["00"], 1),
    ):
        reply = check()
        assert reply.right is None
        assert not reply


def test_a_wrong_protocol_is_shown_an_input():
    def alice(x):
        yield cc.Send("0")
        return 1

    def bob(y):
        yield cc.Receive()
        return 1

    reply = check_protocol(cc.Protocol("always", equality(1), {"alice": alice, "bob": bob}), equality(1))
    assert reply.right is False
    assert "expected 0" in reply.reason


def test_a_search_out_of_time_judges_only_what_it_knows(monkeypatch):
    monkeypatch.setattr("ccsim.exercises.deterministic", lambda *_, **__: Bracket("deterministic", Side(4), Side(6)))
    judged = [check_deterministic(given, equality(2)).right for given in range(3, 8)]
    assert judged == [False, None, None, None, False]


def test_replies_are_escaped():
    assert "&lt;b&gt;" in html(Reply(False, "<b>"))
