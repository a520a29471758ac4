"""Weights made by a formula, and what PyTorch and Hugging Face answer with them."""

import numpy as np

WORDS = np.array([[0, 1, 2, 1, 0], [2, 2, 1, 0, 1], [1, 0, 0, 2, 2]])
GATES = {"lstm": 4, "gru": 3, "elman": 1}

# PyTorch 2.13 (two layers), Transformers' GPT-2 and Mamba mixer.
GOLDEN = {
    "lstm-pytorch": [[-0.50288, 0.118783], [-0.500165, 0.118169], [-0.501706, 0.114347]],
    "gru-pytorch": [[-0.470336, 0.099636], [-0.443376, 0.125899], [-0.453304, 0.104332]],
    "elman-pytorch": [[-0.882664, -0.248842], [-1.103984, -0.474425], [-0.960634, -0.4139]],
    "huggingface": [
        [1.08609, 0.99365, -0.06918, -1.06445, -1.02019],
        [1.13727, 1.03806, -0.07491, -1.11473, -1.06591],
        [1.18064, 1.05973, -0.0961, -1.15808, -1.08909],
    ],
    "nanogpt": [
        [1.08609, 0.99365, -0.06918, -1.06445, -1.02019],
        [1.13728, 1.03807, -0.07491, -1.11473, -1.06591],
        [1.18064, 1.05973, -0.0961, -1.15808, -1.08909],
    ],
    "encoder-after": [[-1.660428, 0.285428], [-1.647006, 0.330728], [-1.681289, 0.226168]],
    "encoder-first": [[-1.733844, 0.082354], [-1.75621, -0.044529], [-1.824199, -0.15915]],
    "mamba": [[-0.591685, 0.347428], [-0.485448, 0.408627], [-0.534215, 0.353288]],
}


def wave(name, *shape):
    """A sine, whose phase depends on the name."""
    phase = sum(name.encode()) % 97
    return (0.6 * np.sin(phase + 1.7 * np.arange(int(np.prod(shape))))).reshape(shape).astype(np.float32)


def waves(shapes):
    return {name: wave(name, *shape) for name, shape in shapes.items()}


def pytorch_tensors(kind, layers=2, width=4, inputs=3):
    gates = GATES[kind]
    tensors = waves({"embedding.weight": (3, inputs), "head.weight": (2, width), "head.bias": (2,)})
    for layer in range(layers):
        shapes = {
            f"rnn.{name}": wave(f"rnn.{name}", *shape)
            for name, shape in {
                f"weight_ih_l{layer}": (gates * width, inputs if not layer else width),
                f"weight_hh_l{layer}": (gates * width, width),
                f"bias_ih_l{layer}": (gates * width,),
                f"bias_hh_l{layer}": (gates * width,),
            }.items()
        }
        tensors |= shapes
    return tensors


GPT = {
    "transformer.wte.weight": (5, 8),
    "transformer.wpe.weight": (6, 8),
    "transformer.h.0.ln_1.weight": (8,),
    "transformer.h.0.ln_1.bias": (8,),
    "transformer.h.0.attn.c_attn.weight": (8, 24),
    "transformer.h.0.attn.c_attn.bias": (24,),
    "transformer.h.0.attn.c_proj.weight": (8, 8),
    "transformer.h.0.attn.c_proj.bias": (8,),
    "transformer.h.0.ln_2.weight": (8,),
    "transformer.h.0.ln_2.bias": (8,),
    "transformer.h.0.mlp.c_fc.weight": (8, 32),
    "transformer.h.0.mlp.c_fc.bias": (32,),
    "transformer.h.0.mlp.c_proj.weight": (32, 8),
    "transformer.h.0.mlp.c_proj.bias": (8,),
    "transformer.ln_f.weight": (8,),
    "transformer.ln_f.bias": (8,),
    "lm_head.weight": (5, 8),
}


def gpt_tensors(convention):
    """The same weights in one of two layouts."""
    tensors = waves(GPT)
    if convention == "huggingface":
        return tensors
    linear = [name for name in tensors if ".attn." in name or ".mlp." in name]
    turned = {name: np.ascontiguousarray(tensors[name].T) for name in linear if name.endswith("weight")}
    return tensors | turned


ENCODER = {
    "embedding.weight": (3, 8),
    "position.weight": (6, 8),
    "encoder.layers.0.self_attn.in_proj_weight": (24, 8),
    "encoder.layers.0.self_attn.in_proj_bias": (24,),
    "encoder.layers.0.self_attn.out_proj.weight": (8, 8),
    "encoder.layers.0.self_attn.out_proj.bias": (8,),
    "encoder.layers.0.linear1.weight": (16, 8),
    "encoder.layers.0.linear1.bias": (16,),
    "encoder.layers.0.linear2.weight": (8, 16),
    "encoder.layers.0.linear2.bias": (8,),
    "encoder.layers.0.norm1.weight": (8,),
    "encoder.layers.0.norm1.bias": (8,),
    "encoder.layers.0.norm2.weight": (8,),
    "encoder.layers.0.norm2.bias": (8,),
    "encoder.norm.weight": (8,),
    "encoder.norm.bias": (8,),
    "head.weight": (2, 8),
    "head.bias": (2,),
}
"""nn.TransformerEncoder of one layer, two heads, with a norm after it."""

MAMBA = {
    "mixer.A_log": (8, 3),
    "mixer.D": (8,),
    "mixer.conv1d.weight": (8, 1, 3),
    "mixer.conv1d.bias": (8,),
    "mixer.in_proj.weight": (16, 4),
    "mixer.x_proj.weight": (8, 8),
    "mixer.dt_proj.weight": (8, 2),
    "mixer.dt_proj.bias": (8,),
    "mixer.out_proj.weight": (4, 8),
    "embedding.weight": (3, 4),
    "head.weight": (2, 4),
    "head.bias": (2,),
}


def description(**more):
    """A description of three tokens with the usual read-out."""
    plain = {"tokens": ["a", "b", "c"], "read_out": {"weight": "head.weight", "bias": "head.bias"}, "precision": 20}
    return plain | more
