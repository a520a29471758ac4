"""Graphs of ONNX: what PyTorch exports is read as ONNX's own evaluator runs it, and everything else is refused."""

import json

import numpy as np
import pytest

from ccsim import InputError
from ccsim.models.files import load_model
from ccsim.models.files.floats import float_scores
from tests.models.model_file_samples import WORDS, wave

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
WIDTH, INPUTS = 4, 3


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def layer(kind, number, given, made, **attributes):
    """The node of a layer with first states of zeros, as the exporter of PyTorch writes it."""
    zeros = " zeros zeros" if kind == "LSTM" else " zeros"
    more = {"linear_before_reset": 1} if kind == "GRU" else {}
    made_node = node(kind, given, f"{made} {made}_h", hidden_size=WIDTH, **{**more, **attributes})
    made_node.input.extend([f"W{number}", f"R{number}", f"B{number}", "", *zeros.split()])
    return made_node


def arrays(kind, layers=1):
    found = {"rows": wave("rows", 3, INPUTS), "weight": wave("weight", 2, WIDTH), "bias": wave("bias", 2)}
    gates = GATES[kind]
    for number in range(layers):
        found[f"W{number}"] = wave(f"W{number}", 1, gates * WIDTH, WIDTH if number else INPUTS)
        found[f"R{number}"] = wave(f"R{number}", 1, gates * WIDTH, WIDTH)
        found[f"B{number}"] = wave(f"B{number}", 1, 2 * gates * WIDTH)
    return found | {"one": np.array([1]), "last": np.array(-1)}


def nodes(kind, layers=1, **attributes):
    """An embedding, layers, the last position, and a linear map."""
    made = [
        node("Gather", "rows ids", "embedded"),
        node("Shape", "embedded", "shape"),
        node("ConstantOfShape", "shape", "zeros"),
        node("Transpose", "embedded", "stream0", perm=[1, 0, 2]),
    ]
    for number in range(layers):
        made.append(layer(kind, number, f"stream{number}", f"whole{number}", **attributes))
        made.append(node("Squeeze", f"whole{number} one", f"stream{number + 1}"))
    made.append(node("Transpose", f"stream{layers}", "turned", perm=[1, 0, 2]))
    made.append(node("Gather", "turned last", "chosen", axis=1))
    return [*made, node("Gemm", "chosen weight bias", "scores", transB=1)]


def build(made, tensors, sizes=("batch", "N")):
    graph = helper.make_graph(
        made,
        "mine",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, sizes)],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in tensors.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def saved(folder, model, **described):
    (folder / "mine.onnx").write_bytes(model.SerializeToString())
    plain = {"tokens": ["a", "b", "c"], "precision": {"integer_bits": 8, "fraction_bits": 20}, **described}
    (folder / "mine.json").write_text(json.dumps(plain))
    return folder / "mine.onnx"


def read(folder, model, **described):
    return load_model(saved(folder, model, **described))


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_layers_are_read_as_onnx_runs_them(tmp_path, kind, layers):
    model = build(nodes(kind, layers), arrays(kind, layers))
    loaded = read(tmp_path, model)
    # ONNX's evaluator wants the zeros in their own shape; so they are left out for it
    plain = [made for made in model.graph.node if made.op_type not in ("Shape", "ConstantOfShape")]
    for made in plain:
        if made.op_type in GATES:
            del made.input[4:]
    theirs = ReferenceEvaluator(build(plain, arrays(kind, layers))).run(None, {"ids": WORDS})[0]
    assert np.allclose(float_scores(loaded.parts, WORDS), theirs, atol=1e-6)
    assert (loaded.model.codes(WORDS) == theirs.argmax(axis=1)).all()
    assert loaded.unused == ()


def test_both_files_name_the_model_and_its_notes_describe_it(tmp_path):
    model = build(nodes("LSTM"), arrays("LSTM"))
    path = saved(tmp_path, model)
    first = load_model(path.with_suffix(".json"))
    path.with_suffix(".json").unlink()
    with pytest.raises(InputError, match="a description beside it"):
        load_model(path)
    helper.set_model_props(model, {"ccsim": '{"tokens": ["a", "b", "c"], "precision": 16}'})
    path.write_bytes(model.SerializeToString())
    assert load_model(path).description.architecture == first.description.architecture == "lstm"
    with pytest.raises(InputError, match="no entry that the graph tells"):
        read(tmp_path, build(nodes("LSTM"), arrays("LSTM")), architecture="gru")


