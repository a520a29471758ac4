"""A recurrent model as a one-way protocol: bit for bit the model, and exactly its state, for every split."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError, Partition, audit
from ccsim.auditing import read_task
from ccsim.bounds import one_way
from ccsim.models import (
    Elman,
    OneLayerTransformer,
    TransitionTable,
    dyck_automaton,
    from_task,
)
from ccsim.models.files import load_model
from ccsim.problems import (
    associative_recall,
    dyck,
    equality_of_halves,
    index_lookup,
    inequality_of_halves,
    multi_query_associative_recall,
    parity_of_word,
)
from protocols.constructions.recurrent import shift_register
from protocols.reductions.recurrent import confusion, recurrent_prefix, state_bound
from tests.models.recurrent_oracle import KINDS, plain
from tests.refusals import refuse
from tests.slow import slow


def check(model, split, length, words=None):
    """Explore on all words; answers are those of plain steps, and bits are the state's."""
    protocol = recurrent_prefix(model, split, length, words=words)
    found = protocol.explore()
    assert found.correct, found.violations[0]
    assert found.worst_bits == protocol.cost.bits == model.state_bits
    assert found.total_bits == found.pairs * model.state_bits
    assert found.worst_rounds == 1
    alice = protocol.function.alice
    assert found.leaves == len(np.unique(model.pack(model.run(alice.array(np.arange(alice.size))))))
    whole = protocol.function.task.words
    lookup = model.ranks_of(whole.alphabet)
    rows = whole.array(np.arange(whole.size)).astype(np.int64)
    _, answers = plain(model, rows if lookup is None else lookup[rows])
    assert np.array_equal(protocol.function.codes.reshape(-1), answers)
    assert found.pairs == whole.size
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("precision", "length"), [(4, 3), slow(12, 4)])
def test_every_kind_at_every_split_of_a_short_word(kind, precision, length):
    make, options = KINDS[kind]
    model = make.random("ab", width=2, layers=2, precision=precision, seed=0, answers="xyz", **options)
    for split in range(length):
        check(model, split, length)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 70), st.integers(0, 10**6), st.integers(0, 5), st.booleans())
def test_any_transition_table(states, seed, split, positional):
    model = TransitionTable.random("ab", states=states, seed=seed, answers="xyz", length=5 if positional else None)
    check(model, split, 5)


@pytest.mark.parametrize("kind", ["lstm", "selective"])
def test_single_runs_say_what_they_send(kind):
    make, options = KINDS[kind]
    model = make.random("ab", width=2, layers=2, precision=8, seed=0, **options)
    protocol = recurrent_prefix(model, 3, 5)
    for word in ("ababb", "bbaba"):
        run = protocol.run(*protocol.function.split(word))
        assert run.answer == model(word)
        (message,) = run.transcript.messages
        assert message.sender == "alice"
        assert message.label == f"state after 3 symbols, {model.units} numbers"
        packed = model.pack(model.run(model.ranks(word[:3])[None]))[0]
        assert (len(message.bits), message.bits.to_unsigned()) == (model.state_bits, int(packed))
    long = recurrent_prefix(model, 30, 40)  # not all words of which are looked at
    assert long.run(*long.function.split("ab" * 20)).answer == model("ab" * 20)


def test_partitions_that_are_prefixes_are_splits():
    model = TransitionTable.random("ab", states=4, seed=0)
    assert check(model, Partition.prefix(6, 2), None).pairs == 64
    for owners in ("ABAB", "BBAA", "BA"):
        with pytest.raises(InputError, match="reads from left to right"):
            recurrent_prefix(model, Partition(owners))


def test_alice_may_hold_everything_only_if_the_state_is_enough():
    check(Elman.random("ab", width=2, precision=6, seed=0), 5, 5)
    make, options = KINDS["selective"]
    with pytest.raises(InputError, match="looks at the last symbol"):
        recurrent_prefix(make.random("ab", width=2, precision=6, seed=0, **options), 5, 5)


