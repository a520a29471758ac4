"""Good protocols for tables too large to go through all rectangles: by splits that an answer on a line suggests."""

from __future__ import annotations

from collections.abc import Iterator

from ccsim.bounds.clock import Clock
from ccsim.bounds.leaves.game import Game, Rectangle, followed
from ccsim.bounds.leaves.program import Program, work_of
from ccsim.bounds.tree_search.cells import ALICE, BOB, bits_of
from ccsim.bounds.tree_search.tree import SPEAKERS, Tree

FEW = 12  # splits of a party, up to which those by two of them are thought of as well
SMALL = 4_000_000  # splits of a rectangle that is settled by going through all of its own

Split = tuple[int, int]
"""A party, and its lines that say 1."""


class LateError(Exception):
    """The time is over."""


class Search:
    """Protocols of few leaves (or bits) for a game: of the splits that look best, as many as ``width`` are tried.

    A split that is thought of says on which side of one answer on one line of the other party a line is; for a
    Karchmer-Wigderson game that is a bit of the input. How good its halves look is what naming a line takes there.
    """

    def __init__(self, game: Game, counted: str, width: int, clock: Clock) -> None:
        self.game, self.counted, self.width, self.clock = game, counted, width, clock
        self._known: dict[Rectangle, tuple[int, Split | None]] = {}

    def value(self, rows: int, columns: int) -> int:
        """What the protocol that is found takes; :class:`LateError` if that is not known in time."""
        few, _ = self.game.reduced(rows, columns)
        return self._settled(few)[0]

    def _settled(self, few: Rectangle) -> tuple[int, Split | None]:
        if few not in self._known:
            self._known[few] = self._tried(few)
        return self._known[few]

    def _tried(self, few: Rectangle) -> tuple[int, Split | None]:
        if self.clock.over:
            raise LateError
        if self.game.leaf(*few) is not None:
            return (1 if self.counted == "leaves" else 0), None
        if work_of(few[0].bit_count(), few[1].bit_count()) <= SMALL:
            return Program(self.game, *few, self.counted).value, None
        looks = sorted(self._splits(few), key=lambda split: self._looks(few, split))
        return min((self._after(few, split), split) for split in looks[: self.width])

    def _after(self, few: Rectangle, split: Split) -> int:
        return self._joined(*(self.value(*half) for half in halves(few, split)))

    def _joined(self, one: int, other: int) -> int:
        return one + other if self.counted == "leaves" else 1 + max(one, other)

    def _looks(self, few: Rectangle, split: Split) -> tuple[int, int]:
        costs = [self._naming(self.game.reduced(*half)[0]) for half in halves(few, split)]
        return self._joined(*costs), max(costs)

    def _naming(self, few: Rectangle) -> int:
        """What naming a line takes, the better party, and then the answer on it."""
        if self.game.leaf(*few) is not None:
            return 1 if self.counted == "leaves" else 0
        best = []
        for party in (ALICE, BOB):
            replies = [self._replies(party, line, few[1 - party]) for line in bits_of(few[party])]
            if self.counted == "leaves":
                best.append(sum(replies))
            else:
                best.append((len(replies) - 1).bit_length() + (max(replies) - 1).bit_length())
        return min(best)

    def _replies(self, party: int, line: int, across: int) -> int:
        """How many answers the other party chooses from, once a line is known."""
        if self.game.answer == SPEAKERS[1 - party]:
            return 1
        count = 0
        while across:
            across &= ~max((lines[line] & across for lines in self.game.allowed[party]), key=int.bit_count)
            count += 1
        return count

    def _splits(self, few: Rectangle) -> Iterator[Split]:
        """Without one for each other's mirror image."""
        for party in (ALICE, BOB):
            own, across = few[party], few[1 - party]
            lines = bits_of(own)
            half = sum(1 << line for line in lines[: len(lines) // 2])
            sets = {half} | {answer[line] & own for answer in self.game.allowed[1 - party] for line in bits_of(across)}
            if len(sets) <= FEW:  # parities of two bits, say
                sets |= {one ^ other for one in sets for other in sets}
            first = own & -own
            for ones in {one ^ own if one & first else one for one in sets} - {0}:
                yield party, ones

    def tree(self, rows: int, columns: int) -> Tree:
        """The protocol, as a tree."""
        few, leaders = self.game.reduced(rows, columns)
        _, split = self._settled(few)
        if split is None:
            tree = self.game.leaf(*few) or Program(self.game, *few, self.counted).tree()
        else:
            zero, one = (self.tree(*half) for half in halves(few, split))
            tree = {"speaker": SPEAKERS[split[0]], "ones": list(bits_of(split[1])), "zero": zero, "one": one}
        return followed(tree, leaders, self.game, rows, columns)


def halves(rectangle: Rectangle, split: Split) -> tuple[Rectangle, Rectangle]:
    """What is left after 0, and after 1."""
    (rows, columns), (party, ones) = rectangle, split
    if party == ALICE:
        return (rows & ~ones, columns), (rows & ones, columns)
    return (rows, columns & ~ones), (rows, columns & ones)
