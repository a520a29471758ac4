"""What a protocol is to find out, as bit masks: where on each line each answer is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ccsim.bounds.rank.over_fields import pack_rows
from ccsim.bounds.tree_search.cells import ALICE, BOB, bits_of
from ccsim.bounds.tree_search.tree import SPEAKERS, Tree
from ccsim.cells import DONT_CARE
from ccsim.matrices import CommunicationMatrix
from ccsim.relations import Relation

Rectangle = tuple[int, int]
"""Rows and columns, as masks."""

Leaders = tuple[dict[int, int], dict[int, int]]
"""For each party, the line that each of its lines follows."""


class Game(NamedTuple):
    """A table of allowed answers, and who must know one.

    Attributes:
        shape: how many rows and columns there are.
        allowed: per party, per answer code, per line of that party: the other party's inputs where the answer is right.
        answer: ``both``, ``alice`` or ``bob``.
    """

    shape: tuple[int, int]
    allowed: tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]
    answer: str

    @property
    def everything(self) -> tuple[int, int]:
        """All rows and all columns."""
        return (1 << self.shape[0]) - 1, (1 << self.shape[1]) - 1

    @property
    def knower(self) -> int:
        """The party by whose lines a leaf is told: the one that must know, or Alice."""
        return BOB if self.answer == "bob" else ALICE

    def right_on(self, party: int, line: int, across: int) -> list[int]:
        """The answers that are right on all these inputs across a line."""
        return [code for code, lines in enumerate(self.allowed[party]) if across & ~lines[line] == 0]

    def leaf(self, rows: int, columns: int) -> Tree | None:
        """The rectangle as a leaf of a protocol tree; None if who must know the answer does not know it yet."""
        own, across = (columns, rows) if self.knower == BOB else (rows, columns)
        lines = bits_of(own)
        if self.answer == "both":
            for code, allowed in enumerate(self.allowed[ALICE]):
                if all(across & ~allowed[line] == 0 for line in lines):
                    return {"answer": code}
            return None
        right = [self.right_on(self.knower, line, across)[:1] for line in lines]
        if not all(right):
            return None
        answers = [[line, codes[0]] for line, codes in zip(lines, right, strict=True)]
        return {"answers": answers} if len({code for _, code in answers}) != 1 else {"answer": answers[0][1]}

    def reduced(self, rows: int, columns: int) -> tuple[tuple[int, int], Leaders]:
        """The rectangle without the lines that may follow another one, and whom they follow.

        A line may follow another one if it allows, on the inputs across that are left, every answer that the other one
        allows. Lines are dropped in turns, and a line that is followed may itself be dropped later.
        """
        masks = [rows, columns]
        leaders: Leaders = ({line: line for line in bits_of(rows)}, {line: line for line in bits_of(columns)})
        changed = True
        while changed:
            changed = False
            for party in (ALICE, BOB):
                following = self._following(party, masks[party], masks[1 - party])
                for line in following:
                    masks[party] ^= 1 << line
                    changed = True
                for line, leader in leaders[party].items():
                    leaders[party][line] = following.get(leader, leader)
        return (masks[ALICE], masks[BOB]), leaders

    def _following(self, party: int, lines: int, across: int) -> dict[int, int]:
        """The lines that are not needed, each with a line that stays."""
        shown = {line: [allowed[line] & across for allowed in self.allowed[party]] for line in bits_of(lines)}
        order = sorted(shown, key=lambda line: sum(mask.bit_count() for mask in shown[line]))
        kept: list[int] = []
        following: dict[int, int] = {}
        for line in order:  # who allows least first
            own = shown[line]
            leader = next((k for k in kept if all(a & ~b == 0 for a, b in zip(shown[k], own, strict=True))), None)
            if leader is None:
                kept.append(line)
            else:
                following[line] = leader
        return following


def game_of(matrix: CommunicationMatrix, answer: str) -> Game:
    """A function as a game; a free cell allows every answer."""
    codes = matrix.codes
    tables = [(codes == code) | (codes == DONT_CARE) for code in range(max(1, len(matrix.labels)))]
    allowed = ([pack_rows(table) for table in tables], [pack_rows(table.T) for table in tables])
    return Game(matrix.shape, allowed, answer)


def relation_game(relation: Relation, answer: str) -> Game:
    """A relation as a game."""
    tables = [relation.right(code) for code in range(len(relation.labels))]
    allowed = ([pack_rows(table) for table in tables], [pack_rows(table.T) for table in tables])
    return Game(relation.shape, allowed, answer)


def followed(tree: Tree, leaders: Leaders, game: Game, rows: int, columns: int) -> Tree:
    """A tree for the lines that lead, as one for all lines of a rectangle."""
    if "speaker" not in tree:
        leaf = game.leaf(rows, columns)
        return tree if leaf is None else leaf
    party = SPEAKERS.index(tree["speaker"])
    wanted = sum(1 << line for line in tree["ones"])
    own = (rows, columns)[party]
    ones = sum(1 << line for line in bits_of(own) if wanted >> leaders[party][line] & 1)
    halves = [(part, columns) if party == ALICE else (rows, part) for part in (own & ~ones, ones)]
    zero, one = (followed(tree[name], leaders, game, *half) for name, half in zip(("zero", "one"), halves, strict=True))
    return {"speaker": tree["speaker"], "ones": list(bits_of(ones)), "zero": zero, "one": one}
