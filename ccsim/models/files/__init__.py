"""Models that people bring: tensors in files, a description of what they are, and how they become exact."""

from ccsim.models.files.description import (
    ARCHITECTURES,
    Description,
    ReadOut,
    Tensors,
    find_description,
    read_tensors,
    write_safetensors,
)
from ccsim.models.files.load import Difference, LoadedModel, Recorded, build_model, load_model, record_check
from ccsim.models.files.modules import open_forward, read_module

__all__ = [
    "ARCHITECTURES",
    "Description",
    "Difference",
    "LoadedModel",
    "ReadOut",
    "Recorded",
    "Tensors",
    "build_model",
    "find_description",
    "load_model",
    "open_forward",
    "read_module",
    "read_tensors",
    "record_check",
    "write_safetensors",
]