# A state that is just enough


def test_a_shift_register_solves_index_lookup_with_exactly_its_bits():
    for length, alphabet in ((1, "01"), (6, "01"), (3, "abc"), (2, (1, 2, 3))):
        task, model = index_lookup(length, alphabet), shift_register(length, alphabet)
        assert model.is_right(task)
        assert model.state_bits == length * (len(alphabet) - 1).bit_length()
        protocol = recurrent_prefix(model, length, words=task.words)
        found = protocol.explore().raise_if_wrong()
        assert (found.worst_bits, found.leaves) == (model.state_bits, len(alphabet) ** length)
        assert np.array_equal(protocol.function.codes, task.split(Partition.prefix(length + 1, length)).codes)


def test_a_machine_made_from_a_task_sends_the_least():
    machine = from_task(dyck(6))
    for split in (2, 5):
        found = check(machine, split, 6)
        assert found.leaves == len(machine.tables[split])


# What must not pass


class Forgetful(Elman):
    """Says that it carries less than it does."""

    state_precisions = property(lambda self: super().state_precisions[:1])


class Remembering(Elman):
    """Answers by something that is not in the state: how often it was asked."""

    def last(self, states, symbols, position):
        self.__dict__["asked"] = self.__dict__.get("asked", 0) + 1
        return (super().last(states, symbols, position) + self.__dict__["asked"]) % 2


def test_a_state_that_is_not_counted_is_found_out():
    model = Forgetful.random("ab", width=2, precision=8, seed=26)
    assert not recurrent_prefix(model, 3, 6).explore().correct


def test_a_memory_beside_the_state_is_found_out():
    """Its answers on a word depend on the words before, which shows when its task is tabulated."""
    model = Remembering.random("ab", width=2, precision=8, seed=26)
    with pytest.raises(InputError, match="among other inputs"):
        recurrent_prefix(model, 3, 6).explore()


def test_bad_splits_and_lengths_are_refused():
    model = Elman.random("ab", width=1, precision=6, seed=0)
    other = OneLayerTransformer.random("ab", length=4, width=2, heads=1, precision=6, seed=0)
    refuse(
        (lambda: recurrent_prefix(model, 3), "reads words of every length"),
        (lambda: recurrent_prefix(model, 7, 6), "split = 7"),
        (lambda: recurrent_prefix(model, "AAB"), "split"),
        (lambda: recurrent_prefix(model, 2, words="abc"), "words"),
        (lambda: recurrent_prefix(model, -1, 6), "split = -1"),
        (lambda: recurrent_prefix(model, "AB", 6), "split = 'AB'"),
        (lambda: recurrent_prefix(model, Partition("AAB"), 4), "length = 4"),
        (lambda: recurrent_prefix(model, 1, words=dyck(4).words), "symbol = '"),
        (lambda: recurrent_prefix(model, 1, 3, words=model.task(4).words), "length = 3"),
        (lambda: recurrent_prefix(from_task(dyck(4)), 1, 5), "4 symbols, not 5"),
        (lambda: recurrent_prefix(dyck(4), 1, 4), "a recurrent model"),
        (lambda: recurrent_prefix(other, 1), "a recurrent model"),
    )


def classes_by_brute_force(task):
    """The different rows of the matrix at every split."""
    splits = range(1, task.length)
    return tuple(len(np.unique(task.split(Partition.prefix(task.length, k)).codes, axis=0)) for k in splits)


