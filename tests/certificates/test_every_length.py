"""The checker accepts what holds for every n, and nothing else: every kind, spoiled by hand and by chance."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.certificates import verify as checker
from ccsim.certificates.verify import Refused, report
from ccsim.certificates.verify.certificates import NAMED
from ccsim.families import FamilyCertificate, letter_parties, named_family
from tests.certificates.every_length import ABOVE, BOTH, DIAGONAL, EVERY_WORD, NO_SILENCE, certificates, dyck, true_at
from tests.certificates.mutations import mutated_always, overclaimed_always
from tests.certificates.test_adversaries import outcome

KINDS = {kind for checkers in checker.families.ALWAYS.values() for kind in checkers}


def test_every_kind_is_accepted_and_true_at_small_n():
    met = set()
    for data in certificates():
        assert report(data)
        met |= {(data["measure"], proof["side"], proof["witness"]["kind"]) for proof in data["proofs"]}
        assert true_at(data, 1)
        assert true_at(data, 2)
    assert {kind for *_, kind in met} == KINDS
    assert {(measure, side) for measure, side, _ in met} == set(checker.families.ALWAYS)


def test_any_other_value_is_refused():
    for data in certificates():
        for place, proof in enumerate(data["proofs"]):
            for part in (0, 1):
                wrong = copy.deepcopy(data)
                value = wrong["proofs"][place]["value"]
                value[part] = value[part] + 1 if isinstance(proof["value"][part], int) else [*value[part], 1]
                with pytest.raises(Refused):
                    report(wrong)


def lower(family, measure, parameters, witness):
    return checker.certificates.proved_always(family, measure, "lower", parameters, witness)


def upper(family, measure, parameters, witness):
    return checker.certificates.proved_always(family, measure, "upper", parameters, witness)


def words(steps, accepting, first=0):
    return {"steps": steps, "accepting": accepting, "first": first}


EQ, GT, IP = ({"function": name} for name in ("equality", "greater-than", "inner-product"))
ALICE = {"direction": "alice-to-bob"}
ONE = {"code": 1, "field": "rational"}
SILENT = {"alice": [0], "bob": None}
LAST = {"symbols": ["a", "b"], "table": [[1, 0], [1, 0]], "outputs": [0, 1], "first": 0, "labels": [0, 1],
        "partition": "AB"}  # fmt: skip
HALF = {"table": [[[0, 1], [1, 0]], [[1, 1], [1, 1]]], "outputs": [1, -1], "first": 0, "labels": [0, 1]}
SAME = {"lines": {"steps": [[[0, 0]]], "accepting": [0], "first": 0}, "classes": words([[[0, 0, 0], [1, 0, 0]]], [0])}
WRONG = {
    "a word with another answer": (EQ, "fooling-set", {"code": 1, "answer": "both"}, "regular-fooling-set",
                                   {"words": words([[[0, 1, 0]]], [0])}),
    "words of one rectangle": (EQ, "deterministic", BOTH, "regular-fooling-set",
                               {"words": words([[[0, 1, 1], [0, 0, 0]], [[0, 0, 1], [1, 0, 1]]], [0, 1])}),
    "a row of which Bob alone knows": (EQ, "deterministic", {"answer": "bob"}, "regular-fooling-set",
                                       {"words": words([[[0, 0, 0], [0, 1, 0]]], [0])}),
    "two steps for one pair": (EQ, "deterministic", BOTH, "regular-fooling-set",
                               {"words": words([[[0, 0, 0], [0, 0, 0]]], [0])}),
    "steps in the other order": (GT, "deterministic", BOTH, "triangular-complement",
                                 {"code": 1, "silent": NO_SILENCE,
                                  "words": {**ABOVE, "steps": [ABOVE["steps"][0][::-1], ABOVE["steps"][1]]}}),
    "a complement of the other answer": (GT, "deterministic", BOTH, "triangular-complement",
                                         {"code": 0, "words": ABOVE, "silent": NO_SILENCE}),
    "a line that is not silent": (EQ, "deterministic", BOTH, "triangular-complement",
                                  {"code": 1, "words": DIAGONAL, "silent": SILENT}),
    "silent lines that meet in the answer": (EQ, "deterministic", BOTH, "triangular-complement",
                                             {"code": 1, "words": words([[[0, 0, 0]]], [0]),
                                              "silent": {"alice": [1], "bob": [1]}}),
    "a weight that is no power": (IP, "deterministic", BOTH, "tensor-power", {"weights": [1, 2]}),
    "weights that say nothing of the answer": (IP, "deterministic", BOTH, "tensor-power", {"weights": [1, 1]}),
    "a message for another answer": (EQ, "one-way-messages", ALICE, "regular-message-classes",
                                     {**SAME, "lines": EVERY_WORD}),
    "a word without a message": (EQ, "one-way-messages", ALICE, "regular-message-classes",
                                 {"lines": EVERY_WORD, "classes": words([[[0, 0, 0]]], [0])}),
    "a message that is no accepted word": (EQ, "one-way-messages", ALICE, "regular-message-classes",
                                           {**SAME, "classes": words([[[0, 0, 0], [1, 1, 0]]], [0])}),
    # two letters paired with 1, and then all with 0: no word that begins with 1 is accepted
    "a message that is no accepted word for a while": (LAST, "one-way-messages", ALICE, "regular-message-classes",
        {**SAME, "classes": words([[[0, 0, 1], [1, 0, 1], [0, 1, 2], [1, 1, 2]], [[0, 0, 1], [1, 0, 1]],
                                   [[0, 0, 3], [1, 0, 3]], []], [1, 3])}),
    # the last two words of three are cells of one row of ones of disjointness
    "later steps": ({"function": "disjointness"}, "deterministic", BOTH, "regular-fooling-set",
                    {"words": words([[[1, 1, 1], [0, 0, 1], [0, 1, 1]], []], [1])}),
    "undefined words of one rectangle": (HALF, "deterministic", BOTH, "regular-fooling-set", {"words": DIAGONAL}),
    "an undefined entry in a fooling set": (HALF, "deterministic", BOTH, "regular-fooling-set",
                                            {"words": words([[[0, 1, 0]]], [0])}),
    "a triangle of undefined entries": (HALF, "deterministic", BOTH, "triangular-complement",
                                        {"code": 1, "words": DIAGONAL, "silent": NO_SILENCE}),
    "a rank of undefined entries": (HALF, "rank", ONE, "tensor-power", {"weights": [1, 0]}),
}  # fmt: skip


def test_what_is_wrong_is_refused():
    for name, (family, measure, parameters, kind, witness) in WRONG.items():
        with pytest.raises(Refused, match=r".") as refused:
            (upper if "message" in kind else lower)(family, measure, parameters, {"kind": kind, **witness})
        assert "malformed" not in str(refused.value), name


def test_where_bob_has_the_last_letter_one_message_of_alice_is_enough():
    witness = {"kind": "regular-message-classes", **SAME}
    assert upper(LAST, "one-way-messages", ALICE, witness) == ([1], [1])
    with pytest.raises(Refused, match="another answer"):
        upper(LAST, "one-way-messages", {"direction": "bob-to-alice"}, witness)


def test_a_free_cell_of_a_message_says_nothing_and_one_of_a_word_asks_nothing():
    family = {"table": [[[0], [1]], [[1], [1]]], "outputs": [0, -1], "first": 0, "labels": [0, 1]}
    witness = {"kind": "regular-message-classes", **SAME}
    assert upper(family, "one-way-messages", ALICE, witness) == ([1], [1])
    with pytest.raises(Refused, match="another answer"):
        upper({**family, "outputs": [-1, 0]}, "one-way-messages", ALICE, witness)


def test_who_knows_the_answer_decides_what_fools():
    """Two cells of a row with two answers: Alice has to tell them apart, if she is to know; Bob sees his column."""
    row = {"kind": "regular-fooling-set", "words": words([[[0, 0, 0], [0, 1, 1]], []], [0, 1])}
    column = {"kind": "regular-fooling-set", "words": words([[[0, 0, 0], [1, 0, 1]], []], [0, 1])}
    for witness, knowing, other in ((row, "alice", "bob"), (column, "bob", "alice")):
        assert checker.families.values_of(lower(EQ, "deterministic", {"answer": knowing}, witness), 3) == [2, 2, 2]
        with pytest.raises(Refused, match="two words that a leaf may contain"):
            lower(EQ, "deterministic", {"answer": other}, witness)


def test_a_suffix_that_proves_less_is_seen():
    """After (2, 2) two states that were one answer are two: for one of them nothing is proved any more."""
    table = [[[0, 1, 0], [2, 0, 0], [0, 0, 0]], *([[state] * 3] * 2 + [[state, state, state + 2]] for state in (1, 2)),
             *([[state] * 3] * 3 for state in (3, 4))]  # fmt: skip
    family = {"table": table, "outputs": [0, 1, 1, 1, 2], "first": 0, "labels": [0, 1, 2]}
    witness = inside(prefix=[], suffixes=[[], [[2, 2]]], of={"kind": "tensor-power", "weights": [1, 0, 0, 0, 0]})
    with pytest.raises(Refused, match="another bound with another suffix"):
        lower(family, "deterministic", BOTH, witness)
    assert lower(family, "deterministic", BOTH, {**witness, "suffixes": [[], [[0, 0]]]})


def test_lines_that_no_word_tells_apart_are_refused():
    parity = {"table": [[[0, 1], [1, 0]], [[1, 0], [0, 1]]], "outputs": [0, 1], "first": 0, "labels": [0, 1]}
    with pytest.raises(Refused, match="one message"):
        lower(parity, "one-way-messages", ALICE, {"kind": "regular-distinct-lines", "lines": EVERY_WORD})
    one = words([[[0, 1], [1, 2]], [[0, 1]], [[0, 2]]], [1, 2])
    assert lower(parity, "one-way-messages", ALICE, {"kind": "regular-distinct-lines", "lines": one}) == ([2], [1])


def test_a_protocol_that_is_wrong_somewhere_is_refused():
    witness = letter_parties(named_family("equality")).witness()
    witness["answers"] = [row[::-1] for row in witness["answers"][::-1]]
    with pytest.raises(Refused, match="a wrong answer at the end"):
        upper(EQ, "deterministic", BOTH, witness)


def test_a_reply_is_no_part_of_one_message():
    """The speaker says its letter, and the other replies whether all letters were equal so far."""
    witness = {
        "kind": "finite-state-parties", "speaker": "alice", "says": [[0, 1]],
        "replies": [[[0, 1], [1, 0]], [[1, 1], [1, 1]]], "hears": [[[0, 0], [0, 0]]],
        "keeps": [[[0, 1], [1, 0]], [[1, 1], [1, 1]]], "last": [0], "answers": [[1], [0]],
    }  # fmt: skip
    assert upper(EQ, "deterministic", BOTH, witness) == (2, 1)
    with pytest.raises(Refused, match="a reply in one message"):
        upper(EQ, "one-way", ALICE, witness)


def test_lemma_1_of_dyck_holds_for_every_length():
    """Every word of Dyck-(2,2): a permutation of 2^(N-1) words, a line that fails and one that stays open (N = 2n)."""
    family = dyck()
    steps, states = [], family.table
    for state in range(family.states):
        steps.append([[x, y, int(states[state, x, y])] for x in range(4) for y in range(4)])
    closing, opening = family.alice.index(")"), family.bob.index("(")
    witness = {
        "kind": "triangular-complement", "code": 1, "words": words(steps, [0]),
        "silent": {"alice": [closing], "bob": [opening]},
    }  # fmt: skip
    certificate = FamilyCertificate.of(family, lower=witness)
    assert certificate.statements() == {"lower": ">= ceil(log2(4^n + 1)) bits for all n >= 1"}
    assert [certificate.lower(n) for n in range(1, 6)] == [3, 5, 7, 9, 11]
    assert certificate.verify().endswith("lower by triangular-complement")


COUNTING = {  # intersections modulo 3: how many, and whether there is one more than a multiple of 3
    "table": [[[state, state], [state, (state + 1) % 3]] for state in range(3)],
    "outputs": [0, 1, 0], "first": 0, "labels": [0, 1],
}  # fmt: skip


def shifts(**changes):
    """The weights 1, 2, 4 modulo 7: the sum over k of 2^(k - 1) for words after which k more make one."""
    terms = [[pow(2, 1 - shift, 7), [[1, 1]] * shift + [[0, 0]] * (2 - shift)] for shift in range(3)]
    return {"kind": "tensor-shifts", "prime": 7, "code": 1, "weights": [1, 2, 4], "terms": terms} | changes


def test_a_count_modulo_3_has_many_leaves():
    count = lower(COUNTING, "deterministic", BOTH, shifts())
    assert checker.families.values_of(count, 8) == [1, 1, 1, 1, 2, 4, 8, 16]
    assert checker.certificates.statement("deterministic", "lower", count) == ">= n - 4 bits for all n >= 4"


def test_weights_that_are_no_sums_of_answers_are_refused():
    """Halves make the same sums, and letters counted from the end are the same letters; neither is read."""
    (factor, word), *others = terms = shifts()["terms"]
    for changes in ({"weights": [1, 2, 1]}, {"weights": [1, 3, 2]}, {"weights": [2, 4, 1]}, {"prime": 11},
                    {"prime": 8}, {"code": 0}, {"terms": []}, {"terms": terms[1:]},
                    {"terms": [*terms, [1, [[0, 0]]]]}):  # fmt: skip
        with pytest.raises(Refused):
            lower(COUNTING, "deterministic", BOTH, shifts(**changes))
    for wrong in ([[factor / 2, word]] * 2, [[factor, [[-2, 0], *word[1:]]]], [[factor, [[0, -2], *word[1:]]]]):
        with pytest.raises(Refused, match="an integer from"):
            lower(COUNTING, "deterministic", BOTH, shifts(terms=[*wrong, *others]))


def inside(**changes):
    """Equality inside equality: a letter for each two, after one that is fixed."""
    return {
        "kind": "substitution", "prefix": [[1, 1]], "alice": [[0, 0], [1, 0]], "bob": [[0, 0], [1, 0]],
        "suffixes": [[], [[0, 0]]], "of": {"kind": "regular-fooling-set", "words": DIAGONAL},
    } | changes  # fmt: skip


def test_a_problem_inside_bounds_every_length():
    count = lower(EQ, "deterministic", BOTH, inside())
    assert checker.families.values_of(count, 7) == [0, 0, 2, 2, 4, 4, 8]
    text = checker.certificates.statement("deterministic", "lower", count)
    assert text == ">= m bits, m = floor((n - 1)/2), for all n >= 3"


def test_another_problem_inside_is_refused():
    for changes in ({"prefix": [[1, 0]]}, {"alice": [[0, 0], [0, 0]]}, {"alice": [[0, 0], [1]]}, {"suffixes": [[]]},
                    {"suffixes": [[[0, 0]], []]}, {"suffixes": [[], [[0, 1]]]}, {"suffixes": [[], []]},
                    {"alice": [], "bob": []}):  # fmt: skip
        with pytest.raises(Refused):
            lower(EQ, "deterministic", BOTH, inside(**changes))


# Mutations


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_mutation_is_accepted_whose_claim_is_false(count):
    """Those that are accepted must be true at n = 1 and, where that is small, at n = 2."""
    rng, accepted, every = random.Random(count), 0, certificates()
    for number in range(count):
        wrong = mutated_always(every[number % len(every)], rng)
        overclaimed_always(wrong)
        try:
            report(wrong)
        except Refused:
            continue
        accepted += 1
        assert true_at(wrong, 1), wrong
        assert true_at(wrong, 2), wrong
    assert 0.05 * count < accepted < 0.9 * count


# Counts


@settings(max_examples=30)
@given(st.integers(1, 4).flatmap(lambda size: st.lists(
    st.lists(st.integers(0, size - 1), max_size=4), min_size=size, max_size=size)), st.data())  # fmt: skip
def test_counts_and_their_formulas_are_those_of_the_words(following, data):
    """Step k of a state reads the pair of letters k: all words are different."""
    family = checker.families.Family([[[0] * 4]], [0], 0, [0])
    accepting = data.draw(st.lists(st.integers(0, len(following) - 1)))
    steps = [[[0, letter, after] for letter, after in enumerate(listed)] for listed in following]
    count = checker.families.PairWords(family, words(steps, accepting)).count()
    ways, plain = [int(state == 0) for state in range(len(following))], []
    for _ in range(20):
        ways = [sum(ways[s] * following[s].count(t) for s in range(len(ways))) for t in range(len(ways))]
        plain.append(sum(ways[state] for state in set(accepting)))
    assert checker.families.values_of(count, 20) == plain
    closed = checker.families.closed_form(count)
    if closed is not None:
        terms, start = closed
        for n in range(start, 21):
            assert sum(factor * n**power * root**n for root, power, factor in terms) == plain[n - 1]


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (([2], [2]), ">= n bits for all n >= 1"),
        (([3, 5], [3, -2]), ">= ceil(log2(2^n + 1)) bits for all n >= 1"),
        (([2], [4]), ">= 2*n - 1 bits for all n >= 1"),
        (([8], [1]), ">= 3 bits for all n >= 1"),
        (([], []), ">= 0 bits for all n >= 1"),
        (([1, 2], [1, 1]), ">= ceil(log2(c(n))) bits, c(n) = c(n-1) + c(n-2), c(1) = 1, c(2) = 2, for all n >= 1"),
        (([5, 2], [2, 0]), ">= n - 1 bits for all n >= 2 (3 at n = 1)"),
        (([1, 5], [2, 3]), ">= ceil(log2(3^n/2 + (-1)^n/2)) bits for all n >= 1"),
        (
            ([0, 0, 1, 1, 3, 3], [0, 3, 0, -2, 0, 0]),
            ">= ceil(log2(2^m - 1)) bits, m = floor((n - 1)/2), for all n >= 3",
        ),
        (([3, 6], [2, -1]), ">= ceil(log2(3*n)) bits for all n >= 1"),
        (([0, 4], [2, -1]), ">= ceil(log2(4*n - 4)) bits for all n >= 2"),
        (([3, 0], [0, 1]), ">= ceil(log2(max(1, 3/2 - 3*(-1)^n/2))) bits for all n >= 1"),
    ],
)
def test_statements_say_what_a_count_is(count, text):
    assert checker.certificates.statement("deterministic", "lower", count) == text


def test_named_families_are_their_functions():
    for name in checker.families.FAMILIES:
        codes = named_family(name).at(3).matrix.codes
        assert all(codes[x, y] == NAMED[name](3, x, y) for x in range(8) for y in range(8))


# Certificates that are hard to check


def heavy(kind):
    """As much as a checker may have to look at."""
    rng = random.Random(1)
    states, letters = 64, 24
    table = [[[rng.randrange(states) for _ in range(letters)] for _ in range(letters)] for _ in range(states)]
    family = {"table": table, "outputs": [rng.randrange(2) for _ in table], "first": 0, "labels": [0, 1]}
    steps = [[[x, y, rng.randrange(states)] for x in range(letters) for y in range(letters)] for _ in table]
    lines = [[[x, rng.randrange(states)] for x in range(letters)] for _ in table]
    squares = [[[x, u, rng.randrange(1 << 10)] for x in range(6) for u in range(6)] for _ in range(1 << 10)]
    line = {"alice": [rng.randrange(letters) for _ in range(64)], "bob": None}
    witness = {
        "regular-fooling-set": {"words": words(steps, [])},
        "triangular-complement": {"code": 1, "words": words(steps, []), "silent": line},
        "tensor-power": {"weights": [1] * states},
        "regular-distinct-lines": {"lines": words(lines, [])},
        "regular-message-classes": {"lines": words(lines, []), "classes": words(squares, [])},
        "finite-state-parties": {
            "speaker": "alice", "says": [[0] * letters] * 256, "replies": [[[0]] * letters] * 256,
            "hears": [[[rng.randrange(256)] for _ in range(letters)] for _ in range(256)],
            "keeps": [[[rng.randrange(256)] for _ in range(letters)] for _ in range(256)],
            "last": [0] * 256, "answers": [[0]] * 256,
        },
        "tensor-shifts": {
            "prime": 65521, "code": 1, "weights": [1] * states,
            "terms": [[rng.randrange(65521), [[1, 1]] * 200] for _ in range(2000)],
        },
        "substitution": {
            "prefix": [], "suffixes": [[[0, 0]] * more for more in range(12)],
            "alice": [[rng.randrange(letters) for _ in range(12)] for _ in range(letters)],
            "bob": [[rng.randrange(letters) for _ in range(12)] for _ in range(letters)],
            "of": {"kind": "regular-fooling-set", "words": words(steps, [])},
        },
    }[kind]  # fmt: skip
    (measure, side) = next(claim for claim, checkers in checker.families.ALWAYS.items() if kind in checkers)
    parameters = {"answer": "both", "code": 1, "field": "rational", "direction": "alice-to-bob"}
    (unit,), names = checker.families.FAMILY_MEASURES[measure]
    return {
        "format": checker.families.FAMILY_FORMAT, "version": 1, "family": family, "measure": measure, "unit": unit,
        "parameters": {name: parameters[name] for name in names},
        "proofs": [{"side": side, "value": [[], []], "witness": {"kind": kind, **witness}}],
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_hard_certificates_are_checked_or_refused_in_time(kind, tmp_path):
    outcome(heavy(kind), tmp_path)
