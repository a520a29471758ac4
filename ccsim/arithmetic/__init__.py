"""Exact arithmetic of finite precision: fixed point, rounded down."""

from ccsim.arithmetic.fixed_point import (
    Enclosure,
    IntArray,
    Precision,
    as_precision,
    enclosed,
    exact_matmul,
    float_product,
    floor_divide,
    integer_square_root,
    largest_magnitude,
    narrow,
    sum_of_products,
    weighted_mean,
)
from ccsim.arithmetic.functions import FUNCTIONS, Elementary, Exponential, elementary, exponential
from ccsim.arithmetic.zonotopes import Zonotopes

__all__ = [
    "FUNCTIONS",
    "Elementary",
    "Enclosure",
    "Exponential",
    "IntArray",
    "Precision",
    "Zonotopes",
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
    "sum_of_products",
    "weighted_mean",
]
