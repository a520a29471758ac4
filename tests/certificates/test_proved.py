"""The checker that is proved in Coq: it says what the kernel says, and its theorems are those of the theory."""

import copy
import json
import random
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from ccsim.bounds import deterministic
from ccsim.bounds.measures import brackets_of
from ccsim.certificates import verify
from ccsim.certificates.certificate import PROGRAM, check_proved, find_program
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality, index, karchmer_wigderson
from tests.certificates.adversaries import CASES, claim, hard, listed
from tests.certificates.both_checkers import compared, mutations
from tests.certificates.every_length import certificates as certificates_of_every_length
from tests.certificates.examples import PLAIN, THREE, certificates, crafted
from tests.certificates.mutations import mutations_of_every_length

ROOT = Path(__file__).parents[2]
PROOFS, THEORY = ROOT / "proofs", ROOT / "docs" / "theory.md"
BUILT = (PROOFS / PROGRAM).is_file()
built = pytest.mark.skipif(not BUILT, reason="proofs/ccsim-proved is not built: make -C proofs")
WITHOUT_THEOREM = {"forster", "rank-search", "regular-minor", "turns"}
"""Kinds of witness that the program calls unreached, of measures that it reaches."""

NORM = hard("gamma2-gram", {"function": "equality", "n": 1}, 1, gram=[], rows=[], columns=[])
BY_A_CUT = [[[0, 1, 2]], [4, [0, 0, 0, 1, 2, 0, 1, 0, 2, 1, 2, 0, 1]]]
BY_BOTH = [[9], [[0, 1, 2]], [6, [0, 0, 2, 0, 2, 0, 0, 2, 0, 2, 2, 2, 6, 1]],
           [[2, 1, 0]], [4, [0, 0, 0, 2, 0, 2, 2, 2, 0, 0, 0, 2, 1]]]  # fmt: skip


def small_certificates():
    """The examples, and what no search gives on matrices so small."""
    four = {"kind": "refutation", "nodes": [[4, None, "1ff", "1ff", "four"]]}
    cells = [{"kind": "fooling-set", "cells": [cell]} for cell in ([0, 0], [1, 1])]
    part = {"kind": "submatrix", "rows": [1, 0], "columns": [2, 0], "of": {"kind": "parts", "parts": cells}}
    bits = {"kind": "bits-of", "measure": "cover", "given": {}, "of": part}
    made = [
        crafted(CommunicationMatrix.from_array(np.eye(9, dtype=int)), "deterministic", "lower", PLAIN, four, "bits"),
        crafted(THREE, "nondeterministic", "lower", {"code": None}, bits, "bits"),
        *(crafted(THREE, name, "lower", {"code": None}, part, "rectangles") for name in ("cover", "partition")),
    ]
    return [*certificates(), *(certificate.to_json() for certificate in made)]


def test_where_the_program_is_absent_it_is_said_how_to_build_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"make -C proofs.*libzarith-ocaml-dev"):
        find_program(tmp_path)


def test_a_program_without_a_verdict_refuses(tmp_path):
    for text in ("#!/bin/sh\nexit 0\n", "#!/bin/sh\necho accepted x\nexit 1\n"):
        program = tmp_path / "program"
        program.write_text(text)
        program.chmod(0o755)
        assert check_proved(tmp_path / "x.json", program).verdict == "refused"


@built
def test_what_has_no_theorem_is_not_reached(tmp_path):
    path = tmp_path / "norm.json"
    path.write_text(json.dumps(NORM))
    found = check_proved(path, find_program())
    assert (found.verdict, found.message) == ("unreached", "gamma_2: needs real vectors")