@pytest.mark.parametrize(
    ("task", "bits"),
    [
        (parity_of_word(6), 1),
        (dyck(6), 3),
        (dyck(7), 0),
        *((inequality_of_halves(2 * bits), bits) for bits in (1, 2, 4)),  # theorem 11: half of the length
        (equality_of_halves(6), 3),
        (index_lookup(5), 5),
        (index_lookup(3, "abc"), 5),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_total_tasks_are_counted_exactly(task, bits):
    bound = state_bound(task)
    assert bound.classes == classes_by_brute_force(task)
    assert bound.bits == bits
    bracket = one_way(task.split(Partition.prefix(task.length, bound.split)).matrix)
    assert (bracket.lower, bracket.upper) == (bits, bits)
    assert from_task(task).state_bits >= bits


def test_recall_needs_a_bit_for_each_pair():
    """Proposition 9 and theorem 8; both tasks have a promise."""
    for task in (associative_recall(2), multi_query_associative_recall(2)):
        bound = state_bound(task)
        assert bound.bits >= 2
        rows = task.split(Partition.prefix(task.length, bound.split)).codes
        assert bound.states <= len(np.unique(rows, axis=0))
        assert len(from_task(task).tables[bound.split]) >= bound.states


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([equality_of_halves(6), index_lookup(3), dyck(6), associative_recall(2)]),
    st.integers(1, 16),
)
def test_models_with_too_few_states_show_two_prefixes_that_they_confuse(seed, task, states):
    model = TransitionTable.random(task.alphabet, states=states, seed=seed, answers=task.answers)
    found = confusion(model, task)
    if states < state_bound(task).states:
        assert found is not None
    if found is None:
        return
    first, second = found.words
    assert len(found.prefixes[0]) == len(found.prefixes[1])
    assert found.prefixes[0] != found.prefixes[1]
    assert (task(task.words.word(first)), task(task.words.word(second))) == found.answers
    assert found.answers[0] != found.answers[1]
    assert None not in found.answers
    assert model(first) == model(second)
    assert not model.is_right(task)
    held = [model.run(model.ranks(prefix)[None]) for prefix in found.prefixes]
    assert np.array_equal(*held)


def test_right_models_confuse_nothing():
    for task, model in [
        (index_lookup(4), shift_register(4)),
        (dyck(6), dyck_automaton(2, 2)),
        (dyck(6), from_task(dyck(6))),
        (associative_recall(2), from_task(associative_recall(2))),
    ]:
        assert model.is_right(task)
        assert confusion(model, task) is None


def test_only_tasks_and_models_that_fit_are_taken():
    refuse(
        (lambda: confusion(from_task(dyck(4)), dyck(6)), "words of 6 symbols"),
        (lambda: confusion(dyck_automaton(2, 2), dyck(6), split=7), "split"),
        (lambda: confusion(dyck_automaton(1, 2), dyck(6)), "symbol"),
        (lambda: confusion(5, dyck(4)), "model"),
        (lambda: confusion(dyck_automaton(2, 2), 5), "task"),
        (lambda: state_bound(5), "task"),
    )


class Seen:
    """Whether the second symbol was read, as an object whose step an audit runs."""

    def start(self):
        return np.zeros((1, 1), np.float16)

    def step(self, state, ids):
        seen = np.maximum(state, ids[:, None].astype(np.float16))
        return seen, np.hstack([1 - seen, seen])


def test_reductions_take_the_forms_of_models_that_audits_take():
    task = read_task("re:(a|b)*b(a|b)*", 4)
    for model in (Seen, Seen()):
        assert audit(model, task).verdict == "right"
        assert confusion(model, task) is None
        assert recurrent_prefix(model, 2, words=task).explore().correct
    loaded = load_model(Path(__file__).parents[2] / "protocols" / "trained" / "dyck-lstm.safetensors")
    assert audit(loaded, dyck(4)).verdict == audit(loaded.model, dyck(4)).verdict
    assert confusion(loaded, dyck(4)) == confusion(loaded.model, dyck(4))
    assert recurrent_prefix(loaded, 2, length=4).name == recurrent_prefix(loaded.model, 2, length=4).name
    with pytest.raises(InputError, match="task as words="):
        recurrent_prefix(Seen(), 2, length=4)
    with pytest.raises(InputError, match="a recurrent model"):
        confusion(lambda ids: ids, task)
