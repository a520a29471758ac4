"""The checker accepts what is proved, and nothing else: every kind of witness, mutated; every kind of rubbish."""

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
import sys

import pytest

from ccsim.certificates import verify as checker
from ccsim.certificates.verify import Refused, load, read_matrix, verify, verify_text
from ccsim.problems.catalogue import find_problem
from tests.certificates.examples import certificates
from tests.certificates.truth import holds

KINDS = [
    (measure, side, kind)
    for measure in checker.PARAMETERS
    for side in ("lower", "upper")
    for kind in checker.PROVES[measure, side]
]


def of_kind(measure, side, kind):
    return [
        data
        for data in certificates()
        if (data["measure"], data["proofs"][0]["side"], data["proofs"][0]["witness"]["kind"]) == (measure, side, kind)
    ]


def true(data):
    table = tuple(map(tuple, read_matrix(data["matrix"])[0]))
    proofs = ((proof["side"], checker.read_value(proof["value"])) for proof in data["proofs"])
    return all(holds(table, data["measure"], data["parameters"], side, value) for side, value in proofs)


@pytest.mark.parametrize(("measure", "side", "kind"), KINDS)
def test_every_kind_is_accepted_and_true(measure, side, kind):
    found = of_kind(measure, side, kind)
    assert found
    for data in found:
        assert verify_text(json.dumps(data))
        assert true(data)


@pytest.mark.parametrize(("measure", "side", "kind"), KINDS)
def test_a_better_value_is_refused(measure, side, kind):
    for data in of_kind(measure, side, kind):
        wrong = copy.deepcopy(data)
        value = checker.read_value(data["proofs"][0]["value"])
        better = value + 100 if side == "lower" else value - 100
        wrong["proofs"][0]["value"] = f"{better.numerator}/{better.denominator}"
        with pytest.raises(Refused):
            verify(wrong)


@pytest.mark.parametrize(("measure", "side", "kind"), KINDS)
def test_unknown_fields_are_refused_at_every_level(measure, side, kind):
    data = of_kind(measure, side, kind)[0]
    for path in ((), ("matrix",), ("parameters",), ("proofs", 0), ("proofs", 0, "witness")):
        wrong = copy.deepcopy(data)
        place = wrong
        for key in path:
            place = place[key]
        place["comment"] = "?"
        with pytest.raises(Refused):
            verify(wrong)


# Mutations


def spots(data, path=()):
    yield path
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield from spots(value, (*path, key))


def changed(value, rng):
    """Another piece of data, near to this one."""
    if isinstance(value, bool) or value is None:
        return rng.choice([True, False, None, 0, 1, "alice"])
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, value + rng.randint(-3, 3), 0, 1, -1, None])
    if isinstance(value, str):
        if "/" in value:
            above, below = (int(part) for part in value.split("/"))
            return f"{above + rng.choice((-1, 0, 1, below, -below))}/{below + rng.choice((-1, 0, 0, 1))}"
        if value in ("both", "alice", "bob"):
            return rng.choice(["both", "alice", "bob"])
        if value in ("alice-to-bob", "bob-to-alice"):
            return rng.choice(["alice-to-bob", "bob-to-alice"])
        if not value:
            return rng.choice(["0", "1", "3:3"])
        place = rng.randrange(len(value))
        return value[:place] + rng.choice("0123457f*:") + value[place + 1 :]
    if isinstance(value, list):
        items = list(value)
        how = rng.randrange(5)
        if how == 0 or not items:
            return [*items, rng.choice([*items, 0])] if rng.random() < 0.5 else items[:-1]
        if how == 1:
            rng.shuffle(items)
        elif how == 2:
            del items[rng.randrange(len(items))]
        else:
            items[rng.randrange(len(items))] = copy.deepcopy(rng.choice(items))
        return items
    names = list(value)
    if len(names) > 1 and rng.random() < 0.7:
        one, other = rng.sample(names, 2)
        return {**value, one: value[other], other: value[one]}
    return {name: entry for name, entry in value.items() if name != rng.choice(names)}


