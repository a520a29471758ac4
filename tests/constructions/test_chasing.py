"""A chain of thought that composes: every token it says is the next pointer."""

from itertools import product

import numpy as np
import pytest

from ccsim import Partition
from ccsim.problems import pointer_chasing
from protocols.constructions import chasing_chain, chasing_layer, smallest_sign_vectors
from protocols.constructions.lookup import THIRD, TableAddresses
from protocols.reductions import chain_of_thought
from tests.refusals import refuse
from tests.slow import slow


def think(chain, tables):
    """The tokens of a chain of thought on two tables: 0, and each pass's answer."""
    word = [*tables, 0]
    for model in chain:
        word.append(model(tuple(word)))
    return word[len(tables) :]


def followed(tables, values, steps):
    """The vertices one after the other, from 0."""
    path = [0]
    for step in range(steps):
        path.append(tables[path[-1] + values * (step % 2)])
    return path


@pytest.mark.parametrize(("values", "steps"), [(2, 5), (3, 2)])
def test_every_thought_is_the_next_pointer_on_all_tables(values, steps):
    chain = chasing_chain(values, steps)
    for tables in product(range(values), repeat=2 * values):
        assert think(chain, tables) == followed(tables, values, steps)


@pytest.mark.parametrize(("values", "steps"), [(17, 4), slow(100, 3)])
def test_longer_tables(values, steps):
    chain, rng = chasing_chain(values, steps), np.random.default_rng(0)
    for _ in range(8):
        tables = rng.integers(values, size=2 * values).tolist()
        assert think(chain, tables) == followed(tables, values, steps)


@pytest.mark.parametrize(("values", "steps"), [(2, 3), slow(3, 4)])
def test_as_a_conversation_it_chases_pointers(values, steps):
    protocol = chain_of_thought(chasing_chain(values, steps), Partition("A" * values + "B" * values), start=0)
    explored = protocol.explore().raise_if_wrong()
    assert explored.worst_rounds == 3 * steps + 1
    assert (protocol.function.codes == pointer_chasing(values, steps).codes).all()


def test_the_weights_are_the_same_at_every_thought():
    first, last = chasing_chain(5, 3)[0::2]
    assert (first.token_embedding == last.token_embedding).all()
    assert (first.position_embedding == last.position_embedding[: first.length]).all()
    assert (first.block.attention.units[0].query.weights == last.block.attention.units[0].query.weights).all()


def test_addresses_of_tables():
    for values in (2, 3, 10, 50):
        addresses = TableAddresses(smallest_sign_vectors(values, THIRD))
        rows = addresses.rows(np.arange(1, addresses.count + 1))
        off = (rows @ rows.T)[~np.eye(len(rows), dtype=bool)]
        assert rows.shape == (2 * values, addresses.dimension)
        assert off.max() <= addresses.largest_product <= addresses.dimension / 2
        assert off.min() >= addresses.least_product


def test_what_is_no_chain_is_refused():
    refuse(
        (lambda: chasing_layer(1), "values"),
        (lambda: chasing_layer(3, -1), "thought"),
        (lambda: chasing_layer(3, 2, steps=2), "steps"),
    )
