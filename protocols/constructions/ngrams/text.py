"""A real text that ships with the project, as strings over a small alphabet."""

from __future__ import annotations

from importlib.resources import files


def alice() -> tuple[str, ...]:
    """The first five paragraphs of Alice's Adventures in Wonderland (Lewis Carroll, 1865), in the public domain.

    >>> len(alice()), alice()[3][:33]
    (5, 'In another moment down went Alice')
    """
    text = files("protocols.constructions.ngrams").joinpath("data/alice.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


def letters(text: str) -> str:
    """A text in lower-case letters, with one space for everything that stands between two words.

    >>> letters("Oh dear! Oh dear!")
    'oh dear oh dear'
    """
    return " ".join("".join(symbol if "a" <= symbol <= "z" else " " for symbol in text.lower()).split())


def vowels_and_consonants(text: str) -> str:
    """A text over three symbols: v for a, e, i, o and u, c for other letters, and a space between words.

    >>> vowels_and_consonants("Oh dear!")
    'vc cvvc'
    """
    return "".join(" " if symbol == " " else "v" if symbol in "aeiou" else "c" for symbol in letters(text))
