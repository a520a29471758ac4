"""One message, after which only the receiver must answer.

The rows are the sender's, the columns the receiver's (of the transposed matrix, if Bob is the sender).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add

from .claims import (
    CODES,
    MOST_CELLS,
    Any,
    MatrixClaim,
    Value,
    bits_for,
    fields,
    indices,
    integer,
    items,
    mask_of,
    need,
    proves,
)
from .randomised import in_two, mixed, most_or_bits, success_or_bits, sums_of_sets, weights_of_answers


def conflict(claim: MatrixClaim, one: int, other: int) -> bool:
    """Whether two rows have different answers somewhere: then they need different messages."""
    matrix, party = claim.matrix, claim.party
    matrix.spend(36 + (8 + 2 * matrix.long[party]) * len(matrix.codes))
    free = matrix.masks(-1, party)[other]
    rows = (matrix.masks(code, party) for code in matrix.codes)
    return any(mask[one] & ~(mask[other] | free) for mask in rows)


@proves("distinct-lines", "lower one-way-messages")
def check_distinct(claim: MatrixClaim, lines: Any) -> int:
    """Lines of the sender that differ pairwise within the promise: each needs its own message."""
    matrix, size = claim.matrix, (claim.matrix.height, claim.matrix.width)[claim.party]
    shown = indices(lines, size)
    need(len(set(shown)) == len(shown), "a row twice")
    matrix.spend(2 * matrix.size)
    table = list(zip(*matrix.table, strict=True)) if claim.party else matrix.table
    picked = {row: tuple(table[row]) for row in shown}
    if any(-1 in row for row in picked.values()):
        need(all(conflict(claim, a, b) for place, a in enumerate(shown) for b in shown[:place]), "rows that agree")
    need(len(set(picked.values())) == len(picked), "two equal rows")
    return len(picked)


@proves("message-classes", "upper one-way-messages")
def check_classes(claim: MatrixClaim, classes: Any) -> int:
    """A message for each row such that the rows of one message never disagree in a column."""
    matrix, party, taken = claim.matrix, claim.party, dict[int, int]()
    size = (matrix.height, matrix.width)[party]
    messages = indices(classes, size, size)
    for code in matrix.codes:
        matrix.spend((25 + 3 * matrix.long[party]) * size)
        shown = dict.fromkeys(messages, 0)
        for message, mask in zip(messages, matrix.masks(code, party), strict=True):
            shown[message] |= mask
        for message, mask in shown.items():
            need(taken.get(message, 0) & mask == 0, "one message, two answers")
            taken[message] = taken.get(message, 0) | mask
    return len(set(messages))


@proves("branching", "lower one-way-messages")
def check_branching(claim: MatrixClaim, budget: Any, proof: Any) -> int:
    """So many messages are not enough: row after row, as the proof names them depth first, joins each class that it
    may join, or is the first of one more class, as long as there are not too many; a branch ends where there is no
    choice. A class is a mask of rows: those with one message are never in conflict.
    """
    matrix, size = claim.matrix, integer(budget, 0, MOST_CELLS)
    room = 300 + (matrix.height + matrix.width) // 7
    stack: list[tuple[Classes, int, Classes]] = [((), 0, ())]  # classes, and by what one of them is replaced
    for item in items(proof):
        classes, place, grown = stack.pop()
        classes, options = (*classes[:place], *grown, *classes[place + 1 :]), []
        row = integer(item, 0, (matrix.height, matrix.width)[claim.party] - 1)
        for place in range(min(len(classes) + 1, size)):
            matrix.spend(80 + 2 * len(classes))
            own = (*classes, 0)[place]
            if not any(conflict(claim, row, other) for other in matrix.places(own)):
                options.append((classes, place, (own | 1 << row,)))
        matrix.spend(60, room * len(options))
        stack += options[::-1]
    need(not stack, "a branch that is not followed to its end")
    return size + 1


Classes = tuple[int, ...]


def shattered(claim: MatrixClaim, mask: int) -> bool:
    """Whether the rows show all 0/1 patterns on these columns."""
    zeros, ones = (claim.matrix.masks(code, claim.party) for code in (0, 1))
    claim.matrix.spend((8 + 2 * claim.matrix.long[claim.party]) * len(ones))
    shown = {one & mask for zero, one in zip(zeros, ones, strict=True) if mask & ~(zero | one) == 0}
    return len(shown) == 1 << mask.bit_count()


@proves("shattered", "lower vc-dimension")
def check_shattered(claim: MatrixClaim, places: Any) -> int:
    """Columns on which the rows show all 0/1 patterns: the VC dimension is at least their number."""
    mask = claim.matrix.subset(places, (claim.matrix.width, claim.matrix.height)[claim.party])
    need(mask.bit_count() <= 22 and shattered(claim, mask), "a pattern is missing")
    return mask.bit_count()


@proves("all-patterns", "lower vc-dimension")
def check_all_patterns(claim: MatrixClaim) -> int:
    """The rows of INDEX are all words of n bits, and its columns their n places: all of these show all patterns. It is
    named, and no table of its 2^n rows is written out."""
    name, n = claim.matrix.function or ("", 0)
    need(name == "index" and claim.party == 0, "Alice's words for INDEX")
    return n


@proves("vc-listing", "upper vc-dimension")
def check_vc_listing(claim: MatrixClaim, at_most: Any) -> int:
    """No set of one column more is shattered, as :func:`shattered_columns` finds none."""
    matrix, count = claim.matrix, integer(at_most, 0, 22) + 1
    rows = (matrix.masks(code, claim.party) for code in (0, 1))
    different = {pair: row for row, pair in enumerate(zip(*rows, strict=True))}
    matrix.spend(matrix.size // 8 + 40 * matrix.height, 150 * len(different))
    chosen = mask_of(different.values(), (matrix.height, matrix.width)[claim.party])
    zeros, ones = (matrix.masks(code, 1 - claim.party) for code in (0, 1))
    need(shattered_columns(zeros, ones, chosen, count, matrix.spend) is None, "a larger shattered set")
    return count - 1


def shattered_columns(
    zeros: list[int], ones: list[int], rows: int, count: int, spend: Callable[[int, int], None]
) -> list[int] | None:
    """Some ``count`` columns that are shattered by these rows, all different; None if there are none.

    All of them are tried, one column after the other, with the set of rows of each pattern on those that were chosen.
    Each pattern of k columns extends to 2^(count - k) patterns of all columns, and so many rows must have it. A column
    that fits no longer fits nowhere below: more columns are chosen there.
    """
    long = rows.bit_length()
    step = 12 + long // 200

    def split(groups: list[int], place: int, least: int) -> list[int]:
        wider: list[int] = []
        for group in groups:
            zero, one = group & zeros[place], group & ones[place]
            if zero.bit_count() < least or one.bit_count() < least:
                return []
            wider += (zero, one)
        return wider

    def chosen(groups: list[int], places: list[int], more: int) -> list[int] | None:
        spend(200 + len(places) * (20 + step * len(groups)), 0)
        fitting = [place for place in places if split(groups, place, 1 << more - 1)]
        if more == 1:
            return fitting[:1] or None
        for at in range(len(fitting) - more + 1):
            spend(50 + len(fitting) + 2 * step * len(groups), 0)
            rest = chosen(split(groups, fitting[at], 1), fitting[at + 1 :], more - 1)
            if rest is not None:
                return [fitting[at], *rest]
        return None

    if rows.bit_count() >> count == 0:
        return None
    spend(0, (50 + long // 7 << count) + 8 * len(zeros) * count)
    return chosen([rows], list(range(len(zeros))), count)


@proves("hard-for-messages", "upper one-way success", "lower one-way-randomised")
def check_hard_for_messages(claim: MatrixClaim, bits: Any, cells: Any) -> Value:
    """A distribution, as for :func:`check_hard`, and one message of so many bits: it divides the rows,
    and for each message and each column the answer of most weight is given. With twice as many messages,
    rows are divided in two in the best way, by dynamic programming over sets of rows."""
    answers, scale = weights_of_answers(claim, cells, 1024)
    size, width = len(answers[0]), len(answers[0][0])
    times = min(integer(bits, 0, 64), (size - 1).bit_length())  # more messages than rows are of no use
    long = 1 + (scale.bit_length() >> 7)
    claim.matrix.spend(
        (4 * len(answers) * width * long + 40 << size) + 8 * 3**size * times * long,
        (40 + scale.bit_length() // 7) * (len(answers) * width + 5) << size,
    )
    sums = zip(*(sums_of_sets(table) for table in answers), strict=True)
    best = [sum(map(max, *rows)) if len(rows) > 1 else sum(rows[0]) for rows in sums]
    for _ in range(times - 1):
        best = in_two(best, best)
    most = max(map(add, best, best[::-1])) if times else best[-1]
    return most_or_bits(claim, most, scale, bits)


@proves("message-mixture", "lower one-way success", "upper one-way-randomised")
def check_message_mixture(claim: MatrixClaim, protocols: Any) -> Value:
    """Protocols of one message with probabilities: each has a message for each row, and for each message an answer for
    each column. Success is counted on each promised cell."""
    entries = [fields(entry, "weight", "messages", "answers") for entry in items(protocols)]
    (shares, scale), matrix = mixed(text for text, *_ in entries), claim.matrix
    matrix.spend(4 * matrix.size, 16 * matrix.size)
    rows = list(zip(*matrix.table, strict=True)) if claim.party else matrix.table
    right, most = [[0] * len(rows[0]) for _ in rows], 1
    for share, (_, messages, answers) in zip(shares, entries, strict=True):
        matrix.spend((10 + (scale.bit_length() >> 6)) * matrix.size + 50, 8 * matrix.size)
        replies = [items(reply, len(rows[0])) for reply in items(answers)]
        matrix.spend(10 * len(replies) * len(rows[0]))
        for reply in replies:
            need(all(type(answer) is int and 0 <= answer <= CODES for answer in reply), "answers are places of labels")
        most = max(most, len(replies))
        for place, (message, row) in enumerate(zip(items(messages, len(rows)), rows, strict=True)):
            own = replies[integer(message, 0, len(replies) - 1)]
            pairs = zip(right[place], row, own, strict=True)
            right[place] = [sum_ + share if cell == answer else sum_ for sum_, cell, answer in pairs]
    return success_or_bits(claim, rows, right, scale, bits_for(most))