SECTIONS = (("proofs", 0, "value"), ("matrix", "rows"), ("parameters",), ("proofs", 0, "witness"))


def mutated(data, rng):
    wrong = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        section = rng.choices(SECTIONS, (3, 3, 2, 6))[0]
        part = wrong
        try:
            for key in section:
                part = part[key]
        except (KeyError, TypeError, IndexError):
            continue
        path = (*section, *rng.choice(list(spots(part))))
        place = wrong
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = changed(place[path[-1]], rng)
    return wrong


def survivors(seed, count):
    """How many mutations are accepted; all of them must be true."""
    rng, accepted = random.Random(seed), 0
    groups = [of_kind(*kind) for kind in KINDS]
    for number in range(count):
        wrong = mutated(rng.choice(groups[number % len(groups)]), rng)
        try:
            verify(wrong)
        except Refused:
            continue
        accepted += 1
        assert true(wrong), json.dumps(wrong)
    return accepted


def test_no_mutation_is_accepted_whose_claim_is_false():
    assert 100 < survivors(1, 3_000) < 2_500


@pytest.mark.slow
def test_no_mutation_is_accepted_whose_claim_is_false_often():
    assert survivors(2, 100_000) > 3_000


# Rubbish


def fuzzed(text, rng):
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(text) + 1)
        size = rng.choice((0, 1, 1, 5))
        text = (
            text[:place]
            + rng.choice(["", "[", "]", "{", "}", '"', ",", "1", "null", "1e9", "-", "NaN", "é", "\\u0000"])
            + text[place + size :]
        )
    return text


def test_malformed_text_is_only_refused():
    rng, every = random.Random(5), [json.dumps(data) for data in certificates()]
    for _ in range(3_000):
        text = fuzzed(rng.choice(every), rng)
        try:
            verify_text(text)
        except Refused:
            continue
        assert true(json.loads(text))


HEAD = {"format": "ccsim-certificate", "version": 1, "measure": "deterministic", "unit": "bits"}
RIGHT = {
    **HEAD,
    "matrix": {"labels": [0, 1], "rows": ["01", "10"]},
    "parameters": {"answer": "both", "rounds": None, "first": None},
    "proofs": [
        {"side": "lower", "value": 2, "witness": {"kind": "refutation", "nodes": [[1, None, "3", "3", "rank", [2, 2]]]}}
    ],
}


def with_tree(tree):
    return {**RIGHT, "proofs": [{"side": "upper", "value": 2, "witness": {"kind": "protocol-tree", "tree": tree}}]}


def deep(levels):
    tree = '{"answer": 0}'
    node = '{"speaker": "alice", "ones": [1], "one": {"answer": 1}, "zero": '
    return json.dumps(with_tree("TREE")).replace('"TREE"', node * levels + tree + "}" * levels)


WRONG = [
    "",
    "[" * 100_000,
    "[]",
    "null",
    '{"format": 1, "format": 1}',
    json.dumps(RIGHT).replace('"value": 2', '"value": 2.0'),
    json.dumps(RIGHT).replace('"value": 2', '"value": NaN'),
    json.dumps(RIGHT).replace('"value": 2', '"value": ' + "1" * 50),
    json.dumps(RIGHT).replace('"value": 2', '"value": ' + "1" * 5000),
    json.dumps(RIGHT).replace('"value": 2', '"value": "1/0"'),
    json.dumps(RIGHT).replace('"value": 2', '"value": true'),
    json.dumps(RIGHT).replace('"version": 1', '"version": 2'),
    json.dumps(RIGHT).replace('"version": 1', '"version": true'),
    json.dumps(RIGHT).replace('"value": 2', '"value": 2, "value": 1'),
    json.dumps(RIGHT).replace("[2, 2]", "[4, 4]"),
    json.dumps(RIGHT).replace("[2, 2]", "[0, 0]"),
    json.dumps(RIGHT).replace('"01"', '"0"'),
    json.dumps(RIGHT).replace('"01"', '"02"'),
    json.dumps(RIGHT).replace("[0, 1]", "[0, 0]"),
    json.dumps({**RIGHT, "matrix": {"function": "equality", "n": 12}}),
    json.dumps({**RIGHT, "matrix": {"function": "parity", "n": 2}}),
    json.dumps({**RIGHT, "proofs": RIGHT["proofs"] * 2}),
    json.dumps({**RIGHT, "proofs": []}),
    json.dumps({**RIGHT, "parameters": {"answer": "both", "rounds": None, "first": "bob"}}),
    deep(500),
    deep(100_000),
    json.dumps(with_tree({"answers": [[0, 0]]})),
    json.dumps(with_tree({"speaker": "carol", "ones": [], "zero": {"answer": 0}, "one": {"answer": 0}})),
]


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_wrong_certificates_are_refused(text):
    with pytest.raises(Refused):
        verify_text(text)
    with pytest.raises(Refused):
        verify_text(text.encode())


