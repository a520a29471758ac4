"""Relations and Karchmer-Wigderson games: formula size and depth, against formulas counted over truth tables."""

import copy
import json
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError, Relation
from ccsim.bounds import brackets_of, deterministic, summary
from ccsim.bounds.leaves import khrapchenko
from ccsim.certificates import Certificate, verify
from ccsim.certificates.verify import Refused
from ccsim.problems import RELATIONS, karchmer_wigderson
from tests.bounds.brute_force import least_by_definition
from tests.certificates.mutations import mutated
from tests.speed import patient


@cache
def formulas(n, monotone):
    """For each truth table (as an integer) the least size and the least depth of a formula, by dynamic programming."""
    every = (1 << (1 << n)) - 1
    inputs = [sum(1 << x for x in range(1 << n) if x >> i & 1) for i in range(n)]
    literals = inputs if monotone else inputs + [every ^ table for table in inputs]
    size, depth = dict.fromkeys(literals, 1), dict.fromkeys(literals, 0)
    by_size, total = {1: set(literals)}, 1
    while total < 2 * max(by_size):
        total += 1
        fresh = set()
        for left in range(1, total // 2 + 1):
            for a in by_size.get(left, ()):
                for b in by_size.get(total - left, ()):
                    fresh |= {a & b, a | b} - size.keys() - {0, every}
        if fresh:
            by_size[total] = fresh
        size |= dict.fromkeys(fresh, total)
    level = 0
    while len(depth) < len(size):
        level += 1
        known = list(depth)
        fresh = {table for a in known for b in known for table in (a & b, a | b)} - depth.keys() - {0, every}
        depth |= dict.fromkeys(fresh, level)
    return size, depth


def text_of(table, n):
    return "".join(str(table >> x & 1) for x in range(1 << n))


def measured(relation):
    (leaves,), (bits,) = (brackets_of(relation, name) for name in ("leaves", "deterministic"))
    for found in (leaves, bits):
        assert found.exact
        assert "lower by" in found.certificate.verify() or found.lower == 0
        assert "upper by protocol-tree" in found.certificate.verify()
    return leaves.lower, bits.lower


@pytest.mark.parametrize(
    ("n", "monotone", "step"), [(1, False, 1), (2, False, 1), (2, True, 1), (3, False, 17), (3, True, 2)]
)
def test_functions_of_three_bits(n, monotone, step):
    size, depth = formulas(n, monotone)
    for table in sorted(size)[::step]:
        game = karchmer_wigderson(text_of(table, n), monotone=monotone)
        assert measured(game) == (size[table], depth[table]), text_of(table, n)


@pytest.mark.slow
def test_named_formulas():
    assert measured(RELATIONS["karchmer-wigderson-majority"][1](4)) == (8, 3)
    assert measured(RELATIONS["monotone-karchmer-wigderson-majority"][1](5)) == (14, 5)
    (parity,) = brackets_of(RELATIONS["karchmer-wigderson-parity"][1](5), "leaves")
    assert parity.lower == 25  # Khrapchenko
    assert 28 <= parity.upper <= 34


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["both", "alice", "bob"]))
def test_relations_by_definition(seed, answer):
    rng = np.random.default_rng(seed)
    labels = int(rng.integers(1, 4))
    masks = rng.integers(1, 1 << labels, rng.integers(1, 5, 2))
    relation = Relation(masks, range(labels))

    expected = least_by_definition(masks.tolist(), answer)
    for name, value in zip(("leaves", "deterministic"), expected, strict=True):
        (bracket,) = brackets_of(relation, name, answer=answer)
        assert (bracket.lower, bracket.upper) == (value, value)
        if bracket.lower_witness and bracket.upper_witness:
            assert bracket.certificate.verify()


def test_a_function_is_a_relation_with_one_answer():
    rows = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    (found,) = brackets_of(Relation(1 << rows, (0, 1)), "leaves")
    assert (found.lower, found.upper) == (6, 6)
    assert deterministic(Relation(1 << rows, (0, 1))).lower == 3


def certificates():
    game = karchmer_wigderson("01101001")
    for name in ("leaves", "deterministic"):
        yield brackets_of(game, name)[0].certificate
    assert khrapchenko(game)[1] == 9


def test_certificates_of_relations_are_saved_and_read(tmp_path):
    for certificate in certificates():
        assert " of a relation (4 x 4, " in certificate.verify()
        certificate.save(tmp_path / "one.json")
        again = Certificate.load(tmp_path / "one.json")
        assert again.relation == karchmer_wigderson("01101001")
        assert again.verify() == certificate.verify()


