"""Witnesses for every length: sets of cells, tensor products, messages, and parties of finitely many states."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from .claims import Any, TooLarge, bits_for, fields, indices, integer, is_prime, items, need, prime_of
from .families import (
    MOST_COUNTED,
    PRIMES,
    Count,
    Family,
    FamilyClaim,
    PairWords,
    always,
    reached_from,
    recurrence,
    values_of,
)
from .ranks import rank_modulo


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
    need(min(accepted.answers(), default=0) >= 0, "an undefined entry in a fooling set")
    need(code is None or accepted.answers() <= {code}, "a word with another answer")
    need(all(fools(claim.answer, codes) for codes in accepted.parted()), "two words that a leaf may contain")
    return accepted.count()


@always("triangular-complement", "lower deterministic")
def check_triangular_complement(claim: FamilyClaim, code: Any, words: Any, silent: Any) -> Count:
    """The rows and columns of c accepted words of one length, in order (the first difference decides, by the order in
    which the steps of a state are listed), have the answer on the diagonal, and another one above it: a triangular
    matrix of rank c, and so many leaves have this answer. The 0/1 matrix of all other answers together is all ones less
    that of this one; so on these rows and columns its rank is c - 1 at least, with as many leaves of other answers. If
    a row (or a column) shows the answer in none of the columns (rows) of these words, all ones are a row of the matrix,
    and its rank is c; if both do, and their common cell does not either, it is c + 1. A silent row or column is a word:
    a list of letters, the last of which is repeated for ever."""
    need(claim.answer == "both", "both parties know the answer")
    family, accepted = claim.family, PairWords(claim.family, words)
    integer(code, 0, len(family.labels) - 1)
    total(family)
    need(accepted.answers() <= {code}, "a word with another answer")
    need(all(codes[2] != code for codes in accepted.parted()), "the answer above the diagonal")
    pair = [None if word is None else indices(word, size) for word, size in
            zip(fields(silent, "alice", "bob"), (family.alice, family.bob), strict=True)]  # fmt: skip
    need(all(word is None or 0 < len(word) <= MOST_COUNTED for word in pair), "a word of some letters")
    for party, word in enumerate(pair):
        need(word is None or silent_on(accepted, word, party, code), "a row or column that is not silent")
    need(None in pair or silent_together(family, pair, code), "a row and a column that meet in the answer")
    more, count = sum(word is not None for word in pair) - 1, accepted.count()
    return recurrence([2 * value + more for value in values_of(count, 2 * len(count[0]) + 4)], family.spend)


def silent_on(accepted: PairWords, word: list[int], party: int, code: int) -> bool:
    """Whether a word of a party never has the answer with the other party's part of an accepted word."""
    family, last = accepted.family, len(word) - 1

    def follow(now: tuple[int, int, int]) -> list[tuple[int, int, int]]:
        own, state, place = now
        rows = family.table[state]
        return [
            (after, rows[x][word[place]] if party else rows[word[place]][y], min(place + 1, last))
            for x, y, after in accepted.steps[own]
        ]

    reached = reached_from(family, follow((accepted.first, family.first, 0)), follow)
    return all(own not in accepted.accepting or family.outputs[state] != code for own, state, _ in reached)


def silent_together(family: Family, pair: list[Any], code: int) -> bool:
    """Whether the row and the column of two words never have the answer where they meet, for every n."""

    def follow(now: tuple[int, int]) -> list[tuple[int, int]]:
        state, place = now
        x, y = (word[min(place, len(word) - 1)] for word in pair)
        return [(family.table[state][x][y], min(place + 1, MOST_COUNTED))]

    reached = reached_from(family, follow((family.first, 0)), follow)
    return all(family.outputs[state] != code for state, _ in reached)


def total(family: Family) -> None:
    need(all(family.outputs[state] >= 0 for state in family.after_some()), "undefined entries have no rank")


