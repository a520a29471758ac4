"""Models in floating point: bit for bit what fractions give that are rounded as it is said."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.arithmetic import FORMATS
from ccsim.models.files import ARITHMETICS, Description, Tensors, as_arithmetic, build_model
from ccsim.models.files.floats import float_scores
from ccsim.models.files.steps import KINDS
from ccsim.models.model import NO_ANSWER
from ccsim.problems import regular_language
from tests.arithmetic import float_oracle
from tests.models.model_file_samples import WORDS, description
from tests.models.test_model_files import CASES, loaded_of, sums_tensors, tensors_of
from tests.slow import slow

RECURRENT = ("lstm-pytorch", "gru-pytorch", "elman-pytorch", "mamba", "linear-attention", "diagonal")
PARITY = regular_language(6, {0: {"a": 0, "b": 1, "c": 0}, 1: {"a": 1, "b": 0, "c": 1}}, 0, {1})


def float_model(case, arithmetic):
    """A model of a case in an arithmetic, and what it was read as."""
    plain = {name: value for name, value in CASES[case][0].items() if name != "precision"} if case in CASES else None
    if plain is not None:
        return build_model(Description.from_json(plain), Tensors(tensors_of(case), case), arithmetic=arithmetic)
    if case == "diagonal":
        generator = np.random.default_rng(0)
        shapes = {f"{name}_{part}": (3, 2) for name in ("transition", "drive", "read") for part in ("real", "imag")}
        shapes |= {"skip": (3,), "mixing": (2, 3), "embedding.weight": (3, 3), "head.weight": (2, 2), "head.bias": (2,)}
        tensors = {name: generator.normal(size=shape).astype(np.float32) / 2 for name, shape in shapes.items()}
    else:
        tensors = sums_tensors()
    plain = {k: v for k, v in description(architecture=case, embedding="embedding.weight").items() if k != "precision"}
    return build_model(Description.from_json(plain), Tensors(tensors, case), arithmetic=arithmetic)


class Exact:
    """The operations on object arrays of fractions, each rounded by the oracle."""

    def __init__(self, arithmetic):
        self.format, self.sums = arithmetic.format.name, arithmetic.sums.name

    def rounded(self, values, name=None):
        return np.vectorize(lambda x: float_oracle.nearest(Fraction(x), name or self.format), otypes=[object])(values)

    def number(self, value):
        return float_oracle.nearest(Fraction(value), self.format)

    def add(self, first, *rest):
        for other in rest:
            first = self.rounded(first + other)
        return first

    def subtract(self, first, second):
        return self.rounded(first - second)

    def multiply(self, first, second):
        return self.rounded(first * second)

    def divide(self, first, second):
        return self.rounded(first / second)

    def products(self, *pairs, bias=None):
        total = None
        for one, other in pairs:
            product = self.rounded(one * other, self.sums)
            total = product if total is None else self.rounded(total + product, self.sums)
        return self.rounded(total if bias is None else self.rounded(total + bias, self.sums))

    def linear(self, inputs, weights, bias=None):
        columns = [
            self.products(
                *((inputs[:, k], row[k]) for k in range(len(row))), bias=None if bias is None else bias[place]
            )
            for place, row in enumerate(weights)
        ]
        return np.stack(columns, axis=1)

    def apply(self, name, values):
        return np.vectorize(lambda x: float_oracle.function(name, x, self.format), otypes=[object])(values)


def as_fractions(array):
    return np.vectorize(lambda x: Fraction(float(x)), otypes=[object])(array)


@pytest.mark.parametrize("name", ["fp32", "bf16-only", slow("fp16"), slow("bf16"), slow("fp16-only"), slow("int8")])
@pytest.mark.parametrize("case", RECURRENT)
def test_every_step_is_rounded_as_it_is_said(case, name):
    model = float_model(case, name).model
    exact, kind, words = Exact(model.float_arithmetic), KINDS[model.kind], WORDS[:2, :3]
    if case == "linear-attention":
        model = replace(model, activation="exp")  # which the oracle knows
    states = [
        tuple(np.full((len(words), *shape), Fraction(0), dtype=object) for shape in kind.shapes(layer))
        for layer in model.layers
    ]
    layers = [{part: as_fractions(array) for part, array in layer.items()} for layer in model.layers]
    for position in range(words.shape[1]):
        numbers = as_fractions(model.embedding[words[:, position]])
        for place, layer in enumerate(layers):
            states[place], numbers = kind.step(exact, layer, model.activation, states[place], numbers)
        patterns = model.run(words[:, : position + 1])
        flat = np.concatenate([part.reshape(len(words), -1) for state in states for part in state], axis=1)
        given = as_fractions(model.float_arithmetic.format.values(patterns))
        assert (given == flat).all()
    scores = exact.linear(numbers, as_fractions(model.scores), as_fractions(model.bias))
    assert (as_fractions(model.outputs(words)) == scores).all()
    assert np.array_equal(model.codes(words), scores.argmax(axis=1))


def test_an_lstm_written_out_by_hand():
    """One number at a time, from the weights in the file on."""
    tensors, name = tensors_of("lstm-pytorch"), "bf16"
    near = float_oracle.nearest

    def numbers(key):
        return [[near(Fraction(float(x)), name) for x in row] for row in np.atleast_2d(tensors[key])]

    def dot(row, column, bias):
        total = near(row[0] * column[0], "fp32")
        for one, other in list(zip(row, column, strict=True))[1:]:
            total = near(total + near(one * other, "fp32"), "fp32")
        return near(near(total + bias, "fp32"), name)

    def f(function, value):
        return float_oracle.function(function, value, name)

    for word in WORDS[:1]:
        state = [([Fraction(0)] * 4, [Fraction(0)] * 4) for _ in range(2)]
        for symbol in word:
            x = numbers("embedding.weight")[symbol]
            for layer in range(2):
                h, c = state[layer]
                w, u, b, e = (
                    numbers(f"rnn.{part}_l{layer}") for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
                )
                gates = [near(dot(w[k], x, b[0][k]) + dot(u[k], h, e[0][k]), name) for k in range(16)]
                i, o = ([f("sigmoid", gate) for gate in gates[k : k + 4]] for k in (0, 12))
                forget, g = [f("sigmoid", gate) for gate in gates[4:8]], [f("tanh", gate) for gate in gates[8:12]]
                c = [near(near(forget[k] * c[k], name) + near(i[k] * g[k], name), name) for k in range(4)]
                h = [near(o[k] * f("tanh", c[k]), name) for k in range(4)]
                state[layer], x = (h, c), h
        scores = [dot(row, x, bias) for row, bias in zip(numbers("head.weight"), numbers("head.bias")[0], strict=True)]
        model = float_model("lstm-pytorch", name).model
        assert [Fraction(float(value)) for value in model.outputs(word[None])[0]] == scores


@pytest.mark.parametrize(
    "case", [*RECURRENT, "huggingface", "nanogpt", "transformer-lens", "encoder-after", "encoder-first"]
)
def test_single_precision_is_close_to_double(case):
    loaded = float_model(case, "fp32")
    outputs, scores = loaded.model.outputs(WORDS), float_scores(loaded.parts, WORDS)
    assert np.allclose(outputs, scores, atol=1e-5)
    assert outputs.dtype == np.float32
    assert not np.array_equal(outputs, scores.astype(np.float32)) or case == "diagonal"
    assert np.array_equal(loaded.model.codes(WORDS), scores.argmax(axis=1))
    half = float_model(case, "fp16-only").model.outputs(WORDS)
    assert np.array_equal(half.astype(np.float16).astype(np.float32), half)
    assert np.allclose(half, scores, atol=0.05)


class PlainTransformer:
    """The one-layer transformer one number at a time, as its class says."""

    def __init__(self, model):
        self.parts, self.layer, self.a = model.parts, model.layer, model.float_arithmetic
        self.format, self.sums = self.a.format.name, self.a.sums.name

    def near(self, value, name=None):
        return float_oracle.nearest(value, name or self.format)

    def dot(self, one, other, bias=None):
        total = None
        for x, y in zip(one, other, strict=True):
            product = self.near(x * y, self.sums)
            total = product if total is None else self.near(total + product, self.sums)
        return self.near(total if bias is None else self.near(total + bias, self.sums))

    def linear(self, row, weights, bias):
        return [
            self.dot(row, w, b)
            for w, b in zip(float_oracle.fractions(weights), float_oracle.fractions(bias), strict=True)
        ]

    def total(self, numbers):
        total = numbers[0]
        for number in numbers[1:]:
            total = self.near(total + number, self.sums)
        return total

    def norm(self, place, row):
        if place not in self.layer.norms:
            return row
        inner, norm = self.sums, self.layer.norms[place]
        gain, bias = (float_oracle.fractions(array) for array in (norm.gain, norm.bias))
        mean = self.near(self.total(row) / len(row), inner)
        centred = [self.near(x - mean, inner) for x in row]
        squares = self.total([self.near(x * x, inner) for x in centred])
        inside = self.near(self.near(squares / len(row), inner) + self.near(Fraction(self.parts.epsilon), inner), inner)
        root = Fraction(float(np.sqrt(np.float32(float(inside)))))
        root = self.near(root, inner)
        scaled = [self.near(self.near(x / root, inner) * g, inner) for x, g in zip(centred, gain, strict=True)]
        return [self.near(self.near(x + b, inner)) for x, b in zip(scaled, bias, strict=True)]

    def scores(self, word):
        parts, layer, fractions = self.parts, self.layer, float_oracle.fractions
        tokens, positions = fractions(parts.tokens), fractions(parts.positions)
        stream = [
            [self.near(x + y) for x, y in zip(tokens[symbol], positions[place], strict=True)]
            for place, symbol in enumerate(word)
        ]
        rows, heads = [self.norm("before_attention", row) for row in stream], []
        scale = self.near(Fraction(1 / np.sqrt(layer.query.shape[1])))
        for head in range(len(layer.query)):
            query = self.linear(rows[-1], layer.query[head], layer.query_bias[head])
            keys = [self.linear(row, layer.key[head], layer.key_bias[head]) for row in rows]
            values = [self.linear(row, layer.value[head], layer.value_bias[head]) for row in rows]
            logits = [self.near(self.dot(query, key) * scale) for key in keys]
            powers = [
                float_oracle.function("exp", self.near(logit - max(logits), self.sums), self.sums) for logit in logits
            ]
            total = self.total(powers)
            weights = [self.near(self.near(power / total, self.sums)) for power in powers]
            heads += [self.dot(weights, column) for column in zip(*values, strict=True)]
        part = self.linear(heads, layer.output, layer.output_bias)
        last = self.norm("after_attention", [self.near(x + y) for x, y in zip(stream[-1], part, strict=True)])
        hidden = self.norm("before_tokenwise", last)
        for weight, bias, activation in layer.inner:
            hidden = self.linear(hidden, weight, bias)
            if activation != "identity":
                hidden = [float_oracle.function(activation, x, self.format) for x in hidden]
        last = self.norm("after_tokenwise", [self.near(x + y) for x, y in zip(last, hidden, strict=True)])
        return self.linear(self.norm("last", last), parts.scores, parts.bias)


@pytest.mark.parametrize("name", ["fp16-only", slow("fp32"), slow("bf16"), slow("int8-fp16")])
@pytest.mark.parametrize("case", ["nanogpt", "encoder-after"])
def test_a_transformer_is_rounded_as_it_is_said(case, name):
    model = float_model(case, name).model
    oracle, outputs = PlainTransformer(model), model.outputs(WORDS)
    for word, scores in zip(WORDS, outputs, strict=True):
        assert [Fraction(float(value)) for value in scores] == oracle.scores(word.tolist())


def test_int8_weights_are_whole_numbers_times_a_scale_for_each_row():
    matrix = np.float32([[1, -0.5, 0.003], [0, 0, 0], [254, 1, -127]]).astype(np.float64)
    rounded = as_arithmetic("int8").weights_of(matrix)
    scale = np.float32(1 / 127)
    assert rounded[0].tolist() == [np.float32(127 * np.float64(scale)), np.float32(-64 * np.float64(scale)), 0]
    assert rounded[1:].tolist() == [[0, 0, 0], [254, 0, -128]]  # half of a step goes to the even neighbour


def test_the_state_counts_bits_of_the_format():
    for name, bits in {"fp32": 32, "fp16": 16, "bf16": 16, "int8": 32, "int8-bf16": 16}.items():
        model = float_model("lstm-pytorch", name).model
        assert model.state_bits == 16 * bits
        states = model.run(WORDS)
        assert np.array_equal(model.unpack(model.pack(states)), states)
        assert np.array_equal(model.read_out(states), model.codes(WORDS))


@pytest.mark.parametrize("name", ["bf16", "fp16-only", slow("fp32")])
def test_an_audit_counts_what_brute_force_counts(name):
    loaded = float_model("gru-pytorch", name)
    found = cc.audit(loaded.model, PARITY)
    words = PARITY.words.array(np.arange(PARITY.words.size)).astype(int)
    wrong = int((loaded.model.codes(words) != PARITY.evaluate(words)).sum())
    assert (found.verdict, found.wrong_words, found.size["state_bits"]) == ("wrong", wrong, 8 * ARITHMETICS[name].bits)
    assert found.verify()
    assert f"arithmetic: {ARITHMETICS[name].format} (sums of products in" in str(found)


def test_states_merge_exactly_where_numbers_fade():
    """Half precision forgets, so all words of a length that brute force cannot reach are gone through."""
    tensors = {
        "embedding.weight": np.float32([[-4], [4]]),
        "weight_ih_l0": np.float32([[2]]),
        "weight_hh_l0": np.float32([[0.25]]),
        "head.weight": np.float32([[1]]),
        "head.bias": np.float32([0]),
    }
    plain = {
        "architecture": "elman",
        "activation": "tanh",
        "tokens": ["a", "b"],
        "read_out": {"weight": "head.weight", "bias": "head.bias"},
    }
    loaded = build_model(Description.from_json(plain), Tensors(tensors, "last"), arithmetic="fp16")
    task = regular_language(300, {0: {"a": 0, "b": 1}, 1: {"a": 0, "b": 1}}, 0, {1})
    found = cc.audit(loaded.model, task)
    assert (found.verdict, found.words, found.every_length) == ("right", 2**300, True)


def test_infinities_and_nan_are_what_ieee_says():
    tensors = {
        "embedding.weight": np.float32([[3e4], [-3e4]]),
        "weight_ih_l0": np.float32([[3]]),
        "weight_hh_l0": np.float32([[1]]),
        "head.weight": np.float32([[1], [-1]]),
    }
    plain = {
        "architecture": "elman",
        "activation": "identity",
        "tokens": ["a", "b"],
        "read_out": {"weight": "head.weight"},
    }
    model = build_model(Description.from_json(plain), Tensors(tensors, "far"), arithmetic="fp16").model
    with np.errstate(all="raise"):
        scores = model.outputs(np.array([[0, 0], [0, 1], [1, 1]]))
    assert scores[0].tolist() == [np.inf, -np.inf]
    assert np.isnan(scores[1]).all()
    assert model.codes(np.array([[0, 0], [0, 1], [1, 1]])).tolist() == [0, NO_ANSWER, 1]
    states = model.run(np.array([[0, 1]]))
    assert np.array_equal(states, model.run(np.array([[0, 1]])))
    tensors["weight_ih_l0"] = np.float32([[1e5]])
    with pytest.raises(InputError, match="numbers that fp16 has"):
        build_model(Description.from_json(plain), Tensors(tensors, "far"), arithmetic="fp16")


def test_an_arithmetic_is_said_once():
    for wrong in ({"arithmetic": "fp8"}, {"arithmetic": 3}, {"arithmetic": "bf16", "precision": 12}):
        with pytest.raises(InputError, match="arithmetic"):
            Description.from_json(description(architecture="lstm") | wrong)
    with pytest.raises(InputError, match="beside a precision"):
        loaded_of("lstm-pytorch", precision=8, arithmetic="bf16")
    plain = {k: v for k, v in description(architecture="lstm", memory=8).items() if k != "precision"}
    with pytest.raises(InputError, match="memory"):
        Description.from_json(plain | {"arithmetic": "bf16"})
    with pytest.raises(InputError, match="or an arithmetic"):
        build_model(Description.from_json({k: v for k, v in plain.items() if k != "memory"}), Tensors({}, "none"))
    assert FORMATS["bf16"].bits == as_arithmetic("int8-bf16").bits == 16