def forged(change, name="leaves", relation="01101001"):
    data = brackets_of(karchmer_wigderson(relation), name)[0].certificate.to_json()
    change(data)
    return json.loads(json.dumps(data))


def put(*path):
    *path, value = path

    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


KHRAPCHENKO = {"kind": "khrapchenko", "cells": [[0, 0], [0, 1], [0, 2], [0, 3]]}
FORGED = [
    put("proofs", 0, "value", 11),
    put("proofs", 1, "value", 9),
    put("matrix", "allowed", 0, 0, 0),
    put("matrix", "allowed", 0, 0, 8),
    put("matrix", "allowed", 0, [1]),
    put("matrix", "labels", [1, 1, 2]),
    put("matrix", "labels", []),
    put("matrix", "function", "equality"),
    put("proofs", 0, "witness", KHRAPCHENKO),
    put("proofs", 0, "witness", {"kind": "khrapchenko", "cells": []}),
    put("proofs", 0, "witness", {"kind": "khrapchenko", "cells": [[0, 0], [0, 0]]}),
    put("proofs", 0, "witness", {"kind": "fooling-set", "cells": [[0, 0], [1, 1]]}),
    put("proofs", 0, "witness", {"kind": "leaf-rank", "primes": [2, 2, 2]}),
    put("measure", "cover"),
]


def test_forged_certificates_of_relations_are_refused():
    for change in FORGED:
        verify.verify(forged(lambda data: None))
        with pytest.raises(Refused):
            verify.verify(forged(change))


def true(data):
    found = least_by_definition(data["matrix"]["allowed"], data["parameters"]["answer"])
    value = found[data["measure"] == "deterministic"]
    ((side, claimed),) = ((proof["side"], verify.certificates.read_value(proof["value"])) for proof in data["proofs"])
    return claimed <= value if side == "lower" else claimed >= value


def test_no_mutation_of_a_relation_is_accepted_whose_claim_is_false():
    rng, accepted = random.Random(1), 0
    games = [karchmer_wigderson(table) for table in ("0110", "00010111", "01101001", "00000001")]
    both = [brackets_of(game, name)[0].certificate.to_json() for game in games for name in ("leaves", "deterministic")]
    everything = {"kind": "all-rectangles", "rows": [0, 1], "columns": [0, 1]}
    whole = [put("proofs", 0, "witness", everything), put("proofs", 0, "value", 3)]
    for change in (whole[:1], whole):
        other = copy.deepcopy(both[0])
        for one in change:
            one(other)
        both.append(other)
    single = [{**data, "proofs": [proof]} for data in both for proof in data["proofs"]]
    for number in range(600):
        wrong = mutated(single[number % len(single)], rng)
        if rng.random() < 0.5:
            row = rng.choice(wrong["matrix"]["allowed"])
            row[rng.randrange(len(row))] = rng.randint(0, 8)
        try:
            verify.verify(wrong)
        except Refused:
            continue
        accepted += 1
        assert true(wrong), json.dumps(wrong)
    assert 15 < accepted < 450


def test_other_measures_are_of_functions():
    game = karchmer_wigderson("0110")
    with pytest.raises(InputError, match="function"):
        brackets_of(game, "cover")
    found = summary(game, seconds=patient(5))
    assert {bracket.measure for bracket in found.brackets} == {"deterministic", "leaves"}
    assert "function" in found.missing["rank"]
    with pytest.raises(InputError, match="rounds"):
        deterministic(game, rounds=1)


def test_truth_tables_are_of_functions_that_are_not_constant():
    for wrong in ["011", "0000", "012", "1"]:
        with pytest.raises(InputError, match="function"):
            karchmer_wigderson(wrong)


def test_bad_relations_are_refused():
    with pytest.raises(InputError, match="monotone"):
        karchmer_wigderson("10", monotone=True)
    for masks, labels in (([[0]], (1,)), ([[2]], (1,)), ([], (1,)), ([[1]], (1, 1))):
        with pytest.raises(InputError):
            Relation(masks, labels)
    with pytest.raises(InputError, match="length"):
        Relation.from_sets([[{1}], [{1}, {2}]])
    for cells in ([[{1}, None]], [[1, 2]], [["ab"]], [[[[1]]]], [None], 3):
        with pytest.raises(InputError, match="right answers"):
            Relation.from_sets(cells)
