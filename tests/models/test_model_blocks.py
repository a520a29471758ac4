"""Networks of recurrent blocks from files, against what their reference libraries answer."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from ccsim import InputError
from ccsim.errors import TableTooLargeError
from ccsim.models.files import Description, Tensors, build_model, load_model, record_check, write_safetensors
from ccsim.models.files.blocks import block_parts
from ccsim.models.files.floats import float_scores
from tests.models.block_samples import GOLDEN, block_description, block_tensors
from tests.models.model_file_samples import WORDS, wave

CARRIED = {  # numbers, those of the memory, and flags: in each of two layers, windows of two positions
    "mamba": (2 * 16 * 2, 16 * 3 * 2, 0),
    "mamba2": (2 * 28 * 2, 4 * 4 * 3 * 2, 0),  # 16 + 2 * 2 * 3 channels; four heads of four numbers, three states
    "recurrent-gemma": (2 * 8 * 2, 8 * 2, 2),
    "gated-deltanet": (2 * 20 * 2, 2 * 4 * 6 * 2, 0),  # 4 + 4 + 12 channels; two heads of 4 x 6
    "rwkv5": (16 * 2, 2 * 4 * 4 * 2, 0),  # the last inputs of both halves; two heads of 4 x 4
    "rwkv6": (16 * 2, 2 * 4 * 4 * 2, 0),
    "rwkv7": (16 * 2, 2 * 4 * 4 * 2, 0),
    "xlstm": (2 * 64 + 2 + 2 * 8 + 2 * 8, 2 * (32 * 32 + 32) + 2 * 8, 0),  # mLSTM (its inside is 64 wide), then sLSTM
}


QUICK = ("mamba2", "gated-deltanet", "rwkv5")
KINDS = [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in GOLDEN]


def loaded(kind, tensors=None, **more):
    described = Description.from_json(block_description(kind, **more))
    return build_model(described, Tensors(tensors or block_tensors(kind), kind))


def parts_of(kind, tensors):
    """What is read, without making a model of it."""
    given = Tensors(tensors, kind)
    parts = block_parts(Description.from_json(block_description(kind)), given)
    given.require_used(())
    return parts


def fixed_scores(model):
    return model.precision.floats(model.scored(model.run(WORDS[:, :-1]), WORDS[:, -1]))


@pytest.mark.parametrize("kind", GOLDEN)
def test_scores_are_those_of_the_library(kind):
    """In float64, in fp32 and in fixed point; the library told its scores rounded to six digits."""
    found = loaded(kind)
    assert np.allclose(float_scores(found.parts, WORDS), GOLDEN[kind], atol=1e-5)
    cap = found.parts.soft_cap
    told = (lambda scores: cap * np.tanh(scores / cap)) if cap else (lambda scores: scores)
    assert np.allclose(told(fixed_scores(found.model)), GOLDEN[kind], atol=1e-5)
    single = loaded(kind, arithmetic="fp32").model
    assert np.allclose(single.outputs(WORDS), GOLDEN[kind], atol=1e-5)
    assert single.state_bits == 32 * sum(CARRIED[kind])


def test_large_scores_that_a_soft_cap_makes_equal_are_equal_in_floating_point():
    large = block_tensors("recurrent-gemma")
    large["lm_head.weight"] = np.array([[90.0], [100.0], [-1.0]]) * np.ones((3, 8))
    found = loaded("recurrent-gemma", large, arithmetic="bf16").model
    words = np.array(list(itertools.product(range(3), repeat=3)))
    scores, without = found.outputs(words), replace(found, soft_cap=None).outputs(words)
    tied = (scores[:, 0] == scores[:, 1]) & (without[:, 1] > without[:, 0])
    assert tied.any()
    assert (found.codes(words)[tied] == 0).all()
    assert (np.abs(scores) <= 30).all()


@pytest.mark.parametrize("kind", GOLDEN)
def test_all_that_is_carried_is_counted(kind):
    numbers, memory, flags = CARRIED[kind]
    model = loaded(kind).model
    assert model.state_bits == 39 * numbers + 45 * memory + flags
    assert model.units == numbers + memory + flags
    states = model.run(WORDS)
    assert np.array_equal(model.unpack(model.pack(states)), states)


@pytest.mark.parametrize("kind", KINDS)
def test_every_tensor_is_used_and_changes_what_is_said(kind):
    """A tensor too many or too few is an error; each number that is read counts, but for those that nothing uses."""
    tensors = block_tensors(kind)
    word = WORDS[:1]
    before = float_scores(parts_of(kind, tensors), word)
    with pytest.raises(InputError, match="tensors that are read"):
        parts_of(kind, tensors | {"extra.weight": np.ones(3)})
    unused = {f"blocks.0.att.v{part}" for part in range(3)} if kind == "rwkv7" else set()
    unused |= {"xlstm_block_stack.post_blocks_norm.weight"}  # there are networks without
    for name, array in tensors.items():
        rest = {other: tensors[other] for other in tensors if other != name}
        if (name.endswith("bias") and not name.endswith(("dt_bias", "_gate_bias", "_bias_"))) or name in unused:
            continue  # a bias that is missing is one of zeros
        with pytest.raises(InputError):
            parts_of(kind, rest)
        other = array + np.float32(0.25) * wave("other", *array.shape)
        changed = float_scores(parts_of(kind, tensors | {name: other}), word)
        assert np.abs(changed - before).max() > 1e-7, name


@pytest.mark.parametrize("kind", KINDS)
def test_shapes_that_do_not_fit_are_refused_by_name(kind):
    tensors = block_tensors(kind)
    for name, array in tensors.items():
        if kind == "rwkv7" and ".0.att.v" in name and name[-1] in "012":
            continue  # nothing uses them
        longer = [] if "emb" in name else [np.concatenate([array, array[:1]])]  # more tokens than are described
        for spoilt in (*longer, array[..., None], array[:0]):
            with pytest.raises(InputError) as caught:
                parts_of(kind, tensors | {name: spoilt})
            assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        ("mamba2", {"options": {}}, "groups"),
        ("mamba2", {"options": {"groups": 3}}, "divisor of 4, the heads"),
        ("mamba2", {"options": {"groups": 0}}, "groups"),
        ("mamba2", {"options": {"groups": "2"}}, "groups"),
        ("gated-deltanet", {"heads": 3}, "divisor of 2"),
        ("gated-deltanet", {"heads": 0}, "heads"),
        ("rwkv5", {"activation": "relu"}, "none for rwkv5"),
        ("rwkv6", {"architecture": "rwkv5"}, "time_faaaa|time_mix"),
        ("xlstm", {"prefix": "other."}, "token_embedding"),
        ("recurrent-gemma", {"activation": "arctan"}, "arctan"),
    ],
)
def test_descriptions_that_do_not_fit_are_refused(kind, more, words):
    with pytest.raises(InputError, match=words):
        loaded(kind, **more)


def test_attention_is_refused_where_there_is_some():
    attention = {"model.layers.1.temporal_block.q_proj.weight": np.ones((8, 8), dtype=np.float32)}
    with pytest.raises(InputError, match="recurrent blocks, not attention"):
        loaded("recurrent-gemma", block_tensors("recurrent-gemma") | attention)


def test_a_block_that_is_skipped_is_not_read_over():
    """Layer 1 is missing and layer 2 is there: its tensors are left, which is an error."""
    renamed = {name.replace("layers.1.", "layers.2."): array for name, array in block_tensors("mamba2").items()}
    with pytest.raises(InputError, match=r"layers\.2\."):
        loaded("mamba2", renamed)


def test_both_layouts_of_the_cell_of_slstm_are_read():
    """The one for graphics cards keeps gates inside, and inputs before outputs."""
    tensors, cell = block_tensors("xlstm"), "xlstm_block_stack.blocks.1.xlstm.slstm_cell."
    kernel, bias = tensors[f"{cell}_recurrent_kernel_"], tensors[f"{cell}_bias_"]
    turned = {
        f"{cell}_recurrent_kernel_": kernel.reshape(2, 4, 4, 4).transpose(0, 3, 1, 2).reshape(2, 4, 16),
        f"{cell}_bias_": bias.reshape(4, 2, 4).transpose(1, 0, 2).reshape(-1),
    }
    scores = float_scores(loaded("xlstm", tensors | turned).parts, WORDS)
    assert np.allclose(scores, GOLDEN["xlstm"], atol=1e-5)


def test_names_with_escape_sequences_are_told_escaped():
    name = "model.layers.0.attn.\x1b[2Jfake\nright: proved"
    with pytest.raises(InputError) as caught:
        loaded("gated-deltanet", block_tensors("gated-deltanet") | {name: np.ones(2, dtype=np.float32)})
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_recorded_check_is_compared(tmp_path, kind):
    notes = {"ccsim": json.dumps(block_description(kind, check="l.npz"))}
    write_safetensors(tmp_path / "mine.safetensors", block_tensors(kind), notes)
    record_check(tmp_path / "l.npz", WORDS, GOLDEN[kind])
    assert load_model(tmp_path / "mine.safetensors").checked == len(WORDS)
    record_check(tmp_path / "l.npz", WORDS, np.array(GOLDEN[kind])[::-1])
    with pytest.raises(InputError, match="does not fit"):
        load_model(tmp_path / "mine.safetensors")


@pytest.mark.parametrize("kind", KINDS)
def test_words_read_at_once_are_words_read_alone(kind):
    """At eight bits, which saturate: with equal states merged, and symbol by symbol."""
    model = loaded(kind, precision=8, saturate=True).model
    rows = model.task(6).words.array(np.arange(3**6)[::2])  # enough to be merged
    states = np.repeat(model.start()[None], len(rows), axis=0)
    for position in range(6):
        states = model.step(states, rows[:, position], position + 1)
    assert np.array_equal(model.run(rows), states)
    alone = [model.run(rows[place : place + 1])[0] for place in range(0, len(rows), 61)]
    assert np.array_equal(alone, states[::61])


def sizes_that_lie(kind):
    """Tensors of a few megabytes that claim a state, or a matrix, of many gigabytes."""
    tensors = block_tensors(kind)
    if kind == "mamba2":  # 2^17 numbers inside, each with 2^17 states
        block, inside = "backbone.layers.0.mixer.", 1 << 17
        channels = 3 * inside
        shapes = {"conv1d.weight": (channels, 1, 1), "conv1d.bias": (channels,), "norm.weight": (inside,)}
        shapes |= {"in_proj.weight": (inside + channels + 1, 8), "out_proj.weight": (8, inside)}
        shapes |= {"A_log": (1,), "dt_bias": (1,), "D": (1,)}
        return tensors | {f"{block}{name}": np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()}
    block, inside = "xlstm_block_stack.blocks.0.xlstm.", 1 << 18
    shapes = {"proj_up.weight": (2 * inside, 8), "proj_down.weight": (8, inside), "q_proj.weight": (inside, 1, 1)}
    for gate in ("igate", "fgate"):
        shapes |= {f"mlstm_cell.{gate}.weight": (1, 3 * inside), f"mlstm_cell.{gate}.bias": (1,)}
    return tensors | {f"{block}{name}": np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()}


@pytest.mark.parametrize("kind", ["mamba2", "xlstm"])
def test_sizes_that_would_not_fit_are_refused_before_they_are_made(kind):
    with pytest.raises(TableTooLargeError, match=r"the state of mamba2|a matrix of 262144 by 262144"):
        loaded(kind, sizes_that_lie(kind), options={"groups": 1} if kind == "mamba2" else {})
