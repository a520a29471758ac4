"""Task reductions: every encoding on every input, what they prove, and what they refuse."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np
import pytest

import ccsim as cc
from ccsim.bits import Bits
from ccsim.bounds import one_way
from ccsim.engine.schedule import Conclusion, Field, Schedule
from ccsim.problems import (
    disjointness,
    dyck,
    equality,
    function_composition,
    index,
    index_lookup,
    intersection,
    intersection_of_halves,
    match3,
)
from protocols.classical import trivial
from protocols.reductions.task_reductions import (
    REDUCTIONS,
    Reducible,
    TaskReduction,
    dyck_word,
    index_to_index_lookup,
    intersection_to_match3,
    intersection_to_multi_query_recall,
    intersection_to_sparse_averaging,
    negation,
    pointer_chasing_to_hops,
    reduce,
)
from tests.refusals import refuse
from tests.slow import slow
from tests.speed import patient


def answers_one_by_one(reduction: TaskReduction) -> bool:
    """The definition, word by word."""
    for x, y in itertools.product(reduction.source.alice, reduction.source.bob):
        own = x if reduction.reader == "alice" else y
        if reduction.read(reduction.task(reduction.word(x, y)), own) != reduction.source(x, y):
            return False
    return True


def test_every_encoding_is_right_on_every_input() -> None:
    for known in REDUCTIONS:
        for n in known.sizes:
            reduction = known.build(n)
            assert reduction.check() is None, (known, n)
            assert reduction.task.name.startswith(known.task.replace("-", "_"))
            assert reduction.source.name.startswith(known.problem.replace("-", "_"))
            assert n > 2 or answers_one_by_one(reduction), (known, n)


def test_encodings_of_match3_and_averaging_queries_and_hops_of_all_kinds() -> None:
    for encoding, n in itertools.product(("wide", "tight"), (2, 3)):
        for row in {1, 2, n + 1, 2 * n + 1}:
            assert intersection_to_match3(n, encoding, row=row).check() is None, (encoding, n, row)
    for modulus in (9, 13):
        assert intersection_to_match3(2, modulus=modulus).check() is None
    for q, length in ((1, 4), (2, 7), (3, 8)):
        averaging = intersection_to_sparse_averaging(q, length)
        assert averaging.check() is None
        assert averaging.partition.alice == (2 * q + 1,)
    for n in (1, 2, 4):
        queries = intersection_to_multi_query_recall(n)
        assert queries.reader == "bob"
        assert queries.check() is None
    for n, hops in ((2, 1), (2, 3), (2, 4), (3, 3)):
        assert pointer_chasing_to_hops(n, hops).check() is None


def test_encodings_as_printed() -> None:
    assert intersection_to_match3(3).word("101", "111") == (1, 2, 0, 4, 7, 6, 5)
    assert intersection_to_match3(3, "tight").word("101", "110") == (1, 0, 1, 4, 7, 5, 1)
    averaging = intersection_to_sparse_averaging(2).word("10", "01")
    assert averaging[-1] == ((1, 4), -1)
    assert [z for _, z in averaging] == [-1, -1, 1, -1, -1]
    assert reduce("index", "associative-recall", n=3).word("101", 3) == "a1b0c1c"


def test_dyck_words_are_numbered_one_to_one() -> None:
    for length in (2, 4, 6):
        numbered = {dyck_word(Bits(bits)) for bits in itertools.product((0, 1), repeat=length - 1)}
        assert numbered == set(dyck(length).accepted())
        assert len(numbered) == 2 ** (length - 1)


# What they prove


@pytest.mark.parametrize("known", REDUCTIONS, ids=lambda known: f"{known.problem}-{known.task}")
@pytest.mark.parametrize("size", [0, slow(1)])
def test_the_source_costs_at_most_what_the_target_does(known: Reducible, size: int) -> None:
    reduction = known.build(known.sizes[size])
    rows, columns = reduction.target.shape
    for direction in ("alice-to-bob",) if reduction.reader == "bob" else ("alice-to-bob", "bob-to-alice"):
        if rows * columns <= 1 << 20:
            source, target = (one_way(f.matrix, direction) for f in (reduction.source, reduction.target))
            assert source.upper is not None
            assert source.upper <= target.lower
    if rows * columns <= 1 << 10:
        source, target = (
            cc.bounds.deterministic(f, answer=reduction.reader, seconds=patient(5))
            for f in (reduction.source, reduction.target)
        )
        assert source.exact
        assert source.lower <= target.lower


# Protocols pulled back


def by_generators(function: cc.TwoPartyFunction) -> cc.Protocol:
    """The trivial protocol, with parties that are generators."""
    protocol = trivial(function)
    width, answer_width = ((size - 1).bit_length() for size in (function.alice.size, len(function.answers)))

    def alice(own: object) -> Generator[object, cc.Bits, object]:
        yield cc.Send(cc.Bits.unsigned(function.alice.index(own), width))
        reply = yield cc.Receive(width=answer_width)
        return function.answers[reply.to_unsigned()]

    def bob(own: object) -> Generator[object, cc.Bits, object]:
        message = yield cc.Receive(width=width)
        answer = function(function.alice.value(message.to_unsigned()), own)
        code = 0 if answer is None else function.code(answer)
        yield cc.Send(cc.Bits.unsigned(code, answer_width))
        return function.answers[code]

    return replace(protocol, parties={"alice": alice, "bob": bob})


@pytest.mark.parametrize(("build", "size"), [(trivial, 1), (by_generators, 0)])
def test_protocols_of_the_target_solve_the_source(build: Callable[..., cc.Protocol], size: int) -> None:
    for known in REDUCTIONS:
        reduction = known.build(known.sizes[size])
        if max(reduction.target.shape) <= 1 << 20:
            protocol = build(reduction.target)
            explored = reduction.pull(protocol).explore().raise_if_wrong()
            assert protocol.cost is not None
            assert explored.worst_bits == protocol.cost.bits, known
            assert reduction.pull(protocol, "model").explore().correct, known


def test_a_protocol_for_more_words_than_the_task_has() -> None:
    """A model computes something on all words over its alphabet; the task's words are among them."""
    reduction = reduce("index", "index-lookup", n=2)
    alphabet = reduction.task.alphabet

    def evaluate(word: np.ndarray) -> np.ndarray:
        place = np.array([alphabet.index(1), alphabet.index(2)])
        second = word[..., 2] == place[1]
        symbol = np.where(second, word[..., 1], word[..., 0])
        return np.where(symbol == alphabet.index("1"), 1, 0)

    words = cc.problems.Words.over(alphabet, 3)
    wider = cc.SequenceTask("wider", words, ("0", "1"), evaluate).split(reduction.partition)
    assert reduction.pull(trivial(wider)).explore().correct


