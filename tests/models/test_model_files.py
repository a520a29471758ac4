"""Models from files: the numbers are those of the libraries whose files they are, in every convention."""

import json
import tracemalloc

import numpy as np
import pytest

from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.models.files import (
    Description,
    Recorded,
    Tensors,
    build_model,
    find_description,
    load_model,
    read_tensors,
    record_check,
    write_safetensors,
)
from ccsim.models.files.float_model import float_scores
from ccsim.problems import regular_language
from tests.models.model_file_samples import (
    ENCODER,
    GOLDEN,
    MAMBA,
    WORDS,
    description,
    gpt_tensors,
    pytorch_tensors,
    waves,
)
from tests.refusals import refused

EXACT = Precision.fixed_point(12, 24)
GPT = {"architecture": "transformer", "tokens": list("abcde"), "answers": list("abcde"), "heads": 2, "length": 5}
LAYER = {"architecture": "transformer", "convention": "pytorch", "prefix": "encoder.", "heads": 2, "length": 5}
EMBEDDED = {"embedding": "embedding.weight"}
CASES = {
    "elman-pytorch": description(architecture="elman", prefix="rnn.", activation="tanh", **EMBEDDED),
    "lstm-pytorch": description(architecture="lstm", prefix="rnn.", **EMBEDDED),
    "gru-pytorch": description(architecture="gru", prefix="rnn.", **EMBEDDED),
    "mamba": description(architecture="mamba", layers=["mixer."], **EMBEDDED),
    "huggingface": {**GPT, "convention": "huggingface", "read_out": {"weight": "lm_head.weight"}},
    "nanogpt": {**GPT, "convention": "nanogpt", "read_out": {"weight": "lm_head.weight"}},
    **{
        f"encoder-{order}": description(
            **LAYER, **EMBEDDED, positions="position.weight", activation=activation, options={"norm_first": first}
        )
        for order, activation, first in (("after", "relu", False), ("first", "gelu", True))
    },
}


def tensors_of(case):
    if case.endswith("-pytorch"):
        return pytorch_tensors(CASES[case]["architecture"])
    if case.startswith("encoder-"):
        return waves(ENCODER)
    return waves(MAMBA) if case == "mamba" else gpt_tensors(case)


def made(plain, tensors, precision=None, **more):
    return build_model(Description.from_json(plain), Tensors(tensors, "mine"), precision=precision, **more)


def loaded_of(case, precision=EXACT, **more):
    return made({**CASES[case], **more}, tensors_of(case), precision)


def test_the_float_forward_pass_is_that_of_the_library():
    for case in CASES:
        assert np.allclose(float_scores(loaded_of(case).parts, WORDS), GOLDEN[case], atol=3e-5), case


def test_with_many_bits_the_quantised_model_comes_close():
    for case in CASES:
        loaded = loaded_of(case)
        model, scores = loaded.model, float_scores(loaded.parts, WORDS)
        if hasattr(model, "outputs"):
            ours = model.precision.floats(model.outputs(WORDS))
        else:
            words, states, position = WORDS, np.broadcast_to(model.start(), (len(WORDS), model.units)), 0
            for position in range(words.shape[1]):
                states, outputs = model._pass(states, words[:, position])
            ours = model.precision.floats(model.scores(outputs))
        assert np.allclose(ours, scores, atol=2e-3), case
        assert np.array_equal(model.codes(WORDS), loaded.float_codes(WORDS)), case


def test_a_discrete_recurrence_may_be_real_or_complex():
    shapes = {"transition": (3, 2), "drive": (3, 2), "read": (3, 2), "skip": (3,), "mixing": (2, 3)}
    rest = {"embedding.weight": (3, 3), "head.weight": (2, 2), "head.bias": (2,)}
    plain = description(architecture="diagonal", embedding="embedding.weight", precision=12)
    real = build_model(Description.from_json(plain), Tensors(waves(shapes | rest), "real"))
    assert real.model.state_bits == 6 * 12
    halves = ("transition", "drive", "read")
    parts = {f"{name}_{part}": shapes[name] for name in halves for part in ("real", "imag")}
    rest |= {name: shape for name, shape in shapes.items() if name not in halves}
    both = build_model(Description.from_json(plain), Tensors(waves(parts | rest), "complex"))
    assert both.model.state_bits == 12 * 12


