"""At every length, sets of cells: regular-fooling-set, triangular-set, triangular-complement."""

from __future__ import annotations

from typing import Any

from .data import CODES, fields, integer, items, need
from .families import MOST_COUNTED, Count, Family, FamilyClaim, always, reached_from
from .pair_words import PairWords, recurrence, values_of


def fools(answer: str, codes: tuple[int, int, int, int]) -> bool:
    """Whether no leaf contains two cells: those of (x, y), (x', y'), (x, y') and (x', y) are given, -1 where free."""
    one, two, three, four = codes
    if answer == "both":
        return len({code for code in codes if code >= 0}) > 1
    pairs = ((one, three), (two, four)) if answer == "alice" else ((one, four), (two, three))
    return any(left != right and min(left, right) >= 0 for left, right in pairs)


@always("regular-fooling-set", "lower deterministic", "lower fooling-set")
def check_regular_fooling_set(claim: FamilyClaim, words: Any) -> Count:
    """No leaf contains two accepted words of one length: each pair of them is followed through the automata, with the
    two mixed words, and at the end something disagrees, as for a fooling set. So for each n there are at least as many
    leaves as words of length n. If the claim is about one answer, all of them have it."""
    accepted, code = PairWords(claim.family, words), claim.parameters.get("code")
    need(min(accepted.answers(), default=0) >= 0, "a free cell in a fooling set")
    need(code is None or accepted.answers() <= {code}, "a word with another answer")
    need(all(fools(claim.answer, codes) for codes in accepted.parted()), "two words that a leaf may contain")
    return accepted.count()


@always("triangular-set", "lower rank")
def check_triangular_set(claim: FamilyClaim, words: Any) -> Count:
    """The rows and columns of the accepted words of one length, in order (the first difference decides, by the order in
    which the steps of a state are listed), have the answer on the diagonal, and another one above it: a triangular
    matrix, whose rank over every field is the number of words."""
    accepted, code = PairWords(claim.family, words), integer(claim.parameters["code"], 0, CODES)
    total(claim.family)
    need(accepted.answers() <= {code}, "a word with another answer")
    need(all(codes[2] != code for codes in accepted.parted()), "the answer above the diagonal")
    return accepted.count()


@always("triangular-complement", "lower deterministic")
def check_triangular_complement(claim: FamilyClaim, code: Any, words: Any, silent: Any) -> Count:
    """A triangular set of c words for an answer, as above: so many leaves have this answer. The 0/1 matrix of all other
    answers together is all ones less that of this one; so on these lines its rank is c - 1 at least, and there are as
    many leaves of other answers. If a row (or a column) shows the answer in none of the columns (rows) of these words,
    all ones are a row of the matrix, and its rank is c; if both do, and their common cell does not either, it is c + 1.
    A silent line is a list of letters, the last of which is repeated for ever."""
    need(claim.answer == "both", "both parties know the answer")
    family, rank_claim = claim.family, {"code": code, "field": "rational"}
    one = FamilyClaim(family, "rank", "lower", rank_claim)
    lines = [None if line is None else silent_line(line, size) for line, size in
             zip(fields(silent, "alice", "bob"), (family.alice, family.bob), strict=True)]  # fmt: skip
    count, accepted = check_triangular_set(one, words), PairWords(family, words)
    for party, line in enumerate(lines):
        need(line is None or silent_on(accepted, line, party, code), "a line that is not silent")
    both = lines[0] is not None and lines[1] is not None
    need(not both or silent_together(family, lines, code), "two lines that meet in the answer")
    more = sum(line is not None for line in lines) - 1
    return recurrence([2 * value + more for value in values_of(count, 2 * len(count[0]) + 4)], family.spend)


def silent_line(line: Any, letters: int) -> list[int]:
    """A line for every n: its letters, the last one for ever."""
    need(bool(items(line)) and len(line) <= MOST_COUNTED, "a line of some letters")
    return [integer(letter, 0, letters - 1) for letter in line]


def silent_on(accepted: PairWords, line: list[int], party: int, code: int) -> bool:
    """Whether a line of a party never shows the answer with the other party's part of an accepted word."""
    family, last = accepted.family, len(line) - 1

    def follow(now: tuple[int, int, int]) -> list[tuple[int, int, int]]:
        own, state, place = now
        rows = family.table[state]
        return [
            (after, rows[x][line[place]] if party else rows[line[place]][y], min(place + 1, last))
            for x, y, after in accepted.steps[own]
        ]

    found = reached_from(family, follow((accepted.first, family.first, 0)), follow)
    return all(own not in accepted.accepting or family.outputs[state] != code for own, state, _ in found)


def silent_together(family: Family, lines: list[Any], code: int) -> bool:
    """Whether two lines for every n never show the answer where they meet."""

    def follow(now: tuple[int, int]) -> list[tuple[int, int]]:
        state, place = now
        x, y = (line[min(place, len(line) - 1)] for line in lines)
        return [(family.table[state][x][y], min(place + 1, MOST_COUNTED))]

    found = reached_from(family, follow((family.first, 0)), follow)
    return all(family.outputs[state] != code for state, _ in found)


def total(family: Family) -> None:
    """Refuse free cells, which have no rank."""
    need(all(family.outputs[state] >= 0 for state in family.after_some()), "free cells have no rank")
