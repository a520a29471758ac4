"""Certificates that are nearly right: changed here and there, on other matrices, with witnesses of others."""

import copy
import json
import random
from functools import reduce
from operator import getitem

from ccsim.certificates import verify as checker


def spots(data, path=()):
    yield path
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield from spots(value, (*path, key))


def changed(value, rng):
    """Another piece of data, near to this one."""
    if isinstance(value, bool) or value is None:
        return rng.choice([True, False, None, 0, 1, "alice"])
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, value + rng.randint(-3, 3), 0, 1, -1, None])
    if isinstance(value, str):
        if "/" in value:
            above, below = (int(part) for part in value.split("/"))
            return f"{above + rng.choice((-1, 0, 1, below, -below))}/{below + rng.choice((-1, 0, 0, 1))}"
        if value in ("both", "alice", "bob"):
            return rng.choice(["both", "alice", "bob"])
        if value in ("alice-to-bob", "bob-to-alice"):
            return rng.choice(["alice-to-bob", "bob-to-alice"])
        if not value:
            return rng.choice(["0", "1", "3:3"])
        place = rng.randrange(len(value))
        return value[:place] + rng.choice("0123457f*:") + value[place + 1 :]
    if isinstance(value, list):
        items = list(value)
        how = rng.randrange(5)
        if how == 0 or not items:
            return [*items, rng.choice([*items, 0])] if rng.random() < 0.5 else items[:-1]
        if how == 1:
            rng.shuffle(items)
        elif how == 2:
            del items[rng.randrange(len(items))]
        else:
            items[rng.randrange(len(items))] = copy.deepcopy(rng.choice(items))
        return items
    names = list(value)
    if len(names) > 1 and rng.random() < 0.7:
        one, other = rng.sample(names, 2)
        return {**value, one: value[other], other: value[one]}
    return {name: entry for name, entry in value.items() if name != rng.choice(names)}


SECTIONS = (("proofs", 0, "value"), ("matrix", "rows"), ("parameters",), ("proofs", 0, "witness"))
OF_FAMILIES = (("proofs", 0, "value"), ("family",), ("parameters",), ("proofs", 0, "witness"))


def mutated(data, rng, sections=SECTIONS):
    """With one to three changes, each in one of the sections, which are likely as 3, 3, 2 and 6."""
    wrong = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        section = rng.choices(sections, (3, 3, 2, 6))[0]
        try:
            *path, last = (*section, *rng.choice(list(spots(reduce(getitem, section, wrong)))))
            place = reduce(getitem, path, wrong)
            place[last] = changed(place[last], rng)
        except (KeyError, TypeError, IndexError):  # too strange already
            continue
    return wrong


def mutated_witness(witness, rng):
    """A copy with one or two places changed."""
    wrong = {"witness": copy.deepcopy(witness)}
    for _ in range(rng.choice((1, 1, 2))):
        *path, last = rng.choice([spot for spot in spots(wrong) if spot])
        parent = reduce(getitem, path, wrong)
        parent[last] = changed(parent[last], rng)
    return wrong["witness"]


def degenerate(data, rng):
    """The same claim and witness about another matrix: undefined entries, one answer, one line, or other cells."""
    wrong = copy.deepcopy(data)
    rows = wrong["matrix"].get("rows", [])
    if not rows or not all(type(row) is str for row in rows):
        return wrong
    wrong["matrix"]["rows"] = rng.choice(
        [
            ["*" * len(row) for row in rows],
            ["0" * len(row) for row in rows],
            rows[:1],
            [row[:1] for row in rows],
            ["".join(rng.choice("01*") for _ in row) for row in rows],
            ["".join(cell if rng.random() < 0.8 else rng.choice("01*") for cell in row) for row in rows],
        ]
    )
    return wrong


def grafted(data, other, rng):
    """With the witness, the matrix or parameters of another, or of the other side."""
    wrong, other = copy.deepcopy(data), copy.deepcopy(other)
    proof, how = wrong["proofs"][0], rng.randrange(4)
    if how == 0:
        proof["witness"] = other["proofs"][0]["witness"]
    elif how == 1:
        wrong["matrix"] = other["matrix"]
    elif how == 2:
        shared = set(wrong["parameters"]) & set(other["parameters"])
        wrong["parameters"] |= {name: other["parameters"][name] for name in shared}
    else:
        proof["side"] = {"lower": "upper", "upper": "lower"}.get(str(proof["side"]), "lower")
    return wrong


def overclaimed(data):
    """With the value that the checker derives, so that a checker that derives too much is seen."""
    wrong, (proof,) = copy.deepcopy(data), data["proofs"]
    try:
        table, _ = checker.read_matrix(data["matrix"])
        value = checker.check(table, data["measure"], proof["side"], data["parameters"], proof["witness"])
    except checker.Refused:
        return wrong
    wrong["proofs"][0]["value"] = value if isinstance(value, int) else f"{value.numerator}/{value.denominator}"
    return wrong


def changed_somehow(data, every, rng):
    """One or two changes of any kind."""
    for _ in range(rng.choice((1, 1, 2))):
        try:
            how = rng.random()
            data = (degenerate(data, rng) if how < 0.3 else grafted(data, rng.choice(every), rng) if how < 0.5
                    else mutated(data, rng))  # fmt: skip
        except (KeyError, TypeError, IndexError, AttributeError, ValueError):  # too strange already
            break
    try:
        return overclaimed(data) if rng.random() < 0.5 else data
    except (KeyError, TypeError, ValueError, AttributeError):
        return data


def overclaimed_always(data):
    """Likewise for every length."""
    proof = data["proofs"][0]
    try:
        value = checker.certificates.proved_always(
            data["family"], data["measure"], proof["side"], data["parameters"], proof["witness"]
        )
    except checker.Refused:
        return
    proof["value"] = list(value)


def mutated_always(data, rng):
    """One side of a certificate for every length, changed."""
    one = data["proofs"][:1] if rng.random() < 0.7 else data["proofs"][-1:]
    return mutated({**data, "proofs": one}, rng, OF_FAMILIES)


def mutations_of_every_length(every, count, seed):
    """So many certificates, as texts, that are nearly those of a list; half of them claim what the checker derives."""
    rng, texts = random.Random(seed), []
    for _ in range(count):
        wrong = mutated_always(rng.choice(every), rng)
        if rng.random() < 0.5:
            overclaimed_always(wrong)
        texts.append(json.dumps(wrong))
    return texts