def sums_tensors():
    shapes = {"queries": (2, 3), "keys": (2, 3), "values": (4, 3), "output": (3, 4), "output_bias": (3,)}
    shapes |= {"keys_bias": (2,), "embedding.weight": (3, 3), "head.weight": (2, 3), "head.bias": (2,)}
    return waves(shapes)


def attended(given):
    """The scores by one sum over all positions, with weights of queries and keys, as the paper writes it."""
    stream = given["embedding.weight"][WORDS].astype(float)
    query, key, value = stream[:, -1] @ given["queries"].T, stream @ given["keys"].T, stream @ given["values"].T
    key = key + given["keys_bias"]
    query, key = (np.where(array > 0, array + 1, np.exp(array)) for array in (query, key))
    weights = np.einsum("bnk,bk->bn", key, query)
    mixed = np.einsum("bn,bnv->bv", weights / weights.sum(axis=1, keepdims=True), value)
    return (mixed @ given["output"].T + given["output_bias"]) @ given["head.weight"].T + given["head.bias"]


def test_a_matrix_of_sums_gives_what_attention_to_all_positions_gives():
    kind = "linear-attention"
    tensors, plain = sums_tensors(), description(architecture=kind, embedding="embedding.weight")
    loaded = build_model(Description.from_json(plain), Tensors(tensors, kind), precision=EXACT)
    assert loaded.unused == ()
    assert loaded.model.state_bits == 2 * (4 + 1) * EXACT.bits
    wanted = attended(tensors)
    assert np.allclose(float_scores(loaded.parts, WORDS), wanted, atol=1e-6)
    assert np.array_equal(loaded.model.codes(WORDS), wanted.argmax(axis=1))
    spoilt = {name: array[:-1] if name == "keys" else array for name, array in tensors.items()}
    with pytest.raises(InputError, match="keys"):
        build_model(Description.from_json(plain), Tensors(spoilt, kind), precision=EXACT)


def encoder_scores(tensors=None, drop=(), **more):
    plain = {name: value for name, value in (CASES["encoder-after"] | more).items() if name not in drop}
    given = waves(ENCODER) if tensors is None else tensors
    return float_scores(made(plain, given, EXACT).parts, WORDS)


def test_the_order_of_norms_is_said_and_not_guessed():
    after, first = (encoder_scores(options={"norm_first": order}) for order in (False, True))
    assert not np.allclose(after, first, atol=1e-2)
    for spoilt in ({"options": {}}, {"options": {"norm_first": "no"}}, {"options": {"norm_frist": False}}):
        with pytest.raises(InputError, match="norm_first"):
            encoder_scores(**spoilt)
    for missing in ("activation", "positions", "heads"):
        with pytest.raises(InputError, match=missing):
            encoder_scores(drop=[missing])
    with pytest.raises(InputError, match="one layer"):
        encoder_scores(waves(ENCODER) | {"encoder.layers.1.norm1.weight": np.ones(8, np.float32)})


def test_a_layer_alone_is_read_as_one_in_an_encoder_is():
    bare = {name.replace("encoder.layers.0.", "encoder."): array for name, array in waves(ENCODER).items()}
    assert np.array_equal(encoder_scores(bare), encoder_scores())


def test_positions_may_have_a_batch_axis_or_be_none():
    tensors = waves(ENCODER)
    table = tensors.pop("position.weight")
    for shape in ((1, 6, 8), (6, 1, 8)):
        assert np.array_equal(encoder_scores(tensors | {"position.weight": table.reshape(shape)}), encoder_scores())
    with pytest.raises(InputError, match=r"position.weight.*a row for each position"):
        encoder_scores(tensors | {"position.weight": np.stack([table, table])})
    zeros = encoder_scores(tensors | {"position.weight": 0 * table})
    assert np.array_equal(encoder_scores(tensors, positions="none"), zeros)


