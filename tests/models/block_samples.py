"""Networks of recurrent blocks with weights made by a formula, and what their reference libraries answer with them."""

from tests.models.model_file_samples import wave

# Transformers 5.23 (Mamba2ForCausalLM; RecurrentGemmaForCausalLM; OlmoHybridGatedDeltaNet inside the blocks of
# flash-linear-attention, whose own kernels need a graphics card), rwkv 0.8.32 and xlstm 2.0.6, all in fp32.
GOLDEN = {
    "mamba2": [[-0.084689, 0.130834, 0.218586], [0.085591, 0.152127, 0.070098], [0.213249, -0.003746, -0.217083]],
    "recurrent-gemma": [
        [0.348281, -1.156004, -1.530617],
        [0.579563, 0.002758, -0.576742],
        [-0.830665, -2.839704, -2.080678],
    ],
    "gated-deltanet": [
        [0.267989, 0.011841, -0.25587],
        [0.221861, -0.121839, -0.346552],
        [-0.027059, -0.13315, -0.109207],
    ],
    "rwkv5": [[-1.333861, -0.476931, 0.845766], [-1.436198, -0.599634, 0.822528], [-1.187944, -0.615392, 0.558147]],
    "rwkv6": [[-1.317414, -0.467474, 0.838997], [-1.488385, -0.616454, 0.8575], [-1.170944, -0.644029, 0.511839]],
    "rwkv7": [[-1.426161, -0.665952, 0.74462], [-1.427829, -0.713858, 0.697261], [-1.313282, -0.77725, 0.517838]],
    "xlstm": [[0.116085, 2.439441, 2.380459], [-2.448761, 0.520001, 2.980934], [0.763476, 2.874968, 2.178789]],
}

RWKV = {
    "emb.weight": (3, 8),
    "ln_out.weight": (8,),
    "ln_out.bias": (8,),
    "head.weight": (3, 8),
    "blocks.0.ln0.weight": (8,),
    "blocks.0.ln0.bias": (8,),
    "blocks.#.ln1.weight": (8,),
    "blocks.#.ln1.bias": (8,),
    "blocks.#.ln2.weight": (8,),
    "blocks.#.ln2.bias": (8,),
    "blocks.#.att.receptance.weight": (8, 8),
    "blocks.#.att.key.weight": (8, 8),
    "blocks.#.att.value.weight": (8, 8),
    "blocks.#.att.output.weight": (8, 8),
    "blocks.#.att.ln_x.weight": (8,),
    "blocks.#.att.ln_x.bias": (8,),
    "blocks.#.ffn.key.weight": (12, 8),
    "blocks.#.ffn.value.weight": (8, 12),
}
"""What the three kinds have in common."""

