"""What the answers of the problems are, from their definitions and in plain Python: what the tables are compared with.

Inputs are as people write them: strings of 0 and 1, numbers, sets, tuples. A problem on words is asked about one word,
in which Alice's symbols stand at the odd positions and Bob's at the even ones. None is an answer outside the promise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

__all__ = ["ON_INPUTS", "ON_WORDS", "plain_answer", "plain_input"]

Word = Sequence[Any]


def plain_input(value: Any) -> Any:
    """An input as it is written; strings of bits as text."""
    return str(value) if hasattr(value, "to_unsigned") else value


def plain_answer(problem: str, n: int, inputs: Sequence[Any]) -> Any:
    """The answer of a problem of size n on one plain input per party; a KeyError for one that is not written down."""
    if problem in ON_WORDS:
        alice, bob = inputs
        word = [(alice, bob)[place % 2][place // 2] for place in range(len(alice) + len(bob))]
        return ON_WORDS[problem](n, word)
    return ON_INPUTS[problem](n, *inputs)


def _both(x: Word, y: Word) -> int:
    return sum(a == b == "1" for a, b in zip(x, y, strict=True))


def _differ(x: Word, y: Word) -> int:
    return sum(a != b for a, b in zip(x, y, strict=True))


def _gap(n: int, distance: int) -> int | None:
    """With the gap that the catalogue takes: the square root of n, rounded up, but at most half of n."""
    root = next(k for k in range(n + 1) if k * k >= n)
    gap = min(root, n // 2)
    return 1 if 2 * distance >= n + 2 * gap else 0 if 2 * distance <= n - 2 * gap else None


def _median(x: set[int], y: set[int]) -> int:
    elements = sorted([*x, *y])
    return elements[(len(elements) - 1) // 2]


def _chase(n: int, f: Word, g: Word) -> int:
    vertex = 0
    for step in range(n):
        vertex = (f, g)[step % 2][vertex]
    return vertex


ON_INPUTS: dict[str, Callable[..., Any]] = {
    "equality": lambda n, x, y: int(x == y),
    "equality-of-three": lambda n, x, y, z: int(x == y and y == z),
    "disjointness": lambda n, x, y: int(_both(x, y) == 0),
    "intersection": lambda n, x, y: int(_both(x, y) > 0),
    "sparse-disjointness": lambda n, x, y: int(not set(x) & set(y)),
    "set-intersection-size": lambda n, x, y: _both(x, y),
    "greater-than": lambda n, x, y: int(int(x, 2) > int(y, 2)),
    "median": lambda n, x, y: _median(x, y),
    "inner-product": lambda n, x, y: _both(x, y) % 2,
    "index": lambda n, x, i: int(x[i - 1]),
    "hamming-distance": lambda n, x, y: _differ(x, y),
    "gap-hamming": lambda n, x, y: _gap(n, _differ(x, y)),
    "parity": lambda n, x, y: (x + y).count("1") % 2,
    "majority": lambda n, x, y: int((x + y).count("1") > n),
    "clique-independent-set": lambda n, x, y: len(set(x) & set(y)),
    "pointer-chasing": _chase,
    "function-composition": lambda n, f, rest: rest[0][f[rest[1]]],
}
"""By the name of the problem: the answer from its size and an input per party."""


def _balanced(word: Word) -> int:
    stack: list[str] = []
    for symbol in word:
        if symbol in "([":
            stack.append(symbol)
            if len(stack) > 2:
                return 0
        elif not stack or stack.pop() + symbol not in ("()", "[]"):
            return 0
    return int(not stack)


def _common(word: Word) -> bool:
    half = len(word) // 2
    return any(a == b == "1" for a, b in zip(word[:half], word[half:], strict=True))


def _recalled(n: int, word: Word) -> Any:
    keys, values, asked = word[0 : 2 * n : 2], word[1 : 2 * n : 2], word[2 * n :]
    if len(set(keys)) < n or len(set(asked)) < len(asked) or not set(asked) <= set(keys):
        return None
    return tuple(values[keys.index(key)] for key in asked)


def _nearest(n: int, word: Word) -> Any:
    products = [sum(a * b for a, b in zip(word[2 * place], word[-1], strict=True)) for place in range(n)]
    near = [place for place in range(n) if products[place] == max(products)]
    return word[2 * near[0] + 1] if len(near) == 1 else None


def _average(n: int, word: Word) -> Fraction:
    named = word[-1][0]
    return Fraction(sum(word[place - 1][1] for place in named), len(named))


def _hops(word: Word) -> Any:
    place = len(word) - 1
    for _ in range(2):
        before = [earlier for earlier in range(place) if word[earlier] == word[place]]
        if not before:
            return "⊥"
        place = before[-1] + 1
    return word[place]


def _match(n: int, word: Word, pairs: Sequence[tuple[int, int]]) -> int:
    return int(any((word[0] + word[i] + word[j]) % (n + 3) == 0 for i, j in pairs))


ON_WORDS: dict[str, Callable[[int, Word], Any]] = {
    "dyck": lambda n, word: _balanced(word),
    "equality-of-halves": lambda n, word: int(word[: n // 2] == word[n // 2 :]),
    "inequality-of-halves": lambda n, word: int(word[: n // 2] != word[n // 2 :]),
    "disjointness-of-halves": lambda n, word: int(not _common(word)),
    "intersection-of-halves": lambda n, word: int(_common(word)),
    "index-lookup": lambda n, word: word[word[-1] - 1],
    "associative-recall": lambda n, word: (_recalled(n, word) or (None,))[0],
    "multi-query-associative-recall": _recalled,
    "nearest-neighbour": _nearest,
    "q-sparse-averaging": _average,
    "match2": lambda n, word: int(any((word[0] + other) % (n + 3) == 0 for other in word)),
    "match3": lambda n, word: _match(n, word, [(i, j) for i in range(n) for j in range(n)]),
    "match3-bigram": lambda n, word: _match(n, word, [(j, j + 1) for j in range(n - 1)]),
    "match3-local": lambda n, word: _match(n, word, [(i, j) for i in range(min(n, 2)) for j in range(min(n, 2))]),
    "k-hop-composition": lambda n, word: word[n + word[word[-1]]],
    "k-hop-induction": lambda n, word: _hops(word),
    "regular-language": lambda n, word: int(word[0] == word[-1]),
    "parity-of-word": lambda n, word: word.count("1") % 2,
    "majority-of-word": lambda n, word: int(2 * word.count("1") > n),
}
"""By the name of the task, at the sizes of the catalogue: the answer from the size and the word."""
