"""Regular expressions: read as ``re.fullmatch`` reads them, or refused by name, and never anything between."""

import itertools
import random
import re

import pytest

from ccsim import InputError
from ccsim.models import from_regular_expression
from ccsim.models import regular_expressions as reader
from ccsim.models.reachability import shortest_words
from tests.refusals import refused

READ = {
    "[a-c]*": "abc", "(a,b)*": ",ab", "(a#b)*": "#ab", r"[a\-z]": "-az", r"[\-]": "-", "[]]": "]",
    "(a | b)*": " ab", "a ": " a", " ": " ", "(a|)": "a", "(|a)*b": "ab", "a{,2}b": "ab", "(ab){2,}": "ab",
    r"(a|b)*\.": ".ab", r"a\*b": "*ab", r"\(\)": "()", "^a*b$": "ab", "^(a|b)*a$|b*": "ab", "a$|b": "ab",
    "([a-c][ac])*": "abc", r"\x41\u0062": "Ab", r"\101": "A", r"\t": "\t", "x{2": "2x{", "a{}": "a{}",
    "(?:ab)+?": "ab", "(?P<name>a|b)*c": "abc", "(?#what)a": "a", r"(a|\n)*$": "\na", r"a$\n": "\na",
    r"\Aab\Z": "ab", r"a\b b": " ab", r"a\Bb": "ab", "$a": "a", "(a$|b)*": "ab", "(^a|b)*": "ab", "é*ß": "ßé",
    "(a+)+b": "ab", "((a*)*)*b": "ab", "(a|a|a|a|a|a|a|a)*b": "ab", "(a|a)*a{30}b": "ab",
    "(a{2}){3}": "a", "(a|b){0}": "ab", "[+-]?[0-3]+": "+-0123", "a{48}": "a", r"(a$|\n)*": "\na",
}  # fmt: skip
OPEN = {
    ".*a": "ab", r".*\n.*": "a\n", "[^b]*b": "abc", r"\d*a": "a1", r"\w+\s\w+": "a_ -", r"\W|\D|\S": "a1 ",
    "[^\\w]": "a-", r"[\w.]+@\w+": "ab.@-", r"[^\s\S]": "ab", r"\bab\b.": "ab ", r"(\ba)*.?": "a ", r"\B.*": "ab ",
    "[^a]": "ab",
}  # fmt: skip


def words_up_to(letters, length):
    return ("".join(word) for size in range(length + 1) for word in itertools.product(letters, repeat=size))


def agrees(automaton, expression, words):
    matches = re.compile(expression).fullmatch
    return all(automaton(word) == int(matches(word) is not None) for word in words)


def through_states(automaton):
    """For every state a shortest word that leads there, and every letter behind it."""
    for way in shortest_words(automaton.table.tolist()):
        yield from ("".join(automaton.alphabet[place] for place in way) + letter for letter in automaton.alphabet)


BACKTRACKS = "(a+)+b", "((a*)*)*b", "(a|a|a|a|a|a|a|a)*b", "(a|a)*a{30}b"


def test_letters_are_all_characters_that_are_named():
    for expression in READ:
        automaton = from_regular_expression(expression)
        assert automaton.alphabet == tuple(sorted(READ[expression])), expression
        foreign = "-" if "-" not in automaton.alphabet else "%"
        assert agrees(automaton, expression, words_up_to(automaton.alphabet, 3)), expression
        assert agrees(automaton, expression, () if expression in BACKTRACKS else through_states(automaton)), expression
        assert re.fullmatch(expression, foreign) is None, expression  # every letter that matches is in the alphabet
        assert automaton == automaton.minimise(), expression


def test_what_stands_for_any_letter_needs_an_alphabet():
    for expression, letters in OPEN.items():
        with refused("--alphabet"):
            from_regular_expression(expression)
        automaton = from_regular_expression(expression, letters)
        assert agrees(automaton, expression, (*words_up_to(letters, 3), *through_states(automaton))), expression


UNREAD = {
    "a(?=b)": "look-ahead", "(?<!a)b": "look-ahead or look-behind", "(?!)": "negative look-ahead",
    r"(a)\1": "back reference", "(?P<x>a)(?P=x)": "back reference", "(a)?(?(1)a|b)": "conditional group",
    "(?>a*)a": "atomic group", "a*+a": "possessive", "(?i)a": "flags", "(?i:a)": "flags",
    "(?s)a": "flags", "[[:alpha:]]": "nested set", "[a&&b]": "intersection", "[z-a]": "bad character range",
    "(a": "unterminated", r"\p{L}": "bad escape", "a**": "multiple repeat", "": "names none",
    r"[\u0000-\uffff]": "at most 256", "(a|b)*a(a|b){18}": "less work", "(" * 3000 + "a" + ")" * 3000: "groups",
    "a{99999999999999}": "repetition number", None: "a text",
}  # fmt: skip


def test_what_is_not_read_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(reader, "MOST_WORK", 40_000)
    for expression, named in UNREAD.items():
        with refused(named):
            from_regular_expression(expression)


@pytest.mark.slow
@pytest.mark.parametrize("expression", ["a{100000}", "((a{99}){99}){99}", "((){65535}){65535}a"])
def test_repeats_take_too_much_work(expression):
    with refused("less work"):
        from_regular_expression(expression)


def test_a_character_outside_the_alphabet_is_refused():
    for expression in ("a*c", "[a-c]*", "[^c]*", r"\x63"):
        with pytest.raises(InputError, match=r"it lacks \{.*c"):
            from_regular_expression(expression, "ab")
    for alphabet in (("aa", "b"), ("a", 1)):
        with refused("single characters"):
            from_regular_expression("a", alphabet)


def random_expression(rng, depth):
    kind = rng.random()
    if not depth or kind < 0.3:
        return rng.choice(
            ["a", "b", "[ab]", "[^a]", ".", r"\d", "1", "^", "$", r"\Z", r"\b", r"\n", " ", "", r"\.", "[.-]"]
        )
    if kind < 0.55:
        return random_expression(rng, depth - 1) + random_expression(rng, depth - 1)
    if kind < 0.7:
        return f"({random_expression(rng, depth - 1)}|{random_expression(rng, depth - 1)})"
    return f"({random_expression(rng, depth - 1)})" + rng.choice(["*", "+", "?", "*?", "{2}", "{1,2}", "{,2}", "{2,}?"])


def test_random_expressions_against_pythons_own_matcher():
    rng = random.Random(3)
    for _ in range(60):
        expression = random_expression(rng, 3)
        automaton = from_regular_expression(expression, "ab1 .-\n")
        words = ("".join(rng.choices(automaton.alphabet, k=rng.randrange(9))) for _ in range(100))
        assert agrees(automaton, expression, words), expression


def test_the_alphabet_is_told():
    assert from_regular_expression("[a-z0-9_, ]*").name == "'[a-z0-9_, ]*' over {' ', ',', 0-9, '_', a-z}"
