"""Against the reference libraries, where they are installed: recorded scores are what they say, and so are ours."""

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from ccsim.models.files import load_model, record_check
from tests.models.block_samples import GOLDEN, block_description, block_tensors
from tests.models.model_file_samples import WORDS

torch = pytest.importorskip("torch")


def filled(model, kind):
    """A module with the weights of the samples, all of which it must have."""
    ours = block_tensors(kind)
    assert {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()} == {
        name: tuple(array.shape) for name, array in ours.items()
    }
    model.load_state_dict({name: torch.tensor(array) for name, array in ours.items()})
    return model.eval()


def mamba():
    transformers = pytest.importorskip("transformers")
    config = transformers.MambaConfig(
        vocab_size=3, hidden_size=8, num_hidden_layers=2, expand=2, state_size=3,
        time_step_rank=2, conv_kernel=3, tie_word_embeddings=False,
    )  # fmt: skip
    model = filled(transformers.MambaForCausalLM(config), "mamba")
    return model, model(torch.tensor(WORDS), use_cache=False).logits[:, -1]


def mamba2():
    transformers = pytest.importorskip("transformers")
    config = transformers.Mamba2Config(
        vocab_size=3, hidden_size=8, num_hidden_layers=2, num_heads=4, head_dim=4, state_size=3, n_groups=2,
        conv_kernel=3, chunk_size=4, tie_word_embeddings=False,
    )  # fmt: skip
    model = filled(transformers.Mamba2ForCausalLM(config), "mamba2")
    return model, model(torch.tensor(WORDS), use_cache=False).logits[:, -1]


def recurrent_gemma():
    transformers = pytest.importorskip("transformers")
    config = transformers.RecurrentGemmaConfig(
        vocab_size=3, hidden_size=8, num_hidden_layers=2, intermediate_size=24, num_attention_heads=2, lru_width=8,
        conv1d_width=3, block_types=("recurrent",), tie_word_embeddings=False,
    )  # fmt: skip
    model = filled(transformers.RecurrentGemmaForCausalLM(config), "recurrent-gemma")
    return model, model(torch.tensor(WORDS), use_cache=False).logits[:, -1]


def xlstm():
    pytest.importorskip("xlstm")
    from xlstm import FeedForwardConfig, mLSTMBlockConfig, mLSTMLayerConfig, sLSTMBlockConfig, sLSTMLayerConfig
    from xlstm.xlstm_lm_model import xLSTMLMModel, xLSTMLMModelConfig

    small = sLSTMLayerConfig(backend="vanilla", num_heads=2, conv1d_kernel_size=3)
    large = mLSTMLayerConfig(conv1d_kernel_size=3, qkv_proj_blocksize=4, num_heads=2)
    config = xLSTMLMModelConfig(
        vocab_size=3, embedding_dim=8, num_blocks=2, context_length=8, slstm_at=[1],
        mlstm_block=mLSTMBlockConfig(mlstm=large),
        slstm_block=sLSTMBlockConfig(slstm=small, feedforward=FeedForwardConfig(proj_factor=1.5, act_fn="gelu")),
    )  # fmt: skip
    model = filled(xLSTMLMModel(config), "xlstm")
    return model, model(torch.tensor(WORDS))[:, -1]


MODELS = {"mamba": mamba, "mamba2": mamba2, "recurrent-gemma": recurrent_gemma, "xlstm": xlstm}


@pytest.mark.parametrize("kind", MODELS)
def test_networks_are_read_as_their_libraries_run_them(tmp_path, kind):
    """From the state dict that the library writes."""
    with torch.no_grad():
        model, scores = MODELS[kind]()
    assert np.allclose(scores, GOLDEN[kind], atol=1e-5)
    torch.save(model.state_dict(), tmp_path / "mine.pt")
    record_check(tmp_path / "logits.npz", WORDS, scores.numpy())
    (tmp_path / "mine.json").write_text(json.dumps(block_description(kind, check="logits.npz")))
    assert load_model(tmp_path / "mine.pt").checked == len(WORDS)