def test_one_number_for_two_answers_is_compared_with_0():
    tensors = pytorch_tensors("elman", layers=1)
    tensors["head.weight"], tensors["head.bias"] = tensors["head.weight"][:1], tensors["head.bias"][:1]
    plain = description(architecture="elman", prefix="rnn.", embedding="embedding.weight", activation="tanh")
    loaded = build_model(Description.from_json(plain), Tensors(tensors, "one"), precision=EXACT)
    scores = float_scores(loaded.parts, WORDS)
    assert scores.shape == (len(WORDS), 1)
    assert np.array_equal(loaded.model.codes(WORDS), (scores[:, 0] > 0).astype(int))
    assert np.array_equal(loaded.float_codes(WORDS), (scores[:, 0] > 0).astype(int))
    for recorded in (scores, np.concatenate([0 * scores, scores], axis=1)):
        said = Recorded(np.array(loaded.description.ids)[WORDS], recorded)
        assert made(plain, tensors, EXACT, recorded=said).checked


@pytest.mark.parametrize(
    ("case", "name"), [("huggingface", "h.0.attn.masked_bias"), ("nanogpt", "transformer.h.0.attn.bias")]
)
def test_masks_in_a_file_are_no_part_of_the_model(case, name):
    """Buffers that these libraries save with the weights."""
    loaded, plain = (
        made({**CASES[case], "ignore": ["od*"]}, arrays, EXACT)
        for arrays in (tensors_of(case) | {name: np.tri(5)[None, None], "odd": np.ones(3)}, tensors_of(case))
    )
    assert set(loaded.unused) - set(plain.unused) == {"odd"}
    assert loaded.parameters == plain.parameters


def test_tokens_without_a_symbol_and_one_hot_embeddings():
    plain = {name: value for name, value in CASES["elman-pytorch"].items() if name != "activation"}
    with pytest.raises(InputError, match="tanh or relu"):
        Description.from_json(plain)
    tensors = pytorch_tensors("gru", layers=1)
    plain = description(architecture="gru", prefix="rnn.", embedding="one-hot")
    plain |= {"tokens": {"x": 2, "y": 0}, "ignore": ["embedding.weight"]}
    loaded = build_model(Description.from_json(plain), Tensors(tensors, "hot"))
    assert loaded.model.alphabet == ("y", "x")
    assert loaded.parts.embedding.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert "embedding.weight" in loaded.unused


def test_a_description_is_found_beside_the_tensors_and_inside_them(tmp_path):
    plain, tensors = CASES["lstm-pytorch"] | {"precision": 12}, tensors_of("lstm-pytorch")
    write_safetensors(tmp_path / "inside.safetensors", tensors, {"ccsim": json.dumps(plain)})
    write_safetensors(tmp_path / "beside.safetensors", tensors)
    (tmp_path / "beside.json").write_text(json.dumps(plain))
    np.savez(tmp_path / "packed.npz", **tensors)
    np.savez_compressed(tmp_path / "small.npz", **tensors)
    toml = [f"{name} = {json.dumps(plain[name])}" for name in ("architecture", "prefix", "embedding", "precision")]
    toml += [f"tokens = {json.dumps(plain['tokens'])}", "[read_out]", 'weight = "head.weight"', 'bias = "head.bias"']
    (tmp_path / "packed.toml").write_text("\n".join(toml))
    (tmp_path / "other.toml").write_text('tensors = "small.npz"\n' + "\n".join(toml))
    files = ("inside.safetensors", "beside.safetensors", "beside.json", "packed.npz", "packed.toml", "other.toml")
    words = np.array([[0, 1, 2, 0], [1, 1, 1, 2]])
    answers = {tuple(load_model(tmp_path / name).model.codes(words).tolist()) for name in files}
    assert len(answers) == 1
    assert find_description(tmp_path / "inside.safetensors")[0] == find_description(tmp_path / "beside.json")[0]
    with pytest.raises(InputError, match="a description, "):
        load_model(tmp_path / "small.npz")


