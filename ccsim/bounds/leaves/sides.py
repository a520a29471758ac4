"""Both sides of what a game takes, in leaves or in bits, and what moves them for functions and relations alike."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.leaves.game import Game, followed
from ccsim.bounds.leaves.program import Program, work_of
from ccsim.bounds.leaves.search import LateError, Search
from ccsim.bounds.tree_search.tree import Tree, depth_of, leaves_of
from ccsim.certificates.verify.leaves import work_of_all
from ccsim.certificates.verify.matrices import MOST_WORK

WIDTHS = 3  # splits that the search tries, at most, if its time is not limited
MOST_WIDTH = 100
SPLITS_IN_A_SECOND = 1e8  # of rectangles, at least


@dataclass
class Sides:
    """What is known of the leaves (or bits) of a game's protocols.

    Attributes:
        counted: ``leaves`` or ``bits``.
        parameters: of the claim.
    """

    counted: str
    parameters: dict[str, Any]
    lower: int = 0
    upper: int | None = None
    below: str = "trivial"
    witness: Witness | None = None
    tree: Tree | None = None
    start: float = field(default_factory=time.monotonic)

    @property
    def settled(self) -> bool:
        """Whether both sides meet."""
        return self.lower == self.upper

    def at_least(self, value: int, method: str, witness: Witness) -> None:
        """A lower bound that may be better than what is known."""
        if value > self.lower:
            self.lower, self.below, self.witness = value, method, witness

    def at_most(self, tree: Tree) -> None:
        """A protocol that may be better than what is known."""
        value = leaves_of(tree) if self.counted == "leaves" else depth_of(tree)
        if self.upper is None or value < self.upper:
            self.upper, self.tree = value, tree

    def bracket(self) -> Bracket:
        """As a bracket."""
        above: Witness | None = {"kind": "protocol-tree", "tree": self.tree} if self.tree else None
        measure = "leaves" if self.counted == "leaves" else "deterministic"
        method, seconds = f"{self.below} | protocol tree", time.monotonic() - self.start
        sides = (self.lower, self.upper, method, self.witness, above)
        return Bracket(measure, *sides, self.parameters, self.counted, seconds)


def everything_checked(game: Game, rows: int, columns: int, counted: str) -> bool:
    """Whether a checker goes through all rectangles in this one."""
    m, n = rows.bit_count(), columns.bit_count()
    own, across = (n, m) if game.answer == "bob" else (m, n)
    return max(m, n) <= 16 and work_of_all(own, across, counted == "leaves") < MOST_WORK


def settle(game: Game, sides: Sides, clock: Clock) -> Iterator[None]:
    """Go through all rectangles if they are not too many, else look for good protocols, trying more and more splits."""
    few, leaders = game.reduced(*game.everything)
    if everything_checked(game, *few, sides.counted):
        if work_of(*(mask.bit_count() for mask in few)) < SPLITS_IN_A_SECOND * clock.left(60.0):
            program = Program(game, *few, sides.counted)
            sides.at_least(program.value, "all rectangles", all_rectangles(*few))
            sides.at_most(followed(program.tree(), leaders, game, *game.everything))
            yield
        return
    for width in range(1, (WIDTHS if clock.end is None else MOST_WIDTH) + 1):
        if sides.settled:
            return
        search = Search(game, sides.counted, width, clock)
        try:
            search.value(*few)
        except LateError:
            return
        sides.at_most(search.tree(*game.everything))
        yield


def all_rectangles(rows: int, columns: int) -> Witness:
    """What tells the checker to go through all rectangles in one."""
    return {"kind": "all-rectangles", "rows": f"{rows:x}", "columns": f"{columns:x}"}
