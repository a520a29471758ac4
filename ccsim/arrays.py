"""What arrays are called in annotations."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

__all__ = ["Array"]

Array = npt.NDArray[Any]
"""An array of numbers of any kind; what kind, and which axes, is said where it is used."""
