"""What measuring models rests on, and that models made wrong on purpose are seen."""

from dataclasses import replace
from functools import reduce
from itertools import accumulate, product, repeat

import numpy as np
import pytest

from ccsim import Partition
from ccsim.arithmetic import Precision
from ccsim.bounds import deterministic, model, softmax_bits
from ccsim.claims import Word, check_claim, registered_claims
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.models import OneLayerTransformer, Transformer, dyck_automaton
from ccsim.models.automata import Automaton
from ccsim.models.recurrent import RecurrentStack
from ccsim.problems import (
    associative_recall,
    disjointness_of_halves,
    dyck,
    equality,
    equality_of_halves,
    index,
    index_lookup,
    inequality_of_halves,
)
from protocols import reductions
from protocols.constructions import associative_recall_transformer, equality_transformer, shift_register
from protocols.papers.bhattamishra2024 import facts, recurrent, remarks, transformers
from protocols.papers.bhattamishra2024.constructions import Case, growth, sphere, tally_of
from protocols.papers.bhattamishra2024.recurrent import carried, recall_words
from protocols.papers.bhattamishra2024.transformers import executed, formats, spread_layer
from protocols.papers.checks import compared, drawn_recall, drawn_words, every_word


def test_a_model_is_run_on_its_bits_alone():
    task = index_lookup(3)
    assert not carried(shift_register(3), task, every_word(task), 24).violations
    first = replace(task, evaluate=lambda words: words[..., 0] * 0)
    found = carried(shift_register(3), first, every_word(task), 24)
    assert found.measured == 3
    assert found.violations[0].startswith("answers")
    recall = associative_recall(3)
    assert len(recall_words(recall)) == 6 * 8 * 3
    assert len(recall_words(recall, in_order=True)) == 8 * 3
    assert (recall.evaluate(recall_words(recall)) >= 0).all()


def test_a_model_whose_state_is_lost_is_wrong(monkeypatch):
    task = index_lookup(3)
    model = shift_register(3)
    packed = type(model).pack
    monkeypatch.setattr(type(model), "pack", lambda self, states: 0 * packed(self, states))
    assert carried(model, task, every_word(task), 24).violations


def test_an_automaton_that_sends_a_bit_for_each_state_is_seen(monkeypatch):
    assert (remarks.any_automaton(5, 6).measured, remarks.any_automaton(5, 6).checked) == (3, 16 * 64)
    wide = property(lambda self: (Precision.of(self.states),))
    monkeypatch.setattr(Automaton, "state_precisions", wide)
    assert remarks.any_automaton(5, 6).measured == 5


def test_pairs_that_break_the_equation_of_da_by_maps_of_states():
    machine = dyck_automaton(2, 2).minimise()
    letters = [tuple(column) for column in machine.table.T.tolist()]

    def then(*maps):
        return tuple(reduce(lambda state, each: each[state], maps, state) for state in range(machine.states))

    def power(each):
        """The power that is idempotent."""
        return next(found for found in accumulate(repeat(each), then) if then(found, found) == found)

    elements = {tuple(range(machine.states))}
    while (more := elements | {then(each, letter) for each in elements for letter in letters}) != elements:
        elements = more
    pairs = [(power(then(x, y)), power(then(y, x))) for x, y in product(elements, repeat=2)]
    found = remarks.not_in_da()
    assert found.checked == len(pairs) == 60**2
    assert found.measured == sum(then(xy, yx, xy) != xy for xy, yx in pairs)
    assert found.every_length.lower(100) == 17
    assert not found.violations


def test_all_minimal_automata_of_so_many_states_are_looked_at():
    tables = product(product((0, 1), repeat=2), (0, 1), (0, 1))
    minimal = 4 * sum(first != second and 1 in after for after, first, second in tables)  # the other row is any
    found = recurrent.agreeing(2, 0).facts
    assert (found["minimal automata"], found["smaller ones, all compared"]) == (minimal, 2)


def test_an_automaton_that_is_not_minimal_agrees_with_a_smaller_one(monkeypatch):
    minimise = Automaton.minimise
    monkeypatch.setattr(Automaton, "minimise", lambda self: minimise(self) if self.outputs.any() else self)
    assert "an automaton of fewer states agrees" in recurrent.agreeing(2, 0).violations[0]


