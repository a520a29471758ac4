"""The max-logit softmax protocol: every variant gives the model's answer, at the cost of its formula."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ccsim as cc
from ccsim import InputError, Partition
from ccsim.arithmetic import Precision
from ccsim.bounds import softmax_bits
from ccsim.models import OneLayerTransformer
from ccsim.problems.inputs import Words
from protocols.reductions import max_logit_softmax, softmax_costs
from protocols.reductions.max_logit import VARIANTS, fits_words, require_printed_fields
from tests.reductions.readers import even_answers
from tests.refusals import refuse
from tests.slow import slow


def random_model(alphabet="abcd", length=4, width=4, heads=2, precision=10, seed=0, **options):
    """Random weights, with about equally frequent answers."""
    model = OneLayerTransformer.random(
        alphabet, length=length, width=width, heads=heads, precision=precision, seed=seed, **options
    )
    words = Words.over(alphabet, length)
    return even_answers(model, words.array(np.arange(min(words.size, 4096))))


@pytest.mark.parametrize("seed", [0, slow(1), slow(2)])
def test_every_variant_gives_the_models_answer_on_every_word(seed):
    model = random_model(seed=seed, heads=1 + seed, length=4 + seed % 2, answers=tuple(range(2 + 3 * seed)))
    ways = ("ABAB", "AABB", "BABA", "ABBB", "BBBA")
    cases = itertools.product(VARIANTS, ("both", "one", "alice", "bob"), ways)
    for variant, answer, owners in itertools.islice(cases, 0, None, 1 if seed else 7):
        partition = Partition((owners * 2)[: model.length])
        protocol = max_logit_softmax(model, partition, answer=answer, variant=variant)
        found = protocol.explore().raise_if_wrong()
        assert found.worst_bits == protocol.cost.bits == found.average_bits
        assert found.pairs == 4**model.length


def test_norms_and_smooth_activations_on_every_word():
    options = {"layer_norm": "before", "activation": "silu"}
    sizes = {"length": 4, "width": 4, "heads": 2, "hidden": 4, "precision": Precision.fixed_point(3, 5)}
    model = OneLayerTransformer.random("ab", seed=0, **sizes, **options)
    for variant, owners in itertools.product(VARIANTS, ("ABAB", "BBBA", "AAAA")):
        protocol = max_logit_softmax(model, Partition(owners), variant=variant)
        assert protocol.explore().raise_if_wrong().worst_bits == protocol.cost.bits
    bits = max_logit_softmax(model, Partition.odd_even(4)).cost.bits
    assert bits == 4 * 9 + 2 * (2 * 9 + 2 * (9 + 2) + 4 * 2 * 9)


def test_a_window_costs_what_as_many_positions_do():
    sizes = {"head_width": 2, "heads": 2, "precision": 9, "symbols": 2, "scale": 32}
    for window in (1, 2, 3, 5):
        assert softmax_bits(**sizes, length=8, window=window) == softmax_bits(**sizes, length=window)


@settings(max_examples=10, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["ab", "abc", "abcd"]),
    st.integers(1, 5),
    st.integers(1, 3),
    st.integers(4, 14),
    st.sampled_from(VARIANTS),
    st.sampled_from(["both", "one", "alice", "bob"]),
    st.data(),
)
def test_random_models_partitions_and_variants(seed, alphabet, length, heads, precision, variant, answer, data):
    model = random_model(alphabet, length, 3, heads, precision, seed, answers=(0, 1, 2, 3))
    partition = Partition("".join(data.draw(st.sampled_from("AB")) for _ in range(length)))
    protocol = max_logit_softmax(model, partition, answer=answer, variant=variant)
    found = cc.certify(protocol, model)
    assert found.verdict == "tight", found.reason
    assert found.checked == len(alphabet) ** length


def test_levels_agree_with_nodes_and_with_single_runs():
    model = random_model("ab", length=4, width=3)
    for variant in VARIANTS:
        protocol = max_logit_softmax(model, Partition.odd_even(4), variant=variant)
        fast, plain = protocol.explore(), protocol.explore(keep_tree=True)
        assert (fast.leaves, fast.worst_bits, fast.correct) == (plain.leaves, plain.worst_bits, True), variant
        for word in ("abba", "aaab"):
            run = protocol.run(*protocol.function.split(word))
            assert run.answer == model(word)
            assert run.transcript.bits == protocol.cost.bits
            assert all(message.label for message in run.transcript)


def test_the_printed_fields_add_up_as_the_source_counts_them():
    model = random_model("ab", length=4, width=6, heads=2, precision=9, head_width=6)
    p, m, heads, digits = model.precision.bits, 6, 2, 2
    both = max_logit_softmax(model, Partition.odd_even(4)).cost.bits
    assert both == m * p + heads * (2 * p + 2 * (p + digits) + 4 * m * p)
    one = max_logit_softmax(model, Partition.odd_even(4), answer="one").cost.bits
    assert one == m * p + heads * (2 * p + 2 * (p + digits) + 2 * m * p)
    back = max_logit_softmax(model, Partition.odd_even(4), variant="one-sided").cost.bits
    assert back == one + 1


def test_whoever_holds_everything_says_only_the_answer():
    model = random_model()
    for variant in VARIANTS:
        for owners, role in (("AAAA", "alice"), ("BBBB", "bob")):
            partition = Partition(owners)
            assert max_logit_softmax(model, partition, answer=role, variant=variant).cost.bits == 0
            told = max_logit_softmax(model, partition, variant=variant).cost.bits
            assert told == 1 or variant == "literal"


def test_compact_is_never_above_its_closed_bound_nor_above_the_one_sided_variant():
    for seed, heads, precision in itertools.product((0, 1), (1, 2), (6, 14)):
        model = random_model("abc", length=6, heads=heads, precision=precision, seed=seed)
        partition = Partition.odd_even(6)
        compact = max_logit_softmax(model, partition, variant="compact").cost.bits
        assert compact <= max_logit_softmax(model, partition, variant="one-sided").cost.bits
        assert compact <= softmax_bits(
            head_width=model.value_table.shape[-1],
            heads=heads,
            precision=precision,
            length=6,
            symbols=3,
            scale=model.precision.scale,
        )
        cheapest = max_logit_softmax(model, partition, variant="cheapest").cost.bits
        assert cheapest <= min(compact, 1 + max_logit_softmax(model, partition, variant="symbols").cost.bits)


def test_symbols_that_the_model_does_not_tell_apart_cost_nothing():
    model = random_model("abcd")
    tokens = np.array(model.token_embedding)
    tokens[2:] = tokens[:2]
    merged = replace(model, token_embedding=tokens)
    two = max_logit_softmax(merged, Partition.odd_even(4), variant="symbols").cost.bits
    four = max_logit_softmax(model, Partition.odd_even(4), variant="symbols").cost.bits
    assert two == 2 + 1
    assert four == 4 + 1


def test_the_tables_of_the_printed_constant():
    rows = softmax_costs([8, 64], [4, 16], [1, 2], [16, 256])
    assert len(rows) == 16
    by_size = {(row["m"], row["p"], row["H"], row["N"]): row for row in rows}
    row = by_size[8, 16, 1, 256]
    assert (row["printed"], row["literal"], row["one-sided"], row["literal within printed"]) == (576.0, 720, 465, False)
    assert row["compact"] < row["one-sided"]
    assert row["one-sided within printed"]
    assert any(row["literal within printed"] for row in rows)
    assert not all(row["literal within printed"] for row in rows)
    assert all(row["cheapest"] <= row["compact"] <= row["one-sided"] <= row["literal"] for row in rows)


class TwoLayers:
    layers = 2


HALVES = Partition.odd_even(4)


def test_bad_input_is_refused():
    model = random_model()
    refuse(
        (lambda: max_logit_softmax(TwoLayers(), HALVES), r"Corollary 13\.1"),
        (lambda: max_logit_softmax(model, Partition.odd_even(5)), "partition of 4 positions"),
        (lambda: max_logit_softmax(model, HALVES, answer="nobody"), "answer"),
        (lambda: max_logit_softmax(model, HALVES, variant="free"), "variant"),
        (lambda: max_logit_softmax("model", HALVES), "OneLayerTransformer"),
        (lambda: max_logit_softmax(model, HALVES, task=cc.problems.dyck(4)), "words of 4 symbols"),
        (lambda: max_logit_softmax(model, HALVES, task="dyck"), "task"),
        (lambda: softmax_costs([0], [8], [1], [4]), "widths"),
        (lambda: softmax_costs("8", [8], [1], [4]), "widths"),
        (lambda: softmax_costs(["x"], [8], [1], [4]), "widths"),
        (lambda: cc.certify(max_logit_softmax(model, HALVES), 5), "model"),
    )


def test_sums_beyond_a_word_are_left_to_the_symbols():
    for bits in (30, 34, 36, 38, 40):
        model = random_model("ab", 3, 2, 1, bits)
        table = np.full_like(model.value_table, model.precision.low)
        fits = 2 * model.precision.scale * -model.precision.low < 1 << 62
        model.__dict__["_tables"] = model.logit_table, table
        assert fits_words(model) == fits
        assert max_logit_softmax(model, Partition("ABA"), variant="cheapest").explore().correct
        if not fits:
            for variant in ("compact", "literal"):
                with pytest.raises(InputError, match="variant='symbols'"):
                    max_logit_softmax(model, Partition("ABA"), variant=variant)


@pytest.mark.parametrize("precision", [Precision(1000, -4, 3), Precision(16, -8, 7), Precision(255, 0, 255)])
def test_printed_fields_must_hold_exponentials_and_sums(precision):
    model = OneLayerTransformer.random("ab", length=3, width=2, precision=precision, seed=0)
    model.__dict__["_tables"] = model.logit_table, np.full_like(model.value_table, precision.high)
    with pytest.raises(InputError, match="exponentials up to 1"):
        max_logit_softmax(model, Partition("ABA"))
    with pytest.raises(InputError, match="exponentials up to 1"):
        require_printed_fields(model)
    assert max_logit_softmax(model, Partition("ABA"), variant="compact").explore().correct
