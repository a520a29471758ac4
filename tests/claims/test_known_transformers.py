"""One attention layer, and two layers: the verdicts that are known, and what they rest on."""

from fractions import Fraction

import numpy as np
import pytest

from ccsim import Partition
from ccsim.arithmetic import Precision
from ccsim.bounds import deterministic, model, softmax_bits
from ccsim.claims import Word, check_claim, registered_claims
from ccsim.errors import InputError
from ccsim.models import OneLayerTransformer
from ccsim.problems import dyck, inequality_of_halves
from protocols.papers.bhattamishra2024 import transformers
from protocols.papers.bhattamishra2024.transformers import executed, formats, spread_layer, words_of
from tests.slow import slow

B = "bhattamishra2024"
KNOWN = [
    (f"{B}-theorem-4", {"width": 4}, "not reached", 196),
    (f"{B}-theorem-4", {"length": 16, "width": 8, "precision": 3}, "holds on instances, modified", 140),
    (f"{B}-theorem-4-compact", {"length": 128, "width": 1, "precision": 10}, "not reached", 63),
    (f"{B}-theorem-4-compact", {"length": 128, "width": 3, "precision": 5}, "holds on instances, ours", 54),
    (f"{B}-theorem-4-four-steps", {"width": 4}, "slip", 133),
    (f"{B}-theorem-4-four-steps", {"length": 16, "width": 8, "precision": 3}, "holds on instances", 93),
    (f"{B}-lemma-1", {"length": 6}, "improved for every N", 7),
    (f"{B}-lemma-1-fooling-set", {"length": 4}, "tight for every N", 8),
    (f"{B}-section-4-2-contiguous-partitions", {"length": 6}, "tight", 4),
    (f"{B}-section-4-2-ac0", {"length": 8}, "holds (at 2 sizes to 8)", 8),
    (f"{B}-theorem-5", {"length": 8}, "vacuous here (bites from N = 68)", 1),
    (f"{B}-theorem-5", {"length": 16384}, "calculated", 544),
    (f"{B}-theorem-12", {}, "calculated", 1352),
    (f"{B}-lemma-5", {"length": 4}, "tight", 2),
    (f"{B}-lemma-5", {"length": 8}, "tight", 4),
    (f"{B}-corollary-13-1-size", {"length": 256}, "holds on drawn cases (at 7 sizes to 256)", 3250),
    ("ccsim-softmax-one-sided", {"width": 8}, "tight on instances", 229),
    ("ccsim-softmax-compact", {"length": 6, "width": 1, "precision": 8, "symbols": 5}, "tight for every N", 42),
    ("ccsim-dyck-odd-even", {"length": 4, "kinds": 3}, "tight for every N", 6),
    ("ccsim-two-layers-refused", {}, "holds on instances", None),
    ("sanford2023-match3-width", {}, "calculated", 66),
]
LONG = [
    (f"{B}-theorem-4-compact", {}, "holds on instances, ours", 76),
    (f"{B}-corollary-13-1", {}, "calculated", Fraction(64, 1625)),
]


@pytest.mark.parametrize(
    ("name", "given", "told", "measured"), [*KNOWN, *(slow(*case) for case in LONG)], ids=lambda value: str(value)[:60]
)
def test_the_known_verdicts(name, given, told, measured):
    claim = registered_claims()[name]
    verdict = check_claim(claim, claim.setting({**claim.sizes[0], **given}))
    value = measured if measured is None or isinstance(measured, int) else float(measured)
    assert (verdict.told, verdict.measured) == (told, value), verdict.reason


CLAIMED = [
    (f"{B}-theorem-4", {}, 120),
    (f"{B}-theorem-4", {"length": 16, "width": 8, "precision": 3}, 168),
    (f"{B}-lemma-1", {"length": 6}, 5),
    (f"{B}-theorem-5", {"length": 1024}, Fraction(341, 26)),
    (f"{B}-theorem-12", {}, Fraction(2048, 5)),
    (f"{B}-lemma-5", {"length": 4}, 2),
    (f"{B}-corollary-13-1", {}, Fraction(1, 75)),
    (f"{B}-corollary-13-1-size", {}, 8576),
    ("sanford2023-match3", {}, 2),
    ("sanford2023-match3-width", {}, 3.2948833906222603),
    ("sanford2023-sparse-averaging-width", {}, 128),
]


@pytest.mark.parametrize(("name", "given", "claimed"), CLAIMED, ids=lambda value: str(value)[:60])
def test_the_values_that_are_claimed(name, given, claimed):
    claim = registered_claims()[name]
    assert float(claim.claimed(claim.setting({**claim.sizes[0], **given}))) == pytest.approx(float(claimed))


def test_sizes_away_from_the_default_ones_say_no_more_than_they_can():
    claim = registered_claims()[f"{B}-theorem-5"]
    assert check_claim(claim, claim.setting({"length": 68})).word is Word.VACUOUS  # a width of 1 is left
    claim = registered_claims()["sanford2023-match3-width"]
    assert check_claim(claim, claim.setting({"length": 33})).word is Word.NOT_MEASURED  # a width of 1 at every size
    assert check_claim(claim, claim.setting({"precision": 12})).word is Word.VACUOUS  # p is below log2(N + 1)


def test_the_plots_of_dyck_are_drawn():
    plots = registered_claims()[f"{B}-lemma-1"].plots()
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


def test_words_are_all_of_them_or_drawn():
    assert len(words_of(4, 2)) == 16
    assert len(words_of(40, 2)) == 26
    assert words_of(40, 2)[-1] == (1,) * 40


def test_a_layer_that_is_wrong_on_one_word_is_seen(monkeypatch):
    """The same call that finds nothing wrong finds a single word, wherever it is."""
    model = spread_layer(4, 2, 1, Precision.fixed_point(1, 6), 2)
    assert executed([model], ("compact",)).violations == ()
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
    assert (found.violations, found.of) == ((), 2 * 2**20)
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


def test_the_printed_steps_cost_what_they_add_up_to():
    found = transformers.as_printed(4, 8, 8, 1, 0)
    assert (found.measured, found.violations) == (356, ())
    found = transformers.sent_one_way(4, 8, 8, 1, 0)
    assert (found.measured, found.violations) == (229, ())
    assert found.facts["bits with sums sent both ways, as printed"] == 356
