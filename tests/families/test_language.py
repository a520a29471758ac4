"""What is said of a language: the function, and the command."""

import itertools
import json
import random

import numpy as np
import pytest

from ccsim import InputError
from ccsim.bounds import deterministic
from ccsim.families import (
    classify,
    language,
    linear_reduction,
    partitioned,
    read_language,
    transition_monoid,
    with_blank,
)
from ccsim.families.parties import silent_parties
from ccsim.models.automata import Automaton
from ccsim.models.regular_expressions import from_regular_expression
from tests.cases import cases
from tests.printed import printed_json
from tests.test_cli import ccsim

__all__ = ["ccsim"]


def test_bounds_hold_at_small_lengths_under_every_partition():
    found = language(read_language("a*b*"), blank="_", longest=2, rounds=1)
    for one in found.partitions:
        bracket = deterministic(partitioned(found.read, one.partition).at(1))
        assert one.lower(len(one.partition)) <= bracket.lower == bracket.upper <= one.upper(len(one.partition))
    for length, low, high in found.exact():
        assert found.best.lower(length) <= low == high <= found.best.upper(length)
    leaves = dict(found.ranks())
    assert {length for length, _, _ in found.exact()} <= set(leaves)
    assert all(2**low >= leaves[length] >= found.best.leaves(length) for length, low, _ in found.exact())


def test_a_substitution_holds_at_a_small_length():
    automaton = from_regular_expression("(a|b)*aa(a|b)*", "ab")
    found = linear_reduction(automaton, transition_monoid(automaton))
    lines = [[found.witness[party][bit] for bit in (0, 1)] for party in ("alice", "bob")]
    read, prefix = with_blank(automaton), found.witness["prefix"]
    answers = set()
    for x in lines[0]:
        for y in lines[1]:
            turns = [*prefix, *zip(x, y, strict=True), *found.witness["suffixes"][0]]
            answers.add(read("".join(read.alphabet[letter] for turn in turns for letter in turn)))
    assert answers == {0, 1}


def test_a_language_is_told_and_its_certificate_verified(ccsim, tmp_path):
    saved, drawn, page = tmp_path / "found.json", tmp_path / "drawn.svg", tmp_path / "page.html"
    wanted = ("language", "(ab)*", "--blank", "_", "--longest", "2", "--save", str(saved), "--plot", str(drawn))
    code, out, _ = ccsim(*wanted, "-o", str(page))
    assert code == 0
    told = page.read_text(encoding="utf-8")
    assert "<td>ba*</td>" in told
    assert "excluded at every N from 390 to 8192" in told
    assert "<svg" in told
    assert "http" not in told.replace("http://www.w3.org", "")
    assert "Theta(n), as the syntactic monoid is not in DO" in out
    assert "| ab* | a   |" not in out
    assert "at N = 2, 4, 6: 3, 4, 6" in out
    assert "| ab* | a   |" in ccsim("language", "(ab)*", "--longest", "2", "--all")[1]
    assert drawn.read_text(encoding="utf-8").startswith("<svg")
    larger = json.loads(ccsim(*wanted, "--width", 16, "--heads", 2, "--json")[1])["transformer"]
    assert (larger["width"], larger["heads"]) == (16, 2)
    assert larger["excluded_from"] > 390
    code, out, _ = ccsim("verify", str(saved))
    assert code == 0
    assert "<= 2*n + 1 bits for all n >= 1" in out


def test_a_language_from_a_file_as_json(ccsim, tmp_path):
    path = tmp_path / "parity.json"
    path.write_text(json.dumps({"alphabet": ["0", "1"], "table": [[0, 1], [1, 0]], "outputs": [0, 1]}))
    code, out, _ = ccsim("language", str(path), "--longest", "2", "--json")
    data = printed_json("language", out)
    assert code == 0
    assert (data["class"]["deterministic"], data["recurrent_bits"]) == ("O(1)", 1)
    assert [row["upper"] for row in data["partitions"]] == ["<= 2 bits for all n >= 1"]
    assert {(row["lower"], row["upper"]) for row in data["exact"]} == {(2, 2)}


@cases("more", [{"initial": 1}, {"accepting": [1]}, {"First": 1}, {"start": 1, "name": "odd"}])
def test_keys_of_a_file_that_are_not_known_are_refused_by_name(tmp_path, more):
    path = tmp_path / "parity.json"
    known = {"alphabet": ["0", "1"], "table": [[0, 1], [1, 0]], "outputs": [0, 1]}
    path.write_text(json.dumps(known | more))
    with pytest.raises(InputError, match=", ".join(f"'{key}'" for key in sorted(more))):
        read_language(str(path))
    path.write_text(json.dumps([known]))
    with pytest.raises(InputError, match="automaton"):
        read_language(str(path))


@cases(
    ("arguments", "message"),
    [
        (["a(b"], "expected a regular expression"),
        ([".*"], "the letters (--alphabet LETTERS), as '.'"),
        (["(ab)*", "--blank", "a"], "a letter that is not one of"),
        (["missing.json"], "an automaton: alphabet, table"),
        (["(ab)*", "--longest", "1"], "longest"),
        (["(ab)*", "--blank", ""], "a letter"),
    ],
)
def test_bad_languages_are_one_line(ccsim, arguments, message):
    code, out, error = ccsim("language", *arguments)
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert message in error


def test_a_class_is_found_where_the_monoid_is_too_large():
    found = language(read_language("(aa|bb)*"), most=10, longest=2, rounds=1)
    assert (found.classification.deterministic, found.monoid) == ("Theta(n)", None)
    assert found.left_out == {"monoid": "it needs a monoid of at most 10 elements"}
    assert found.proof.lower(90) == 11  # disjointness in blocks of 9 turns
    assert found.others[0].complexity == "Theta(n)"


