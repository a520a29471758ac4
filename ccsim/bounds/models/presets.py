"""Sizes of models that are public, by name: what a bound on one layer, or on a state, says about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """The size of a public model.

    Attributes:
        kind: ``transformer`` (then of *one* of its layers) or ``recurrent`` (then of the state of all its layers).
        width: the transformer's width, or the numbers of state.
        about: which model, and how the numbers come about.
        source: where they stand: the model's repository at huggingface.co, whose ``config.json`` has them, or a paper.
        heads, head_width: of a transformer; heads that share keys count in full.
        precision: bits of a number, if nothing else is said: those of half precision and of bfloat16.
        layers: of a transformer, of which one is asked about; 1 of recurrent models, whose state is that of all layers.
        window: of a transformer whose heads see so many last positions in some layers: then of one of these.
    """

    kind: str
    width: int
    about: str
    source: str
    heads: int = 1
    head_width: int | None = None
    precision: int = 16
    window: int | None = None
    layers: int = 1


LLAMA_2 = "philschmid/Llama-2-7b-hf, an open copy of meta-llama/Llama-2-7b-hf"
RWKV_7 = "github.com/aierwiki/rwkvtune, rwkvtune/configs/models/rwkv7-2.9b.json"

PRESETS: Mapping[str, Preset] = {
    "gpt2": Preset(
        "transformer",
        768,
        "GPT-2 small (Radford et al. 2019): 12 heads of 64",
        "openai-community/gpt2",
        12,
        64,
        layers=12,
    ),
    "gpt2-xl": Preset(
        "transformer",
        1600,
        "GPT-2 XL (Radford et al. 2019): 25 heads of 64",
        "openai-community/gpt2-xl",
        25,
        64,
        layers=48,
    ),
    "llama-2-7b": Preset(
        "transformer", 4096, "Llama 2 7B (Touvron et al. 2023): 32 heads of 128", LLAMA_2, 32, 128, layers=32
    ),
    "llama-3-8b": Preset(
        "transformer",
        4096,
        "Llama 3 8B (Grattafiori et al. 2024): 32 heads of 128, 8 keys among them",
        "meta-llama/Meta-Llama-3-8B",
        32,
        128,
        layers=32,
    ),
    "mistral-7b": Preset(
        "transformer",
        4096,
        "Mistral 7B, first version (Jiang et al. 2023): 32 heads of 128, 8 keys among them, a window of 4096",
        "mistralai/Mistral-7B-v0.1",
        32,
        128,
        window=4096,
        layers=32,
    ),
    "gemma-2-2b": Preset(
        "transformer",
        2304,
        "Gemma 2 2B (Gemma Team 2024): 8 heads of 256, 4 keys among them, a window of 4096 in every second layer",
        "google/gemma-2-2b",
        8,
        256,
        window=4096,
        layers=26,
    ),
    "bloom-7b1": Preset(
        "transformer",
        4096,
        "BLOOM 7B1 (BigScience 2022): 32 heads of 128, ALiBi",
        "bigscience/bloom-7b1",
        32,
        128,
        layers=30,
    ),
    "mpt-7b": Preset(
        "transformer", 4096, "MPT 7B (MosaicML 2023): 32 heads of 128, ALiBi", "mosaicml/mpt-7b", 32, 128, layers=32
    ),
    "mamba-130m": Preset(
        "recurrent",
        24 * 1536 * (16 + 3),
        "Mamba 130M (Gu and Dao 2023): 24 layers of 1536 channels with 16 numbers of state and the last 3 inputs",
        "state-spaces/mamba-130m",
    ),
    "mamba-2.8b": Preset(
        "recurrent",
        64 * 5120 * (16 + 3),
        "Mamba 2.8B (Gu and Dao 2023): 64 layers of 5120 channels with 16 numbers of state and the last 3 inputs",
        "state-spaces/mamba-2.8b",
    ),
    "rwkv-4-169m": Preset(
        "recurrent",
        12 * 768 * 5,
        "RWKV-4 169M (Peng et al. 2023): 12 layers of 5 vectors of 768 numbers",
        "RWKV/rwkv-4-169m-pile",
    ),
    "mamba2-130m": Preset(
        "recurrent",
        24 * (1536 * 128 + (1536 + 2 * 128) * 3),
        "Mamba-2 130M (Dao and Gu 2024): 24 layers of 1536 channels of 128 numbers, and 3 inputs of 1792",
        "state-spaces/mamba2-130m",
    ),
    "mamba2-2.7b": Preset(
        "recurrent",
        64 * (5120 * 128 + (5120 + 2 * 128) * 3),
        "Mamba-2 2.7B (Dao and Gu 2024): 64 layers of 5120 channels of 128 numbers, and 3 inputs of 5376",
        "state-spaces/mamba2-2.7b",
    ),
    "rwkv-6-1.6b": Preset(
        "recurrent",
        24 * (2048 * 64 + 2 * 2048),
        "RWKV-6 World 1.6B (Peng et al. 2024): 24 layers of 32 matrices of 64 x 64 and 2 vectors of 2048 numbers",
        "RWKV/rwkv-6-world-1b6",
    ),
    "rwkv-7-2.9b": Preset(
        "recurrent",
        32 * (2560 * 64 + 2 * 2560),
        "RWKV-7 World 2.9B (Peng et al. 2025): 32 layers of 40 matrices of 64 x 64 and 2 vectors of 2560 numbers",
        RWKV_7,
    ),
    "xlstm-7b": Preset(
        "recurrent",
        32 * 8 * (256 * 512 + 256 + 1),
        "xLSTM 7B (Beck et al. 2025): 32 layers of 8 matrices of 256 x 512, with a vector of 256 and a maximum each",
        "NX-AI/xLSTM-7b",
    ),
}
"""By name. The transformers' heads are taken to add up in fixed-point numbers of that precision. Of a convolution over
4 positions the last 3 inputs are carried, though libraries keep a place for the fourth."""