def test_what_costs_one_party_more_than_the_other_is_no_fact_on_either():
    assert not facts._one_knows(equality(2)).violations
    assert "3 bits if Bob is to know, 2 if Alice is" in facts._one_knows(index(3)).violations[0]


def test_words_are_cut_at_every_place():
    found = recurrent.prefix(4, "lstm", 2, 5, 2, 0)
    assert found.checked == found.of == 16 * 3


def test_claims_on_recurrent_models_name_every_kind_of_layers():
    kinds = {kind for kind in RecurrentStack.__subclasses__() if kind.__module__.startswith("ccsim.")}
    assert set(recurrent.KINDS.values()) == kinds


@pytest.mark.slow
def test_automata_of_models_are_not_minimal():
    for kind in (*recurrent.KINDS, "copies"):
        facts = recurrent.of_a_model(kind, 0).facts
        assert 3 <= facts["of the least one"] < facts["states of the automaton"], kind
    assert facts["states of the automaton"] == 15  # five states, three copies of each


def test_sizes_away_from_the_default_ones_say_no_more_than_they_can():
    claim = registered_claims()["bhattamishra2024-theorem-5"]
    assert check_claim(claim, claim.setting({"length": 68})).word is Word.VACUOUS  # a width of 1 is left
    claim = registered_claims()["sanford2023-match3-width"]
    assert check_claim(claim, claim.setting({"length": 33})).word is Word.NOT_MEASURED  # a width of 1 at every size
    assert check_claim(claim, claim.setting({"precision": 12})).word is Word.VACUOUS  # p is below log2(N + 1)


def test_the_plots_of_dyck_are_drawn():
    plots = registered_claims()["bhattamishra2024-lemma-1"].plots()
    assert [line.points[-1] for line in plots[0].lines] == [(12, 11), (12, 13), (8, 9)]
    assert all(line.points for plot in plots for line in plot.lines)


# What is run


def test_the_formats_hold_no_more_numbers_than_bits_can_name():
    for length, bits in [(4, 5), (4, 6), (4, 10), (64, 8), (200, 17), (2, 3), (1, 4)]:
        for numbers in formats(length, bits):
            assert numbers.bits <= bits
            assert numbers.scale <= min(1 << bits - 2, numbers.high + 1)
    assert [str(each) for each in formats(4, 6)] == ["6 bits, steps of 1/16", "6 bits, steps of 1/4"]
    assert len(formats(400, 19)) == 1


def test_layers_that_are_drawn_have_norms_a_residual_and_a_part_behind_attention():
    for drawn in transformers.layers(4, 2, 1, 8, 2, 0)[::2]:
        assert drawn.block.norms.before_attention is not None
        assert drawn.block.residual
        assert drawn.tokenwise is not None


def test_narrow_layers_that_are_drawn_look_at_words():
    """A norm at width 1 is 0 for every number, and so would all logits be."""
    for drawn in transformers.layers(64, 1, 1, 14, 2, 0, formats(64, 14)[-1:]):
        cost = reductions.max_logit_softmax(drawn, Partition.odd_even(64), variant="compact").cost
        assert cost.parameters["symbol"] == 1
        assert cost.parameters["maxima"] > 0


def test_the_bound_for_halves_that_meet_is_certified_for_the_task_that_is_run():
    assert recurrent.meeting_halves(4).every_length.family == {"function": "intersection"}