def test_a_class_alone_takes_no_partition(ccsim, tmp_path):
    resetting = tmp_path / "resetting.json"  # letters that set a counter of 12 back
    table = [[(state + 1) % 12, (state + 2) % 12, 0] for state in range(12)]
    resetting.write_text(json.dumps({"alphabet": ["a", "b", "c"], "table": table, "outputs": [0] * 11 + [1]}))
    given = ("language", str(resetting))
    code, out, _ = ccsim(*given, "--longest", "0", "--json")
    data = printed_json("language", out)
    assert (code, data["class"]["deterministic"]) == (0, "Theta(log n)")
    assert (data["partitions"], data["transformer"]) == ([], None)
    code, out, _ = ccsim(*given, "--longest", "2")
    assert (code, "by the theorem of Tesson" in out) == (0, True)
    code, _, error = ccsim(*given, "--longest", "0", "--save", str(tmp_path / "none.json"))
    assert (code, error.count("\n")) == (2, 1)
    many = language(read_language("[A-Za-z_][A-Za-z0-9_-]*"), longest=0)
    assert (many.classification.deterministic, len(many.automaton.alphabet)) == ("Theta(log n)", 64)
    with pytest.raises(InputError, match="no partition"):
        _ = many.best


@cases(
    ("expression", "partition", "bits"),
    [
        ("(a|b)*abb", "AAAB", 2),
        ("(a|b)*a", "AB", 1),
        ("a(a|b)*b", "AB", 2),
        ("(ab)*", "AB", 2),
        ("(a|b)*abb", "ABBB", 1),
    ],
)
def test_languages_of_bounded_memory_of_either_party_have_no_gap(expression, partition, bits):
    """The protocol is run at small lengths, and is in the certificate for every length."""
    bounds = {one.partition: one for one in language(read_language(expression)).partitions}
    assert (bounds[partition].lower(480), bounds[partition].upper(480)) == (bits, bits)
    protocol = silent_parties(partitioned(read_language(expression), partition)).protocol(2)
    assert protocol.explore().correct


@cases(
    ("expression", "partition", "near", "far"),
    [("((a|b)(a|b))*", "AB", (0, 0), (0, 0)), ("a{3}", "AB", (0, 0), (0, 0)), ("ab", "AB", (2, 2), (0, 2))],
)
def test_lengths_at_which_all_words_have_one_answer_need_no_bit(expression, partition, near, far):
    """The best partition is the one that needs bits at the lengths of the words, if there are few."""
    best = language(read_language(expression, "ab"), longest=2).best
    assert best.partition == partition
    assert [(best.lower(length), best.upper(length)) for length in (2, 480)] == [near, far]


def test_parties_that_need_ever_more_messages_are_not_silent():
    assert silent_parties(partitioned(read_language("a*b*"), "AAB")) is None


def test_the_silent_party_with_fewer_kinds_sends_at_the_end():
    parties = silent_parties(partitioned(read_language("(a|b)*a(a|b)"), "AB"))
    assert (parties.end_bits, parties.protocol(2).explore().worst_bits) == (1, 1)


@cases(("expression", "which"), [("$a", "(the empty language)"), ("(a|b)*", "(all words)")])
def test_a_language_with_one_answer_takes_no_bits(ccsim, expression, which):
    code, out, _ = ccsim("language", expression, "--longest", "2", "--seconds", "30")
    assert (code, which in out.splitlines()[0]) == (0, True)
    assert "need exactly 0 bits for all n >= 1." in " ".join(out.split())
    assert ": 0, 0, 0, 0" in out


def test_the_first_line_names_the_alphabet_and_json_of_which_words_bounds_speak(ccsim):
    code, out, _ = ccsim("language", "(a |b)*", "--longest", "0")
    assert code == 0
    assert "(a |b)* over {' ', a, b}" in out.splitlines()[0]
    for blank, words in ((None, "without blanks"), ("_", "with the blank _")):
        given = ("language", "a*", "--longest", "2", *(["--blank", blank] if blank else []))
        data = printed_json("language", ccsim(*given, "--json")[1])
        assert words in data["words"]
        assert "with blanks" in data["class"]["words"]
        assert data["exact"] != []
        data = printed_json("language", ccsim(*given, "--json", "--seconds", "0")[1])
        assert (data["class"]["deterministic"], data["exact"], data["partitions"]) == ("O(1)", [], [])
        assert set(data["left_out"].values()) == {"no time was left"}


def test_classes_against_the_number_of_different_rows():
    """With blanks: bounded in the constant case, exponential in the linear one."""
    rng = random.Random(4)
    for _ in range(8):
        states = rng.choice([2, 3, 4])
        table = [[rng.randrange(states) for _ in "ab"] for _ in range(states)]
        automaton = Automaton.of("ab", table, [rng.randrange(2) for _ in range(states)]).minimise()
        found = classify(transition_monoid(automaton)).deterministic
        family = partitioned(with_blank(automaton), "AB")
        rows = [len(np.unique(family.at(n).matrix.codes, axis=0)) for n in (3, 4, 5)]
        assert (rows[0] == rows[-1]) == (found == "O(1)")
        if found == "Theta(n)":
            assert all(3 * later > 4 * rows_before for rows_before, later in itertools.pairwise(rows))


@pytest.mark.slow
def test_periods_to_4_are_looked_at_where_letters_are_few():
    found = language(read_language("(aa)*"), rounds=1)
    assert max(len(one.partition) for one in found.partitions) == 4
    found = language(read_language("a*b*c*d*"), blank="_", rounds=1)
    assert max(len(one.partition) for one in found.partitions) == 3
