"""The checker accepts what is proved, and nothing else: every kind of witness, mutated; every kind of rubbish."""

from __future__ import annotations

import ast
import copy
import json
import random
import re
import shutil
import subprocess
import sys
from functools import cache, reduce
from itertools import product
from operator import getitem
from pathlib import Path

import pytest

from ccsim.bounds import deterministic
from ccsim.certificates import Certificate
from ccsim.certificates import verify as checker
from ccsim.certificates.certificate import known_function
from ccsim.certificates.verify import Refused, load, read_matrix, verify, verify_text
from ccsim.certificates.verify.claims import Matrix
from ccsim.errors import InputError
from ccsim.problems import equality, hamming_distance
from ccsim.problems.catalogue import find_problem
from tests.certificates.examples import certificates
from tests.certificates.mutations import changed_somehow, mutated
from tests.certificates.truth import TRUTHS, holds
from tests.speed import patient

KINDS = [
    (measure, side, kind)
    for measure in checker.claims.PARAMETERS
    for side in ("lower", "upper")
    for kind in checker.claims.PROVES[measure, side]
]
ASKED = {"code": 1, "label": 1, "answer": "both", "rounds": None, "first": None, "error": "1/3", "weights": "label",
         "smooth": False, "alpha": "3/1", "field": "rational"}  # fmt: skip


def test_what_is_gone_names_what_checks_it():
    """A kind is known to no checker of its measures, and the refusal is one line; so is that of a measure."""
    last = "is no longer checked; ccsim of commit [0-9a-f]{7}, or earlier"
    for kind, measure in ((kind, measure) for kind, asked in checker.claims.GONE.items() for measure in asked):
        assert all(kind not in checker.claims.PROVES[measure, side] for side in ("lower", "upper"))
        parameters = {name: ASKED[name] for name in checker.claims.PARAMETERS[measure]}
        with pytest.raises(Refused, match=f"'{kind}' {last}"):
            checker.check([[0, 1]], measure, "lower", parameters, {"kind": kind})
    for measure in checker.claims.GONE_MEASURES:
        with pytest.raises(Refused, match=f"'{measure}' {last}"):
            checker.check([[0, 1]], measure, "lower", {}, {"kind": "parts"})


@cache
def of_kinds():
    """The examples by measure, side and kind."""
    found = {kind: [] for kind in KINDS}
    for data in certificates():
        proof = data["proofs"][0]
        found[data["measure"], proof["side"], proof["witness"]["kind"]].append(data)
    return found


def true(data):
    table = tuple(map(tuple, read_matrix(data["matrix"])[0]))
    proofs = ((proof["side"], checker.certificates.read_value(proof["value"])) for proof in data["proofs"])
    return all(holds(table, data["measure"], data["parameters"], side, value) for side, value in proofs)


def test_every_kind_is_accepted_and_true():
    for kind, found in of_kinds().items():
        assert found, kind
        for data in found:
            assert verify_text(json.dumps(data)), kind
            assert true(data), kind


def test_a_better_value_is_refused():
    for (_, side, _), found in of_kinds().items():
        for data in found:
            value = checker.certificates.read_value(data["proofs"][0]["value"])
            better = value + 100 if side == "lower" else value - 100
            proof = {**data["proofs"][0], "value": f"{better.numerator}/{better.denominator}"}
            with pytest.raises(Refused):
                verify({**data, "proofs": [proof]})


def test_unknown_fields_are_refused_at_every_level():
    for data in (found[0] for found in of_kinds().values()):
        for path in ((), ("matrix",), ("parameters",), ("proofs", 0), ("proofs", 0, "witness")):
            wrong = copy.deepcopy(data)
            reduce(getitem, path, wrong)["comment"] = "?"
            with pytest.raises(Refused):
                verify(wrong)


# Mutations


