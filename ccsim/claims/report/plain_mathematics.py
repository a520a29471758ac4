"""Mathematics in plain notation, as it stands in sentences, becomes MathML.

An expression is made of letters that stand alone, numbers, powers and subscripts, functions, brackets, products with
or without a sign, sums, and comparisons: ``2K log N``, ``(1 +- e/2)/q``, ``z_(2i-1) = 2a_i - 1``. ``L(n)`` is the
logarithm rounded up, as in the formulas of claims; nothing else is rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import NamedTuple

__all__ = ["Read", "read"]

GREEK = {"alpha": "α", "chi": "χ", "delta": "δ", "epsilon": "ε", "eta": "η", "gamma": "γ", "mu": "μ", "pi": "π",
         "sigma": "σ", "Omega": "Ω", "Theta": "Θ"}  # fmt: skip
PRODUCTS = {"dp", "gk", "hdp", "Hdp", "hmp", "mH", "mk", "mp", "mpH"}  # letters that are multiplied, and no word
SIGNS = {">=": "≥", "<=": "≤", "+-": "±", "-": "−"}
BRACKETS = {"(": ")", "{": "}", "|": "|", "<": ">", "⌈": "⌉", "⌊": "⌋"}
AROUND = {"ceiling": ("⌈", "⌉"), "ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋")}
ROOM, TIMES, MINUS = '<mspace width="0.17em"></mspace>', "<mo>\u2062</mo>", '<mo form="prefix">−</mo>'
SLASH = '<mo lspace="0" rspace="0">/</mo>'

NUMBER = re.compile(r"(?![01]s\b)\d+(?:,\d{3})*(?:\.\d+)?")
LETTERS = re.compile(r"[A-Za-zα-ωΩΘ]+(?![A-Za-z*]|\.\w|['’]s\b)")
FUNCTION = re.compile(r"(?P<name>log|ln|cos|sin)(?P<base>2)?(?:\^(?P<power>\d))?(?P<room> (?!\()|(?=\())")
NAMED = re.compile(r"(?P<name>exp|diag|max|min|sqrt|ceiling|ceil|floor|L)(?=\()")
COMPARISON = re.compile(r" (>=|<=|=|<|>|≥|≤|≈) ")
FACTOR = re.compile(r" ?(?:(//)|([/·×])) ?(?=[\w(|<])")
SIGN = re.compile(r"[-+−](?=[\w(])")
COMMA = re.compile(r", ?")
SUM = re.compile(r"(?P<room> ?)(?P<sign>\+-|[-+±])(?P=room)")
POWER = re.compile(r"\^(?P<sign>-?)(?:(?P<number>\d+)(?P<letter>[A-Za-z](?![A-Za-z]))?)?")
PRIMES = re.compile(r"['’]+(?!\w)")
SUBSCRIPT = re.compile(r"_(?=\()|_(\d*[A-Za-z0-9])(?![A-Za-z0-9])")


class Read(NamedTuple):
    """What was read: its markup, where it ends, and whether there is more to it than a number."""

    markup: str
    end: int
    more: bool = True


Reader = Callable[[str, int], Read | None]


def _chain(text: str, place: int, part: Reader, between: re.Pattern[str]) -> Read | None:
    """Parts with signs between them."""
    found = part(text, place)
    while found and (sign := between.match(text, found.end)):
        following = part(text, sign.end())
        if following is None:
            break
        name = sign[0].strip()
        made = f"{found.markup}<mo>{escape(SIGNS.get(name, name))}</mo>{following.markup}"
        found = Read(made, following.end, found.more or following.more or name != ",")
    return found


def read(text: str, place: int) -> Read | None:
    """The longest expression from here on, with its comparisons; None if none starts here."""
    return _chain(text, place, _sum, COMPARISON)


def _sum(text: str, place: int) -> Read | None:
    sign = SIGN.match(text, place)
    found = _chain(text, place + 1 if sign else place, _product, SUM)
    if sign and found:
        return Read((MINUS if sign[0] in "-−" else '<mo form="prefix">+</mo>') + found.markup, found.end)
    return found


def _product(text: str, place: int) -> Read | None:
    """Factors with a sign between them, or without one; a space is kept."""
    found = _factor(text, place)
    while found:
        sign = FACTOR.match(text, found.end)
        following = _factor(text, sign.end()) if sign else _beside(text, found.end)
        if following is None:
            break
        between = ROOM if text[found.end : found.end + 1] == " " else TIMES
        if sign:
            between = f"<mo>{sign[2]}</mo>" if sign[2] in ("·", "×") else SLASH
        made = found.markup + between + following.markup
        made = f"<mrow><mo>⌊</mo>{made}<mo>⌋</mo></mrow>" if sign and sign[1] else made
        found = Read(made, following.end, found.more or following.more or bool(sign))
    return found


def _beside(text: str, place: int) -> Read | None:
    """A further factor, after a space at most: no number, and no article."""
    place += text[place : place + 1] == " "
    return None if re.compile(r"\d|[aAI]\b(?!_)").match(text, place) else _factor(text, place)


def _factor(text: str, place: int) -> Read | None:
    """An atom with its primes, subscript and power."""
    found = _function(text, place) or _named(text, place) or _bracketed(text, place) or _simple(text, place)
    if found is None:
        return None
    made, end, more = found
    if made.startswith("<mi>") and (primes := PRIMES.match(text, end)):
        made, end = f"<msup>{made}<mo>{'′' * len(primes[0])}</mo></msup>", primes.end()
    if sub := SUBSCRIPT.match(text, end):
        inside = Read(f"<mi>{sub[1]}</mi>", sub.end()) if sub[1] else _bracketed(text, sub.end(), bare=True)
        made, end = (f"<msub>{_one(made)}{_one(inside.markup)}</msub>", inside.end) if inside else (made, end)
    power = _power(text, end)
    return Read(f"<msup>{_one(made)}{_one(power.markup)}</msup>", power.end) if power else Read(made, end, more)


def _one(markup: str) -> str:
    """Markup as a single element."""
    return markup if re.fullmatch(r"<(m[in])>[^<]*</\1>", markup) else f"<mrow>{markup}</mrow>"


def _power(text: str, place: int) -> Read | None:
    """``^2``, ``^-K``, ``^2K``, ``^(p-1)``, ``^Omega(1)``."""
    found = POWER.match(text, place)
    if not found:
        return None
    if found["number"]:
        letter = f"{TIMES}<mi>{found['letter']}</mi>" if found["letter"] else ""
        inside: Read | None = Read(f"<mn>{found['number']}</mn>{letter}", found.end())
    else:
        inside = _bracketed(text, found.end(), bare=True) or _simple(text, found.end())
    if inside and text[found.end() : inside.end] in GREEK and (argument := _bracketed(text, inside.end)):
        inside = Read(inside.markup + argument.markup, argument.end)
    return inside and Read((MINUS if found["sign"] else "") + inside.markup, inside.end)


def _function(text: str, place: int) -> Read | None:
    """``log N``, ``ln 2N``, ``log2(n + 1)``, ``log^2 n``: of what stands together after it."""
    found = FUNCTION.match(text, place)
    argument = found and (_function(text, found.end()) or _together(text, found.end()))
    if not found or argument is None:
        return None
    name = f"<mi>{found['name']}</mi>"
    name = f"<msub>{name}<mn>{found['base']}</mn></msub>" if found["base"] else name
    name = f"<msup>{name}<mn>{found['power']}</mn></msup>" if found["power"] else name
    return Read(f"{name}<mo>\u2061</mo>{ROOM if found['room'] else ''}{argument.markup}", argument.end)


def _together(text: str, place: int) -> Read | None:
    """A factor, or a number and one: ``N``, ``2N``, ``(N + 1)``, ``|Q|``."""
    found = _factor(text, place)
    following = _factor(text, found.end) if found and not found.more else None
    return Read(found.markup + TIMES + following.markup, following.end) if found and following else found


def _named(text: str, place: int) -> Read | None:
    """``sqrt(n)``, ``floor(n)``, ``exp(-k)``; ``L(n)`` is the logarithm, rounded up."""
    found = NAMED.match(text, place)
    inside = found and _bracketed(text, found.end(), bare=True)
    if not found or not inside:
        return None
    name, end = found["name"], inside.end
    if name == "sqrt":
        return Read(f"<msqrt>{inside.markup}</msqrt>", end)
    if name in AROUND:
        left, right = AROUND[name]
        return Read(f"<mrow><mo>{left}</mo>{inside.markup}<mo>{right}</mo></mrow>", end)
    held = f"<mrow><mo>(</mo>{inside.markup}<mo>)</mo></mrow>"
    if name != "L":
        return Read(f"<mi>{name}</mi><mo>\u2061</mo>{held}", end)
    inner = held if "<mo>" in inside.markup else ROOM + inside.markup
    return Read(f"<mrow><mo>⌈</mo><msub><mi>log</mi><mn>2</mn></msub><mo>\u2061</mo>{inner}<mo>⌉</mo></mrow>", end)


def _bracketed(text: str, place: int, bare: bool = False) -> Read | None:
    """One expression or several, in brackets of some kind."""
    left = text[place : place + 1]
    right = BRACKETS.get(left)
    found = _chain(text, place + 1, _sum, COMMA) if right else None
    if right is None or found is None or text[found.end : found.end + 1] != right:
        return None
    if bare:
        return Read(found.markup, found.end + 1)
    left, right = ("⟨", "⟩") if left == "<" else (left, right)
    return Read(f"<mrow><mo>{left}</mo>{found.markup}<mo>{right}</mo></mrow>", found.end + 1, found.more)


def _simple(text: str, place: int) -> Read | None:
    """A number, a letter, a Greek letter by its name, or letters that are multiplied."""
    if number := NUMBER.match(text, place):
        return Read(f"<mn>{number[0]}</mn>", number.end(), more=False)
    letters = LETTERS.match(text, place)
    if letters is None:
        return None
    name = letters[0]
    if name in PRODUCTS:
        return Read(TIMES.join(f"<mi>{letter}</mi>" for letter in name), letters.end())
    single = name if len(name) == 1 or name in {"cos", "sin"} else GREEK.get(name)
    return Read(f"<mi>{single}</mi>", letters.end()) if single else None
