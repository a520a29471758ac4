"""Graphs of ONNX without a recurrent node: run as ONNX's own evaluator runs them, or refused by name."""

import itertools
import json
import math

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.models.files import as_arithmetic, load_model
from ccsim.models.files.floats import float_scores
from ccsim.models.files.graph_values import soft_maximum
from ccsim.models.operations import FixedPoint
from tests.models.model_file_samples import wave

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

LENGTH, SYMBOLS = 4, 3
WORDS = np.array(list(itertools.product(range(SYMBOLS), repeat=LENGTH)))


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def build(made, tensors, sizes=(None, LENGTH), kind=TensorProto.INT64, opset=20):
    graph = helper.make_graph(
        made,
        "mine",
        [helper.make_tensor_value_info("ids", kind, sizes)],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in tensors.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def saved(folder, model, **entries):
    (folder / "mine.onnx").write_bytes(model.SerializeToString())
    plain = {"tokens": ["a", "b", "c"], "precision": {"integer_bits": 6, "fraction_bits": 20}, **entries}
    (folder / "mine.json").write_text(json.dumps(plain))
    return folder / "mine.onnx"


def perceptron(width=4):
    tensors = {"rows": wave("rows", SYMBOLS, 2), "flat": np.array([-1, 2 * LENGTH])}
    tensors |= {"w1": wave("w1", width, 2 * LENGTH), "b1": wave("b1", width), "w2": wave("w2", width, 2)}
    return [
        node("Gather", "rows ids", "x"),
        node("Reshape", "x flat", "y"),
        node("Gemm", "y w1 b1", "h", transB=1),
        node("Relu", "h", "k"),
        node("MatMul", "k w2", "bare"),
        node("Add", "bare b2", "scores"),
    ], tensors | {"b2": wave("b2", 2)}


def unrolled(batch=3):
    """A simple network step by step, for words in batches of three."""
    width = 3
    tensors = {"rows": wave("rows", SYMBOLS, 2), "in": wave("in", 2, width), "on": wave("on", width, width)}
    tensors |= {"bias": wave("bias", width), "start": np.zeros((1, batch, width), np.float32), "w": wave("w", 2, width)}
    made = [node("Gather", "rows ids", "x"), node("Transpose", "x", "t", perm=[1, 0, 2])]
    made += [node("MatMul", "t in", "u"), node("Split", "u", " ".join(f"u{n}" for n in range(LENGTH)), num_outputs=4)]
    state = "start"
    for place in range(LENGTH):
        made += [node("MatMul", f"{state} on", f"r{place}"), node("Add", f"r{place} bias", f"s{place}")]
        made += [node("Add", f"u{place} s{place}", f"v{place}"), node("Tanh", f"v{place}", f"h{place}")]
        state = f"h{place}"
    tensors["axis"] = np.array([0])
    return [*made, node("Squeeze", f"{state} axis", "last"), node("Gemm", "last w", "scores", transB=1)], tensors


def attending():
    """A layer of attention with norms, in which every position sees all others."""
    shapes = {"rows": (SYMBOLS, 4), "places": (LENGTH, 4), "qkv": (4, 12), "gain": (4,), "shift": (4,), "w": (2, 4)}
    tensors = {name: wave(name, *shape) for name, shape in shapes.items()}
    tensors |= {"root": np.float32(0.5), "heads": np.array([0, LENGTH, 2, 2]), "back": np.array([0, 0, 4])}
    tensors |= {"last": np.array(LENGTH - 1)}
    made = [node("Gather", "rows ids", "x"), node("Add", "x places", "e"), node("MatMul", "e qkv", "p")]
    made += [node("Split", "p", "q k v", num_outputs=3, axis=2)]
    for name in "qkv":
        made += [node("Reshape", f"{name} heads", f"{name}s")]
        made += [node("Transpose", f"{name}s", f"{name}h", perm=[0, 2, 3, 1] if name == "k" else [0, 2, 1, 3])]
    made += [node("MatMul", "qh kh", "raw"), node("Mul", "raw root", "logits"), node("Softmax", "logits", "share")]
    made += [node("MatMul", "share vh", "mix"), node("Transpose", "mix", "m", perm=[0, 2, 1, 3])]
    made += [node("Reshape", "m back", "joined"), node("Add", "joined e", "sum")]
    made += [node("LayerNormalization", "sum gain shift", "n", epsilon=1e-5), node("Gelu", "n", "g")]
    return [*made, node("Gather", "g last", "c", axis=1), node("Gemm", "c w", "scores", transB=1)], tensors


def theirs(model, words=WORDS, batch=None):
    evaluator = ReferenceEvaluator(model)
    size = batch or len(words)
    return np.concatenate(
        [evaluator.run(None, {"ids": words[first : first + size]})[0] for first in range(0, len(words), size)]
    )


CASES = {"perceptron": (perceptron, None), "unrolled": (unrolled, 3), "attending": (attending, None)}


@pytest.mark.parametrize("name", CASES)
def test_as_onnx_runs_them(tmp_path, name):
    make, batch = CASES[name]
    model = build(*make(), sizes=(batch, LENGTH))
    expected = theirs(model, batch=batch)
    path = saved(tmp_path, model)
    loaded = load_model(path, length=LENGTH)
    assert np.abs(float_scores(loaded.parts, WORDS) - expected).max() < 1e-5
    assert np.abs(loaded.model.outputs(WORDS) / 2**20 - expected).max() < 1e-3
    assert np.abs(load_model(path, arithmetic="fp32").model.outputs(WORDS) - expected).max() < 1e-5
    assert (loaded.model.codes(WORDS[:7]) == loaded.model.codes(WORDS)[:7]).all()
    assert loaded.model("abca") == loaded.model.answers[expected[theirs_place("abca")].argmax()]
    assert loaded.parameters == sum(array.size for array in make()[1].values() if array.dtype.kind == "f")


def theirs_place(word):
    return int(np.argmax((["abc".index(symbol) for symbol in word] == WORDS).all(axis=1)))


@pytest.mark.parametrize("flat", [True, False])
def test_vectors_with_a_single_one(tmp_path, flat):
    tensors = {"w": wave("w", 2, SYMBOLS * LENGTH)}
    made = [node("Flatten", "ids", "x"), node("Gemm", "x w", "scores", transB=1)]
    sizes = (None, SYMBOLS * LENGTH) if flat else (None, LENGTH, SYMBOLS)
    model = build(made, tensors, sizes, TensorProto.FLOAT)
    ones = np.eye(SYMBOLS, dtype=np.float32)[WORDS].reshape(len(WORDS), *(sizes[1:]))
    expected = ReferenceEvaluator(model).run(None, {"ids": ones})[0]
    loaded = load_model(saved(tmp_path, model), length=LENGTH)
    assert np.abs(float_scores(loaded.parts, WORDS) - expected).max() < 1e-6
    with pytest.raises(InputError, match="a single 1"):
        load_model(saved(tmp_path, model, tokens={"a": 0, "b": 7}), length=LENGTH)
    with pytest.raises(InputError, match="a single 1" if flat else f"expected {LENGTH} symbols"):
        load_model(saved(tmp_path, model), length=LENGTH + 1)


def test_an_audit_proves_by_all_words(tmp_path):
    task = cc.problems.parity_of_word(LENGTH)
    loaded = load_model(saved(tmp_path, build(*perceptron()), tokens=["0", "1", "x"]), length=LENGTH)
    found = cc.audit(loaded.model, task)
    wrong = sum(loaded.model(word) != task(word) for word in map("".join, itertools.product("01", repeat=LENGTH)))
    assert (found.wrong_words, found.verify()) == (wrong, True)
    with pytest.raises(InputError, match="expected 4 symbols"):
        load_model(tmp_path / "mine.onnx", length=5)


def test_symbols_around_words_and_a_check(tmp_path):
    model = build(*perceptron())
    path = saved(tmp_path, model, before=[2], check="logits.npz")
    scores = theirs(model)
    cc.models.files.record_check(tmp_path / "logits.npz", WORDS, scores)
    loaded = load_model(path, length=LENGTH - 1)
    assert (loaded.checked, loaded.model.length) == (len(WORDS), LENGTH)
    cc.models.files.record_check(tmp_path / "logits.npz", WORDS, scores + 1)
    with pytest.raises(InputError, match="does not fit"):
        load_model(path, length=LENGTH - 1)


ONE = {"x": wave("x", 2, 3), "y": wave("y", 2, 3), "two": np.array([2, 3]), "i": np.array([1, 0]), "s": np.array([0])}
ONE["end"] = np.array([1])
SINGLE = [
    [node("Sub", "x y", "scores")],
    [node("Div", "x y", "scores")],
    [node("Neg", "x", "scores")],
    [node("Exp", "x", "e"), node("Sqrt", "e", "scores")],
    [node("Sigmoid", "x", "e"), node("Softplus", "e", "scores")],
    [node("Sin", "x", "e"), node("Cos", "e", "scores")],
    [node("Gelu", "x", "scores", approximate="tanh")],
    [node("ReduceMean", "x s", "scores", keepdims=1)],
    [node("ReduceSum", "x s", "e", keepdims=0), node("Unsqueeze", "e s", "scores")],
    [node("Concat", "x y", "scores", axis=1)],
    [node("Gather", "x i", "scores")],
    [node("Slice", "x s end end", "scores")],
    [node("Shape", "x", "n"), node("ConstantOfShape", "n", "z"), node("Add", "z y", "scores")],
    [node("Equal", "two i", "e"), node("Cast", "e", "f", to=1), node("Unsqueeze", "f s", "scores")],
    [node("Gather", "x s", "e"), node("Expand", "e two", "scores")],
    [node("Softmax", "x", "scores", axis=-1)],
    [node("Constant", "", "c", value_ints=[2, 3]), node("Reshape", "x c", "scores")],
    [
        *(node("Constant", "", name, value_int=value) for name, value in (("a", 0), ("b", 7), ("c", 3))),
        *(node("Range", "a b c", "r"), node("Cast", "r", "f", to=1), node("Unsqueeze", "f s", "scores")),
    ],
    [node("Transpose", "x", "t"), node("MatMul", "y t", "scores")],
    [node("Pow", "x twice", "scores")],
    [node("Pow", "x thrice", "scores")],
    [node("Exp", "x", "e"), node("Reciprocal", "e", "scores")],
    [node("LeakyRelu", "x", "scores", alpha=0.125)],
    [node("Elu", "x", "scores")],
    [node("IsNaN", "x", "n"), node("Not", "n", "m"), node("Cast", "m", "scores", to=1)],
    [node("Trilu", "x", "u"), node("Trilu", "u one_more", "scores", upper=0)],
    [
        *(node("Less", "x y", "a"), node("GreaterOrEqual", "y x", "b"), node("Greater", "x y", "c")),
        *(node("LessOrEqual", "x y", "d"), node("And", "a d", "e"), node("Or", "c e", "f"), node("And", "b f", "g")),
        node("Where", "g x y", "scores"),
    ],
    [
        *(node("Equal", "i s", "e"), node("Cast", "e", "b", to=9)),
        *(node("Where", "b one other", "f"), node("Unsqueeze", "f s", "scores")),
    ],
]


@pytest.mark.parametrize("made", SINGLE, ids=lambda made: "-".join(each.op_type for each in made))
def test_each_operation_alone(tmp_path, made):
    """Of the same numbers for every word, in one row."""
    tensors = ONE | {"one": wave("one", 2), "other": wave("other", 2), "one_more": np.array(1)}
    tensors |= {"twice": np.float32(2), "thrice": np.float32(3), "row": np.array([1, -1])}
    *first, last = made
    bare = node(last.op_type, " ".join(last.input), "bare")
    bare.attribute.extend(last.attribute)
    made = [*first, bare, node("Reshape", "bare row", "scores")]
    expected = ReferenceEvaluator(build(made, tensors, (1, 1))).run(None, {"ids": np.zeros((1, 1), np.int64)})[0]
    used = {name: array for name, array in tensors.items() if any(name in each.input for each in made)}
    answers = list(range(expected.shape[1]))
    loaded = load_model(saved(tmp_path, build(made, used, (1, 1)), answers=answers), length=1)
    words = np.zeros((1, 1), dtype=np.int64)
    assert np.abs(float_scores(loaded.parts, words) - expected).max() < 1e-5


def doubling(count):
    names = [f"d{number}" for number in range(count)]
    return [node("Concat", f"{one} {one}", other, axis=0) for one, other in itertools.pairwise(names)]


HUGE = {"many": np.array([1 << 20, 1 << 20]), "d0": np.ones((4, 4), np.float32), "big": np.array(1 << 62)}
REFUSED = [
    ([node("Expand", "one many", "scores")], "numbers"),
    ([node("ConstantOfShape", "many", "scores")], "numbers"),
    ([node("Range", "zero big one", "scores")], "numbers"),
    ([*doubling(40), node("Identity", "d39", "scores")], "numbers"),
    (
        [
            *(node("Expand", "d0 wider", "t0"), *(node("Tanh", f"t{n}", f"t{n + 1}") for n in range(99))),
            node("Identity", "t99", "scores"),
        ],
        "numbers",
    ),
    ([node("Reshape", "d0 many", "scores")], "a shape of 16 numbers"),
    ([node("Gather", "d0 many", "scores")], "whole numbers below 4"),
    ([node("MatMul", "d0 wide", "scores")], "matrices that fit"),
    ([node("Add", "d0 wide", "scores")], "inputs that fit"),
    ([node("Loop", "big", "scores")], "operation = 'Loop'"),
    ([node("Add", "d0 big", "scores")], "two inputs of one kind"),
    ([node("Softmax", "d0", "scores", axis=0)], "the last axis"),
    ([node("Gather", "d0 ids", "scores")], "scores"),
    ([node("Identity", "nothing", "scores")], "computed before"),
    ([node("Squeeze", "d0 one", "scores")], "length 1|axes of 2"),
    ([node("Reshape", "d0 ids", "scores")], "depends on the word|a list of whole numbers"),
    ([node("Gemm", "d0 wide", "scores", alpha=2.0)], "alpha"),
]


@pytest.mark.parametrize(("made", "told"), REFUSED, ids=[f"{n}-{m[-1].op_type}" for n, (m, _) in enumerate(REFUSED)])
def test_what_is_too_large_or_does_not_fit_is_refused(tmp_path, made, told):
    more = {"zero": np.array(0), "one": np.array(1), "wide": wave("wide", 5, 7), "wider": np.array([1 << 14, 4, 4])}
    used = {name for each in made for name in each.input}
    tensors = {name: array for name, array in (HUGE | more).items() if name in used}
    with pytest.raises(InputError, match=told) as error:
        load_model(saved(tmp_path, build(made, tensors)), length=LENGTH)
    assert "\n" not in str(error.value)


def test_in_int8_each_output_of_a_linear_map_has_its_scale(tmp_path):
    made, tensors = perceptron()
    path = saved(tmp_path, build(made, tensors))
    found = load_model(path, arithmetic="int8", length=LENGTH).model.outputs(WORDS)
    rounded = as_arithmetic("int8").weights_of
    whole = {"w1": rounded(tensors["w1"].astype(float)), "w2": rounded(tensors["w2"].T.astype(float)).T}
    path = saved(tmp_path, build(made, tensors | {name: np.ascontiguousarray(each) for name, each in whole.items()}))
    assert np.array_equal(found, load_model(path, arithmetic="fp32", length=LENGTH).model.outputs(WORDS))
    assert not np.array_equal(whole["w1"], tensors["w1"])


def test_softmax_in_fixed_point_has_sums_beyond_the_range():
    numbers = FixedPoint(Precision.of(8), Precision.of(8))  # from -4 to 4, in steps of 1/32
    assert soft_maximum(numbers, np.full((1, 8), 120)).tolist() == [[4] * 8]
    assert soft_maximum(numbers, np.array([[-128, 120, 120]])).tolist() == [[0, 16, 16]]


@pytest.mark.parametrize("lowest", [-np.inf, np.finfo(np.float32).min])
def test_masks_are_read_in_every_arithmetic(tmp_path, lowest):
    """Attention of the first three positions alone; no other number may be infinite."""
    made, tensors = attending()
    place = next(number for number, each in enumerate(made) if each.op_type == "Softmax")
    made[place] = node("Softmax", "masked", "share")
    made.insert(place, node("Add", "logits mask", "masked"))
    tensors["mask"] = np.array([0, 0, 0, lowest], dtype=np.float32)
    model = build(made, tensors)
    loaded, expected = load_model(saved(tmp_path, model), length=LENGTH), theirs(model)
    assert np.abs(float_scores(loaded.parts, WORDS) - expected).max() < 1e-5
    assert np.abs(loaded.model.outputs(WORDS) / 2**20 - expected).max() < 1e-3
    assert not np.allclose(expected, theirs(build(*attending())))
    tensors["mask"][3] = np.inf
    with pytest.raises(InputError, match="finite numbers"):
        load_model(saved(tmp_path, build(made, tensors)), length=LENGTH)


def test_what_is_not_used_or_said_twice_is_refused(tmp_path):
    made, tensors = perceptron()
    with pytest.raises(InputError, match="'spare"):
        load_model(saved(tmp_path, build(made, tensors | {"spare\n": np.ones(2, np.float32)})), length=LENGTH)
    for entries in ({"activation": "relu"}, {"architecture": "gru"}, {"prefix": "x"}):
        with pytest.raises(InputError, match="the graph tells the rest"):
            load_model(saved(tmp_path, build(made, tensors), **entries), length=LENGTH)
    (tmp_path / "net.json").write_text(json.dumps({"architecture": "graph", "tokens": ["a"], "read_out": "x"}))
    np.savez(tmp_path / "net.npz", x=np.ones(2))
    with pytest.raises(InputError, match="no graph of ONNX"):
        load_model(tmp_path / "net.json", precision=8)
    saved(tmp_path, build(made, tensors))
    with pytest.raises(InputError, match="a decoder"):
        cc.models.files.shorter_models(tmp_path / "mine.onnx", length=LENGTH)


def test_numbers_out_of_range_are_errors_or_counted(tmp_path):
    made, tensors = perceptron()
    tensors["b2"] = np.array([100, -100], np.float32)
    with pytest.raises(InputError, match="'b2'"):
        load_model(saved(tmp_path, build(made, tensors), precision=8), length=LENGTH)
    assert load_model(saved(tmp_path, build(made, tensors), precision=8, saturate=True), length=LENGTH).saturated == 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["RNN", "GRU", "encoder", "perceptron"])