def test_safetensors_are_those_of_the_library(tmp_path):
    library = pytest.importorskip("safetensors.numpy")
    tensors = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array(2.5), "half": np.ones(3, np.float16)}
    library.save_file(tensors, tmp_path / "theirs.safetensors", metadata={"note": "x"})
    read = read_tensors(tmp_path / "theirs.safetensors")
    assert read.notes == {"note": "x"}
    for name, array in tensors.items():
        assert np.array_equal(read[name], array)
        assert read[name].dtype == array.dtype
    tensors.pop("half")
    write_safetensors(tmp_path / "ours.safetensors", tensors)
    back = library.load_file(tmp_path / "ours.safetensors")
    assert all(np.array_equal(back[name], array) for name, array in tensors.items())


def test_quantisation_is_compared_with_the_floats():
    task = regular_language(5, {0: {"a": 0, "b": 1, "c": 0}, 1: {"a": 1, "b": 0, "c": 1}}, 0, {1})
    fine = loaded_of("gru-pytorch").difference(task)
    assert (fine.differing, fine.compared, fine.exact, fine.first) == (0, 243, True, None)
    assert fine.wrong == fine.float_wrong
    loaded = loaded_of("gru-pytorch", precision=3)
    coarse = loaded.difference(task)
    words = task.words.array(np.arange(243)).astype(int)
    assert coarse.differing == int((loaded.model.codes(words) != loaded.float_codes(words)).sum())
    drawn = loaded.difference(task, most=50)
    assert (drawn.compared, drawn.exact) == (50, False)
    assert "50 drawn words" in str(drawn)


def test_numbers_out_of_range_are_errors_unless_they_are_to_be_moved():
    tensors = pytorch_tensors("lstm", layers=1)
    tensors["rnn.weight_hh_l0"] = tensors["rnn.weight_hh_l0"] * 40
    plain = description(architecture="lstm", prefix="rnn.", embedding="embedding.weight")
    with pytest.raises(InputError, match=r"weight_hh of layer 0.*bits would do|weight_hh of layer 0.*in all"):
        build_model(Description.from_json(plain), Tensors(tensors, "large"), precision=8)
    moved = build_model(Description.from_json({**plain, "saturate": True}), Tensors(tensors, "large"), precision=8)
    out = (tensors["rnn.weight_hh_l0"] < -4) | (tensors["rnn.weight_hh_l0"] >= 4)
    assert moved.saturated == int(out.sum()) > 0


MISTAKES = [
    (
        "lstm-pytorch",
        {"rnn.weight_hh_l0": (16, 5)},
        {},
        r"_l0' = \(16, 5\): expected an array of shape \(4outputs, outp",
    ),
    ("lstm-pytorch", {"rnn.weight_ih_l0": (12, 3)}, {}, r"weight_hh_l0.*\(16, 4\).*'outputs': 3"),
    ("lstm-pytorch", {"rnn.weight_ih_l1": (16, 3)}, {}, "layer '1' = 3: expected 4 inputs"),
    ("lstm-pytorch", {"rnn.weight_ih_l0_reverse": (16, 3)}, {}, "one direction"),
    ("lstm-pytorch", {"embedding.weight": (3, 2)}, {}, r"embedding.weight.*\(3, 2\).*\(any, 3\)"),
    ("lstm-pytorch", {"head.weight": (3, 4)}, {}, "head"),
    ("lstm-pytorch", {}, {"prefix": "lstm."}, "a tensor 'lstm.weight_ih_l0'; there are .*rnn.weight_ih_l"),
    ("gru-pytorch", {}, {"architecture": "lstm"}, r"\(12, 4\): expected an array of shape \(4outputs, outputs\)"),
    ("huggingface", {}, {"heads": 3}, "a divisor of the width 8"),
    ("huggingface", {}, {"length": 9}, "a row for each of 9 positions"),
    ("huggingface", {"transformer.h.1.ln_1.weight": (8,)}, {}, "a transformer of one layer"),
    ("huggingface", {}, {"convention": "nanogpt"}, r"c_attn.weight.*\(8, 24\).*\(24, 8\)"),
    ("nanogpt", {}, {"convention": "huggingface"}, r"c_attn.weight.*\(24, 8\).*\(8, 24\)"),
    ("encoder-after", {"encoder.layers.0.norm1.weight": (7,)}, {}, r"norm1.weight.*\(7,\).*\(8\)"),
    ("encoder-after", {}, {"convention": "transformer-lens"}, "one of huggingface, nanogpt, pytorch"),
    ("mamba", {"mixer.x_proj.weight": (9, 8)}, {}, r"x_proj.weight' = \(9, 8\)"),
    ("mamba", {"mixer.norm.weight": (4,)}, {}, "without a norm"),
    ("mamba", {"norm.weight": (4,)}, {}, "could change what is computed, as norms do"),
    ("mamba", {"other.weight": (4,)}, {}, "are named in ignore"),
    ("lstm-pytorch", {}, {"tokens": ["a", "b", "c", "d"]}, "rows below 3"),
    ("lstm-pytorch", {}, {"tokens": ["a", "b", "a"]}, "all different"),
    ("lstm-pytorch", {}, {"architecture": "rnn"}, "architecture"),
    ("lstm-pytorch", {}, {"precission": 4}, "precision is one"),
    ("encoder-after", {}, {"epsilon": float("nan")}, "a number from 0"),
    ("lstm-pytorch", {}, {"read_out": {"weight": "head.weight", "rows": [0, 7]}}, "rows below 2"),
    ("lstm-pytorch", {}, {"memory": True}, "an integer"),
]


