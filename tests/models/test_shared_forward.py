"""What many words have in common is computed once; the outputs are those of each word alone, bit for bit."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.models import Affine, AttentionUnit, Block, Dense, MultiHeadAttention, Tokenwise, Transformer
from ccsim.models.transformer import embed


def sparse(generator, precision, shape, kept):
    """Random mantissas, of which whole rows and columns are 0 with probability 1 - kept."""
    matrix = generator.integers(-precision.scale, precision.scale + 1, shape)
    matrix[generator.random(shape[0]) > kept] = 0
    matrix[:, generator.random(shape[1]) > kept] = 0
    return matrix


def sparse_transformer(seed, kept, activation, layers, causal, bias):
    generator = np.random.default_rng(seed)
    base = Transformer.random("abc", length=5, width=6, layers=1, precision=10, seed=seed)
    precision, width = base.precision, 6

    def affine(inputs, outputs):
        offset = generator.integers(-3, 4, outputs) * bias
        return Affine(precision, sparse(generator, precision, (inputs, outputs), kept), offset)

    blocks = []
    for _ in range(layers):
        units = tuple(
            AttentionUnit(precision, affine(width, 2), affine(width, 2), affine(width, 1 + head)) for head in range(2)
        )
        tokenwise = Tokenwise(precision, width, (Dense(affine(width, 4), "relu"), Dense(affine(4, width), activation)))
        blocks.append(Block(MultiHeadAttention(units, affine(3, width)), tokenwise))
    tokens = base.token_embedding * (generator.random(width) < kept)
    return Transformer(
        name="sparse",
        alphabet=base.alphabet,
        answers=base.answers,
        token_embedding=tokens,
        position_embedding=base.position_embedding,
        blocks=tuple(blocks),
        read_out=base.read_out,
        causal=causal,
    )


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([0.0, 0.3, 0.6, 1.0]),
    st.sampled_from(["identity", "relu", "sigmoid"]),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([0, 1]),
    st.integers(0, 4),
)
def test_many_words_have_the_outputs_of_each_alone(seed, kept, activation, layers, causal, bias, batch):
    model = sparse_transformer(seed, kept, activation, layers, causal, bias)
    words = np.random.default_rng(seed).integers(0, 3, (batch, 5))
    rows = embed(model.precision, model.token_embedding, model.positions(5), words)
    alone = (reduce(lambda row, block: block(row, model.causal), model.blocks, row[None]) for row in rows)
    plain = np.reshape([model.read_out(row) for row in alone], (batch, 5, 2))
    for places in ([4], [0, 3], [0, 1, 2, 3, 4]):
        np.testing.assert_array_equal(model.outputs_at(words, np.array(places)), plain[:, places])
    np.testing.assert_array_equal(model.outputs(words), plain[:, -1])


def test_places_outside_the_word_are_refused():
    model = sparse_transformer(0, 1.0, "identity", 1, False, 0)
    with pytest.raises(ValueError, match="ranks from 0 to 4"):
        model.outputs_at(np.zeros((1, 5), dtype=int), np.array([5]))