def test_as_the_exporter_of_pytorch_writes_them(tmp_path, kind):
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnxscript")
    torch.manual_seed(0)

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.head = torch.nn.Embedding(SYMBOLS, 4), torch.nn.Linear(4, 2)
            layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
            if kind == "perceptron":
                self.layer = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(16, 4), torch.nn.Tanh())
            else:
                self.layer = layer if kind == "encoder" else getattr(torch.nn, kind)(4, 4, batch_first=True)

        def forward(self, ids):
            found = self.layer(self.embedding(ids))
            found = found[0] if isinstance(found, tuple) else found
            return self.head(found if kind == "perceptron" else found[:, -1])

    net = Net().eval()
    saved(tmp_path, build(*perceptron()))
    torch.onnx.export(net, (torch.zeros(3, LENGTH, dtype=torch.long),), tmp_path / "mine.onnx", dynamo=True)
    loaded = load_model(tmp_path / "mine.onnx", length=LENGTH)
    expected = net(torch.tensor(WORDS)).detach().numpy()
    assert np.abs(float_scores(loaded.parts, WORDS) - expected).max() < 1e-5
    assert math.isfinite(loaded.parameters)


def ending(made, tensors):
    """Embedded words, something done to them (x to y), and a linear map."""
    made = [node("Gather", "rows ids", "x"), *made, node("Reshape", "y flat", "z"), node("MatMul", "z w", "scores")]
    rows = np.array([[1, 4], [0, -1], [-3, -0.0]], np.float32)
    return made, {"rows": rows, "flat": np.array([-1, 2 * LENGTH]), "w": wave("w", 2 * LENGTH, 2)} | tensors