def test_a_wrong_protocol_is_found_out_unless_only_it_is_claimed() -> None:
    reduction = reduce("intersection", "intersection-of-halves", n=2)
    wrong = trivial(reduce("disjointness", "disjointness-of-halves", n=2).target)
    assert not reduction.pull(wrong).explore().correct
    pulled = reduction.pull(wrong, claim="model")
    assert pulled.explore().correct
    assert np.array_equal(pulled.function.codes, disjointness(2).codes)


def test_only_bob_learns_what_only_bob_can_decode() -> None:
    reduction = intersection_to_multi_query_recall(2)
    for build in (trivial, by_generators):
        pulled = reduction.pull(build(reduction.target))
        assert pulled.answer == "bob"
        assert pulled.explore().correct


def scheduled(first: int) -> cc.Protocol:
    """Intersection of halves of two bits each: Alice says a constant, then both her bits, then Bob answers."""
    target = intersection_of_halves(4).split(cc.Partition.prefix(4, 2))
    steps = (
        Field("alice", "constant", "a constant", (7,), lambda rows, known: np.full(len(rows), first)),
        Conclusion("twice", lambda known: 2 * known["constant"]),
        Field("alice", "bits", "both bits", (2, 2), lambda rows, known: rows),
        Field(
            "bob",
            "answer",
            "the answer",
            (2,),
            lambda rows, known: (rows & known["bits"]).any(axis=1) & (known["twice"] == 2 * first),
        ),
    )
    answers = {role: lambda rows, known: known["answer"] for role in ("alice", "bob")}
    schedule = Schedule(steps, answers)
    return cc.Protocol("scheduled", target, schedule.parties(), cost=cc.Cost("L(seven) + n + 1", {"seven": 7, "n": 2}))


def test_what_both_know_beforehand_is_not_sent() -> None:
    protocol = scheduled(5)
    assert protocol.explore().raise_if_wrong().worst_bits == 6
    reduction = reduce("intersection", "intersection-of-halves", n=2)
    assert reduction.pull(protocol).explore().raise_if_wrong().worst_bits == 6
    pulled = reduction.pull(protocol, shared=["constant"])
    explored = pulled.explore().raise_if_wrong()
    assert pulled.cost is not None
    assert explored.worst_bits == pulled.cost.bits == 3
    assert str(pulled.cost) == "L(seven) + n + 1 - shared"
    assert pulled.run("01", "11").answer == 1


def test_what_is_not_shared_cannot_be_left_out() -> None:
    reduction = reduce("intersection", "intersection-of-halves", n=2)
    for shared in (["bits"], ["constant", "bits"], ["nothing"], ["constant", "constant"]):
        for protocol in (scheduled(5), trivial(reduction.target)):
            with pytest.raises(cc.InputError, match="shared"):
                reduction.pull(protocol, shared=shared)


# Composition


