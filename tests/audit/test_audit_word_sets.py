"""Sets of words of one-layer transformers: every enclosure beside the words in it, every interval beside all words."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ccsim.arithmetic import Precision, Zonotopes
from ccsim.arithmetic.zonotopes import UNIT
from ccsim.auditing import Budget
from ccsim.auditing.branches import Progress, bracket_by_branches
from ccsim.auditing.forest import grown
from ccsim.auditing.outranked import Outranking
from ccsim.auditing.segments import attention_entries
from ccsim.auditing.word_sets import WordSets
from ccsim.auditing.words import machine_of
from ccsim.matrices import DONT_CARE
from ccsim.models import HardMaximum, OneLayerTransformer
from ccsim.models.comparison import Comparison
from ccsim.models.files import load_model
from ccsim.models.transformer import LayerNorm, RMSNorm
from ccsim.models.transformer.base import first_largest
from ccsim.problems import dyck, equality_of_halves, index_lookup, majority_of_word, parity_of_word
from protocols import trained
from protocols.trained import trained_model, trained_task

TASKS = (majority_of_word(9), dyck(4), parity_of_word(8), index_lookup(5), equality_of_halves(8))
OPTIONS = (
    {},
    {"layer_norm": "before", "activation": "gelu"},
    {"layer_norm": "after"},
    {"layer_norm": "before", "hidden": 0},
    {"layer_norm": "after", "activation": "tanh", "heads": 1},
)


def model_of(task, seed, precisions=(8, 12)):
    more = {"heads": 2, **OPTIONS[seed % len(OPTIONS)]}
    bits = precisions[seed % len(precisions)]
    sizes = {"length": task.length, "width": (4, 6)[seed % 2], "precision": bits, "seed": seed}
    return OneLayerTransformer.random(task.alphabet, answers=task.answers, **sizes, **more)


def sets_of(seed, precisions):
    task = TASKS[seed % len(TASKS)]
    beside = Comparison.of(model_of(task, seed, precisions), task)
    return WordSets.of(beside, machine_of(task), beside.symbols(), Budget())


def drawn_sets(sets, generator, count=12):
    """Sets with clusters from everywhere in the trees."""
    lasts, roots = sets.roots
    for _ in range(count):
        last, clusters = int(generator.choice(lasts)), []
        for cluster in roots[last]:
            while sets.forest.children[cluster, 0] >= 0 and generator.random() < 0.7:
                cluster = generator.choice(sets.forest.children[cluster])
            clusters.append(int(cluster))
        yield last, np.array([clusters])


def check_sets(sets, generator, told):
    beside = sets.beside
    for last, clusters in drawn_sets(sets, generator):
        words = sets.words(np.array([last]), clusters)
        assert len(np.unique(words, axis=0)) == len(words) == sets.counts(clusters)[0]
        given, wanted = sets.given(last, clusters)[0], sets.wanted(last, clusters)[0]
        assert given[np.unique(beside.given(words))].all(), clusters
        codes = np.asarray(beside.task.evaluate(words))
        assert wanted[np.where(codes == DONT_CARE, len(beside.task.answers), codes)].all()
        told.append(given.sum() == 1)


def check_heads(sets, generator):
    model = sets.model
    width = model.heads * model.head_width
    directions = np.concatenate([np.eye(width, dtype=np.int64), generator.integers(-5, 6, (width, 12))], axis=1)
    for last, clusters in drawn_sets(sets, generator):
        sums = model.tables.head_sums(sets.beside.read(sets.words(np.array([last]), clusters)))
        heads = (sums.reshape(len(sums), -1) // model.precision.scale).astype(np.int64)
        told = sets.heads(last, clusters).matmul(directions)
        assert (told.low <= (heads @ directions).min(axis=0)).all()
        assert (told.high >= (heads @ directions).max(axis=0)).all()


@pytest.mark.parametrize("scale", [2**8, 2**20])
def test_numbers_of_24_bits_do_not_overflow(scale):
    for seed in range(3):
        precision, task = Precision(scale, -(2**23), 2**23 - 1), TASKS[seed]
        sizes = {"length": task.length, "width": 6, "heads": 2, "seed": seed, "activation": "relu"}
        places = (True, "before", False)[seed]
        model = OneLayerTransformer.random(
            task.alphabet, answers=task.answers, precision=precision, layer_norm=places, **sizes
        )
        sets = WordSets.of(Comparison.of(model, task), machine_of(task), Comparison.ranks_allowed(task), Budget())
        check_heads(sets, np.random.default_rng(seed))
        check_sets(sets, np.random.default_rng(seed), [])


def test_what_heads_give_on_every_word_of_a_set_is_enclosed(monkeypatch):
    monkeypatch.setattr("ccsim.auditing.word_sets.AXES", 2)  # so that there is a rest
    for seed in range(8):
        check_heads(sets_of(seed, (4, 6, 9)), np.random.default_rng(seed))


def test_every_word_of_a_set_is_answered_as_the_set_may_be():
    told = []
    for seed in range(6):
        check_sets(sets_of(seed, (8, 12)), np.random.default_rng(seed), told)
    assert sum(told) > len(told) / 10  # it also says something


@pytest.mark.slow
def test_every_word_of_hundreds_of_sets():
    told = []
    for seed in range(100, 160):
        check_sets(sets_of(seed, (6, 8, 10, 12, 15)), np.random.default_rng(seed), told)
        check_heads(sets_of(seed, (4, 5, 7, 9, 15)), np.random.default_rng(seed))
    assert sum(told) > len(told) / 10


def truth(beside):
    rows = beside.task.words.array(beside.task.words.indices()).astype(np.int64)
    wanted = np.asarray(beside.task.evaluate(rows))
    wrong = beside.wrong(rows)
    return int((wanted != DONT_CARE).sum()), int(((wanted != DONT_CARE) & ~wrong).sum()), int(wrong.sum())


def check_interval(seed, monkeypatch):
    monkeypatch.setattr("ccsim.auditing.branches.FEW_WORDS", 4)
    task = TASKS[seed % len(TASKS)]
    beside = Comparison.of(model_of(task, seed), task)
    promised, right, wrong = truth(beside)
    for rounds in (1, 4, None):
        found = bracket_by_branches(beside, machine_of(task), beside.symbols(), Budget(seconds=1000), rounds)
        told = found.accuracy
        assert told.words == promised
        assert told.right <= right <= promised - told.wrong
        assert (found.first is None) == (told.wrong == 0)
        assert found.first is None or beside.wrong(found.first[None]).all()
    assert (told.right, told.wrong) == (right, wrong)


def test_the_true_accuracy_is_inside_and_in_the_end_it_is_told(monkeypatch):
    for seed in (0, 3):
        check_interval(seed, monkeypatch)


@pytest.mark.slow
def test_the_true_accuracy_of_more_models(monkeypatch):
    for seed in range(20, 40):
        check_interval(seed, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dyck-transformer", "lookup-transformer"])
def test_trained_models_are_decided_by_few_sets(name):
    model, task = trained_model(name).model, trained_task(name)
    beside = Comparison.of(model, task)
    found = bracket_by_branches(beside, machine_of(task), beside.symbols(), Budget(seconds=1000))
    assert found.accuracy.wrong == {"dyck-transformer": 39, "lookup-transformer": 0}[name]
    assert found.accuracy.is_exact
    assert int(found.accuracy.how.split()[1]) < task.words.size / 50


@pytest.mark.parametrize("bias", [(0, 1), (1, 0), (1, 1)])
def test_a_constant_answer_is_right_and_wrong_by_sets_alone(bias, monkeypatch):
    def refuse(*_):
        raise AssertionError("no word is to be run")

    monkeypatch.setattr("ccsim.auditing.branches._Search._run", refuse)
    monkeypatch.setattr("ccsim.auditing.branches.FEW_WORDS", 1)
    task = majority_of_word(17)
    arrays = {name: np.zeros((1, 2, 2)) for name in ("query", "key", "value")}
    constant = OneLayerTransformer.from_arrays(
        "01", precision=8, token_embedding=np.ones((2, 2)), position_embedding=np.zeros((17, 2)),
        output=np.zeros((2, 2)), read_out=np.zeros((2, 2)), read_out_bias=bias, **arrays,
    )  # fmt: skip
    beside = Comparison.of(constant, task)
    found = bracket_by_branches(beside, machine_of(task), beside.symbols(), Budget(seconds=1000))
    assert (found.accuracy.right, found.accuracy.wrong) == (1 << 16, 1 << 16)
    assert beside.wrong(found.first[None]).all()


@pytest.mark.slow
def test_most_of_all_words_of_25_symbols_are_proved_right_at_once():
    task = majority_of_word(25)
    file = Path(trained.__file__).parent / "long" / "majority-25-transformer.safetensors"
    beside = Comparison.of(load_model(file).model, task)
    found = bracket_by_branches(beside, machine_of(task), beside.symbols(), Budget(seconds=1000), rounds=12)
    assert found.accuracy.right > 0.6 * 2**25
    assert not found.accuracy.wrong


def test_what_is_not_known_for_sets_gives_none():
    task = majority_of_word(9)
    sizes = {"length": 9, "width": 4, "precision": 8, "seed": 0}
    hard = OneLayerTransformer.random("01", weighting=HardMaximum(Precision.of(8)), **sizes)
    long = OneLayerTransformer.random("01", **(sizes | {"precision": 26}))
    for model in (hard, long):
        beside = Comparison.of(model, task)
        assert bracket_by_branches(beside, machine_of(task), beside.symbols(), Budget()) is None


def test_clusters_hold_their_points():
    generator = np.random.default_rng(0)
    points = (generator.integers(-9, 9, (300, 3)) @ generator.integers(-(2**30), 2**30, (3, 5))) * 2**14
    sets = np.repeat([0, 1, 2], [1, 99, 200])
    classes = generator.integers(0, 3, 300)
    forest = grown(points, sets, classes, np.ones(5), 3)
    assert sorted(forest.order.tolist()) == list(range(300))
    assert (forest.sizes[forest.children[:, 0] < 0] == 1).all()
    reach = np.abs(forest.generators).sum(axis=2) + forest.radius
    for cluster in range(len(forest.starts)):
        own = forest.order[forest.starts[cluster] : forest.ends[cluster]]
        assert (np.abs(points[own] - forest.centre[cluster]) <= reach[cluster]).all()
        assert len(set(sets[own])) == 1
        for half in forest.children[cluster][forest.children[cluster] >= 0]:
            inside = forest.order[forest.starts[half] : forest.ends[half]]
            assert set(inside) < set(own)
    assert (forest.least(classes) <= forest.most(classes)).all()
    assert forest.radius.max() < np.abs(points).max() / 2**12  # three axes tell nearly all


def zonotope(generator, width, times=1):
    centre = generator.integers(-600, 600, (8, width)) * UNIT * times
    generators = generator.integers(-30, 30, (8, width, 4)) * generator.integers(1, 3 * UNIT) * times
    return centre, generators, Zonotopes(centre, generators, np.full((8, width), UNIT))


def points_of(generator, centre, generators):
    """Whole numbers less than one from a point of the zonotope."""
    signs = generator.choice([-1.0, 1.0, 0.3], (8, 1, generators.shape[2]))
    return np.floor((centre + (generators * signs).sum(axis=2)) / UNIT).astype(np.int64)


@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm])
def test_norms_of_sets_hold_norms_of_points(kind):
    wide = Precision(2**20, -(2**23), 2**23 - 1)
    for seed in range(40):
        generator, precision = np.random.default_rng(seed), (Precision.of(10), Precision.of(16), wide)[seed % 3]
        norm = kind.from_arrays(precision, 5, gain=generator.uniform(0.2, 1.9, 5), epsilon=(0, 1e-3)[seed % 2])
        centre, generators, zonotopes = zonotope(generator, 5, 2**12 if precision is wide else 1)
        made = norm(precision.saturate(zonotopes))
        for _ in range(20):
            given = norm(precision.saturate(points_of(generator, centre, generators)))
            assert ((made.low <= given) & (given <= made.high)).all(), seed


def test_answers_that_are_outranked_are_not_given():
    told = 0
    for seed in range(24):
        generator, task = np.random.default_rng(seed), TASKS[0]
        model = OneLayerTransformer.random(
            "01",
            length=9,
            width=6,
            heads=2,
            precision=16,
            seed=seed,
            layer_norm="after",
            answers=(0, 1, 2)[: 2 + seed % 2],
        )
        end, words = Outranking(model), task.words.array(np.arange(8)).astype(np.int64)
        centre, generators, zonotopes = zonotope(generator, model.heads * model.head_width)
        heads = model.precision.saturate(zonotopes)
        stream = model.embedding_table[-1][words[:, -1]].astype(np.int64)
        possible = end.possible(stream, heads, np.arange(len(model.answers)), len(model.answers))
        for _ in range(10):
            given = model.precision.saturate(points_of(generator, centre, generators))
            codes = first_largest(model.scores(model.block.finish(stream, given)))
            assert possible[np.arange(8), codes].all(), seed
        beaten = end._outranked(end.before.finish(stream, heads))
        told += 0 if beaten is None else int(beaten.sum())
    assert told > 8


def test_sums_of_weights_fit_where_values_are_nearly_equal():
    """In fine steps a sum of weights is multiplied by more than any value: the bits of a weight leave room for that."""
    model = OneLayerTransformer.random("01", length=40, width=2, heads=1, precision=24, seed=0)
    model = replace(model, **{name: 0 * getattr(model, name) for name in ("token_embedding", "position_embedding")})
    entries = attention_entries(model, 0, [np.arange(2)] * 40)
    assert entries.spread < 4
    sums = [int(weights.sum()) for weights in entries.weights.max(axis=2)]
    assert max(sums) * model.precision.scale < 1 << 62


def test_where_sixteen_times_as_many_sets_decide_nothing_it_is_the_end():
    stuck = Progress(1 << 50)
    assert [stuck.is_over(sets, 1 << 40) for sets in (100, 5000, 19999, 20000)] == [False, False, False, True]
    late = Progress(1 << 50)  # as a model for majority of 50 symbols
    assert not any(late.is_over(sets, decided << 40) for sets, decided in ((5000, 0), (20000, 50), (80000, 300)))