def test_scores_at_every_position_and_a_map_in_two_operations(tmp_path):
    made = [*nodes("GRU")[:-2], node("MatMul", "turned weight", "bare"), node("Add", "bare bias", "scores")]
    tensors = arrays("GRU") | {"weight": arrays("GRU")["weight"].T.copy()}
    del tensors["last"]
    every = read(tmp_path, build(made, tensors))
    last = read(tmp_path, build(nodes("GRU"), arrays("GRU")))
    assert (every.model.codes(WORDS) == last.model.codes(WORDS)).all()


REFUSED = {
    "another operation": (
        lambda made: [*made[:-1], node("Gemm", "chosen weight bias", "x", transB=1), node("Softmax", "x", "scores")],
        "Softmax",
    ),
    "another direction": (lambda made: _with(made, "LSTM", direction="reverse"), "direction"),
    "peepholes": (lambda made: _given(made, "LSTM", 7, "P"), "P = "),
    "a first state that is not zero": (lambda made: _given(made, "LSTM", 5, "P"), "initial_h"),
    "lengths": (lambda made: _given(made, "LSTM", 4, "one"), "sequence_lens"),
    "a clip": (lambda made: _with(made, "LSTM", clip=1.0), "clip"),
    "other functions": (lambda made: _with(made, "LSTM", activations=["Sigmoid", "Relu", "Tanh"]), "activations"),
    "a factor": (lambda made: _with(made, "Gemm", alpha=2.0), "alpha"),
    "the first position": (
        lambda made: [*made[:-2], node("Gather", "turned one", "chosen", axis=1), made[-1]],
        "Gather",
    ),
    "axes in another order": (lambda made: [each for each in made if each.op_type != "Transpose"], "."),
    "another domain": (
        lambda made: [*made[:-1], helper.make_node("Gemm", ["chosen"], ["scores"], domain="com.x")],
        "com.x",
    ),
    "a name that is not there": (lambda made: _given(made, "Gemm", 1, "nothing"), "nothing"),
    "a name twice": (lambda made: [*made, node("Identity", "turned", "chosen")], "a name that is new"),
    "no outputs": (lambda made: [*made, helper.make_node("Gemm", ["chosen"], [])], "an output"),
    "an output that is none": (lambda made: made[:-1], "output"),
    "another cell beside": (lambda made: [*made[:-1], layer("LSTM", 0, "stream0", "again"), made[-1]], "layer before"),
    "a reshape that mixes": (
        lambda made: [*made[:-3], node("Reshape", "whole0 mixing", "turned"), *made[-2:]],
        "Reshape",
    ),
}


def _with(made, kind, **attributes):
    for each in made:
        if each.op_type == kind:
            kept = [old for old in each.attribute if old.name not in attributes]
            del each.attribute[:]
            each.attribute.extend([*kept, *(helper.make_attribute(name, value) for name, value in attributes.items())])
    return made


def _given(made, kind, place, name):
    for each in made:
        if each.op_type == kind:
            each.input.extend([""] * (place + 1 - len(each.input)))
            each.input[place] = name
    return made


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_modelled_is_refused_by_name(tmp_path, name):
    change, told = REFUSED[name]
    tensors = arrays("LSTM") | {"P": wave("P", 1, 3 * WIDTH), "mixing": np.array([3, 5, WIDTH])}
    made = change(nodes("LSTM"))
    with pytest.raises(InputError, match=told):
        read(tmp_path, build(made, tensors), ignore=["P", "mixing", "one", "last"])


def test_a_gru_that_resets_first_and_a_tensor_that_nothing_uses_are_refused(tmp_path):
    with pytest.raises(InputError, match="linear_before_reset"):
        read(tmp_path, build(nodes("GRU", linear_before_reset=0), arrays("GRU")))
    tensors = arrays("GRU") | {"more": wave("more", 3)}
    with pytest.raises(InputError, match=r"'more'.*tensors that are read"):
        read(tmp_path, build(nodes("GRU"), tensors))
    assert read(tmp_path, build(nodes("GRU"), tensors), ignore=["more"]).unused == ("more",)
    relu = read(tmp_path, build(nodes("RNN", activations=["Relu"]), arrays("RNN")))
    assert relu.description.activation == "relu"


def spoilt(change):
    model = build(nodes("LSTM"), arrays("LSTM"))
    change(model, {each.name: each for each in model.graph.initializer}["rows"])
    return model


def _external(model, tensor):
    tensor.data_location = TensorProto.EXTERNAL
    tensor.ClearField("raw_data")
    tensor.external_data.add(key="location", value="../../etc/passwd")


def _huge(model, tensor):
    del tensor.dims[:]
    tensor.dims.extend([1 << 40, 3])


