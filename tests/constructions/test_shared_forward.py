"""The forward pass that computes once what all words share gives the plain forward pass, bit for bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.models import Affine, AttentionUnit, Block, Dense, MultiHeadAttention, Tokenwise, Transformer
from ccsim.models.transformer.base import embed
from ccsim.models.transformer.block import can_share, numbers_per_word


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


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([0.0, 0.3, 0.6, 1.0]),
    st.sampled_from(["identity", "relu", "sigmoid"]),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([0, 1]),
    st.integers(0, 4),
)
def test_shared_forward_pass_is_the_plain_one(seed, kept, activation, layers, causal, bias, batch):
    model = sparse_transformer(seed, kept, activation, layers, causal, bias)
    words = np.random.default_rng(seed).integers(0, 3, (batch, 5))
    plain = model.read_out(model.stream(embed(model.precision, model.token_embedding, model.positions(5), words)))
    for places in ([4], [0, 3], [0, 1, 2, 3, 4]):
        np.testing.assert_array_equal(model.outputs_at(words, np.array(places)), plain[:, places])
    np.testing.assert_array_equal(model.outputs(words), plain[:, -1])


def test_the_shared_forward_pass_is_used_and_counts_what_words_need():
    model = sparse_transformer(3, 0.3, "identity", 2, False, 0)
    assert all(can_share(block) for block in model.blocks)
    most = numbers_per_word(model.blocks, model.token_embedding, 5)
    assert 1 <= most <= 5 * 6
    dense = Transformer.random("abc", length=5, width=6, layers=2, precision=10, seed=1)
    assert numbers_per_word(dense.blocks, dense.token_embedding, 5) >= 5 * 6
    norms = Transformer.random("abc", length=5, width=6, layers=2, precision=10, seed=1, layer_norm=True)
    assert not any(can_share(block) for block in norms.blocks)


def test_places_outside_the_word_are_refused():
    model = sparse_transformer(0, 1.0, "identity", 1, False, 0)
    with pytest.raises(ValueError, match="ranks from 0 to 4"):
        model.outputs_at(np.zeros((1, 5), dtype=int), np.array([5]))