@built
def test_both_checkers_refuse_in_the_same_words_what_is_gone(tmp_path):
    path, asked = tmp_path / "gone.json", {"code": 1, "label": 1, "answer": "both", "error": "1/3", "weights": "label"}
    asked["field"] = "rational"
    gone = [(measure, {"kind": kind}) for kind, measures in verify.claims.GONE.items() for measure in measures]
    gone = [one for one in gone if one[0] != "gamma_2"]  # of which this program looks at no witness
    gone += [(measure, {"kind": "fooling-set"}) for measure in verify.claims.GONE_MEASURES]
    nodes = [[[1, None, "1", "1", reason, [], [], []]] for reason in ("orbits", "tight", "given")]
    for measure, witness in gone + [("deterministic", {"kind": "refutation", "nodes": node}) for node in nodes]:
        units, names = verify.claims.MEASURES.get(measure, (("bits",), ()))
        parameters = {"rounds": None, "first": None, "smooth": False, **asked}
        data = {"format": "ccsim-certificate", "version": 1, "matrix": {"function": "equality", "n": 1}}
        data |= {"measure": measure, "unit": units[0], "parameters": {name: parameters[name] for name in names}}
        path.write_text(json.dumps({**data, "proofs": [{"side": "lower", "value": 1, "witness": witness}]}))
        if measure == "discrepancy":
            path.write_text(path.read_text().replace('"label"', "[[1, 1], [1, 1]]"))
        found = check_proved(path, find_program())
        with pytest.raises(verify.Refused) as refused:
            verify.verify_text(path.read_text())
        assert (found.verdict, found.message) == ("refused", str(refused.value))
        assert "no longer checked" in found.message


def right_and_wrong():
    """Pairs of texts and of how often each pair of verdicts is met."""
    tree = {"speaker": "alice", "ones": "f", "zero": {"answer": 0}, "one": {"answer": 0}}
    nodes = {"kind": "refutation", "nodes": [[0, None, "7", "f", "rank", [2]]]}
    beyond = [claim(listed(["00"] * 3), "deterministic", "upper", PLAIN, {"kind": "protocol-tree", "tree": tree}, 1),
              claim(listed(["00"] * 3), "deterministic", "lower", PLAIN, nodes, 1)]  # fmt: skip
    yield "masks beyond the matrix", beyond, 0
    # after Alice and Bob have spoken Alice may not, and what her splits say does not matter
    ranks = [[1, None, rows, "3", "rank", [2, 2]] for rows in ("6", "5", "3")]
    silent = [1, [0, 1], "3", "1", "splits", [[2], [0], "none"], [[], [], ""]]
    whole = [2, [1, 0], "7", "3", "splits", [[], [0, 1, 2], ""], [[], [3], ""]]
    witness = {"kind": "refutation", "nodes": [*ranks, silent, whole]}
    parameters = {"answer": "both", "rounds": 2, "first": "alice"}
    yield "form", [claim(listed(["010", "101", "111"]), "deterministic", "lower", parameters, witness, 3)], 1
    rank = hard("lines", listed(["0*", "**"]), 2, "rank", {"code": 0})
    none = hard("weighted-rectangles", listed(["**"]), 0, "least-discrepancy", rectangles=[["1", "1", 1, "1/1"]])
    one_sign = {"direction": "alice-to-bob", "of": {"kind": "shattered", "places": "3"}}
    signs = hard("vc", listed(["00", "01", "10", "11"], 3), 2, "sign-rank", {"label": 2}, **one_sign)
    yield "what holds of nothing", [rank, none, signs], 0
    data = next(data for data in certificates() if data["proofs"][0]["witness"]["kind"] == "diagonals")
    values = [{**data, "proofs": [{**data["proofs"][0], "value": value}]} for value in ("1/2", "12/25")]
    yield "sums over rectangles are integers", values, 1
    relation, parameters = {"labels": [1, 2], "allowed": [[1, 1], [1, 3]]}, {**PLAIN, "answer": "alice"}
    trees = [{"kind": "protocol-tree", "tree": {"answers": answers}}
             for answers in ([[0, 0], [1, 0]], [[0, 0]], [[1, 0]], [])]  # fmt: skip
    lines = [claim(relation, "deterministic", "upper", parameters, tree) for tree in trees]
    yield "each line that reaches a leaf has an answer there", lines, 1


