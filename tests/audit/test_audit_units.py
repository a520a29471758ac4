"""Audits of feed-forward networks and bare attention units on words whose symbols are encoded as vectors."""

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing import Audit, StateCollision, SymbolCollision
from ccsim.models import AttentionUnit, FeedForward
from ccsim.models.encoded import EncodedFeedForward, EncodedUnit
from ccsim.problems import index_lookup, parity_of_word, q_sparse_averaging
from tests.oracles.every_word import brute_force


def one_hot(task):
    """Each symbol of each position in a column of its own."""
    size = len(task.alphabet)
    return np.eye(task.length * size, dtype=np.int64).reshape(task.length, size, -1)


def network(task, width, seed=0, function=lambda sums: sums[:, 0] % 2):
    encoding = one_hot(task)
    first = FeedForward.random(inputs=encoding.shape[2], width=width, seed=seed, largest=3)
    return EncodedFeedForward(task.alphabet, task.answers, first, encoding, function)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_narrow_first_layer_adds_two_prefixes_up_to_one_sum(width):
    task = index_lookup(14)
    found = cc.audit(network(task, width, seed=width), task)
    assert (found.architecture, found.verdict) == ("feed-forward", "wrong")
    assert isinstance(found.failure.collision, StateCollision)
    assert found.verify()
    sums = [network(task, width, seed=width).run(ranks(task, word)[None])[0] for word in found.failure.collision.words]
    assert np.array_equal(*sums)


def ranks(task, word):
    return np.array([task.alphabet.index(symbol) for symbol in word])


def test_counts_and_right_networks():
    task = parity_of_word(8)
    ones = FeedForward.of([[1] * 8])
    encoding = np.zeros((8, 2, 8), dtype=np.int64)
    encoding[np.arange(8), 1, np.arange(8)] = 1
    right = EncodedFeedForward("01", (0, 1), ones, encoding, lambda sums: sums[:, 0] % 2)
    assert right("11010000") == 1
    assert cc.audit(right, task).verdict == "right"
    wrong = EncodedFeedForward("01", (0, 1), ones, encoding, lambda sums: sums[:, 0] > 3)
    found = cc.audit(wrong, task)
    assert found.wrong_words == len(brute_force(wrong, task)[1])


def unit_model(task, key_width, seed=0, width=6):
    unit = AttentionUnit.random(inputs=width, key_width=key_width, value_width=1, precision=6, seed=seed)
    generator = np.random.default_rng(seed)
    encoding = generator.integers(-16, 16, (task.length, len(task.alphabet), width))
    steps = len(task.answers) - 1

    def read_out(rows):
        return np.clip((rows[:, 0] + 16) * steps // 32, 0, steps)

    return EncodedUnit(task.alphabet, task.answers, unit, encoding, task.length, read_out)


def test_the_unit_reads_the_row_that_it_is_asked():
    task = q_sparse_averaging(4, 1)
    model = unit_model(task, 2)
    rows = task.words.array(np.arange(40) * 97)
    whole = model.unit(model.encoding[np.arange(4), rows])[:, 3]
    assert np.array_equal(model.codes(rows), model.read_out(whole))


def test_symbols_of_which_the_unit_sees_the_same_make_it_wrong():
    task = q_sparse_averaging(6, 2)
    model = unit_model(task, 1, width=1)
    found = cc.audit(model, task, words=1 << 8)
    assert (found.architecture, found.verdict) == ("attention unit", "wrong")
    collision = found.failure.collision
    assert isinstance(collision, SymbolCollision)
    assert found.need.bits >= 4
    assert found.verify()
    assert Audit.from_json(found.to_json(), q_sparse_averaging(6, 2)).verdict == "wrong"
    one, two = (model(word) for word in collision.words)
    assert one == two
    assert task(collision.words[0]) != task(collision.words[1])


def test_a_unit_on_few_words_is_counted():
    task = q_sparse_averaging(3, 1)
    model = unit_model(task, 2)
    found = cc.audit(model, task)
    assert found.wrong_words == len(brute_force(model, task)[1]) > 0
    assert found.verify()


def test_bad_input_is_named():
    task = index_lookup(3)
    with pytest.raises(cc.InputError, match="encoding"):
        EncodedFeedForward(task.alphabet, task.answers, FeedForward.of([[1, 2]]), one_hot(task), len)
    model = unit_model(task, 1)
    with pytest.raises(cc.InputError, match="row"):
        EncodedUnit(task.alphabet, task.answers, model.unit, model.encoding, 9, model.read_out)