@always("tensor-power", "lower rank", "lower deterministic")
def check_tensor_power(claim: FamilyClaim, weights: Any) -> Count:
    """Weights of states (1 at the start) that each pair of letters multiplies by a number of its own, b(x, y), make the
    matrix of the last states' weights the n-th tensor power of b, of rank r^n if b has rank r. If moreover the last
    state's weight is w where the answer is v and some w' elsewhere, this matrix less w' in all cells is w - w' times
    the 0/1 matrix of v, whose rank is thus r^n at least, or r^n - 1 if w' is not 0. Leaves of different answers are
    different, and those of one are at least as many as its rank, over the rationals."""
    family = claim.family
    total(family)
    field = claim.parameters.get("field", "rational")
    prime = 0 if field == "rational" else prime_of(field)
    base = tensor_rank(family, weights, prime)
    weighing = [value % prime for value in weights] if prime else weights
    codes = range(len(family.labels)) if claim.measure == "deterministic" else [claim.code]
    need(claim.answer == "both", "both parties know the answer")
    lost = [loss for loss in (lost_rank(family, weighing, code) for code in codes) if loss is not None]
    need(bool(lost), "other weights for no answer")
    return recurrence([max(0, len(lost) * base**n - sum(lost)) for n in range(1, 8)], family.spend)


@always("tensor-shifts", "lower deterministic")
def check_tensor_shifts(claim: FamilyClaim, prime: Any, code: Any, weights: Any, terms: Any) -> Count:
    """Weights modulo a prime as for a tensor power: the matrix of the last states' weights has rank r^n over GF(p). Let
    the weight of every state t be a sum of m terms, each a factor times whether the answer is v after t and a fixed
    word of k pairs. Then that matrix is a sum of m multiples of parts of the 0/1 matrix of v for n + k letters: of
    those rows that end in one of these words. So the rank of that, and the leaves with this answer, are at least
    r^n / m; r^(n - j) is not more, where r^j >= m."""
    family = claim.family
    total(family)
    need(claim.answer == "both", "both parties know the answer")
    need(is_prime(integer(prime, 2, 1 << 16)), "expected a prime")
    integer(code, 0, len(family.labels) - 1)
    base, after, listed = tensor_rank(family, weights, prime), family.after_some(), items(terms)
    sums, lengths = dict.fromkeys(after, 0), {0} if not listed else set()
    for factor, word in (items(term, 2) for term in listed):
        lengths.add(len(items(word)))
        integer(factor, 0, prime - 1)
        for state in after:
            family.spend(20 + 10 * len(word))
            sums[state] += factor * (family.outputs[family.led(state, word)] == code)
    good = all((sums[state] - weights[state]) % prime == 0 for state in after)
    need(good and len(lengths) == 1, "weights that are no such sums, of words of one length")
    lost = next(power for power in range(64) if max(base, 2) ** power >= len(listed)) + lengths.pop()
    return recurrence([base ** max(0, n - lost) if base else 0 for n in range(1, 2 * lost + 8)], family.spend)


def tensor_rank(family: Family, weights: Any, prime: int) -> int:
    """The rank of one block of the matrix of weights of the last states, once it is seen to be a tensor power; over the
    rationals it is at least that modulo a large prime."""
    weighing = indices(weights, 10**6 + 1, len(family.table), -(10**6))
    block = [[weighing[state] for state in row] for row in family.table[family.first]]
    need(weighing[family.first] == 1, "a weight of 1 at the start")
    for state in family.after_some() | {family.first}:
        family.spend(20 * family.alice * family.bob)
        for rows, factors in zip(family.table[state], block, strict=True):
            for after, factor in zip(rows, factors, strict=True):
                wrong = weighing[after] - weighing[state] * factor
                need(wrong % prime == 0 if prime else wrong == 0, "a pair of letters multiplies by two numbers")
    return rank_modulo(family.spend, block, prime or PRIMES[0])


