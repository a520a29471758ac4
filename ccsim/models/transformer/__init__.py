"""Transformers in exact finite precision."""

from ccsim.models.transformer.block import Block, Norms
from ccsim.models.transformer.deep import Transformer
from ccsim.models.transformer.normalisation import LayerNorm, RMSNorm
from ccsim.models.transformer.one_layer import OneLayerTransformer
from ccsim.models.transformer.tables import AttentionTables

__all__ = ["AttentionTables", "Block", "LayerNorm", "Norms", "OneLayerTransformer", "RMSNorm", "Transformer"]