def test_the_right_one_is_accepted():
    assert verify(RIGHT) == [("lower", 2, "refutation")]


def test_python_data_that_is_no_json_is_refused():
    loop = []
    loop.append(loop)
    for rubbish in (loop, {1: 2}, (1, 2), 1.5, {**RIGHT, "unit": ["bits"]}, {**RIGHT, "measure": []}, object()):
        with pytest.raises(Refused):
            verify(rubbish)


def test_a_leaf_is_never_refuted():
    """A cell has a protocol of no bits, though it cannot be split."""
    node = [5, None, "1", "1", "splits", [[], [], ""], [[], [], ""]]
    row = [1, [0, 0], "1", "3", "splits", [[], [], ""], [[], [], ""]]
    for nodes, rounds, first in (([node], None, None), ([row], 1, "alice")):
        witness = {"kind": "refutation", "nodes": nodes}
        parameters = {"answer": "both", "rounds": rounds, "first": first}
        with pytest.raises(Refused, match="leaf"):
            checker.check([[1, 1]], "deterministic", "lower", parameters, witness)


def test_work_is_bounded(monkeypatch):
    verify(RIGHT)
    monkeypatch.setattr(checker, "MOST_WORK", 100)
    with pytest.raises(Refused, match="work"):
        verify(RIGHT)


@pytest.mark.parametrize("name", checker.NAMED)
def test_named_functions_are_those_of_the_library(name):
    for n in (1, 2, 3, 5):
        table, labels = read_matrix({"function": name, "n": n})
        matrix = find_problem(name).function(n).matrix
        assert (table, tuple(labels)) == (matrix.codes.tolist(), matrix.labels)


# On its own


@pytest.fixture
def alone(tmp_path):
    """The checker copied into an empty folder, and run there without the library, and with assertions off."""
    shutil.copy(checker.__file__, tmp_path / "verify.py")

    def run(*names):
        command = [sys.executable, "-I", "-S", "-O", "verify.py", *names]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    return tmp_path, run


def test_the_file_runs_alone(alone):
    folder, run = alone
    (folder / "good.json").write_text(json.dumps(RIGHT))
    (folder / "bad.json").write_text(json.dumps({**RIGHT, "version": 7}))
    (folder / "bytes.json").write_bytes(b"\xff\xfe")
    good = run("good.json")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout == "accepted good.json: deterministic >= 2 bits (both know): lower by refutation\n"
    mixed = run("good.json", "bad.json", "bytes.json", "missing.json")
    assert (mixed.returncode, mixed.stderr) == (1, "")
    assert [line.split(":")[0] for line in mixed.stdout.splitlines()] == [
        "accepted good.json",
        "refused bad.json",
        "refused bytes.json",
        "refused missing.json",
    ]
    assert run().returncode == 1


def test_too_large_a_file_is_refused(monkeypatch):
    monkeypatch.setattr(checker, "MOST_BYTES", 100)
    with pytest.raises(Refused, match="bytes"):
        load(json.dumps(RIGHT))


@pytest.mark.slow
def test_every_example_alone(alone):
    folder, run = alone
    for place, data in enumerate(certificates()):
        (folder / f"{place}.json").write_text(json.dumps(data))
    done = run(*(f"{place}.json" for place in range(len(certificates()))))
    assert (done.returncode, done.stderr) == (0, "")