@cache
def with_small_matrices():
    """Those whose matrix may be put in another's place: what is true of any measure on it is soon known."""
    matrices = [(data, data["matrix"]) for data in certificates()]
    return [data for data, matrix in matrices if (len(matrix["rows"]) <= 4 if "rows" in matrix else matrix["n"] <= 2)]


def change_somehow(data, rng):
    return changed_somehow(data, with_small_matrices(), rng)


@pytest.mark.parametrize(
    ("change", "count", "least"),
    [
        (mutated, 600, 12),
        (change_somehow, 300, 30),
        pytest.param(mutated, 25_000, 750, marks=pytest.mark.slow),
        pytest.param(change_somehow, 25_000, 3_750, marks=pytest.mark.slow),
    ],
)
def test_no_mutation_is_accepted_whose_claim_is_false(change, count, least):
    rng, accepted = random.Random(count), 0
    groups = list(of_kinds().values())
    for number in range(count):
        wrong = change(rng.choice(groups[number % len(groups)]), rng)
        try:
            verify(wrong)
        except Refused:
            continue
        accepted += 1
        assert true(wrong), json.dumps(wrong)
    assert least < accepted < count * 5 / 6


# Parts of the checker, against plain definitions


def random_table(rng, free=0.0, most=6):
    height, width = rng.randint(1, most), rng.randint(1, most)
    return [[-1 if rng.random() < free else rng.randrange(2) for _ in range(width)] for _ in range(height)]


@pytest.mark.parametrize("prime", [2, 3, 5, 2147483647])
def test_ranks_are_those_of_plain_elimination(prime):
    rng = random.Random(prime)
    for _ in range(5 if prime > 5 else 20):
        table = random_table(rng, most=9)
        every = {"rows": f"{(1 << len(table)) - 1:x}", "columns": f"{(1 << len(table[0])) - 1:x}"}
        field = {"code": 1, "field": f"GF({prime})"}
        found = [
            checker.check(table, "rank", "lower", field, {"kind": "pivots", "prime": prime, **every}),
            checker.check(table, "rank", "upper", field, {"kind": "elimination", "primes": [prime]}),
        ]
        assert found == [TRUTHS["rank"](table, **field)] * 2


def test_extreme_rectangles_are_those_of_all():
    rng = random.Random(1)
    for _ in range(60):
        table = [[rng.randint(-9, 9) for _ in row] for row in random_table(rng, most=4)]
        matrix = checker.claims.Matrix([[0] * len(row) for row in table])
        sums = [
            sum(table[r][c] for r in range(len(table)) for c in range(len(table[0])) if rows >> r & columns >> c & 1)
            for rows in range(1 << len(table))
            for columns in range(1 << len(table[0]))
        ]
        found = [checker.randomised.largest_sum(matrix, side) for side in (table, checker.randomised.opposite(table))]
        assert found == [max(sums), -min(sums)]


@pytest.mark.parametrize("answer", ["both", "alice", "bob"])
def test_what_leaves_share_is_as_defined(answer):
    rng = random.Random(answer)
    for _ in range(60):
        table = random_table(rng, free=0.2)
        cells = [(r, c) for r, row in enumerate(table) for c, cell in enumerate(row) if cell >= 0]
        rng.shuffle(cells)
        masks = list(checker.fooling.sharing(checker.claims.Matrix(table), answer, cells))
        for place, (x, y) in enumerate(cells):
            for other, (u, w) in enumerate(cells):
                corners = [(x, y), (x, w), (u, y), (u, w)]
                key = {"both": lambda r, c: 0, "alice": lambda r, c: r, "bob": lambda r, c: c}[answer]
                shown = {(key(r, c), table[r][c]) for r, c in corners if table[r][c] >= 0}
                assert masks[place] >> other & 1 == (len(shown) == len({line for line, _ in shown}))