def test_mistakes_are_named():
    for case, shapes, more, message in MISTAKES:
        tensors = tensors_of(case) | waves(shapes)
        described = {"precision": 20, **CASES[case], **more}
        with refused(message):
            build_model(Description.from_json(described), Tensors(tensors, case))


def test_scores_that_were_recorded_must_agree(tmp_path):
    """A model read with the wrong function, or the wrong order of gates, is refused before any verdict."""
    plain, tensors = CASES["elman-pytorch"], tensors_of("elman-pytorch")
    write_safetensors(tmp_path / "mine.safetensors", tensors)
    ids = np.array([[0, 1, 2, 0], [2, 2, 1, 0]])
    own = build_model(Description.from_json(plain), Tensors(tensors, "mine"), precision=EXACT)
    record_check(tmp_path / "logits.npz", ids, float_scores(own.parts, ids))
    for function in ("tanh", "relu"):
        (tmp_path / "mine.json").write_text(json.dumps({**plain, "activation": function, "check": "logits.npz"}))
        if function == "tanh":
            assert load_model(tmp_path / "mine.json", precision=EXACT).checked == 2
        else:
            with pytest.raises(InputError, match=r"scores of the word .*: expected .*as the tensors are read here"):
                load_model(tmp_path / "mine.json", precision=EXACT)
    assert own.checked is None


def test_records_that_cannot_be_compared_are_refused():
    for words, scores, message in [
        ([[0.5]], [[1.0]], "ids of tokens"),
        ([[0, 1]], [[1.0], [2.0]], "finite numbers of shape"),
        ([[0, 1]], [[float("nan"), 0.0]], "finite numbers"),
        ([[0, 77]], [[0.0, 1.0]], "tokens that the description names"),
        ([[0, 1]], [[0.0, 1.0, 2.0, 3.0]], "scores for each word"),
    ]:
        plain, tensors = CASES["lstm-pytorch"], tensors_of("lstm-pytorch")
        with refused(message):
            made(plain, tensors, EXACT, recorded=Recorded(np.array(words), np.array(scores)))


def test_a_tensor_that_is_not_read_is_an_error_unless_it_is_ignored():
    plain, tensors = CASES["mamba"], tensors_of("mamba")
    more = tensors | {"norm_f.weight": np.ones(3), "evil\nright: proved": np.ones(3)}
    with pytest.raises(InputError, match=r"'norm_f.weight'.*ignore = ") as caught:
        build_model(Description.from_json(plain), Tensors(more, "more"), precision=EXACT)
    assert "\n" not in str(caught.value)
    for name in ("mixer.D", "mixer.dt_proj.bias"):
        with refused(f"a tensor '{name}'; there are"):
            made(plain, {other: array for other, array in tensors.items() if other != name}, EXACT)
    ignoring = Description.from_json({**plain, "ignore": ["norm_?.*", "evil*"]})
    assert len(build_model(ignoring, Tensors(more, "more"), precision=EXACT).unused) == 2