SHAPES = {
    "mamba2": {
        "backbone.embeddings.weight": (3, 8),
        "backbone.layers.#.norm.weight": (8,),
        "backbone.layers.#.mixer.dt_bias": (4,),
        "backbone.layers.#.mixer.A_log": (4,),
        "backbone.layers.#.mixer.D": (4,),
        "backbone.layers.#.mixer.conv1d.weight": (28, 1, 3),
        "backbone.layers.#.mixer.conv1d.bias": (28,),
        "backbone.layers.#.mixer.in_proj.weight": (48, 8),
        "backbone.layers.#.mixer.norm.weight": (16,),
        "backbone.layers.#.mixer.out_proj.weight": (8, 16),
        "backbone.norm_f.weight": (8,),
        "lm_head.weight": (3, 8),
    },
    "recurrent-gemma": {
        "model.embed_tokens.weight": (3, 8),
        "model.layers.#.temporal_pre_norm.weight": (8,),
        "model.layers.#.temporal_block.linear_y.weight": (8, 8),
        "model.layers.#.temporal_block.linear_y.bias": (8,),
        "model.layers.#.temporal_block.linear_x.weight": (8, 8),
        "model.layers.#.temporal_block.linear_x.bias": (8,),
        "model.layers.#.temporal_block.linear_out.weight": (8, 8),
        "model.layers.#.temporal_block.linear_out.bias": (8,),
        "model.layers.#.temporal_block.conv_1d.weight": (8, 1, 3),
        "model.layers.#.temporal_block.conv_1d.bias": (8,),
        "model.layers.#.temporal_block.rg_lru.recurrent_param": (8,),
        "model.layers.#.temporal_block.rg_lru.input_gate_weight": (2, 4, 4),
        "model.layers.#.temporal_block.rg_lru.input_gate_bias": (2, 4),
        "model.layers.#.temporal_block.rg_lru.recurrent_gate_weight": (2, 4, 4),
        "model.layers.#.temporal_block.rg_lru.recurrent_gate_bias": (2, 4),
        "model.layers.#.channel_pre_norm.weight": (8,),
        "model.layers.#.mlp_block.gate_proj.weight": (12, 8),
        "model.layers.#.mlp_block.gate_proj.bias": (12,),
        "model.layers.#.mlp_block.up_proj.weight": (12, 8),
        "model.layers.#.mlp_block.up_proj.bias": (12,),
        "model.layers.#.mlp_block.down_proj.weight": (8, 12),
        "model.layers.#.mlp_block.down_proj.bias": (8,),
        "model.final_norm.weight": (8,),
        "lm_head.weight": (3, 8),
    },
    "gated-deltanet": {
        "model.embeddings.weight": (3, 8),
        "model.layers.#.attn_norm.weight": (8,),
        "model.layers.#.attn.A_log": (2,),
        "model.layers.#.attn.dt_bias": (2,),
        "model.layers.#.attn.q_proj.weight": (4, 8),
        "model.layers.#.attn.k_proj.weight": (4, 8),
        "model.layers.#.attn.v_proj.weight": (12, 8),
        "model.layers.#.attn.a_proj.weight": (2, 8),
        "model.layers.#.attn.b_proj.weight": (2, 8),
        "model.layers.#.attn.q_conv1d.weight": (4, 1, 3),
        "model.layers.#.attn.k_conv1d.weight": (4, 1, 3),
        "model.layers.#.attn.v_conv1d.weight": (12, 1, 3),
        "model.layers.#.attn.g_proj.weight": (12, 8),
        "model.layers.#.attn.o_norm.weight": (6,),
        "model.layers.#.attn.o_proj.weight": (8, 12),
        "model.layers.#.mlp_norm.weight": (8,),
        "model.layers.#.mlp.gate_proj.weight": (12, 8),
        "model.layers.#.mlp.up_proj.weight": (12, 8),
        "model.layers.#.mlp.down_proj.weight": (8, 12),
        "model.norm.weight": (8,),
        "lm_head.weight": (3, 8),
    },
    "rwkv5": {
        **RWKV,
        "blocks.#.att.gate.weight": (8, 8),
        "blocks.#.ffn.receptance.weight": (8, 8),
        "blocks.#.att.time_mix_k": (1, 1, 8),
        "blocks.#.att.time_mix_v": (1, 1, 8),
        "blocks.#.att.time_mix_r": (1, 1, 8),
        "blocks.#.att.time_mix_g": (1, 1, 8),
        "blocks.#.att.time_decay": (2, 4),
        "blocks.#.att.time_faaaa": (2, 4),
        "blocks.#.ffn.time_mix_k": (1, 1, 8),
        "blocks.#.ffn.time_mix_r": (1, 1, 8),
    },
    "rwkv6": {
        **RWKV,
        "blocks.#.att.gate.weight": (8, 8),
        "blocks.#.ffn.receptance.weight": (8, 8),
        "blocks.#.att.time_maa_x": (1, 1, 8),
        "blocks.#.att.time_maa_w": (1, 1, 8),
        "blocks.#.att.time_maa_k": (1, 1, 8),
        "blocks.#.att.time_maa_v": (1, 1, 8),
        "blocks.#.att.time_maa_r": (1, 1, 8),
        "blocks.#.att.time_maa_g": (1, 1, 8),
        "blocks.#.att.time_maa_w1": (8, 10),
        "blocks.#.att.time_maa_w2": (5, 2, 8),
        "blocks.#.att.time_decay": (1, 1, 8),
        "blocks.#.att.time_decay_w1": (8, 3),
        "blocks.#.att.time_decay_w2": (3, 8),
        "blocks.#.att.time_faaaa": (2, 4),
        "blocks.#.ffn.time_maa_k": (1, 1, 8),
        "blocks.#.ffn.time_maa_r": (1, 1, 8),
    },
    "rwkv7": {
        **RWKV,
        "blocks.#.att.x_r": (1, 1, 8),
        "blocks.#.att.x_w": (1, 1, 8),
        "blocks.#.att.x_k": (1, 1, 8),
        "blocks.#.att.x_v": (1, 1, 8),
        "blocks.#.att.x_a": (1, 1, 8),
        "blocks.#.att.x_g": (1, 1, 8),
        "blocks.#.att.w0": (1, 1, 8),
        "blocks.#.att.a0": (1, 1, 8),
        "blocks.#.att.v0": (1, 1, 8),
        "blocks.#.att.w1": (8, 3),
        "blocks.#.att.a1": (8, 3),
        "blocks.#.att.v1": (8, 3),
        "blocks.#.att.g1": (8, 3),
        "blocks.#.att.w2": (3, 8),
        "blocks.#.att.a2": (3, 8),
        "blocks.#.att.v2": (3, 8),
        "blocks.#.att.g2": (3, 8),
        "blocks.#.att.k_k": (1, 1, 8),
        "blocks.#.att.k_a": (1, 1, 8),
        "blocks.#.att.r_k": (2, 4),
        "blocks.#.ffn.x_k": (1, 1, 8),
    },
    "xlstm": {
        "xlstm_block_stack.blocks.0.xlstm_norm.weight": (8,),
        "xlstm_block_stack.blocks.0.xlstm.learnable_skip": (64,),
        "xlstm_block_stack.blocks.0.xlstm.proj_up.weight": (128, 8),
        "xlstm_block_stack.blocks.0.xlstm.q_proj.weight": (16, 4, 4),
        "xlstm_block_stack.blocks.0.xlstm.k_proj.weight": (16, 4, 4),
        "xlstm_block_stack.blocks.0.xlstm.v_proj.weight": (16, 4, 4),
        "xlstm_block_stack.blocks.0.xlstm.conv1d.conv.weight": (64, 1, 3),
        "xlstm_block_stack.blocks.0.xlstm.conv1d.conv.bias": (64,),
        "xlstm_block_stack.blocks.0.xlstm.mlstm_cell.igate.weight": (2, 192),
        "xlstm_block_stack.blocks.0.xlstm.mlstm_cell.igate.bias": (2,),
        "xlstm_block_stack.blocks.0.xlstm.mlstm_cell.fgate.weight": (2, 192),
        "xlstm_block_stack.blocks.0.xlstm.mlstm_cell.fgate.bias": (2,),
        "xlstm_block_stack.blocks.0.xlstm.mlstm_cell.outnorm.weight": (64,),
        "xlstm_block_stack.blocks.0.xlstm.proj_down.weight": (8, 64),
        "xlstm_block_stack.blocks.1.xlstm_norm.weight": (8,),
        "xlstm_block_stack.blocks.1.xlstm.conv1d.conv.weight": (8, 1, 3),
        "xlstm_block_stack.blocks.1.xlstm.conv1d.conv.bias": (8,),
        "xlstm_block_stack.blocks.1.xlstm.fgate.weight": (2, 4, 4),
        "xlstm_block_stack.blocks.1.xlstm.igate.weight": (2, 4, 4),
        "xlstm_block_stack.blocks.1.xlstm.zgate.weight": (2, 4, 4),
        "xlstm_block_stack.blocks.1.xlstm.ogate.weight": (2, 4, 4),
        "xlstm_block_stack.blocks.1.xlstm.slstm_cell._recurrent_kernel_": (2, 16, 4),
        "xlstm_block_stack.blocks.1.xlstm.slstm_cell._bias_": (32,),
        "xlstm_block_stack.blocks.1.xlstm.group_norm.weight": (8,),
        "xlstm_block_stack.blocks.1.ffn_norm.weight": (8,),
        "xlstm_block_stack.blocks.1.ffn.proj_up.weight": (128, 8),
        "xlstm_block_stack.blocks.1.ffn.proj_down.weight": (8, 64),
        "xlstm_block_stack.post_blocks_norm.weight": (8,),
        "token_embedding.weight": (3, 8),
        "lm_head.weight": (3, 8),
    },
}
"""Of all tensors; # stands for each of two layers."""


DESCRIBED = {
    "mamba2": {"prefix": "backbone.", "options": {"groups": 2}},
    "recurrent-gemma": {"prefix": "model.", "epsilon": 1e-6},
    "gated-deltanet": {"prefix": "model.", "heads": 1},
}
FINE = {"integer_bits": 10, "fraction_bits": 28}


def block_tensors(kind):
    """The tensors of a network of two layers, three tokens and width 8."""
    names = {name.replace("#", place): shape for name, shape in SHAPES[kind].items() for place in "01"}
    return {name: wave(name, *shape) for name, shape in names.items()}


def block_description(kind, **more):
    """A description of it; every token has a score."""
    head = "head.weight" if kind.startswith("rwkv") else "lm_head.weight"
    plain = {"architecture": kind, "tokens": ["a", "b", "c"], "answers": ["x", "y", "z"], "read_out": {"weight": head}}
    numbers = {} if {"arithmetic", "precision"} & set(more) else {"precision": FINE, "memory": 45}
    return plain | DESCRIBED.get(kind, {}) | numbers | more