@pytest.mark.parametrize("kind", ["rwkv5", "rwkv6", "rwkv7"])
def test_rwkv_is_read_as_its_package_runs_it(tmp_path, kind):
    if importlib.util.find_spec("rwkv") is None:
        pytest.skip("rwkv is not installed")
    torch.save({name: torch.tensor(array) for name, array in block_tensors(kind).items()}, tmp_path / "mine.pth")
    path, seventh = tmp_path / ("mine" if kind == "rwkv7" else "mine.pth"), "1" if kind == "rwkv7" else "0"
    code = "import json, sys; from rwkv.model import RWKV; model = RWKV(sys.argv[1], 'cpu fp32'); "
    code += "print(json.dumps([model.forward(word, None)[0].tolist() for word in json.loads(sys.argv[2])]))"
    settings = {"RWKV_JIT_ON": "0", "RWKV_CUDA_ON": "0", "RWKV_V7_ON": seventh}
    told = subprocess.run(
        [sys.executable, "-c", code, str(path), json.dumps(WORDS.tolist())],
        env=os.environ | settings, capture_output=True, text=True, check=True,
    )  # fmt: skip
    scores = json.loads(told.stdout.splitlines()[-1])
    assert np.allclose(scores, GOLDEN[kind], atol=1e-5)
    record_check(tmp_path / "logits.npz", WORDS, scores)
    (tmp_path / "mine.json").write_text(json.dumps(block_description(kind, check="logits.npz")))
    assert load_model(tmp_path / "mine.pth").checked == len(WORDS)


def test_gated_deltanet_is_read_as_transformers_runs_its_mixer():
    """The blocks of flash-linear-attention, with the same mixer as Transformers has it for a processor."""
    if importlib.util.find_spec("fla") is not None:
        pytest.skip("with flash-linear-attention its kernels are taken, which need a graphics card")
    hybrid = pytest.importorskip("transformers.models.olmo_hybrid.modeling_olmo_hybrid")
    own = {name: torch.tensor(array) for name, array in block_tensors("gated-deltanet").items()}
    config = hybrid.OlmoHybridConfig(
        hidden_size=8, num_hidden_layers=4, intermediate_size=12, linear_num_value_heads=2, linear_num_key_heads=1,
        linear_key_head_dim=4, linear_value_head_dim=6, linear_conv_kernel_dim=3, linear_allow_neg_eigval=False,
        num_attention_heads=2, vocab_size=3, pad_token_id=None,
    )  # fmt: skip

    def part(module, prefix):
        tensors = {name.removeprefix(prefix): tensor for name, tensor in own.items() if name.startswith(prefix)}
        kernels = [tensors.pop(f"{name}_conv1d.weight", None) for name in "qkv"]
        module.load_state_dict(tensors | ({} if kernels[0] is None else {"conv1d.weight": torch.cat(kernels)}))
        return module.eval()

    def norm(stream, name):
        return torch.nn.functional.rms_norm(stream, (8,), own[name], 1e-5)

    with torch.no_grad():
        stream = own["model.embeddings.weight"][torch.tensor(WORDS)]
        for block in ("model.layers.0.", "model.layers.1."):
            mixer = part(hybrid.OlmoHybridGatedDeltaNet(config, 0), f"{block}attn.")
            stream = stream + mixer(norm(stream, f"{block}attn_norm.weight"))
            inner = part(hybrid.OlmoHybridMLP(config), f"{block}mlp.")
            stream = stream + inner(norm(stream, f"{block}mlp_norm.weight"))
        scores = (norm(stream, "model.norm.weight") @ own["lm_head.weight"].T)[:, -1]
    assert np.allclose(scores, GOLDEN["gated-deltanet"], atol=1e-5)


def test_the_names_of_gated_deltanet_are_those_of_flash_linear_attention():
    models = pytest.importorskip("fla.models")
    config = models.GatedDeltaNetConfig(
        vocab_size=3, hidden_size=8, num_hidden_layers=2, num_heads=1, num_v_heads=2, head_dim=4, expand_v=1.5,
        conv_size=3, intermediate_size=12, fuse_norm=False, fuse_swiglu=False, fuse_cross_entropy=False,
    )  # fmt: skip
    tensors = models.GatedDeltaNetForCausalLM(config).state_dict()
    ours = {name: tuple(array.shape) for name, array in block_tensors("gated-deltanet").items()}
    assert {name: tuple(tensor.shape) for name, tensor in tensors.items()} == ours