@pytest.mark.parametrize("codes", [range(2), range(-1, 3), range(300)])
def test_masks_of_a_table_mark_the_cells_of_each_code(codes):
    rng = random.Random(0)
    table = [[rng.choice(codes) for _ in range(11)] for _ in range(9)]
    for party, lines in enumerate((table, list(zip(*table, strict=True)))):
        for code in codes:
            expected = [sum(1 << place for place, cell in enumerate(line) if cell == code) for line in lines]
            assert Matrix(table).masks(code, party) == expected


def test_places_and_masks_undo_each_other():
    rng, matrix = random.Random(2), checker.claims.Matrix([[0]])
    for bits in (1, 7, 8, 9, 64, 1000):
        for _ in range(20):
            mask = rng.getrandbits(bits)
            assert matrix.places(mask) == [place for place in range(bits) if mask >> place & 1]
            assert checker.claims.mask_of(matrix.places(mask), bits) == mask


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
    for _ in range(1_000):
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
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    "[" * 100_000,
    '{"a": ' * 5000,
    "NaN",
    '{"format": Infinity}',
    '{"format": "ccsim-certificate", "version": 1e400}',
    "9" * 100_000,
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
    json.dumps({**RIGHT, "proofs": [{"side": "upper", "value": 2, "witness": {"kind": "refutation", "nodes": []}}]}),
    json.dumps({**RIGHT, "proofs": [{"side": "lower", "value": 2, "witness": {"kind": "refutation", "nodes": 2}}]}),
    json.dumps({**RIGHT, "comment": ""}),
    json.dumps({**RIGHT, "measure": "beauty"}),
    json.dumps({**RIGHT, "unit": "cells"}),
    json.dumps({**RIGHT, "parameters": {"answer": "both"}}),
    json.dumps({**RIGHT, "parameters": {"answer": "both", "rounds": None, "first": "bob"}}),
    deep(500),
    deep(100_000),
    json.dumps(with_tree({"answers": [[0, 0]]})),
    json.dumps(with_tree({"speaker": "carol", "ones": [], "zero": {"answer": 0}, "one": {"answer": 0}})),
]


def test_wrong_certificates_are_refused_in_a_line(tmp_path):
    path = tmp_path / "hostile\nname.json"
    for place, text in enumerate(WRONG):
        data = text if isinstance(text, bytes) else text.encode()
        with pytest.raises(Refused):
            verify_text(text)
        path.write_bytes(data)
        found = checker.report_file(path)
        assert not found["accepted"], place
        assert len(found["message"]) < 300, place


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


def test_a_tree_of_more_rounds_than_are_claimed_is_refused():
    ends = [{"speaker": "bob", "ones": "2", "zero": {"answer": bit}, "one": {"answer": 1 - bit}} for bit in (0, 1)]
    tree = {"speaker": "alice", "ones": "2", "zero": ends[0], "one": ends[1]}
    witness = {"kind": "protocol-tree", "tree": tree}

    def proved(rounds, first):
        parameters = {"answer": "both", "rounds": rounds, "first": first}
        return checker.check([[0, 1], [1, 0]], "deterministic", "upper", parameters, witness)

    assert proved(2, None) == proved(2, "alice") == 2
    for rounds, first in ((1, None), (1, "alice"), (2, "bob")):
        with pytest.raises(Refused, match="rounds"):
            proved(rounds, first)


def test_work_is_bounded(monkeypatch):
    verify(RIGHT)
    monkeypatch.setattr(checker.claims, "MOST_WORK", 100)
    with pytest.raises(Refused, match="work"):
        verify(RIGHT)


# Degenerate matrices, fields and claims


FREE = {"labels": [0, 1], "rows": ["**", "**"]}


def claimed(matrix, measure, side, value, parameters, witness, unit="cells"):
    proofs = [{"side": side, "value": value, "witness": witness}]
    return {**HEAD, "matrix": matrix, "measure": measure, "unit": unit, "parameters": parameters, "proofs": proofs}


