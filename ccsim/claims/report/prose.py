"""Sentences with mathematics in plain notation, such as ``Omega(N)`` or ``2K log N``, as markup with MathML.

Statements are written for terminals and set for pages: what is mathematics is found by :mod:`.plain_mathematics`, and
all else, numbers alone too, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import escape

from ccsim.claims.report.plain_mathematics import Read, read

__all__ = ["prose_markup"]

ELSEWHERE = re.compile(r"[Aa]ppendi(?:x|ces) [A-H][.\d]*(?:(?:, | and )[A-H](?![\w'])[.\d]*)*"
                       r"|(?:Theorem|Lemma|Fact|Proposition|Corollary) [\d.]+, [A-H](?![\w'(])"
                       r"|[\w./]+/[\w./]+\.(?:md|py)|\d+ x \d+")  # fmt: skip
BEFORE = re.compile(r"(?:^|[\s(\[{\"“/|;=<≤≥≈]|(?<![A-Za-z])['‘]|[A-Za-z]{2}-)$")
ARTICLE = re.compile(r"a\s(?![-+=<>≤≥])|A\s|I\b")


@lru_cache(maxsize=4096)
def prose_markup(text: str, plain: Callable[[str], str] = escape) -> str:
    """A sentence whose mathematics is set; ``plain`` says how the rest is written.

    >>> prose_markup("it has N^2 numbers & more")
    'it has <math alttext="N^2"><mrow><msup><mi>N</mi><mn>2</mn></msup></mrow></math> numbers &amp; more'
    """
    parts, last, place = [], 0, 0
    while place < len(text):
        found = _start(text, place)
        if found is not None and found.markup:
            parts += [plain(text[last:place]), _math(text[place : found.end], found.markup)]
            last = found.end
        place = place + 1 if found is None else found.end
    return "".join([*parts, plain(text[last:])])


def _math(said: str, markup: str) -> str:
    return f'<math alttext="{escape(said)}"><mrow>{markup}</mrow></math>'


def _start(text: str, place: int) -> Read | None:
    """Mathematics that starts here, or what is to be passed over."""
    if passed := ELSEWHERE.match(text, place):
        return Read("", passed.end())
    if not BEFORE.search(text[max(0, place - 3) : place]):
        return None
    article = ARTICLE.match(text, place)
    if article and (article[0][0] != "A" or place == 0 or text[place - 2 : place] == ". "):
        return None
    found = read(text, place)
    return found if found is None or found.more else Read("", found.end)
