"""At every length, messages and parties of finitely many states: regular-distinct-lines, regular-message-classes,
finite-state-parties."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from .data import TooLarge, bits_for, fields, integer, items, need
from .families import MOST_COUNTED, Count, Family, FamilyClaim, always, reached_from
from .pair_words import PairWords

States = frozenset[tuple[int, int]]  # all that words of the receiver lead to, from two words of the sender


class Sender:
    """The party that speaks: an automaton of some of its words, and what two of its words lead to together."""

    def __init__(self, claim: FamilyClaim, lines: Any) -> None:
        self.family = claim.family
        self.table = self.family.table
        if claim.parameters["direction"] == "bob-to-alice":
            self.table = [[list(column) for column in zip(*lines_of, strict=True)] for lines_of in self.table]
        self.letters, self.receiver = len(self.table[0]), len(self.table[0][0])
        self.both = frozenset([(self.family.first, self.family.first)])
        steps, accepting, first = fields(lines, "steps", "accepting", "first")
        single = [[[x, 0, after] for x, after in (items(step, 2) for step in items(listed))] for listed in items(steps)]
        self.accepted = self.words({"steps": single, "accepting": accepting, "first": first}, MOST_COUNTED)

    def words(self, data: Any, most: int) -> PairWords:
        """An automaton over pairs of letters of the sender."""
        family, square = self.family, [[[0] * self.letters] * self.letters]
        pairs = Family(square, family.outputs[:1], 0, family.labels)
        pairs.left = family.left
        return PairWords(pairs, data, most)

    def after(self, states: States, x: int, u: int) -> States:
        """All pairs of states after a letter of each of the two words, and any letter of the receiver."""
        table = self.table
        most = min(len(states) * self.receiver, len(table) ** 2)
        self.family.spend(10 * len(states) * self.receiver)
        found = frozenset((table[p][x][y], table[q][u][y]) for p, q in states for y in range(self.receiver))
        self.family.spend(20 * min(most, len(found)), 220 + 130 * len(found))
        return found

    def answers(self, states: States) -> Iterator[tuple[int, int]]:
        """The two answers in each."""
        return ((self.family.outputs[p], self.family.outputs[q]) for p, q in states)


@always("regular-distinct-lines", "lower one-way-messages", "lower one-way")
def check_regular_distinct_lines(claim: FamilyClaim, lines: Any) -> Count:
    """For each two accepted words of the sender of one length, some word of the receiver has different answers: all
    pairs of states that some word of the receiver leads to are followed together. Lines that differ need different
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
    found = reached_from(
        claim.family,
        starts,
        lambda now: [
            (s, t, after(now[2], x, u))
            for (x, _, s), (u, _, t) in product(accepted.steps[now[0]], accepted.steps[now[1]])
        ],
    )
    for own, other, states in found:
        if own in accepted.accepting and other in accepted.accepting:
            differ = any(p != q and min(p, q) >= 0 for p, q in sender.answers(states))
            need(differ, "two words that one message may stand for")
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
        own, line, states = now
        return [(after, listed[line].get(u, -1), sender.after(states, x, u)) for x, u, after in pairs.steps[own]]

    found = reached_from(family, follow((pairs.first, accepted.first, sender.both)), follow)
    for own, line, states in found:
        if own in pairs.accepting:
            need(line in accepted.accepting, "a message that is no accepted word")
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
    need(0 < own * other <= 1 << 16, "parties of some states", TooLarge)
    said, ends = 1 + widest(says, 2), 1 + widest(last, 1)
    heard = 1 + widest(replies, 3)
    shaped(says, (own, mine), said)
    shaped(replies, (other, yours, said), heard)
    shaped(hears, (own, mine, heard), own)
    shaped(keeps, (other, yours, said), other)
    shaped(last, (own,), ends)
    shaped(answers, (other, ends), len(family.labels))
    need(not alone or heard == 1, "a reply in one message")

    def follow(now: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
        a, b, state = now
        lines = family.table[state]
        return (
            (hears[a][x][replies[b][y][says[a][x]]], keeps[b][y][says[a][x]], lines[y][x] if turned else lines[x][y])
            for x in range(mine)
            for y in range(yours)
        )

    for a, b, state in reached_from(family, follow((0, 0, family.first)), follow):
        need(family.outputs[state] in (-1, answers[b][last[a]]), "a wrong answer at the end")
    return bits_for(said) + bits_for(heard), bits_for(ends) + (0 if alone else bits_for(len(family.labels)))


def widest(data: Any, depth: int) -> int:
    """The largest number in lists of lists."""
    inner = [widest(part, depth - 1) if depth > 1 else integer(part, 0, 1 << 16) for part in items(data)]
    return max(inner, default=0)


def shaped(data: Any, sizes: tuple[int, ...], below: int) -> None:
    """Refuse all but lists of lists of these lengths of numbers below a bound."""
    for part in items(data, sizes[0]):
        if len(sizes) > 1:
            shaped(part, sizes[1:], below)
        else:
            integer(part, 0, below - 1)