UNDEFINED = {
    "root": ([node("Sqrt", "x", "y")], {}),
    "quotient": ([node("Div", "one x", "y")], {"one": np.float32(-1)}),
    "nothing": ([node("Div", "x x", "y")], {}),
    "reciprocal": ([node("Reciprocal", "x", "y")], {}),
}


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
@pytest.mark.parametrize("name", UNDEFINED)
def test_what_has_no_value_is_infinite_or_nan_as_onnx_has_it(tmp_path, name):
    model = build(*ending(*UNDEFINED[name]))
    expected, path = theirs(model), saved(tmp_path, model)
    assert not np.isfinite(expected).all()
    for found in (
        load_model(path, arithmetic="fp32", length=LENGTH).model.outputs(WORDS),
        float_scores(load_model(path, length=LENGTH).parts, WORDS),
    ):
        assert np.allclose(found, expected, rtol=1e-4, atol=1e-5, equal_nan=True)


def test_norms_that_divide_by_nothing_are_refused(tmp_path):
    made, tensors = ending([node("LayerNormalization", "x gain", "y", epsilon=0.0)], {"gain": np.ones(2, np.float32)})
    with pytest.raises(InputError, match="epsilon"):
        load_model(saved(tmp_path, build(made, tensors)), length=LENGTH)