@pytest.mark.parametrize(("measure", "kind"), [("cover", "cover-weights"), ("rectangle-bound", "cell-weights")])
def test_a_cell_that_is_listed_twice_is_refused(measure, kind):
    """Its weight would count twice in the sum, and once in the rectangles."""
    for data in of_kinds()[measure, "lower", kind]:
        twice = copy.deepcopy(data)
        listed = next(value for value in twice["proofs"][0]["witness"].values() if isinstance(value, list))
        listed.append(listed[-1])
        with pytest.raises(Refused, match="different cells"):
            verify(twice)


def test_rank_is_over_the_rationals_or_a_field_of_prime_order():
    right = claimed(RIGHT["matrix"], "rank", "upper", 2, {"code": 1, "field": "rational"}, {"kind": "lines"}, "")
    for good in ("rational", "GF(2)", "GF(2147483647)"):
        assert verify({**right, "parameters": {"code": 1, "field": good}})
    for field in ("GF(0)", "GF(1)", "GF(6)", "GF(02)", "GF(-2)", "GF(2147483649)", "GF(25)", "real", 2):
        with pytest.raises(Refused):
            verify({**right, "parameters": {"code": 1, "field": field}})
    for primes in ([], [2, 2], [4], [1], [0], [-3], [2147483649], [2, 3, 2], [True]):
        witness = {"kind": "elimination", "primes": primes}
        with pytest.raises(Refused):
            verify({**right, "proofs": [{**right["proofs"][0], "witness": witness}]})


def test_a_claim_is_about_one_of_the_labels():
    witness = {"kind": "rectangles", "rectangles": []}
    for labels, code in (([0, 1], 2), ([0], 1), ([], 0)):
        matrix = {"labels": labels, "rows": ["**"]}
        with pytest.raises(Refused, match="labels"):
            verify(claimed(matrix, "cover", "upper", 0, {"code": code}, witness, "rectangles"))
    assert verify(claimed(FREE, "cover", "upper", 0, {"code": 1}, witness, "rectangles"))


def test_leaves_by_ranks_are_of_tables_without_free_cells():
    with pytest.raises(Refused, match="undefined entries"):
        verify(claimed(FREE, "leaves", "lower", 0, {"answer": "both"}, {"kind": "leaf-rank", "primes": []}, "leaves"))


@pytest.mark.parametrize(
    ("measure", "unit", "others"),
    [("randomised", "bits", {"answer": "both", "coins": "public"}), ("quantum", "qubits", {})],
)
def test_protocols_with_probabilities_keep_to_the_error(measure, unit, others):
    trees = [{"weight": "1/2", "tree": {"answer": code}} for code in (0, 1)]
    shown = [
        claimed({"labels": [0, 1], "rows": ["01"]}, measure, "upper", 0, {**others, "error": error},
                {"kind": "protocol-mixture", "trees": trees}, unit)
        for error in ("1/2", "49/100")
    ]  # fmt: skip
    assert verify(shown[0])
    with pytest.raises(Refused, match="too much error"):
        verify(shown[1])


@pytest.mark.parametrize("answer", ["both", "alice", "bob"])
def test_the_leaves_of_answers_add_up_only_where_a_cell_has_one_that_both_know(answer):
    def shown(**matrix):
        """What is claimed of two cells: at least a leaf for each."""
        parts = [{"kind": "fooling-set", "cells": [[0, column]]} for column in (0, 1)]
        witness = {"kind": "parts", "parts": parts}
        return claimed({"labels": [0, 1], **matrix}, "leaves", "lower", 2, {"answer": answer}, witness, "leaves")

    if answer == "both":
        assert verify(shown(rows=["01"]))
    else:
        with pytest.raises(Refused, match="both know"):
            verify(shown(rows=["01"]))
    with pytest.raises(Refused, match="one answer in a cell"):
        verify(shown(allowed=[[3, 3]]))


# What is shown


