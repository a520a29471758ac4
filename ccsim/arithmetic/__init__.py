"""Exact arithmetic of finite precision: fixed point, rounded down."""

from ccsim.arithmetic.fixed_point import Enclosure as Enclosure
from ccsim.arithmetic.fixed_point import Precision as Precision
from ccsim.arithmetic.fixed_point import as_precision as as_precision
from ccsim.arithmetic.fixed_point import enclosed as enclosed
from ccsim.arithmetic.fixed_point import exact_matmul as exact_matmul
from ccsim.arithmetic.fixed_point import float_product as float_product
from ccsim.arithmetic.fixed_point import floor_divide as floor_divide
from ccsim.arithmetic.fixed_point import integer_square_root as integer_square_root
from ccsim.arithmetic.fixed_point import largest_magnitude as largest_magnitude
from ccsim.arithmetic.fixed_point import narrow as narrow
from ccsim.arithmetic.fixed_point import sum_of_products as sum_of_products
from ccsim.arithmetic.fixed_point import weighted_mean as weighted_mean
from ccsim.arithmetic.functions import FUNCTIONS as FUNCTIONS
from ccsim.arithmetic.functions import Elementary as Elementary
from ccsim.arithmetic.functions import Exponential as Exponential
from ccsim.arithmetic.functions import elementary as elementary
from ccsim.arithmetic.functions import exponential as exponential
from ccsim.arithmetic.zonotopes import Zonotopes as Zonotopes

__all__ = ["Elementary", "Exponential", "Precision", "elementary", "exponential"]