def test_narrow_layers_are_run_in_the_numbers_of_the_source_alone():
    """From -N^K to N^K in steps of N^-K, of which the compact protocol keeps to the printed total at width 1 too."""
    sizes = [(length, 2, 2) for length in range(2, 400)] + [(length, 5, length) for length in range(5, 400)]
    for length, power, symbols in [*sizes, (128, 1, 2)]:
        scale, held = length**power, (length // 2, (length + 1) // 2)
        values = [each for k in held for each in (k * symbols, k * scale + 1)]
        cost = sum((each - 1).bit_length() for each in (symbols, *values, 2 * scale**3 + 1, 2))
        assert 1 << max(0, cost - 3 * (2 * scale**2).bit_length()) <= length**3, (length, power, symbols)
    found = transformers.compact(64, 1, 14, 1, 2, 0)
    assert (found.outside, found.facts["layers"], found.measured) == ("", 2, 57)  # of 60
    assert transformers.compact(64, 1, 13, 1, 2, 0).outside
    assert not transformers.compact(64, 3, 13, 1, 2, 0).outside


def test_a_layer_that_is_wrong_on_one_word_is_seen(monkeypatch):
    """The same call that finds nothing wrong finds a single word, wherever it is."""
    model = spread_layer(4, 2, 1, Precision.fixed_point(1, 6), 2)
    assert not executed([model], ("compact",)).violations
    plain = OneLayerTransformer.codes
    for place in range(16):
        word = [int(bit) for bit in f"{place:04b}"]
        monkeypatch.setattr(
            OneLayerTransformer,
            "codes",
            lambda self, words, word=word: plain(self, words) ^ (np.asarray(words) == word).all(axis=-1),
        )
        assert executed([model], ("compact",), [Partition.odd_even(4)]).violations


def test_a_layer_that_is_wrong_on_long_words_is_seen_in_each_of_two_partitions(monkeypatch):
    model, plain = spread_layer(20, 1, 1, Precision.fixed_point(1, 6), 2), OneLayerTransformer.codes
    ways = transformers.ways_of(20)
    assert len(ways) == 2
    assert Partition.odd_even(20) in ways
    found = executed([model], ("compact",))
    assert not found.violations
    assert found.of == 2 * 2**20
    monkeypatch.setattr(OneLayerTransformer, "codes", lambda self, words: 1 - plain(self, words))
    assert len(executed([model], ("compact",)).violations) == found.checked


def test_layers_that_tell_nothing_apart_are_refused():
    flat = OneLayerTransformer.from_arrays(
        "ab",
        precision=8,
        token_embedding=[[0], [0]],
        position_embedding=[[0]] * 4,
        query=[[[0]]],
        key=[[[0]]],
        value=[[[0]]],
        output=[[0]],
        read_out=[[0, 0]],
    )
    with pytest.raises(InputError, match="tells words apart"):
        executed([flat], ("compact",))


def most_compact(held, symbols, bits, heads, width):
    """The last symbol; each party's place among its logits, and its sum of exponentials; one party's sums of weights
    times values; the answer back. Each field numbers its values for all heads together."""
    scale = 1 << bits - 2
    each_head = [max(1, k * symbols) for k in held] + [k * scale + 1 for k in held]
    sums = (scale * ((1 << bits) - 1) + 1) ** width
    return sum((values - 1).bit_length() for values in (symbols, *(v**heads for v in (*each_head, sums)))) + 1


@pytest.mark.parametrize(
    ("length", "symbols", "bits", "heads", "width"), [(9, 3, 8, 2, 4), (400, 2, 19, 1, 3), (64, 7, 5, 3, 2)]
)
def test_the_count_of_the_compact_protocol(length, symbols, bits, heads, width):
    sizes = {"head_width": width, "heads": heads, "precision": bits, "length": length, "symbols": symbols}
    assert softmax_bits(**sizes) == most_compact(((length + 1) // 2, length // 2), symbols, bits, heads, width)


@pytest.mark.parametrize(("task", "build"), [("dyck", dyck), ("inequality-of-halves", inequality_of_halves)])
def test_what_a_task_is_said_to_need_is_what_its_table_costs(task, build):
    for length in (2, 4, 6):
        said = model("transformer", width=1, precision=8, task=task, length=length).needed_bits
        way = Partition.odd_even(length) if task == "dyck" else Partition.prefix(length, length // 2)
        assert said == deterministic(build(length).split(way)).lower


def test_a_width_is_the_least_one_whose_protocol_says_enough():
    found = model("transformer", width=8, precision=16, task="dyck", length=1024)
    sizes = {"heads": 1, "precision": 16, "length": 1024, "symbols": 4}
    assert softmax_bits(head_width=found.smallest_width, **sizes) >= found.needed_bits == 1025
    assert softmax_bits(head_width=found.smallest_width - 1, **sizes) < 1025


def test_short_words_are_cut_in_every_way():
    layer = spread_layer(4, 2, 1, Precision.fixed_point(1, 6), 2)
    found = executed([layer], ("compact",))
    assert (found.checked, found.of) == (16 * 16, 16 * 16)
    found = transformers.as_printed(4, 2, 6, 1, 0)
    assert (found.checked, found.of) == (4 * 16 * 16, 4 * 16 * 16)


def test_two_layers_are_built_for_every_balanced_partition_and_for_odd_and_even_positions(monkeypatch):
    assert transformers.any_balanced_partition(4).facts["partitions"] == 6
    built, ways = transformers._built, []
    monkeypatch.setattr(transformers, "_built", lambda way: ways.append(way) or built(way))
    transformers.two_layers_size(8)
    transformers._own_cost(4)
    assert ways == [Partition.odd_even(length) for length in (2, 4, 8, 4)]


# Words that are drawn


def test_words_that_are_drawn_belong_to_the_task_and_lie_on_either_side():
    for task in (equality_of_halves(64), disjointness_of_halves(64), index_lookup(64)):
        assert set(np.asarray(task.evaluate(drawn_words(task)))) == {0, 1}
    task = associative_recall(64)
    assert set(np.asarray(task.evaluate(drawn_recall(task)))) == {0, 1}
    assert DONT_CARE in task.evaluate(drawn_words(task))


@pytest.mark.parametrize("task", [equality_of_halves(256), disjointness_of_halves(64), index_lookup(200)])
def test_a_quarter_of_them_has_a_neighbour_with_another_answer(task):
    words = drawn_words(task, 32)
    answers = task.evaluate(words)
    assert ((words[16:24] != words[24:32]).sum(axis=1) == 1).all()
    assert (answers[16:24] != answers[24:32]).all()


def test_recall_is_asked_for_a_value_and_then_for_the_other():
    task = associative_recall(50)
    words = drawn_recall(task, 16)
    assert ((words[::2] != words[1::2]).sum(axis=1) == 1).all()
    assert (task.evaluate(words[::2]) != task.evaluate(words[1::2])).all()


# Planted models


def wrong_where(original, condition):
    """A model's answers, exchanged where a condition on the word holds."""
    return lambda self, words: np.where(condition(np.asarray(words)), 1 - original(self, words), original(self, words))


def one_difference(words):
    half = words.shape[-1] // 2
    return (words[..., :half] != words[..., half:]).sum(axis=-1) == 1


def one_place(words):
    return (words == np.array([1, 0, 1, 1, 0, 1, 0, 0])).all(axis=-1)


@pytest.mark.parametrize(
    ("length", "condition"), [(8, one_place), (64, one_difference), (256, one_difference), (512, one_difference)]
)
def test_a_model_that_is_wrong_far_off_only_is_found(monkeypatch, length, condition):
    model, task = equality_transformer(length), equality_of_halves(length)
    assert not compared(model, task, 1, lambda given: drawn_words(given, 16)).wrong
    monkeypatch.setattr(Transformer, "codes", wrong_where(Transformer.codes, condition))
    assert compared(model, task, 1, lambda given: drawn_words(given, 16)).wrong


def test_what_is_wrong_beside_the_answers_is_found_too():
    model, opposite, task = equality_transformer(6), equality_transformer(6, unequal=True), equality_of_halves(6)
    assert not tally_of(Case(model, task, others=[(model, task)]), "width").wrong
    assert "wrong on" in tally_of(Case(model, task, others=[(opposite, task)]), "width").wrong[0]
    assert tally_of(Case(model, task, faults=["no sign"]), "precision").wrong == ["no sign"]
    assert growth(lambda _: Case(model, task, faults=["no sign"]), 4, "width").violations == ["no sign (at 4)"]


def test_words_off_the_promise_do_not_count():
    model, task = associative_recall_transformer(20), associative_recall(20)
    assert compared(model, task, 1).wrong == ["no word that was drawn is promised"]
    assert not compared(model, task, 1, drawn_recall).wrong


def test_spheres_have_so_many_points_of_one_norm():
    for count in (6, 24, 100):
        points = sphere(count)
        assert len(set(points)) == len(points) >= count
        assert len({sum(entry**2 for entry in point) for point in points}) == 1