def test_reductions_compose() -> None:
    first = negation(disjointness(3), intersection(3))
    whole = first.then(intersection_to_match3(3))
    assert isinstance(whole, TaskReduction)
    assert whole.check() is None
    assert whole.source.name == "disjointness(3)"
    assert answers_one_by_one(whole)
    through_bob = reduce("disjointness", "multi-query-associative-recall", n=2)
    assert through_bob.reader == "bob"
    assert answers_one_by_one(through_bob)
    twice = negation(intersection(2), disjointness(2)).then(negation(disjointness(2), intersection(2)))
    assert twice.check() is None
    assert twice.target.name == "intersection(2)"


# The registry


def test_objects_tell_their_size() -> None:
    cases: list[tuple[str | cc.TwoPartyFunction, str | cc.SequenceTask]] = [
        ("index", index_lookup(3)),
        (index(3), "index_lookup"),
        (index(3), index_lookup(3)),
        ("equality", dyck(6)),
        ("intersection", match3(5, 8)),
        (function_composition(2), "k-hop-composition"),
    ]
    for problem, task in cases:
        reduction = reduce(problem, task)
        assert isinstance(problem, str) or problem.name == reduction.source.name
        assert isinstance(task, str) or task.name == reduction.task.name
    assert reduce("disjointness", match3(7, 8), encoding="tight").task.name == "match3(7, 8, row 1)"
    assert reduce("disjointness", match3(7, 12), 3, modulus=12).check() is None


def test_what_is_not_known_or_does_not_fit_is_refused() -> None:
    refuse(
        (lambda: reduce("parity", "dyck", 3), r"index -> index-lookup.*pointer-chasing -> k-hop-composition"),
        (lambda: reduce("index", "index-lookup"), "n = None"),
        (lambda: reduce("equality", "dyck", 4), "an odd number of bits"),
        (lambda: reduce("index", index_lookup(3), 4), "task = "),
        (lambda: reduce(index(3), index_lookup(4)), "what index -> index-lookup makes"),
        (lambda: reduce(7, "dyck", 3), "problem = 7"),  # type: ignore[arg-type]
        (lambda: reduce("index", 7, 3), "task = 7"),  # type: ignore[arg-type]
        (lambda: reduce("index", "index-lookup", 0), "n = 0"),
        (lambda: reduce("index", "index-lookup", 2.5), "n = 2.5"),  # type: ignore[arg-type]
        (lambda: reduce("index", "index-lookup", 2, nope=3), "nope"),
        (lambda: reduce("disjointness", "match3", 2, nope=3), "nope"),
        (lambda: negation(equality(2), intersection(3)), "target"),
        (
            lambda: negation(disjointness(2), intersection(2)).then(intersection_to_match3(3)),
            r"a reduction of intersection\(2\), not of intersection\(3\)",
        ),
        (lambda: intersection_to_match3(1, "tight"), "n = 1"),
        (lambda: intersection_to_match3(3, "other"), "encoding"),
        (lambda: intersection_to_match3(3, modulus=9), "modulus"),
        (lambda: intersection_to_match3(3, "tight", modulus=10), "modulus"),
        (lambda: intersection_to_match3(3, row=8), "row"),
        (lambda: intersection_to_sparse_averaging(2, 4), "length"),
    )


# What must not pass


def test_a_wrong_encoding_has_a_counterexample() -> None:
    right = intersection_to_match3(2)
    wrong = replace(right, encode_bob=lambda bits: (0, 0))
    found = wrong.check()
    assert found is not None
    assert (found.answer, found.decoded, found.expected) == (0, 0, 1)
    assert wrong.source(found.x, found.y) == 1
    assert found.encoded == (right.alice(found.x), (0, 0))
    off_promise = replace(reduce("index", "associative-recall", n=2), encode_alice=lambda bits: "a0a1").check()
    assert off_promise is not None
    assert off_promise.answer is None


def test_a_decoding_to_no_answer_is_wrong() -> None:
    wrong = replace(index_to_index_lookup(2), decode=lambda symbol: 1 if symbol == "1" else "zero")
    found = wrong.check()
    assert found is not None
    assert (found.decoded, found.expected) == ("zero", 0)
    for build in (trivial, by_generators):
        assert not wrong.pull(build(wrong.target)).explore().correct


def test_encodings_and_protocols_that_do_not_fit_are_refused() -> None:
    reduction = reduce("intersection", "intersection-of-halves", n=2)
    split, other = reduction.task.split(cc.Partition.odd_even(4)), index_lookup(3).split(cc.Partition.prefix(4, 2))
    refuse(
        (lambda: replace(index_to_index_lookup(2), encode_alice=lambda bits: "012").check(), "word"),
        (lambda: reduction.pull(trivial(split)), "the partition AABB"),
        (lambda: reduction.pull(trivial(other)), "answers among those"),
        (lambda: reduction.pull(trivial(reduction.target), claim="nothing"), "claim"),
    )
