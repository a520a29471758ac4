"""What a certificate for every length proves, and its words."""

from __future__ import annotations

from typing import Any

from .counts import count_text, linear_text
from .data import Data, bits_for, digest, fields, items, need, refusing
from .families import FAMILY_FORMAT, FAMILY_MEASURES, Family, FamilyClaim, read_family
from .pair_words import values_of
from .reading import VERSION, check_plain
from .wording import told_parameters, with_unit, words


def statement(measure: str, side: str, value: Any) -> str:
    """A bound for every length, for people."""
    unit = FAMILY_MEASURES[measure][0]
    if side == "upper" and unit == "bits":
        return f"<= {with_unit(linear_text(*value), unit)} for all n >= 1"
    text, where, start = count_text(value, unit == "bits")
    if unit == "bits":  # where there is nothing to be counted there is no logarithm
        counted = values_of(value, start + 2 * len(value[0]))[start - 1 :]
        none = next((place for place, number in enumerate(counted) if number), 0)
        if not all(counted[none:]):
            text = text.replace("log2(", "log2(max(1, ").replace("))", ")))")
        start += none
    small = [bits_for(number) if unit == "bits" else number for number in values_of(value, start - 1)]
    before = f" ({', '.join(f'{number} at n = {n}' for n, number in enumerate(small, 1))})" if any(small) else ""
    sign = ">=" if side == "lower" else "<="
    return f"{sign} {with_unit(text, unit)}{where} for all n >= {start}{before}"


@refusing()
def proved_always(family: Any, measure: str, side: str, parameters: Data, witness: Data) -> Any:
    """What a witness proves of a family that is given as plain data: a count from below, and of messages; from above
    bits per block and bits at the end. :class:`Refused` if it proves nothing.

    >>> diagonal = {"steps": [[[0, 0, 0], [1, 1, 0]]], "accepting": [0], "first": 0}
    >>> witness = {"kind": "regular-fooling-set", "words": diagonal}
    >>> proved_always({"function": "equality"}, "deterministic", "lower", {"answer": "both"}, witness)
    ([2], [2])
    """
    return FamilyClaim(read_family(family), measure, side, parameters).proved(witness)


@refusing()
def report_family(data: Any) -> Data:
    """What a certificate for every length proves, as plain data, once it is proved."""
    check_plain(data)
    form, version, told, measure, unit, parameters, listed = fields(
        data, "format", "version", "family", "measure", "unit", "parameters", "proofs"
    )
    need(form == FAMILY_FORMAT and type(version) is int and version == VERSION, f"expected {FAMILY_FORMAT}, {VERSION}")
    family, found, sides = read_family(told), [], []
    for proof in items(listed):
        side, value, witness = fields(proof, "side", "value", "witness")
        claim = FamilyClaim(family, measure, side, parameters)
        proved = claim.proved(witness)
        plain = [*map(plain_part, proved)]
        text = str(plain)
        shown = text if len(text) < 200 else f"{text[:200]} ..."
        need(items(value) == plain and text == str(value), f"the {side} witness proves {shown}")
        found.append({"side": side, "statement": statement(measure, side, proved), "kind": witness["kind"]})
        sides.append(side)
    need(unit == FAMILY_MEASURES[measure][0], f"the unit of {measure} is {FAMILY_MEASURES[measure][0] or 'empty'}")
    need(sides in (["lower"], ["upper"], ["lower", "upper"]), "a proof of the lower side, of the upper, or both")
    return {
        "family": family_text(told, family),
        "letters": [family.alice, family.bob],
        "states": len(family.table),
        "sha256": digest([family.table, family.outputs, family.first, family.labels]),
        "measure": measure,
        "unit": unit,
        "parameters": dict(told_parameters(parameters, family.labels)),
        "proofs": found,
    }


def plain_part(part: Any) -> Any:
    """A part of a bound as plain data."""
    return list(part) if isinstance(part, (list, tuple)) else part


def family_text(told: Data, family: Family) -> str:
    """What a family is, for people."""
    if "function" in told:
        return f"{told['function']}, n bits each"
    states = f"{len(family.table)} states"
    if "partition" in told:
        turn = told["partition"]
        return f"a language of {len(told['symbols'])} letters, {states}, dealt {turn}: words of length {len(turn)} n"
    return f"a family of {family.alice} x {family.bob} letters, {states}"


def family_line(told: Data) -> str:
    """A report on a certificate for every length, in a line."""
    given = ", ".join(words(name, value) for name, value in told["parameters"].items())
    claims = ", ".join(proof["statement"] for proof in told["proofs"])
    how = ", ".join(f"{proof['side']} by {proof['kind']}" for proof in told["proofs"])
    about = f"{told['family']} (sha256 {told['sha256'][:12]})"
    return f"{told['measure']} {claims} ({given}) of {about}: {how}"