@pytest.mark.parametrize("kind", ["elman", "lstm"])
def test_two_biases_that_are_added_are_moved_into_range_together(kind):
    gates = {"elman": 1, "lstm": 4}[kind]
    tensors = pytorch_tensors(kind, layers=1)
    width = len(tensors["rnn.bias_ih_l0"]) // gates
    tensors = {name: np.clip(array, -1, 1) for name, array in tensors.items()}
    plain = description(architecture=kind, prefix="rnn.", embedding="embedding.weight", precision=8)
    plain |= {"activation": "tanh"} if kind == "elman" else {}
    large = {"rnn.bias_ih_l0": np.full(gates * width, 2.5), "rnn.bias_hh_l0": np.full(gates * width, 3.0)}
    with pytest.raises(InputError, match="bias_ih"):
        build_model(Description.from_json(plain), Tensors(tensors | large, "large"))
    plain["saturate"] = True
    moved = build_model(Description.from_json(plain), Tensors(tensors | large, "large"))
    end = {"rnn.bias_ih_l0": np.full(gates * width, 127 / 32), "rnn.bias_hh_l0": np.zeros(gates * width)}
    same = build_model(Description.from_json(plain), Tensors(tensors | end, "same"))
    assert moved.saturated == gates * width
    assert same.saturated == 0
    larger = {name: np.full(gates * width, 1e3) for name in large}
    assert build_model(Description.from_json(plain), Tensors(tensors | larger, "x")).saturated == 2 * gates * width
    assert np.array_equal(moved.model.codes(WORDS), same.model.codes(WORDS))
    assert np.array_equal(moved.model.run(WORDS), same.model.run(WORDS))


WIDTH, TOKENS = 64, 20_000


def bfloat16_file(path, arrays):
    """A safetensors file of bfloat16, the upper halves of single precision."""
    header, parts, end = {}, [], 0
    for name, array in arrays.items():
        data = (array.astype(np.float32).view(np.uint32) >> 16).astype("<u2").tobytes()
        header[name] = {"dtype": "BF16", "shape": list(array.shape), "data_offsets": [end, end + len(data)]}
        parts.append(data)
        end += len(data)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))


def language_model(folder, kind):
    """A small network around an embedding and a read-out of many tokens, and tensors that are no part of it."""
    generator = np.random.default_rng(0)
    shapes = {"weight_ih_l0": (WIDTH, WIDTH), "weight_hh_l0": (WIDTH, WIDTH), "lm_head.weight": (TOKENS, WIDTH)}
    shapes |= {"embedding.weight": (TOKENS, WIDTH), "vision.weight": (TOKENS, WIDTH)}
    arrays = {name: (generator.integers(-64, 64, shape) / 128).astype(np.float32) for name, shape in shapes.items()}
    plain = {
        "architecture": "elman",
        "activation": "relu",
        "tokens": {"a": 17, "b": TOKENS - 1, "c": 0},
        "answers": ["a", "b"],
        "read_out": {"weight": "lm_head.weight", "rows": [17, TOKENS - 1]},
        "precision": {"integer_bits": 12, "fraction_bits": 20},
        "ignore": ["vision.*"],
    }
    (folder / "large.json").write_text(json.dumps(plain))
    path = folder / f"large{kind}"
    if kind == ".npz":
        np.savez(path, **arrays)
    else:
        bfloat16_file(path, arrays)
    return path, arrays


@pytest.mark.parametrize("kind", [".safetensors", ".npz"])
def test_rows_of_a_large_file_are_read_in_the_memory_that_is_announced(kind, tmp_path):
    path, arrays = language_model(tmp_path, kind)
    tracemalloc.start()
    try:
        loaded = load_model(path)
        assert tracemalloc.get_traced_memory()[1] < 4 * path.stat().st_size
    finally:
        tracemalloc.stop()
    assert loaded.parameters == 2 * WIDTH * WIDTH + (3 + 2) * WIDTH
    embedding = np.stack([arrays["embedding.weight"][place] for place in (0, 17, TOKENS - 1)])
    order = [("c", "a", "b").index(symbol) for symbol in loaded.model.alphabet]
    assert np.array_equal(loaded.parts.embedding, embedding[order])
    assert np.array_equal(loaded.parts.scores, arrays["lm_head.weight"][[17, TOKENS - 1]])
