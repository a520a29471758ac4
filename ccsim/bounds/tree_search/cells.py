"""The cells of a matrix as bit masks: what the search asks of a rectangle, rows and columns alike."""

from __future__ import annotations

from ccsim.bounds.rank import pack_rows
from ccsim.matrices import CommunicationMatrix

ALICE, BOB = 0, 1


def bits_of(mask: int) -> tuple[int, ...]:
    """The places of the ones of a mask, ascending."""
    places = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return tuple(places)


class Axis:
    """The lines of one party (rows for Alice, columns for Bob), each as a mask over the other party's inputs.

    Attributes:
        count: how many lines.
        blocks: per answer code, per line: the cells with that answer.
        keys: per line, the blocks side by side (without the first one where the matrix is total): two lines
            agree on a set of cells iff their keys agree there, and if the matrix is partial, line a may
            follow line b iff the key of a is contained in the key of b.
    """

    def __init__(self, indicators: list[list[int]], count: int, across: int, total: bool) -> None:
        self.count, self.blocks = count, indicators
        parts = indicators[1:] if total and len(indicators) > 1 else indicators
        self.repeat = sum(1 << (across * number) for number in range(len(parts)))
        self.keys = [sum(part[line] << (across * number) for number, part in enumerate(parts)) for line in range(count)]


class Cells:
    """A communication matrix as two axes of bit masks.

    A rectangle is a pair of masks ``(rows, columns)``.
    """

    def __init__(self, matrix: CommunicationMatrix, answer: str) -> None:
        codes = self.codes = matrix.codes.astype(int)
        self.answer, self.total = answer, matrix.is_total
        self.labels = len(matrix.labels)
        self.shape = matrix.shape
        by_row = [pack_rows(codes == code) for code in range(self.labels)]
        by_column = [pack_rows((codes == code).T) for code in range(self.labels)]
        self.axes = (
            Axis(by_row, matrix.shape[0], matrix.shape[1], self.total),
            Axis(by_column, matrix.shape[1], matrix.shape[0], self.total),
        )
        self.everything = ((1 << matrix.shape[0]) - 1, (1 << matrix.shape[1]) - 1)
        self.two_answers = self.labels == 2 and answer == "both"
        self.settled = 2 if self.two_answers and not self.total else 0  # bits for which there is a closed form
        self.boolean = self.total and self.labels <= 2 and answer == "both"
        if self.boolean:
            self.settled = 3
        self._places: dict[int, tuple[int, ...]] = {}

    def places(self, mask: int) -> tuple[int, ...]:
        """:func:`bits_of`, remembered."""
        found = self._places.get(mask)
        if found is None:
            if len(self._places) > 200_000:
                self._places.clear()
            found = self._places[mask] = bits_of(mask)
        return found

    def answers(self, party: int, line: int, across: int) -> list[int]:
        return [code for code, block in enumerate(self.axes[party].blocks) if block[line] & across]

    def is_leaf(self, rows: int, columns: int) -> bool:
        """Whether whoever is to know the answer knows it on this rectangle."""
        if self.answer == "both":
            seen: set[int] = set()
            for row in self.places(rows):
                seen.update(self.answers(ALICE, row, columns))
                if len(seen) > 1:
                    return False
            return True
        if self.answer == "alice":
            return all(len(self.answers(ALICE, row, columns)) <= 1 for row in self.places(rows))
        return all(len(self.answers(BOB, column, rows)) <= 1 for column in self.places(columns))

    def reduce(self, rows: int, columns: int) -> tuple[int, int]:
        """The rectangle without the lines that may follow another one: the same complexity."""
        while True:
            fewer_rows = self.representatives(ALICE, rows, columns)
            fewer_columns = self.representatives(BOB, columns, fewer_rows)
            if fewer_rows == rows and fewer_columns == columns:
                return rows, columns
            rows, columns = fewer_rows, fewer_columns

    def representatives(self, party: int, lines: int, across: int) -> int:
        """A mask of lines such that every line given may follow one of them on these inputs."""
        axis = self.axes[party]
        window = across * axis.repeat
        if not self.total:
            return self._maximal(axis.keys, lines, window)
        kept, seen = 0, set()
        for line in self.places(lines):
            key = axis.keys[line] & window
            if key not in seen:
                seen.add(key)
                kept |= 1 << line
        return kept

    def _maximal(self, keys: list[int], lines: int, window: int) -> int:
        kept: list[tuple[int, int]] = []
        order = sorted(self.places(lines), key=lambda line: -(keys[line] & window).bit_count())
        for line in order:
            key = keys[line] & window
            if not any(key & other == key for other, _ in kept):
                kept.append((key, line))
        return sum(1 << line for _, line in kept)

    def reduce_with_leaders(self, rows: int, columns: int) -> tuple[tuple[int, int], tuple[dict[int, int], ...]]:
        """As :meth:`reduce`, and per party the line that each line follows.

        The leaders are found stage by stage: with don't-care cells a line that agrees with another one on
        the remaining inputs alone need not agree on those that were dropped before.
        """
        masks = [rows, columns]
        leaders = tuple({line: line for line in self.places(mask)} for mask in masks)
        while True:
            before = list(masks)
            for party in (ALICE, BOB):
                kept = self.representatives(party, masks[party], masks[1 - party])
                for line in self.places(masks[party] & ~kept):
                    leader = self._leader(party, line, masks[1 - party], kept)
                    for follower, followed in leaders[party].items():
                        if followed == line:
                            leaders[party][follower] = leader
                masks[party] = kept
            if masks == before:
                return (masks[0], masks[1]), leaders

    def _leader(self, party: int, line: int, across: int, kept: int) -> int:
        axis = self.axes[party]
        window = across * axis.repeat
        key = axis.keys[line] & window
        if self.total:
            return next(other for other in self.places(kept) if axis.keys[other] & window == key)
        return next(other for other in self.places(kept) if key & axis.keys[other] == key)
