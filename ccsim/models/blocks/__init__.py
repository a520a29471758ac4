"""Blocks of the recurrent models of today, each step written once for any arithmetic."""

from ccsim.models.blocks.formula import FORMULAS, Formula
from ccsim.models.blocks.layer import BlockLayer
from ccsim.models.blocks.models import RWKV5, RWKV6, RWKV7, SLSTM, Mamba2

__all__ = ["FORMULAS", "RWKV5", "RWKV6", "RWKV7", "SLSTM", "BlockLayer", "Formula", "Mamba2"]