@built
def test_both_checkers_accept_what_is_right_and_refuse_what_is_wrong(tmp_path):
    for name, made, good in right_and_wrong():
        met, alone = compared(find_program(), list(map(json.dumps, made)), tmp_path)
        expected = {("accepted", "accepted"): good, ("refused", "refused"): len(made) - good}
        assert (dict(met), alone) == ({pair: count for pair, count in expected.items() if count}, []), name


@built
def test_the_examples_are_accepted_or_have_no_theorem(tmp_path):
    met, alone = compared(find_program(), list(map(json.dumps, small_certificates())), tmp_path)
    assert (set(met), alone) == ({("accepted", "accepted"), ("accepted", "unreached")}, [])


@built
def test_the_kernel_accepts_nothing_alone(tmp_path):
    met, alone = compared(find_program(), mutations(small_certificates(), 250, 3), tmp_path)
    assert alone == []
    assert met["accepted", "accepted"] > 5
    assert met["refused", "refused"] > 20


def of_branch_and_cut(count, seed):
    """Claims on the crown of four by cuts and rectangles, where a number or a case is another, or lost."""
    rng, near = random.Random(seed), [-1, 0, 1, 15, 16, 1 << 29, (1 << 31) - 1, 1 << 31]
    for _ in range(count):
        budget, cases = rng.choice([3, 3, 3, 2, 4]), copy.deepcopy(rng.choice([BY_A_CUT, BY_BOTH]))
        how, place = rng.randrange(8), rng.randrange(len(cases))
        if how < 4:
            numbers = rng.choice([items for items in (cases[place], *cases[place]) if isinstance(items, list)])
            place = rng.randrange(len(numbers))
            if isinstance(numbers[place], int):
                numbers[place] = rng.choice([numbers[place] - 1, numbers[place] + 1, *near])
        elif how < 6:  # another cut: what it gives has no weight in the end
            cases.insert(place, [[rng.randrange(13) for _ in range(rng.randrange(4))]])
            for case in cases:
                if len(case) == 2 and rng.random() < 0.8:
                    case[1].append(0)
        elif how == 6:
            del cases[place]
        else:  # at least two, of each cell: so much do rectangles with four of them weigh only if they are rounded, too
            cases = [*([[cell]] for cell in range(12)), [rng.choice([4, 8]), [0] * 12 + [1] * 12]]
        crown, about = listed(["0111", "1011", "1101", "1110"]), rng.choice(["cover", "partition"])
        yield json.dumps(hard("branch-and-cut", crown, budget + 1, about, budget=budget, cases=cases))


@built
def test_both_checkers_find_the_same_of_covers_by_branch_and_cut(tmp_path):
    met, alone = compared(find_program(), list(of_branch_and_cut(100, 6)), tmp_path)
    assert alone == []
    assert set(met) == {("accepted", "accepted"), ("refused", "refused")}
    assert min(met.values()) > 20


def of_eliminations(count, seed):
    """Claims on the rank over the rationals of small random tables, by few primes, of which some are too small."""
    rng = random.Random(seed)
    for _ in range(count):
        width, some = rng.randint(1, 6), rng.choice(["01", "01", "0112", "0111*"])
        rows = ["".join(rng.choice(some) for _ in range(width)) for _ in range(rng.randint(1, 6))]
        primes = rng.sample([2, 3, 5, 2147483629, 2147483647], rng.randint(1, 3))
        yield json.dumps(hard("elimination", listed(rows, 3), rng.randint(1, 5), primes=primes))


@built
def test_both_checkers_find_the_same_rational_ranks(tmp_path):
    met, alone = compared(find_program(), list(of_eliminations(200, 9)), tmp_path)
    assert alone == []
    assert set(met) == {("accepted", "accepted"), ("refused", "refused")}
    assert min(met.values()) > 50