def test_one_of_a_unit_is_told_in_the_singular():
    shown = checker.certificates.with_unit
    for amount in (1, "1", "= 1", "<= 1", ">= 1"):
        assert shown(amount, "leaves") == f"{amount} leaf"
    for amount in (0, 2, "= 11", "in [0, 1]", "n + 1", "1/2", "3, 1"):
        assert shown(amount, "bits") == f"{amount} bits"
    assert [shown(1, unit) for unit in ("", "weight", "words that are wrong")] == [
        "1",
        "1 weight",
        "1 word that is wrong",
    ]
    cells = {"kind": "fooling-set", "cells": [[0, 0]]}
    data = claimed({"labels": [0], "rows": ["0"]}, "leaves", "lower", 1, {"answer": "both"}, cells, "leaves")
    assert checker.summary(data).startswith("leaves >= 1 leaf (both know) of a matrix (1 x 1, ")


def test_a_label_is_told_as_itself_and_the_hash_is_of_the_matrix_alone():
    witness = {"kind": "rectangles", "rectangles": [["1", "2"], ["2", "1"]]}
    parameters = {"code": 1}
    listed = {"labels": [0, "yes\n"], "rows": ["01", "10"]}
    shown = checker.report(claimed(listed, "cover", "upper", 2, parameters, witness, "rectangles"))
    assert shown["parameters"] == {"label": "yes\n"}
    assert "(label 'yes\\n') of a matrix (2 x 2, sha256 " in checker.certificates.line(shown)
    named = checker.report({**RIGHT, "matrix": {"function": "equality", "n": 1}})
    turned = checker.report({**RIGHT, "matrix": {"labels": [0, 1], "rows": ["10", "01"]}})
    assert (named["function"], named["n"], named["compared"]) == ("equality", 1, True)
    assert (turned["function"], turned["n"], turned["compared"]) == (None, None, False)
    assert named["sha256"] == turned["sha256"] != checker.report(RIGHT)["sha256"]


def test_rows_with_the_name_of_a_function_are_those_of_the_function():
    rows = {"labels": [0, 1], "rows": ["10", "01"]}
    right = {**RIGHT, "matrix": {**rows, "function": "equality", "n": 1}}
    assert checker.report(right)["compared"]
    for wrong in ({"rows": ["01", "10"]}, {"labels": [1, 0]}, {"n": 2}, {"function": "index"}, {"n": 0}, {"n": True},
                  {"function": "Equality"}, {"function": None}):  # fmt: skip
        with pytest.raises(Refused):
            verify({**right, "matrix": {**right["matrix"], **wrong}})
    unknown = {**right, "matrix": {**rows, "function": "sameness", "n": 1}}
    assert not checker.report(unknown)["compared"]
    assert "sameness, n = 1 (2 x 2, sha256 " in checker.summary(unknown)
    assert "not compared with the function" in checker.summary(unknown)


def test_functions_of_the_catalogue_are_compared_by_who_knows_them():
    function = hamming_distance(2)
    data = deterministic(function).certificate.to_json()
    assert (data["matrix"]["function"], data["matrix"]["n"]) == ("hamming-distance", 2)
    assert not checker.report(data)["compared"]
    assert checker.report(data, known_function)["compared"]
    data["matrix"]["rows"] = ["".join(str(2 - int(cell)) for cell in row) for row in data["matrix"]["rows"]]
    with pytest.raises(Refused, match="not those of hamming-distance, n = 2"):
        checker.report(data, known_function)


def test_a_certificate_with_the_name_of_another_function_is_not_made():
    bracket = deterministic(equality(2))
    with pytest.raises(InputError, match="function"):
        Certificate.from_bracket(bracket, bracket.matrix, ("equality", 3))


# How it is written


FOLDER = Path(checker.__file__).parent
CONTENTS = re.findall(r"^    (\w+)  +([^\n]*(?:\n      +[^\n]*)*)", checker.__doc__, flags=re.MULTILINE)
NAMES = [name for name, _ in CONTENTS]
SOURCES = [(FOLDER / f"{name}.py").read_text(encoding="utf-8") for name in NAMES]


