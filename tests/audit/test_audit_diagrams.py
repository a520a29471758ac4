"""Diagrams of a transformer's numbers: counts are those of brute force, and proofs go beyond it."""

from dataclasses import replace

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing import Budget, OutOfBudgetError
from ccsim.auditing.attention import combined, count_by_sums, joint, sum_of_entries
from ccsim.auditing.product_reachability import Subject
from ccsim.auditing.sampled_words import all_words
from ccsim.models import Affine, HardMaximum, LayerNorm, OneLayerTransformer, Tokenwise
from ccsim.problems import disjointness_of_halves, dyck, equality_of_halves, index_lookup, majority_of_word
from protocols.constructions import (
    disjointness_by_uniform_attention,
    dyck_by_uniform_attention,
    equality_by_uniform_attention,
)
from tests.slow import slow
from tests.speed import patient

TASKS = [
    lambda: equality_of_halves(8),
    lambda: disjointness_of_halves(6),
    lambda: dyck(5),
    lambda: index_lookup(4),
    lambda: majority_of_word(1),
]


def compared(model, task, **limits):
    pair = Subject.of(model, task)
    merged = count_by_sums(pair, Budget(**limits))
    one_by_one = all_words(pair, Budget())
    assert (merged.words, merged.promised, merged.wrong) == (one_by_one.words, one_by_one.promised, one_by_one.wrong)
    assert (merged.first is None) == (merged.wrong == 0)
    if merged.first is not None:
        assert pair.wrong(merged.first[None])[0]
    return merged


def test_the_diagrams_count_what_brute_force_counts():
    for number in range(10):
        task, precision = TASKS[number % len(TASKS)](), 3 + number % 3
        options = [{"layer_norm": "before"}, {"layer_norm": "after"}, {"activation": "tanh"}, {"hidden": 0}][number % 4]
        if number % 7 == 0:
            from ccsim.arithmetic import Precision

            options = {"weighting": HardMaximum(Precision.of(precision))}
        model = OneLayerTransformer.random(
            task.alphabet,
            length=task.length,
            seed=number,
            answers=task.answers,
            width=1 + number % 3,
            heads=1 + number % 2,
            precision=precision,
            **options,
        )
        if number % 4 == 1:  # as in an encoder with a norm of its own after the layer
            last = LayerNorm.from_arrays(model.precision, model.width, bias=np.arange(model.width) / 4)
            model = replace(model, blocks=(replace(model.block, norms=replace(model.block.norms, last=last)),))
        compared(model, task)


def test_a_function_that_is_not_known_is_asked_for_whole_vectors():
    model, task = equality_by_uniform_attention(4), equality_of_halves(4)
    part = model.block.tokenwise

    def function(values):
        return part(values)

    whole = Tokenwise(model.precision, model.width, function=function)
    assert compared(replace(model, blocks=(replace(model.block, tokenwise=whole),)), task).wrong == 0


@pytest.mark.parametrize(
    ("build", "task", "length"),
    [
        (dyck_by_uniform_attention, dyck, 8),
        slow(dyck_by_uniform_attention, dyck, 24),
        (equality_by_uniform_attention, equality_of_halves, 12),
        (disjointness_by_uniform_attention, disjointness_of_halves, 12),
    ],
)
def test_models_of_linear_width_are_proved_right_on_all_words(build, task, length):
    found = cc.audit(build(length), task(length), words=1 << 10, states=1 << 17, seconds=1000)
    assert (found.verdict, found.wrong_words, found.failure) == ("right", 0, None)
    assert found.words == task(length).words.size
    assert "merged" in found.reason


@pytest.mark.parametrize("length", [6, 14])
def test_one_changed_weight_is_found_and_counted(length):
    model, task = equality_by_uniform_attention(length), equality_of_halves(length)
    layers = list(model.block.tokenwise.layers)
    weights = layers[1].affine.weights.copy()
    weights[0] = 0  # the first symbol is taken for 0
    affine = Affine(model.precision, weights, layers[1].affine.bias)
    layers[1] = replace(layers[1], affine=affine)
    changed = Tokenwise(model.precision, model.width, tuple(layers))
    blind = replace(model, blocks=(replace(model.block, tokenwise=changed),))
    if length == 6:
        wrong = compared(blind, task).wrong
    else:
        found = cc.audit(blind, task, words=1 << 10, states=1 << 17, seconds=patient(60))
        assert (found.verdict, found.words) == ("wrong", 1 << length)
        assert found.verify()
        wrong = found.wrong_words
    assert wrong == 1 << length // 2  # those with equal rest whose first symbol is 1


def test_too_many_nodes_are_said_to_be_too_many():
    with pytest.raises(OutOfBudgetError, match="budget 16"):
        compared(equality_by_uniform_attention(12), equality_of_halves(12), states=16)
    found = cc.audit(equality_by_uniform_attention(12), equality_of_halves(12), words=16, states=16)
    assert found.verdict == "undecided"
    assert "too many states" in found.reason


def test_diagrams_are_the_functions_that_they_are_made_of():
    generator, budget = np.random.default_rng(0), Budget()
    tables = [[generator.integers(-2, 3, (2, size)) for size in (2, 3, 2)] for _ in range(2)]
    parts = [sum_of_entries(np.array([0, 1]), table, budget) for table in tables]
    product = combined(*parts, lambda x, y: x * y, budget)
    both = joint(parts, budget)
    for start in range(2):
        for word in np.ndindex(2, 3, 2):
            sums = [start + sum(int(table[i][start, x]) for i, x in enumerate(word)) for table in tables]
            assert value(product, start, word) == [sums[0] * sums[1]]
            assert value(both, start, word) == sums
    assert combined(parts[0], parts[0], lambda x, y: x - y, budget).values.tolist() == [[0]]


def value(diagram, start, word):
    node = diagram.starts[start]
    for lead, symbol in zip(diagram.successors, word, strict=True):
        node = lead[node, symbol]
    return diagram.values[node].tolist()