def of_planes(count, seed):
    """Claims on the sign rank of small random tables, mostly partial, and of parts of them."""
    rng = random.Random(seed)
    for _ in range(count):
        width, some = rng.randint(1, 6), rng.choice(["01", "01*", "01**", "012*"])
        rows = ["".join(rng.choice(some) for _ in range(width)) for _ in range(rng.randint(1, 6))]
        sides = (rng.sample(range(size), rng.randint(1, size)) for size in (len(rows), width))
        part = dict(zip(("rows", "columns"), sides, strict=True))
        witness = {"kind": "plane"} if rng.random() < 0.7 else {"kind": "submatrix", **part, "of": {"kind": "plane"}}
        yield json.dumps(claim(listed(rows, 3), "sign-rank", "lower", {"label": 1}, witness, rng.randint(1, 3)))


@built
def test_both_checkers_find_the_same_dimensions(tmp_path):
    met, alone = compared(find_program(), list(of_planes(300, 4)), tmp_path)
    assert alone == []
    assert set(met) == {("accepted", "accepted"), ("refused", "refused")}
    assert min(met.values()) > 80


def of_relations():
    """Of small Karchmer-Wigderson games: trees and all rectangles, whoever must know; Khrapchenko's bound."""
    cells = {"kind": "khrapchenko", "cells": [[row, column] for row in (0, 1) for column in (0, 1)]}
    bits = {"kind": "bits-of", "measure": "leaves", "given": {}, "of": cells}
    for measure, witness, value in (("deterministic", bits, 2), ("leaves", cells, 4)):
        for answer in ("both", "alice", "bob"):
            data = brackets_of(karchmer_wigderson("00010111"), measure, answer=answer)[0].certificate.to_json()
            everything = {"kind": "all-rectangles", "rows": [0, 1, 2, 3], "columns": [0, 1, 2, 3]}
            yield {
                **data,
                "proofs": [
                    {**proof, "witness": everything} if proof["side"] == "lower" else proof for proof in data["proofs"]
                ],
            }
        data = brackets_of(karchmer_wigderson("0110"), measure)[0].certificate.to_json()
        yield {**data, "proofs": [{"side": "lower", "value": value, "witness": witness}, *data["proofs"][1:]]}


@built
def test_claims_are_told_in_the_same_words(tmp_path):
    brackets = [deterministic(equality(2)), brackets_of(index(3), "one-way")[0]]
    told = [*(bracket.certificate.to_json() for bracket in brackets), *of_relations()]
    kinds = {(data["measure"], data["proofs"][0]["witness"]["kind"]): data for data in certificates()}
    kinds = {pair: data for pair, data in kinds.items() if pair[1] not in WITHOUT_THEOREM}
    told += [data for (measure, _), data in kinds.items() if measure.endswith("-rank")]
    path = tmp_path / "case.json"
    for data in told:
        path.write_text(json.dumps(data))
        found = check_proved(path, find_program())
        assert (found.verdict, found.message) == ("accepted", verify.check_file(path)[1])


@built
def test_a_wide_matrix_is_not_called_false_and_names_of_files_forge_no_line(tmp_path):
    wide = {"labels": [0, 1], "rows": ["0" * 300_000]}
    tree = {"kind": "protocol-tree", "tree": {"answer": 0}}
    data = claim(wide, "deterministic", "upper", PLAIN, tree)
    path = tmp_path / "wide\naccepted other.json: deterministic = 0 bits"
    path.write_text(json.dumps(data))
    found = check_proved(path, find_program())
    assert (found.verdict, found.message) == ("unreached", "too large for this program")
    done = subprocess.run([find_program(), "--", path], capture_output=True, text=True, check=False)
    assert done.stdout.count("\n") == 1


@built
def test_no_relation_is_accepted_by_the_kernel_alone(tmp_path):
    met, alone = compared(find_program(), mutations(list(of_relations()), 150, 11), tmp_path)
    assert alone == []
    assert min(met["accepted", "accepted"], met["refused", "refused"]) > 20


