"""Exact arithmetic of finite precision: fixed point, rounded down, and floating point, rounded to nearest."""

from ccsim.arithmetic.enclosure import Enclosure, enclosed
from ccsim.arithmetic.formats import FORMATS, FloatFormat, Floats, as_format
from ccsim.arithmetic.functions import FUNCTIONS, Elementary, Exponential, elementary, exponential
from ccsim.arithmetic.integers import (
    IntArray,
    exact_matmul,
    float_product,
    floor_divide,
    integer_square_root,
    largest_magnitude,
    narrow,
    sum_of_products,
    weighted_mean,
)
from ccsim.arithmetic.nearest_functions import Nearest, nearest
from ccsim.arithmetic.precision import Precision, as_precision
from ccsim.arithmetic.zonotopes import Zonotopes

__all__ = [
    "FORMATS",
    "FUNCTIONS",
    "Elementary",
    "Enclosure",
    "Exponential",
    "FloatFormat",
    "Floats",
    "IntArray",
    "Nearest",
    "Precision",
    "Zonotopes",
    "as_format",
    "as_precision",
    "elementary",
    "enclosed",
    "exact_matmul",
    "exponential",
    "float_product",
    "floor_divide",
    "integer_square_root",
    "largest_magnitude",
    "narrow",
    "nearest",
    "sum_of_products",
    "weighted_mean",
]