def _short(model, tensor):
    tensor.raw_data = tensor.raw_data[:-4]


def _negative(model, tensor):
    tensor.dims[0] = -3


def _text(model, tensor):
    tensor.data_type = TensorProto.STRING


def _infinite(model, tensor):
    tensor.raw_data = np.full((3, INPUTS), np.inf, dtype=np.float32).tobytes()


def _many(model, tensor):
    model.graph.node.extend([node("Identity", "ids", f"copy{number}") for number in range(5000)])


def _inside(model, tensor):
    model.graph.node[-1].attribute.append(helper.make_attribute("then_branch", model.graph))


def _function(model, tensor):
    model.functions.add(name="f", domain="")


def _twice(model, tensor):
    model.graph.initializer.append(tensor)


def _outputs(model, tensor):
    model.graph.output.append(model.graph.output[0])


def _bad_axis(model, tensor):
    _with(model.graph.node, "Transpose", perm="abc")


@pytest.mark.parametrize(
    "change",
    [_external, _huge, _short, _negative, _text, _infinite, _many, _inside, _function, _twice, _outputs, _bad_axis],
)
def test_hostile_files_are_input_errors(tmp_path, change):
    with pytest.raises(InputError):
        read(tmp_path, spoilt(change))


def test_damaged_files_are_input_errors(tmp_path):
    whole = build(nodes("LSTM"), arrays("LSTM")).SerializeToString()
    path = saved(tmp_path, build(nodes("LSTM"), arrays("LSTM")))
    generator = np.random.default_rng(0)
    for _ in range(60):
        data = bytearray(whole)
        for place in generator.integers(len(data), size=3):
            data[place] = generator.integers(256)
        path.write_bytes(
            bytes(data[: generator.integers(1, len(data) + 1)]) if generator.random() < 0.5 else bytes(data)
        )
        try:
            load_model(path)
        except InputError:
            continue


def test_without_the_package_the_error_says_what_to_install(tmp_path, monkeypatch):
    path = saved(tmp_path, build(nodes("LSTM"), arrays("LSTM")))
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(InputError, match=r"ccsim\[onnx\]"):
        load_model(path)


def outside(folder, model, location="mine.onnx.data", spoil=lambda tensor: None):
    """The same file, with its tensors in another one."""
    path, data = saved(folder, model), b"12"
    for tensor in model.graph.initializer:
        numbers = numpy_helper.to_array(tensor).tobytes()
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", len(data)), ("length", len(numbers))):
            tensor.external_data.add(key=key, value=str(value))
        data += numbers
        spoil(tensor)
    path.write_bytes(model.SerializeToString())
    (folder / "mine.onnx.data").write_bytes(data)
    return path


def test_tensors_in_a_file_beside_the_graph(tmp_path):
    inside = read(tmp_path, build(nodes("GRU"), arrays("GRU")))
    found = load_model(outside(tmp_path, build(nodes("GRU"), arrays("GRU"))))
    assert (float_scores(found.parts, WORDS) == float_scores(inside.parts, WORDS)).all()


def test_what_lies_outside_is_counted_before_it_is_read(tmp_path):
    """Tensors that all lie in the same place of a large file, which has holes."""
    path = outside(tmp_path, build(nodes("GRU"), arrays("GRU")), spoil=entry("length", str(1 << 29)))
    with (tmp_path / "mine.onnx.data").open("r+b") as file:
        file.truncate(1 << 30)
    with pytest.raises(InputError, match="bytes outside of it"):
        load_model(path)


def entry(key, value):
    def spoil(tensor):
        for each in tensor.external_data:
            each.value = value if each.key == key else each.value

    return spoil


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("location", "../mine.onnx.data", "of the same folder"),
        ("location", "/etc/passwd", "of the same folder"),
        ("location", "none", "of the same folder"),
        ("location", "", "of the same folder"),
        ("location", "link", "of the same folder"),
        ("offset", "-1", "an offset and a length"),
        ("offset", "99999999", "a place among the"),
        ("length", "4", "as many numbers"),
        ("length", "9" * 40, "an offset and a length"),
        ("length", "\n1", "an offset and a length"),
    ],
)
def test_what_lies_outside_has_to_be_there(tmp_path, key, value, told):
    (tmp_path / "link").symlink_to("/dev/zero")
    path = outside(tmp_path, build(nodes("GRU"), arrays("GRU")), spoil=entry(key, value))
    with pytest.raises(InputError, match=told) as error:
        load_model(path)
    assert "\n" not in str(error.value)