def test_the_contents_are_those_of_the_book():
    """Every chapter, and in it every kind of witness, in this order; the table of contents says so."""
    for source, (name, text) in zip(SOURCES, CONTENTS, strict=True):
        kinds = re.findall(r'^@(?:proves|always)\(\s*"([\w-]+)"', source, flags=re.MULTILINE)
        assert not kinds or " ".join(text.split()) == ", ".join(kinds), name
    assert {path.stem for path in FOLDER.glob("*.py")} == {*NAMES, "__init__", "__main__"}


def test_each_chapter_leans_on_earlier_ones_and_on_the_standard_library_only():
    for place, source in enumerate(SOURCES):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.level:
                assert (node.level, node.module in NAMES[:place]) == (1, True), (NAMES[place], node.module)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                modules = [node.module] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
                assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


def test_named_functions_are_those_of_the_library():
    for name, n in product(checker.certificates.NAMED, (1, 2, 4)):
        table, labels = read_matrix({"function": name, "n": n})
        matrix = find_problem(name).function(n).matrix
        assert (table, tuple(labels)) == (matrix.codes.tolist(), matrix.labels)


# On its own


@pytest.fixture
def alone(tmp_path):
    """The checker copied into an empty folder, and run there without the library, and with assertions off."""
    shutil.copytree(Path(checker.__file__).parent, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))

    def run(*names):
        command = [sys.executable, "-I", "-S", "-O", "checker", *names]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=patient(60), check=False)

    return tmp_path, run


def test_the_folder_runs_alone(alone):
    folder, run = alone
    (folder / "good.json").write_text(json.dumps(RIGHT))
    (folder / "bad.json").write_text(json.dumps({**RIGHT, "version": 7}))
    (folder / "bytes.json").write_bytes(b"\xff\xfe")
    good = run("good.json")
    assert (good.returncode, good.stderr) == (0, "")
    line = "deterministic >= 2 bits (both know) of a matrix (2 x 2, sha256 149ff0c6711c): lower by refutation"
    assert good.stdout == f"accepted good.json: {line}\n"
    mixed = run("good.json", "bad.json", "bytes.json", "missing.json")
    assert (mixed.returncode, mixed.stderr) == (1, "")
    verdicts = ["accepted good.json", "refused bad.json", "refused bytes.json", "refused missing.json"]
    assert [line.split(":")[0] for line in mixed.stdout.splitlines()] == verdicts
    assert checker.main([]) == 1


def test_the_checker_is_one_file_too(tmp_path):
    path, forged = tmp_path / "checker.pyz", {**RIGHT, "matrix": {"function": "equality", "n": 2}}
    subprocess.run([sys.executable, FOLDER.parents[2] / ".ci" / "checker.py", path], check=True)
    (tmp_path / "good.json").write_text(json.dumps(RIGHT))
    (tmp_path / "forged.json").write_text(json.dumps({**forged, "proofs": [{**RIGHT["proofs"][0], "value": 9}]}))
    run = [sys.executable, "-I", "-S", path]
    for name, code, word in (("good.json", 0, "accepted"), ("forged.json", 1, "refused")):
        done = subprocess.run([*run, name], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.partition(" ")[0], done.stderr) == (code, word, "")


def test_too_large_a_file_is_refused(monkeypatch):
    monkeypatch.setattr(checker.certificates, "MOST_BYTES", 100)
    with pytest.raises(Refused, match="bytes"):
        load(json.dumps(RIGHT))


@pytest.mark.slow
def test_every_example_alone(alone):
    folder, run = alone
    for place, data in enumerate(certificates()):
        (folder / f"{place}.json").write_text(json.dumps(data))
    done = run(*(f"{place}.json" for place in range(len(certificates()))))
    assert (done.returncode, done.stderr) == (0, "")
