"""Attention units: all rows against single rows, against the oracle, and from pieces held by two parties."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models import Affine, AttentionUnit, HardMaximum, MultiHeadAttention, Softmax
from tests.models.transformer_oracle import Oracle
from tests.refusals import refused


class Bare:
    """What the oracle needs of a model."""

    def __init__(self, precision):
        self.precision = precision


def inputs_for(unit, batch=6, rows=5, width=3, seed=0):
    end = unit.precision.scale
    return np.random.default_rng(seed).integers(max(-end, unit.precision.low), end, (batch, rows, width))


def test_every_row_agrees_with_the_oracle():
    for precision in [6, 12, 34, Precision(9, -80, 60), Precision.polynomial(5, 2)]:
        unit = AttentionUnit.random(inputs=3, key_width=2, value_width=4, precision=precision, seed=1)
        inputs, oracle = inputs_for(unit), Oracle(Bare(unit.precision))
        outputs = unit(inputs)
        assert outputs.shape == (6, 5, 4), precision
        for place, rows in enumerate(inputs.tolist()):
            assert outputs[place].tolist() == [oracle.head(unit, row, rows) for row in rows], precision
        for row in range(1, 6):
            np.testing.assert_array_equal(unit.output_row(inputs, row), outputs[:, row - 1])
        np.testing.assert_array_equal(unit(inputs[0]), outputs[0])


def test_two_parties_with_different_rows_get_the_row_from_pieces():
    unit = AttentionUnit.random(inputs=3, key_width=2, value_width=4, precision=14, seed=2)
    inputs = inputs_for(unit, rows=7)
    for query in range(7):
        for own in ([0, 1, 2], [6], [1, 3, 5], list(range(7)), []):
            other = [row for row in range(7) if row not in own]
            parts = [inputs[:, rows] for rows in (own, other)]
            logits = [unit.logits_from(inputs[:, query], rows) for rows in parts]
            most = np.max([part.max(axis=-1, initial=unit.precision.low) for part in logits], axis=0)
            exponentials = [unit.exponentials(part - most[:, None]) for part in logits]
            total = sum(part.sum(axis=-1) for part in exponentials)
            weights = [unit.weights(part, total[:, None]) for part in exponentials]
            sums = [unit.head_sums(w, unit.values_from(rows)) for w, rows in zip(weights, parts, strict=True)]
            np.testing.assert_array_equal(unit.finish(sums[0] + sums[1]), unit.output_row(inputs, query + 1))


def test_input_maps_and_declared_functions():
    precision = Precision.of(12)
    unit = AttentionUnit.from_arrays(
        precision=precision,
        query=lambda rows: rows[..., :1],
        key=[[1], [0]],
        value=lambda rows: rows[..., 1:] // 2,
        input_map=lambda raw: np.stack([raw[..., 0] * precision.scale, raw[..., 1] ** 2], axis=-1),
        logit_scale=Fraction(3, 2),
    )
    raw = np.random.default_rng(0).integers(-3, 4, (4, 6, 2))
    mapped = np.stack([raw[..., 0] * precision.scale, raw[..., 1] ** 2], axis=-1)
    bare = AttentionUnit(precision, unit.query, unit.key, unit.value, logit_scale=Fraction(3, 2))
    np.testing.assert_array_equal(unit(raw), bare(mapped))
    logits = unit.row_logits(raw, 2)
    np.testing.assert_array_equal(logits, unit.precision.saturate(mapped[:, 1:2, 0] * mapped[..., 0] * 3 // (2 * 256)))


def test_the_last_tie_and_the_order_of_rows():
    precision = Precision.of(10)
    unit = AttentionUnit.random(inputs=3, key_width=2, value_width=2, precision=precision, seed=3)
    inputs, order = inputs_for(unit, rows=6), np.array([3, 0, 5, 1, 4, 2])
    np.testing.assert_array_equal(unit(inputs[:, order]), unit(inputs)[:, order])
    hard = AttentionUnit(precision, unit.query, unit.key, unit.value, weighting=HardMaximum(precision, "last"))
    values, logits = hard.values_from(inputs), hard.row_logits(inputs, 1)
    place = 5 - logits[:, ::-1].argmax(axis=1)
    np.testing.assert_array_equal(hard.output_row(inputs, 1), values[np.arange(len(inputs)), place])


def test_several_heads():
    units = [AttentionUnit.random(inputs=3, key_width=2, value_width=4, precision=12, seed=seed) for seed in range(3)]
    inputs = inputs_for(units[0])
    separate = [unit(inputs) for unit in units]
    beside = MultiHeadAttention(units)
    assert beside.heads == 3
    np.testing.assert_array_equal(beside(inputs), np.concatenate(separate, axis=-1))
    np.testing.assert_array_equal(beside.output_row(inputs, 2), beside(inputs)[:, 1])
    output = Affine.from_arrays(units[0].precision, np.ones((12, 1)) / 4)
    mapped = MultiHeadAttention(units, output)
    np.testing.assert_array_equal(mapped(inputs), output(np.concatenate(separate, axis=-1)))
    negated = MultiHeadAttention(units, lambda rows: -rows)
    np.testing.assert_array_equal(negated(inputs), -beside(inputs))


def test_large_batches_are_cut(monkeypatch):
    unit = AttentionUnit.random(inputs=3, key_width=2, value_width=4, precision=12, seed=1)
    inputs = inputs_for(unit, batch=50)
    whole = unit(inputs)
    monkeypatch.setattr("ccsim.models.attention.BLOCK_LOGITS", 60)
    np.testing.assert_array_equal(unit(inputs), whole)


def test_bad_input():
    unit = AttentionUnit.random(inputs=3, key_width=2, value_width=4, precision=12, seed=1)
    inputs = inputs_for(unit)

    def made(**changes):
        return AttentionUnit.from_arrays(**{"precision": 8, "query": [[1]], "key": [[1]], "value": [[1]], **changes})

    for call, expected in [
        (lambda: unit(inputs[0, 0]), "N, width"),
        (lambda: unit(inputs[..., :2]), r"\(..., 3\)"),
        (lambda: unit(inputs * 10**4), "mantissas from"),
        (lambda: unit(inputs / 2), "integers"),
        (lambda: unit.row_logits(inputs, 0), "counted from 1"),
        (lambda: unit.row_logits(inputs, 6), "counted from 1"),
        (lambda: made(key=[[1, 2]]), "width of the queries"),
        (lambda: made(query=[1]), "query = "),
        (lambda: made(query=[[np.nan]]), "finite"),
        (lambda: made(value=[[9]]), "integer bits"),
        (lambda: made(query=unit.query), "precision of the rest"),
        (lambda: made(logit_scale=-1), "positive"),
        (lambda: made(weighting=Softmax(Precision.of(9))), "rule"),
        (lambda: AttentionUnit(unit.precision, unit.query, unit.key, 5), "value = "),
        (lambda: MultiHeadAttention(()), "one or more"),
        (lambda: MultiHeadAttention((unit,), Affine.from_arrays(Precision.of(8), [[1]])), "precision of the heads"),
    ]:
        with refused(expected):
            call()
    other = AttentionUnit.random(inputs=3, key_width=2, value_width=4, precision=13, seed=1)
    with pytest.raises(InputError, match="one precision"):
        MultiHeadAttention((unit, other))