def kinds_of_every_length():
    """The kinds of witness for every length, each of which the program reads."""
    text = (PROOFS / "program" / "every_length.ml").read_text(encoding="utf-8")
    every = {kind for checkers in verify.families.ALWAYS.values() for kind in checkers}
    assert all(f'"{kind}"' in text for kind in every)
    return every


@built
def test_certificates_for_every_length_are_accepted(tmp_path):
    for data in certificates_of_every_length():
        kinds = {proof["witness"]["kind"] for proof in data["proofs"]}
        path = tmp_path / "case.json"
        path.write_text(json.dumps(data))
        found = check_proved(path, find_program())
        assert found.verdict == "accepted", found
        assert f"(sha256 {verify.report(data)['sha256'][:12]})" in found.message
        assert kinds <= kinds_of_every_length()


@built
def test_the_recurrence_is_told_of_which_the_theorem_is(tmp_path):
    path = tmp_path / "fooling.json"
    path.write_text(json.dumps(certificates_of_every_length()[2]))
    lower = "deterministic >= ceil(log2(c(n))) bits, c(n) = 2 c(n-1), c(1) = 2, for all n >= 1"
    about = "(both know) of equality, n bits each (sha256 12c22abb1f67)"
    how = "lower by regular-fooling-set, upper by finite-state-parties"
    assert check_proved(path, find_program()).message == f"{lower}, <= n + 1 bits for all n >= 1 {about}: {how}"


@built
def test_the_kernel_accepts_nothing_alone_for_every_length(tmp_path):
    texts = mutations_of_every_length(certificates_of_every_length(), 300, 5)
    met, alone = compared(find_program(), texts, tmp_path)
    assert alone == []
    assert met["accepted", "accepted"] > 20
    assert met["refused", "refused"] > 20


@built
@pytest.mark.slow
@pytest.mark.parametrize("name", ["a_split_of_high_rank", "values_of_many_labels"])
def test_what_takes_too_much_work_is_given_up(name, tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(CASES[name]()))
    found = check_proved(path, find_program())
    assert (found.verdict, found.message) == ("unreached", "too much work to check")


def theorems_of_the_theory():
    """For each kind of witness, the theorem that the theory names, and its file."""
    sections = re.split(r"^### ", THEORY.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    named = {
        section.split("\n", 1)[0]: re.findall(r"`(\w+)` \(proofs/([\w/]+\.v)\)", section.partition("*In Coq:*")[2])
        for section in sections
    }
    return {kind: found for kind, found in named.items() if found}


def test_the_theory_names_a_theorem_for_each_kind_that_is_proved():
    named = theorems_of_the_theory()
    assert set(named) == (reached_kinds()[1] | kinds_of_every_length()) - WITHOUT_THEOREM
    for found in named.values():
        for theorem, file in found:
            text = (PROOFS / file).read_text(encoding="utf-8")
            assert re.search(rf"^(Theorem|Lemma) {theorem}\b", text, re.MULTILINE), theorem


def test_the_proofs_have_no_holes():
    for path in PROOFS.rglob("*.v"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture)\b", text), path.name


def reached_kinds():
    """What the program says of measures and kinds: its text, and the kinds of witness of measures that it reaches."""
    claims, witnesses, apart = (
        (PROOFS / "program" / f"{name}.ml").read_text(encoding="utf-8") for name in ("claims", "witnesses", "factors")
    )
    unreached = set(re.findall(r'\("([^"]+)", "', claims.partition("let reasons")[2].partition("\n\n")[0]))
    kinds = {kind for (name, _), found in verify.claims.PROVES.items() if name not in unreached for kind in found}
    return (claims, witnesses, apart), kinds


def test_every_measure_and_kind_is_known_to_the_program_or_listed_as_unreached():
    (claims, witnesses, apart), kinds = reached_kinds()
    assert [name for name in verify.claims.MEASURES if f'"{name}"' not in claims + apart] == []
    assert [kind for kind in sorted(kinds) if f'"{kind}"' not in witnesses + apart] == []
