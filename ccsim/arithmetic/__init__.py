"""Exact arithmetic of finite precision: rounding down, saturation, integer accumulators, tables of functions."""

from ccsim.arithmetic.functions import FUNCTIONS, Elementary, Exponential, elementary, exponential
from ccsim.arithmetic.integers import (
    IntArray,
    exact_matmul,
    floor_divide,
    integer_square_root,
    largest_magnitude,
    narrow,
    sum_of_products,
)
from ccsim.arithmetic.precision import Precision, as_precision

__all__ = [
    "FUNCTIONS",
    "Elementary",
    "Exponential",
    "IntArray",
    "Precision",
    "as_precision",
    "elementary",
    "exact_matmul",
    "exponential",
    "floor_divide",
    "integer_square_root",
    "largest_magnitude",
    "narrow",
    "sum_of_products",
]
