"""Networks of recurrent blocks from files, in the layouts of their reference libraries."""

from ccsim.models.files.blocks.read import READERS, block_parts

__all__ = ["READERS", "block_parts"]
