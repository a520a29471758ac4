"""One function that draws whatever there is a picture of; and what proves a bracket, as a picture.

A bracket is drawn by its witnesses: a tree over the matrix, a fooling set, a cover, weights of cells.
"""

from __future__ import annotations

from fractions import Fraction
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
from ccsim.plots.curves import Plot, growth_picture, plot_picture
from ccsim.plots.matrix import as_matrix, cell_weights_picture, cover_picture, fooling_picture, matrix_picture
from ccsim.plots.picture import Picture
from ccsim.plots.protocols import sequence_picture, tree_over_matrix
from ccsim.problems.function import Subject, TwoPartyFunction

MOST_ROWS = 256

Witness = dict[str, Any]


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
                known = value.matrix is not None or subject is not None
                expected = f"a matrix of at most {MOST_ROWS} rows and columns" if known else "its matrix as subject"
                raise InputError("value", value.name, expected)
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


def bracket_picture(bracket: Bracket, subject: Subject | None = None) -> Picture | None:
    """The witnesses of a bracket over its matrix; None if the bracket does not know it, or it is too large.

    A protocol tree is drawn over the matrix; a cover with each of its rectangles; a fooling set, or what is shattered,
    with its cells ringed; weights of cells as discs, negative ones as rings. ``subject`` is what the bracket is of, if
    it does not know that.

    >>> import ccsim as cc
    >>> from ccsim.problems import equality
    >>> bracket_picture(cc.bounds.deterministic(equality(1))).alt
    'protocol tree of 4 leaves, 2 bits deep, over a matrix of 2 rows and 2 columns'
    """
    subject = bracket.matrix if subject is None else subject
    if subject is None or max(as_matrix(subject).shape) > MOST_ROWS:
        return None
    # a witness, or the one that it derives bits from, with the parameters of what it bounds
    measured = {**bracket.parameters, "measured": bracket.measure}
    above, below = (
        measured | (witness["given"] | witness["of"] if witness.get("kind") == "bits-of" else witness)
        for witness in (bracket.upper_witness or {}, bracket.lower_witness or {})
    )
    if above.get("kind") == "protocol-tree" and bracket.matrix is not None:
        return tree_over_matrix(bracket.protocol_tree, subject)
    if bracket.measure in ("cover", "partition") and (rectangles := _rectangles(above)):
        return cover_picture(subject, rectangles)
    for witness in (above, below) if bracket.measure == "partition-bound" else (below, above):
        if (picture := _of(witness, subject)) is not None:
            return picture
    return matrix_picture(subject)


def _of(witness: Witness, subject: Subject) -> Picture | None:
    match witness.get("kind"):
        case "fooling-set" if witness["cells"]:
            return fooling_picture(subject, [(cell[0], cell[1]) for cell in witness["cells"]])
        case "rectangle" | "biased-rectangle":
            rows, columns = map(_places, witness["rectangle"])
            return matrix_picture(subject, rectangles=[(rows, columns)])
        case "shattered":
            return matrix_picture(
                subject, cells=_patterns(subject, _places(witness["places"]), witness.get("direction"))
            )
        case "hard-distribution" | "hard-for-messages":
            return cell_weights_picture(subject, witness["cells"], above="how often the input comes")
        case "cell-weights":
            return _cell_weights(witness["cells"], subject, witness.get("code"))
        case "factors" if witness["measured"] != "nonnegative-rank":
            left, right = (
                np.array([[Fraction(entry) for entry in factor] for factor in witness[side]], dtype=object)
                for side in ("rows", "columns")
            )
            product = left @ right.T
            entries = [(row, column, product[row, column]) for row, column in np.ndindex(product.shape)]
            return cell_weights_picture(subject, entries, above="above 0", below="below 0")
        case "gamma2-dual":  # off the diagonal blocks of a Gram matrix, with the other sign
            rows, columns = _places(witness["rows"]), _places(witness["columns"])
            block = [
                (row, column, -Fraction(weight))
                for place, column in enumerate(columns)
                for row, weight in zip(rows, witness["gram"][len(rows) + place][: len(rows)], strict=True)
            ]
            return cell_weights_picture(subject, block)
        case "weighted-rectangles" if len(witness["rectangles"][0]) == 4:
            labels = as_matrix(subject).labels
            names = [f"{Fraction(weight)}: {labels[code]}" for _, _, code, weight in witness["rectangles"]]
            return cover_picture(subject, [(_places(one[0]), _places(one[1])) for one in witness["rectangles"]], names)
    return None


def _cell_weights(cells: list[Any], subject: Subject, code: int | None) -> Picture:
    """What a cell adds to the weight of a rectangle of this answer; of any answer, by whether the answer is its own."""
    if code is None:
        both = [(row, column, weight) for row, column, *pair in cells for weight in pair]
        return cell_weights_picture(subject, both, above="with its own answer", below="with any, taken off")
    codes = as_matrix(subject).codes
    weights = [
        (row, column, Fraction(own) * int(codes[row, column] == code) + Fraction(every))
        for row, column, own, every in cells
    ]
    return cell_weights_picture(subject, weights, above="weight", below="taken off")


def _patterns(subject: Subject, given: str | list[int], direction: str | None) -> list[tuple[int, int]]:
    """Cells of the shattered columns, or rows if Bob sends the message, in the first one that shows each pattern."""
    turned = direction == "bob-to-alice"
    codes, places = as_matrix(subject).codes, _places(given)
    first: dict[tuple[int, ...], int] = {}
    for number, pattern in enumerate((codes.T if turned else codes)[:, places].tolist()):
        first.setdefault(tuple(pattern), number)
    cells = [(number, place) for pattern, number in first.items() if -1 not in pattern for place in places]
    return [(place, number) for number, place in cells] if turned else cells


def _rectangles(witness: Witness) -> list[tuple[list[int], list[int]]]:
    if witness.get("kind") == "parts":
        return [one for part in witness["parts"] for one in _rectangles(part)]
    listed = witness.get("rectangles", []) if witness.get("kind") == "rectangles" else []
    return [(_places(rows), _places(columns)) for rows, columns in listed]


def _places(text: str | list[int]) -> list[int]:
    if isinstance(text, list):
        return text
    mask = int(text, 16)
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
