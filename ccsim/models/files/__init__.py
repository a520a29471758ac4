"""Models that people bring: tensors in files, a description of what they are, and how they become exact."""

from ccsim.models.files.checking import Recorded, record_check
from ccsim.models.files.description import ARCHITECTURES, Description
from ccsim.models.files.difference import Difference
from ccsim.models.files.entries import ReadOut
from ccsim.models.files.finding import find_description
from ccsim.models.files.load import LoadedModel, build_model, load_model
from ccsim.models.files.modules import read_module
from ccsim.models.files.reading import read_tensors
from ccsim.models.files.runtimes import open_forward
from ccsim.models.files.safetensors import write_safetensors
from ccsim.models.files.tensors import Tensors

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
