"""Lines of the proof of Theorem 7 (appendix G.2), executed on the construction as it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

import numpy as np

from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols import constructions
from protocols.papers.bhattamishra2024.findings import printed_recall as printed
from protocols.papers.bhattamishra2024.findings.printed_recall import dot
from protocols.papers.plain import constructed
from protocols.papers.plain.constructed import interval, within
from protocols.papers.plain.constructed import natural_logarithm as ln
from protocols.papers.plain.words import nearest

__all__ = ["address_signs", "bound", "inner_products", "second_query", "weight", "wrong_answers"]

TRIED_UP_TO = 8  # up to so many addresses every smaller number of signs is seen to fail by trying


def inner_products(inverse: int) -> Finding:
    """What queries and keys of points add to <x, x'> - 10 <T, T'>: the constant term, on every pair of positions."""
    norm, points = printed.TASKS["triples"]
    word = [symbol for point in points for symbol in (point, "1")]
    streams = [printed.worst(Fraction(1, inverse)), printed.embedded(word, norm, printed.orthogonal(len(word)))]
    constants: dict[int, set[Fraction]] = {printed.POINT: set(), printed.LABEL: set()}
    pairs = [(one, other) for stream in streams for one, other in product(stream, repeat=2) if one.third > 0]
    for one, other in pairs:
        known = dot(one.point, other.point) - 10 * dot(one.own, other.own)
        constants[other.third].add(dot(one.query, other.key) - known)
    [found], wrong = constants[printed.POINT], []
    if constants[printed.LABEL] != {Fraction(-6)}:
        wrong.append(f"labels have the constants {sorted(constants[printed.LABEL])}, not -2·3")
    return Finding(measured=int(found), checked=len(pairs), of=len(pairs), violations=tuple(wrong))


def bound(which: str) -> Any:
    """What measures the best whole number that bounds an inner product, in the worst case that the text allows."""

    def measure(inverse: int) -> Finding:
        margin = Fraction(1, inverse)
        query, point, label = stream = printed.worst(margin)
        others = {"points": point, "itself": query, "labels": label}
        values = {name: dot(query.query, other.key) for name, other in others.items()}
        best = {name: value // 1 if name == "points" else -(-value // 1) for name, value in values.items()}
        told = constructions.printed_recall_constants(margin, 512)
        wrong = [
            f"{name}: {told[name]}, executed {value}"
            for name, value in values.items()
            if told[name] != (value, best[name])
        ]
        if max(abs(dot(a.own, b.own) - (a is b)) for a in stream for b in stream) != margin / 100:
            wrong.append("addresses are not as far from orthogonal as is allowed")
        if min(values["points"] - max(values["itself"], values["labels"]), *told["ahead"]) != margin * 4 / 5:
            wrong.append(f"not 4/5 of the margin ahead: {told['ahead']}")
        facts = {"value": values[which]}
        return Finding(measured=int(best[which]), checked=9, of=9, violations=tuple(wrong), facts=facts)

    return measure


def weight(task: str, pairs: int) -> Finding:
    """The displayed fraction at the printed eta; the weight of the nearest point must be above it on all prompts."""
    norm, _ = printed.TASKS[task]
    margin, addresses, count = Fraction(1, norm), printed.orthogonal(2 * pairs + 2), pairs + 1
    lowest, checked, wrong = Fraction(1), 0, []
    displayed = constructed.only_fraction(lambda: _displayed(margin, count))
    for word in printed.prompts(task, pairs):
        if "1" in word[1::2]:
            continue  # labels do not take part in the first layer
        stream = printed.embedded(word, norm, addresses)
        products = [dot(stream[-1].point, other.point) for other in stream[0:-1:2]]
        place = 2 * products.index(max(products))
        own, rest = within(
            lambda stream=stream, place=place: _split(printed.first_weights(stream, margin, count), place)
        )
        if rest > Fraction(1, 10):
            wrong.append(f"up to {float(rest):.3g} for the rest on {word}")
        lowest, checked = min(lowest, own), checked + 1
    wrong += [] if lowest > displayed else [f"a weight of {lowest}"]
    facts = {"margin": margin, "least weight": f"{float(lowest):.4g}"}
    return Finding(measured=displayed, checked=checked, of=checked, violations=tuple(wrong[:1]), facts=facts)


def _displayed(margin: Fraction, count: int) -> Any:
    """exp(eta b) / (exp(eta b) + 2N exp(eta (b - tau))) at the printed eta and tau = 4g/5, an interval."""
    eta, tau = interval(5 / (4 * margin)) * ln(18 * count), interval(margin * 4 / 5)
    return 1 / (1 + 2 * count * (-eta * tau).exp())


def _split(weights: Sequence[Any], place: int) -> tuple[Fraction, Fraction]:
    """One weight in millionths, rounded down, and the others together, rounded up."""
    million, rest = 10**6, sum(each for other, each in enumerate(weights) if other != place)
    return Fraction(constructed.whole_part(weights[place] * million), million), Fraction(
        constructed.whole_part(rest * million) + 1, million
    )


def wrong_answers(task: str, pairs: int) -> Finding:
    """On how many prompts the two printed layers do not give the label of the nearest point."""
    norm, _ = printed.TASKS[task]
    margin, addresses, count = Fraction(1, norm), printed.orthogonal(2 * pairs + 2), pairs + 1
    wrong = checked = 0
    for word in printed.prompts(task, pairs):
        stream = printed.embedded(word, norm, addresses)
        label = within(lambda stream=stream: printed.two_layers(stream, margin, count))
        wrong, checked = wrong + (label != int(nearest(word))), checked + 1
    return Finding(measured=wrong, checked=checked, of=checked, facts={"margin": margin, "signs": len(addresses[0])})


def second_query(signs: int) -> Finding:
    """The product of the printed second query, 1/k times signs, with the address that it looks for."""
    root = isqrt(signs)
    if root**2 != signs or signs.bit_count() != 1:
        raise InputError("signs", signs, "a power of 4")
    addresses = printed.orthogonal(signs)
    products = {dot([entry * root / signs for entry in each], each) for each in addresses}
    repaired = {dot([entry * root / root for entry in each], each) for each in addresses}
    signs_as_keys = {
        dot([entry * root / signs for entry in each], [entry * root for entry in each]) for each in addresses
    }
    wrong = [] if repaired == signs_as_keys == {1} else [f"with 1/sqrt(k) it is {repaired}"]
    return Finding(measured=max(products), checked=signs, of=signs, violations=tuple(wrong))


def address_signs(length: int) -> Finding:
    """By which power of N the least signs of 2N addresses within g/100 grow, for margins g = 1/N, N = 1, 2, 4, ...

    With fewer than 2N signs a product within k g/100 < 1 is 0, and no more than k vectors are orthogonal; a matrix of
    Sylvester attains 2N. The former is seen by trying for up to 8 addresses, the latter for all.
    """
    counts, wrong, checked = [1 << power for power in range(length.bit_length())], [], 0
    least = dict[int, int]()
    for count in counts:
        rows = _sylvester(2 * count)
        least[count] = rows.shape[1]
        checked += 1
        if constructed.largest_products(rows) != (0, 0) or rows.shape != (2 * count,) * 2:
            wrong.append(f"{2 * count} rows are not orthogonal")
        for signs in range(1, 2 * count if 2 * count <= TRIED_UP_TO else 1):
            checked += 1
            if _together([0], signs, Fraction(signs, 100 * count), 2 * count):
                wrong.append(f"{signs} signs are enough for {2 * count} addresses")
    power = Fraction((least[counts[-1]] // least[1]).bit_length() - 1, counts[-1].bit_length() - 1)
    facts = {"signs": f"{least[counts[-1]]} at N = {counts[-1]}"}
    facts["by lemma 2, for a margin of 1"] = str(constructions.lemma_dimension(2 * counts[-1], Fraction(1, 100)))
    return Finding(measured=power, checked=checked, of=checked, violations=tuple(wrong), facts=facts)


def _sylvester(size: int) -> Any:
    """The signs (-1)^<i, j> for i, j below a power of two."""
    rows = np.ones((1, 1), dtype=np.int32)
    while len(rows) < size:
        rows = np.block([[rows, rows], [rows, -rows]])
    return rows


def _together(chosen: list[int], signs: int, most: Fraction, count: int) -> bool:
    """Whether these vectors of signs (bits of numbers; the first is 0) can be joined by others up to so many."""
    if len(chosen) == count:
        return True
    return any(
        _together([*chosen, other], signs, most, count)
        for other in range(chosen[-1] + 1, 1 << signs)
        if all(abs(signs - 2 * (other ^ each).bit_count()) <= most for each in chosen)
    )