def test_softmax_of_old_operators_is_of_all_axes_but_the_first(tmp_path):
    made, tensors = ending([node("Softmax", "x", "y")], {})
    with pytest.raises(InputError, match="Softmax: axis"):
        load_model(saved(tmp_path, build(made, tensors, opset=12)), length=LENGTH)
    made, tensors = ending([node("Softmax", "x", "y", axis=2)], {})
    load_model(saved(tmp_path, build(made, tensors, opset=12)), length=LENGTH)


def test_no_other_word_of_a_batch_has_a_say(tmp_path):
    mixed, axis = [node("ReduceSum", "x axis", "sum"), node("Add", "x sum", "y")], {"axis": np.array([0])}
    model = build(*ending(mixed, axis), sizes=(2, LENGTH))
    loaded = load_model(saved(tmp_path, model), arithmetic="fp32", length=LENGTH).model
    expected = np.array([theirs(model, np.repeat(word[None], 2, axis=0))[0] for word in WORDS])
    assert np.abs(loaded.outputs(WORDS) - expected).max() < 1e-4
    assert (loaded.outputs(WORDS[::-1])[::-1] == loaded.outputs(WORDS)).all()
    placed = [node("Add", "x shift", "y")], {"shift": wave("shift", 2, 1, 1)}
    with pytest.raises(InputError, match="place in a batch"):
        load_model(saved(tmp_path, build(*ending(*placed), sizes=(2, LENGTH))), length=LENGTH)
