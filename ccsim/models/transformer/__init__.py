"""Transformers in exact finite precision."""

from ccsim.models.transformer.base import AttentionTables
from ccsim.models.transformer.block import Block, LayerNorm, Norms, RMSNorm
from ccsim.models.transformer.one_layer import OneLayerTransformer, Transformer

__all__ = ["AttentionTables", "Block", "LayerNorm", "Norms", "OneLayerTransformer", "RMSNorm", "Transformer"]