@always("substitution", "lower deterministic")
def check_substitution(claim: FamilyClaim, prefix: Any, alice: Any, bob: Any, suffixes: Any, of: Any) -> Count:
    """A smaller problem inside: its letters are written as words of k letters of each party, between a prefix and a
    suffix that both know. There are k suffixes, each a pair longer than the one before, so that every length from some
    one on is reached; with each of them the smaller family has the same bound. What a part needs, the whole needs."""
    family = claim.family
    words = [[items(word) for word in items(listed)] for listed in (alice, bob)]
    size = len(words[0][0])
    need({len(word) for listed in words for word in listed} == {size} != {0}, "words of one length")
    need(len(items(suffixes)) == size <= MOST_COUNTED, "as many suffixes as letters in a word")
    shortest = len(items(suffixes[0]))
    need([len(items(suffix)) for suffix in suffixes] == [*range(shortest, shortest + size)], "suffixes of all lengths")

    states = range(len(family.table))
    family.spend(200 * size * len(states) * len(words[0]) * len(words[1]))
    table = [[[family.led(q, [*zip(x, y, strict=True)]) for y in words[1]] for x in words[0]] for q in states]
    bounds = []
    for suffix in suffixes:
        outputs = [family.outputs[family.led(q, suffix)] for q in states]
        smaller = Family(table, outputs, family.led(family.first, prefix), family.labels)
        smaller.left = family.left
        bounds.append(FamilyClaim(smaller, claim.measure, claim.side, claim.parameters).proved(of))
    need(bounds == [bounds[0]] * size, "another bound with another suffix")
    before = len(prefix) + shortest
    order = before + size * (len(bounds[0][0]) + 1)
    need(order <= 4 * MOST_COUNTED, "a longer substitution than is looked at", TooLarge)
    inner = [0, *values_of(bounds[0], 2 * order + 2)]
    return recurrence([inner[max(0, n - before) // size] for n in range(1, 2 * order + 3)], family.spend)


def lost_rank(family: Family, weighing: list[int], code: int) -> int | None:
    """What subtracting the weight of all other answers takes from the rank; None if there is no one such weight."""
    own, others = (
        {weighing[state] for state in family.after_some() if (family.outputs[state] == code) is same}
        for same in (True, False)
    )
    if len(own) != 1 or len(others) > 1 or own == others:
        return None
    return int(bool(others) and others != {0})


States = frozenset[tuple[int, int]]  # all that words of the receiver lead to, from two words of the sender


class Sender:
    """The party that speaks: an automaton of some of its words, and what two of its words lead to together."""

    def __init__(self, claim: FamilyClaim, words: Any) -> None:
        self.family = claim.family
        self.table = self.family.table
        if claim.parameters["direction"] == "bob-to-alice":
            self.table = [[list(column) for column in zip(*rows, strict=True)] for rows in self.table]
        self.letters, self.receiver = len(self.table[0]), len(self.table[0][0])
        self.both = frozenset([(self.family.first, self.family.first)])
        steps, accepting, first = fields(words, "steps", "accepting", "first")
        single = [[[x, 0, after] for x, after in (items(step, 2) for step in items(listed))] for listed in items(steps)]
        self.accepted = self.words({"steps": single, "accepting": accepting, "first": first}, MOST_COUNTED)

    def words(self, data: Any, most: int) -> PairWords:
        family, square = self.family, [[[0] * self.letters] * self.letters]
        pairs = Family(square, family.outputs[:1], 0, family.labels)
        pairs.left = family.left
        return PairWords(pairs, data, most)

    def after(self, states: States, x: int, u: int) -> States:
        table = self.table
        most = min(len(states) * self.receiver, len(table) ** 2)
        self.family.spend(10 * len(states) * self.receiver)
        pairs = frozenset((table[p][x][y], table[q][u][y]) for p, q in states for y in range(self.receiver))
        self.family.spend(20 * min(most, len(pairs)), 220 + 130 * len(pairs))
        return pairs

    def answers(self, states: States) -> Iterator[tuple[int, int]]:
        return ((self.family.outputs[p], self.family.outputs[q]) for p, q in states)


@always("regular-distinct-lines", "lower one-way-messages", "lower one-way")
def check_regular_distinct_lines(claim: FamilyClaim, lines: Any) -> Count:
    """For each two accepted words of the sender of one length, some word of the receiver has different answers: all
    pairs of states that some word of the receiver leads to are followed together. Rows that differ need different
    messages."""
    sender = Sender(claim, lines)
    accepted, after = sender.accepted, sender.after
    walked = reached_from(
        claim.family,
        [(accepted.first, sender.both)],
        lambda now: [(s, after(now[1], x, x)) for x, _, s in accepted.steps[now[0]]],
    )
    starts = [
        (s, t, after(states, x, u))
        for own, states in walked
        for (x, _, s), (u, _, t) in combinations(accepted.steps[own], 2)
    ]
    reached = reached_from(
        claim.family,
        starts,
        lambda now: [
            (s, t, after(now[2], x, u))
            for (x, _, s), (u, _, t) in product(accepted.steps[now[0]], accepted.steps[now[1]])
        ],
    )
    for own, other, states in reached:
        if own in accepted.accepting and other in accepted.accepting:
            differ = any(p != q and min(p, q) >= 0 for p, q in sender.answers(states))
            need(differ, "two words that one message may represent")
    return accepted.count()


@always("regular-message-classes", "upper one-way-messages")
def check_regular_message_classes(claim: FamilyClaim, lines: Any, classes: Any) -> Count:
    """Each word of the sender is paired, by an automaton over pairs of letters, with an accepted word of its length
    that has the same answers whatever the receiver has (any, where its own is free). So that word is a message from
    which the receiver knows the answer: there are as many messages as accepted words."""
    sender = Sender(claim, lines)
    accepted, pairs, family = sender.accepted, sender.words(classes, 1 << 12), claim.family
    listed = [{x: after for x, _, after in steps} for steps in accepted.steps] + [{}]  # the last: no accepted word

    def follow(now: tuple[int, int, States]) -> list[tuple[int, int, States]]:
        own, message, states = now
        return [(after, listed[message].get(u, -1), sender.after(states, x, u)) for x, u, after in pairs.steps[own]]

    reached = reached_from(family, follow((pairs.first, accepted.first, sender.both)), follow)
    for own, message, states in reached:
        if own in pairs.accepting:
            need(message in accepted.accepting, "a message that is no accepted word")
            need(all(one in (-1, other) for one, other in sender.answers(states)), "a message for another answer")

    def paired(now: frozenset[int]) -> list[frozenset[int]]:
        listed = sum(len(pairs.steps[own]) for own in now)
        family.spend(40 * listed + 300 * sender.letters, 70 * listed + 220 * sender.letters)
        after: list[set[int]] = [set() for _ in range(sender.letters)]
        for own in now:
            for x, _, state in pairs.steps[own]:
                after[x].add(state)
        return [frozenset(states) for states in after]

    whole = reached_from(family, paired(frozenset([pairs.first])), paired)
    need(all(now & pairs.accepting for now in whole), "a word without a message")
    return accepted.count()


@always("finite-state-parties", "upper deterministic", "upper one-way")
def check_parties(
    claim: FamilyClaim, speaker: Any, says: Any, replies: Any, hears: Any, keeps: Any, last: Any, answers: Any
) -> tuple[int, int]:
    """Two parties with finitely many states each. At each block the speaker says one of so many symbols, by its state
    and its letter; the other replies, by its own, and by what was said; then both go to their next states. After the
    last block the speaker says one symbol more, by its state, from which the other knows the answer, and tells it if
    both must know it. If the answer is right in all states that the parties and the family can reach together, these
    bits, so many for each block and so many at the end, are enough for every n. One message has no replies."""
    family, alone = claim.family, claim.measure == "one-way"
    need(speaker in ("alice", "bob"), "a speaker is alice or bob")
    need(not alone or claim.parameters["direction"].startswith(speaker), "another speaker")
    need(alone or claim.answer == "both", "both parties know the answer")
    turned = speaker == "bob"
    mine, yours = (family.bob, family.alice) if turned else (family.alice, family.bob)
    own, other = len(items(says)), len(items(replies))
    need(0 < own * other <= 1 << 20, "parties of at most 2^20 pairs of states", TooLarge)
    symbols, last_symbols = 1 + widest(says, 2), 1 + widest(last, 1)
    heard = 1 + widest(replies, 3)
    shaped(says, (own, mine), symbols)
    shaped(replies, (other, yours, symbols), heard)
    shaped(hears, (own, mine, heard), own)
    shaped(keeps, (other, yours, symbols), other)
    shaped(last, (own,), last_symbols)
    shaped(answers, (other, last_symbols), len(family.labels))
    need(not alone or heard == 1, "a reply in one message")

    def follow(now: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
        a, b, state = now
        rows = family.table[state]
        return (
            (hears[a][x][replies[b][y][says[a][x]]], keeps[b][y][says[a][x]], rows[y][x] if turned else rows[x][y])
            for x in range(mine)
            for y in range(yours)
        )

    for a, b, state in reached_from(family, follow((0, 0, family.first)), follow):
        need(family.outputs[state] in (-1, answers[b][last[a]]), "a wrong answer at the end")
    return bits_for(symbols) + bits_for(heard), bits_for(last_symbols) + (0 if alone else bits_for(len(family.labels)))


def widest(data: Any, depth: int) -> int:
    inner = [widest(part, depth - 1) if depth > 1 else integer(part, 0, 1 << 16) for part in items(data)]
    return max(inner, default=0)


def shaped(data: Any, sizes: tuple[int, ...], below: int) -> None:
    for part in items(data, sizes[0]):
        if len(sizes) > 1:
            shaped(part, sizes[1:], below)
        else:
            integer(part, 0, below - 1)
