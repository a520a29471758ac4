"""Which layout has which names."""

from __future__ import annotations

from ccsim.arithmetic import FUNCTIONS
from ccsim.errors import InputError
from ccsim.models.files.blocks.gated_delta import gated_delta_blocks
from ccsim.models.files.blocks.griffin import embedding_factor, griffin_blocks
from ccsim.models.files.blocks.mamba import mamba_blocks
from ccsim.models.files.blocks.mamba2 import mamba2_blocks
from ccsim.models.files.blocks.rwkv import normed_embedding, rwkv_blocks
from ccsim.models.files.blocks.xlstm import xlstm_blocks
from ccsim.models.files.description import Description
from ccsim.models.files.parts import RecurrentParts, embedding_of, scores_of
from ccsim.models.files.tensors import Tensors

__all__ = ["READERS", "block_parts"]

READERS = {
    "mamba": ("embeddings.weight", mamba_blocks),
    "mamba2": ("embeddings.weight", mamba2_blocks),
    "recurrent-gemma": ("embed_tokens.weight", griffin_blocks),
    "gated-deltanet": ("embeddings.weight", gated_delta_blocks),
    "rwkv5": ("emb.weight", rwkv_blocks),
    "rwkv6": ("emb.weight", rwkv_blocks),
    "rwkv7": ("emb.weight", rwkv_blocks),
    "xlstm": ("token_embedding.weight", xlstm_blocks),
}
"""For each architecture the usual name of its embedding, and what reads its blocks."""

SOFT_CAP = 30.0


def block_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """A whole network of recurrent blocks, as its reference library keeps it: all its layers, norms and all.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for what the blocks do not have.
    """
    kind = description.architecture
    if description.activation not in (None, *FUNCTIONS):
        raise InputError("activation", description.activation, f"one of {', '.join(FUNCTIONS)}")
    usual, read = READERS[kind]
    embedding = embedding_of(description, tensors, usual)
    width = embedding.shape[1]
    if kind == "recurrent-gemma":
        embedding = embedding * embedding_factor(width)
    if kind.startswith("rwkv"):
        embedding = normed_embedding(tensors, description.prefix, embedding)
    blocks = read(description, tensors, width)
    scores, bias = scores_of(description, tensors, width)
    cap = SOFT_CAP if kind == "recurrent-gemma" else None
    return RecurrentParts("blocks", embedding, tuple(blocks), scores, bias, soft_cap=cap)
