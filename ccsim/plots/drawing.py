"""One function that draws whatever there is a picture of."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.auditing.learned import Learned
from ccsim.auditing.result import Collision
from ccsim.bounds.bracket import Bracket
from ccsim.bounds.growth_table import GrowthTable
from ccsim.engine.explore import Exploration
from ccsim.engine.model import Transcript
from ccsim.engine.run import Run
from ccsim.engine.tree import ProtocolTree
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.models.automata import Automaton
from ccsim.plots.automata import automaton_picture, collision_picture, learned_picture
from ccsim.plots.brackets import MOST_ROWS, bracket_picture
from ccsim.plots.curves import Plot, growth_picture, plot_picture
from ccsim.plots.matrix import matrix_picture
from ccsim.plots.picture import Picture
from ccsim.plots.protocols import sequence_picture, tree_over_matrix
from ccsim.problems.function import TwoPartyFunction


def draw(value: Any, subject: Any = None) -> Picture:
    """The picture of a function, matrix, bracket, table of growth, tree, exploration, run, automaton or plot.

    Of a bracket, ``subject`` is the function that it is of, for the names of rows and columns. Raises
    :class:`~ccsim.errors.InputError` for what has no picture.

    >>> import ccsim as cc
    >>> draw(cc.problems.equality(2)).alt
    'matrix of 4 rows and 4 columns'
    """
    match value:
        case Picture():
            return value
        case TwoPartyFunction() | CommunicationMatrix() | np.ndarray() | list():
            return matrix_picture(value)
        case Bracket():
            if (picture := bracket_picture(value, subject)) is None:
                matrix = f"a matrix of at most {MOST_ROWS} rows and columns"
                raise InputError("value", value.name, f"a bracket that knows {matrix}, or that matrix as subject")
            return picture
        case Exploration(tree=ProtocolTree() as tree) | (ProtocolTree() as tree):
            return tree_over_matrix(tree)
        case Run() | Transcript():
            return sequence_picture(value)
        case Automaton():
            return automaton_picture(value)
        case Learned():
            return learned_picture(value)
        case GrowthTable():
            return growth_picture(value)
        case Plot():
            return plot_picture(value)
        case _ if isinstance(value, Collision):
            return collision_picture(value)
    raise InputError("value", value, "a function, a matrix, a bracket, a tree, a run, an automaton or a plot")
