"""Transformers for n-gram language models (Svete and Cotterell 2024), exact, and where floating point fails them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models.language_models import (
    CappedProduct,
    HardAttentionLanguageModel,
    HardAttentionLayer,
    PositionalHead,
    RootCosine,
)
from ccsim.problems.inputs import sample
from protocols.constructions.assembling import sized

THEOREMS = {"heads": "3.1", "layers": "3.2", "values": "3.3"}
BEGIN = 0  # the rank of the mark that comes n - 1 times before every string; symbols have the ranks from 1 on
MOST_COUNT = 1 << 48  # so that the sum of a context's counts is an int64
LENGTH = 1 << 10  # of strings for which a size is given unless another is asked for
MOST_LENGTH = 1 << 20  # the longest: the number 10^-j of its last position is written out
FAR = 256  # positions further away are not compared; :func:`_require_reach` shows that they need not be
BLOCK = 1 << 8

Context = tuple[int, ...]


def alice() -> tuple[str, ...]:
    """The first five paragraphs of Alice's Adventures in Wonderland (Lewis Carroll, 1865), in the public domain."""
    text = files("protocols.constructions").joinpath("data/alice.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


def letters(text: str) -> str:
    return " ".join("".join(symbol if "a" <= symbol <= "z" else " " for symbol in text.lower()).split())


def vowels_and_consonants(text: str) -> str:
    """A text over three symbols: v for a, e, i, o and u, c for other letters, and a space between words."""
    return "".join(" " if symbol == " " else "v" if symbol in "aeiou" else "c" for symbol in letters(text))


@dataclass(frozen=True)
class NGramModel:
    """The next symbol depends on the n - 1 before it: p(y) = p(end | y) times the product of p(y_t | context).

    Attributes:
        order: n, at least 2.
        symbols: the symbols of the strings.
        counts: for each context, n - 1 ranks from the oldest on, how often each symbol and then the end follow it.

    A probability is a count over the sum of the context's counts. A context that has no counts ends the string, which
    is never seen with counts from strings.

    >>> model = NGramModel.from_strings(["aab", "ab"], order=2)
    >>> model.probability("aab"), model.probability("b")
    (Fraction(2, 9), Fraction(0, 1))
    """

    order: int
    symbols: tuple[Hashable, ...]
    counts: Mapping[Context, tuple[int, ...]] = field(repr=False)

    def __post_init__(self) -> None:
        require_integer("order", self.order, low=2)
        object.__setattr__(self, "symbols", require_symbols("symbols", self.symbols))
        if not isinstance(self.counts, Mapping):
            raise InputError("counts", self.counts, "counts of each context")
        for context, counts in self.counts.items():
            size, marks = len(self.symbols), sum(rank == BEGIN for rank in context)
            ranks = len(context) == self.order - 1 and all(rank in range(1, size + 1) for rank in context[marks:])
            if not ranks or np.shape(counts) != (size + 1,):
                expected = f"{self.order - 1} ranks up to {size}, marks first, and {size + 1} counts"
                raise InputError("counts", (context, counts), expected)
            for count in counts:
                require_integer("counts", count, low=0, high=MOST_COUNT)

    @classmethod
    def from_strings(
        cls, strings: Iterable[Sequence[Hashable]], order: int, symbols: Iterable[Hashable] = (), smoothing: int = 0
    ) -> NGramModel:
        """Counted in strings, over the symbols that are given or occur; ``smoothing`` is added to every count."""
        order, smoothing = require_integer("order", order, low=2), require_integer("smoothing", smoothing, low=0)
        try:
            given = [tuple(string) for string in strings]
        except TypeError as error:
            raise InputError("strings", strings, "a list of strings of symbols") from error
        occurring = sorted({symbol for string in given for symbol in string}, key=str)
        known = require_symbols("symbols", symbols or occurring)
        rank = {symbol: place for place, symbol in enumerate(known, start=1)}
        seen: Counter[tuple[Context, int]] = Counter()
        for string in given:
            if not set(string) <= set(rank):
                raise InputError("strings", string, f"symbols among {sample(known)}")
            ranks = (BEGIN,) * (order - 1) + tuple(rank[symbol] for symbol in string) + (len(known) + 1,)
            for end in range(order - 1, len(ranks)):
                seen[ranks[end - order + 1 : end], ranks[end] - 1] += 1
        contexts = _contexts(len(known), order) if smoothing else {context for context, _ in seen}
        follows = range(len(known) + 1)
        return cls(order, known, {c: tuple(seen[c, place] + smoothing for place in follows) for c in sorted(contexts)})

    @cached_property
    def contexts(self) -> tuple[Context, ...]:
        """All contexts that a string can have: some beginning marks, then symbols."""
        return tuple(_contexts(len(self.symbols), self.order))

    @cached_property
    def weights(self) -> Array:
        """The counts of all :attr:`contexts`, shape (contexts, symbols + 1); a context without any ends the string."""
        unseen = (0,) * len(self.symbols) + (1,)
        rows = [self.counts.get(context, unseen) for context in self.contexts]
        return np.array([row if any(row) else unseen for row in rows], dtype=np.int64)

    def next_symbol(self, string: Sequence[Hashable]) -> tuple[Fraction, ...]:
        """The probabilities of each next symbol, and of the end, after this string."""
        if not set(string) <= set(self.symbols):
            raise InputError("string", string, f"symbols among {sample(self.symbols)}")
        ranks = (BEGIN,) * (self.order - 1) + tuple(self.symbols.index(symbol) + 1 for symbol in string)
        counts = self.counts.get(ranks[len(ranks) - self.order + 1 :], ())
        if not any(counts):
            return (Fraction(0),) * len(self.symbols) + (Fraction(1),)
        return tuple(Fraction(count, sum(counts)) for count in counts)

    def probability(self, string: Sequence[Hashable]) -> Fraction:
        """The probability of one string."""
        result = self.next_symbol(string)[-1]
        for place, symbol in enumerate(string):
            result *= self.next_symbol(string[:place])[self.symbols.index(symbol)]
        return result


def _contexts(symbols: int, order: int) -> list[Context]:
    ranks = range(1, symbols + 1)
    return [
        (BEGIN,) * (order - 1 - held) + word for held in range(order) for word in itertools.product(ranks, repeat=held)
    ]


def _model(
    language: NGramModel,
    how: str,
    embedding: Array,
    encoding: Callable[[Array], Array],
    layers: Sequence[HardAttentionLayer],
    units: Sequence[tuple[Array, Array]],
    length: int,
    width: str,
    precision: str = "log(N)",
    **more: Any,
) -> HardAttentionLanguageModel:
    """The model with its size up to a length and its claimed growth; bits are those of the largest integer."""
    name, places = f"{language.order}-grams by {how}", language.order - 1
    model = HardAttentionLanguageModel(
        name, language.symbols, places, embedding, encoding, tuple(layers), tuple(units), language.weights, **more
    )
    length = require_integer("length", length, low=0, high=MOST_LENGTH)
    last = length + model.padding
    factor = Fraction(1) if model.amplitude is None else model.amplitude(last)
    position = int(np.abs(model.encoding(np.array([last]))).max())
    bits = max(position, factor.numerator, factor.denominator, int(model.output.max())).bit_length()
    return sized(
        model,
        bits,
        model.parameters,
        width=model.width,
        heads=model.heads,
        layers=len(model.layers),
        given=last * (model.width - model.embedding.shape[1]),
        claimed=(width, precision, "S**(n - 1)"),
        source=f"Svete and Cotterell 2024, theorem {THEOREMS[how]}",
    )


def _sizes(language: NGramModel) -> tuple[int, int]:
    if not isinstance(language, NGramModel):
        raise InputError("language", language, "an NGramModel")
    return len(language.symbols) + 1, language.order - 1


def and_units(language: NGramModel) -> tuple[Array, Array]:
    """One relu unit per context, the sum of its n - 1 marks, in blocks from the latest place on, less n - 2."""
    block, places = _sizes(language)
    weights = np.zeros((places * block, len(language.contexts)), dtype=np.int64)
    for unit, context in enumerate(language.contexts):
        for place, rank in enumerate(reversed(context)):
            weights[place * block + rank, unit] = 1
    return weights, np.full(len(language.contexts), 1 - places)


def ngram_by_heads(
    language: NGramModel, heads: int | None = None, *, length: int = LENGTH
) -> HardAttentionLanguageModel:
    """A transformer with n - 1 heads that has the same probabilities (Svete and Cotterell 2024, theorem 3.1).

    Position t has the query (sqrt(1/t), sqrt(1 - 1/t)), and position j in head h = 0, 1, ..., n - 2 the key of j + h:
    two unit vectors, whose product is largest where j + h = t. So head h fetches the symbol h places back. One relu
    unit per context then asks whether these symbols are its own, and the output matrix holds the counts.

    The n - 1 beginning marks are the positions 1 to n - 1. Head 0 looks at its own position: if the content stays next
    to what the others fetch, it is not needed, and ``heads`` may be as low as n - 2 (but at least 1). It reads strings
    of every length; ``length`` is the one for which its size is stated.

    >>> language = NGramModel.from_strings(["aab", "ab"], order=3)
    >>> model = ngram_by_heads(language)
    >>> model.probability("aab") == language.probability("aab"), model.heads
    (True, 2)
    """
    block, places = _sizes(language)
    width, numbers = places * block, 2 * places
    count = places if heads is None else require_integer("heads", heads, low=max(1, places - 1), high=places)
    embedding = np.pad(np.eye(block, dtype=np.int64), ((0, 0), (0, width - block)))

    def encoding(positions: Array) -> Array:
        """For each h the integers (1, t + h - 1), which represent the unit vector of t + h."""
        return np.stack([part for h in range(places) for part in (np.ones_like(positions), positions + h - 1)], axis=-1)

    made = []
    for place in range(places - count, places):
        value = np.zeros((width, width), dtype=np.int64)
        value[:block, place * block : (place + 1) * block] = np.eye(block, dtype=np.int64)
        select = np.eye(numbers, dtype=np.int64)
        made.append(PositionalHead(select[:, :2], select[:, 2 * place : 2 * place + 2], value, RootCosine()))
    layer = HardAttentionLayer(tuple(made), residual=count < places)
    return _model(
        language, "heads", embedding, encoding, [layer], [and_units(language)], length, width="(n - 1)*(S + 2)"
    )


def ngram_by_layers(
    language: NGramModel, layers: int | None = None, *, length: int = LENGTH
) -> HardAttentionLanguageModel:
    """A transformer with one head and n - 1 layers with the same probabilities (Svete and Cotterell 2024, theorem 3.2).

    Every layer looks at the position before its own, by the unit vectors of :func:`ngram_by_heads`, and layer l copies
    the l-th block from there into its block l + 1: after l layers a position knows the last l + 1 symbols. The width is
    (n - 1) S + 4 for S symbols, the beginning mark among them. Layer n - 1 finds no block to write to, and ``layers``
    may be as low as n - 2 (but at least 1). ``length`` is the one for which its size is stated.

    >>> language = NGramModel.from_strings(["aab", "ab"], order=3)
    >>> model = ngram_by_layers(language)
    >>> model.probability("aab") == language.probability("aab"), len(model.layers), model.width
    (True, 2, 10)
    """
    block, places = _sizes(language)
    depth = places if layers is None else require_integer("layers", layers, low=max(1, places - 1), high=places)
    width = places * block
    embedding = np.pad(np.eye(block, dtype=np.int64), ((0, 0), (0, width - block)))

    def encoding(positions: Array) -> Array:
        """The unit vectors of t and t + 1, as integers."""
        one = np.ones_like(positions)
        return np.stack([one, positions - 1, one, positions], axis=-1)

    select = np.eye(4, dtype=np.int64)
    stack = []
    for layer in range(1, depth + 1):
        value = np.zeros((width, width + block), dtype=np.int64)
        value[(layer - 1) * block : layer * block, layer * block : (layer + 1) * block] = np.eye(block, dtype=np.int64)
        head = PositionalHead(select[:, :2], select[:, 2:], value[:, :width], RootCosine())
        stack.append(HardAttentionLayer((head,)))
    return _model(language, "layers", embedding, encoding, stack, [and_units(language)], length, width="(n - 1)*S + 4")


def ngram_by_values(language: NGramModel, *, length: int = LENGTH) -> HardAttentionLanguageModel:
    """A transformer with one head in one layer with the same probabilities (Svete and Cotterell 2024, theorem 3.3).

    The content of position j is 10^-j times the unit vector of its symbol. The score min(j - (t - n + 2), 0) is largest
    at the last n - 1 positions alone, which are averaged. Scaled to the sum 11...1, each symbol has a number of n - 1
    decimal digits: a 1 where that symbol is. Digits come out one a layer, the oldest first, by two relu units each:
    relu(r - 10^e + 1) - relu(r - 10^e) is 1 if the rest r has this digit, since without it r < 10^e. The numbers 10^-j
    need bits that grow with the length of the string. ``length`` is the one for which its size is stated.

    >>> language = NGramModel.from_strings(["aab", "ab"], order=3)
    >>> model = ngram_by_values(language)
    >>> model.probability("aab") == language.probability("aab"), model.heads, len(model.layers), model.width
    (True, 1, 1, 5)
    """
    block, places = _sizes(language)

    def encoding(positions: Array) -> Array:
        return np.stack([np.ones_like(positions), positions], axis=-1)

    # From (1, t): the query (t - n + 2, 1) and the key (-1, j), so that their product is j - (t - n + 2).
    query, key = np.array([[1 - places, 1], [1, 0]]), np.array([[-1, 0], [0, 1]])
    head = PositionalHead(query, key, np.eye(block, dtype=np.int64), CappedProduct())
    digits, last = _digit_layers(block, places)
    context_weights, bias = and_units(language)
    layer = HardAttentionLayer((head,), residual=False)
    return _model(
        language,
        "values",
        np.eye(block, dtype=np.int64),
        encoding,
        [layer],
        [*digits, (last @ context_weights, bias)],
        length,
        width="S + 2",
        precision="N",
        amplitude=lambda position: Fraction(1, 10**position),
        total=(10**places - 1) // 9,
    )


def _digit_layers(block: int, places: int) -> tuple[list[tuple[Array, Array]], Array]:
    """Layers of units from ``block`` numbers to their digits, and the matrix from the last units to the digits.

    Units are each number itself, then two per digit so far, the highest first; the matrix has the lowest (latest)
    first.
    """
    layers = []
    unit = np.eye(block, dtype=np.int64)
    for digit in range(places):
        power = 10 ** (places - 1 - digit)
        rest = np.array([1, *(sign * 10 ** (places - 1 - place) for place in range(digit) for sign in (-1, 1))])
        keep = np.eye(1 + 2 * digit, dtype=np.int64)
        bias = np.tile([*[0] * (1 + 2 * digit), 1 - power, -power], block)
        layers.append((np.kron(unit, np.column_stack([keep, rest, rest])), bias))
    last = np.zeros((block * (1 + 2 * places), places * block), dtype=np.int64)
    for number in range(block):
        for place in range(places):
            first = number * (1 + 2 * places) + 1 + 2 * place
            last[first : first + 2, (places - 1 - place) * block + number] = 1, -1
    return layers, last


def first_lost_maximum(dtype: npt.DTypeLike, limit: int = 1 << 18) -> int | None:
    """The first position t at which some position j < t has a score as large as t itself in this floating-point type.

    Scores are those of :func:`ngram_by_heads` for h = 0, each operation rounded to the type; exactly, t is always
    ahead, by about 1/(8 t^3). None if there is no such t up to ``limit``.

    >>> [first_lost_maximum(kind) for kind in ("float16", "float32", "float64")]
    [8, 123, 79684]
    """
    try:
        kind = np.dtype(dtype)
    except TypeError as error:
        raise InputError("dtype", dtype, "float16, float32 or float64") from error
    if kind not in (np.float16, np.float32, np.float64):
        raise InputError("dtype", kind.name, "float16, float32 or float64")
    limit = require_integer("limit", limit, low=1)
    for start in range(1, limit + 1, BLOCK):
        places = np.arange(start, min(start + BLOCK, limit + 1))[:, None]
        _require_reach(kind, int(places[-1, 0]))
        others = places - np.arange(1, FAR + 1)
        reached = _scores(kind, places, np.maximum(others, 1)) >= _scores(kind, places, places)
        lost = (reached & (others >= 1)).any(axis=1)
        if lost.any():
            return int(places[np.argmax(lost), 0])
    return None


def _scores(kind: np.dtype[Any], places: Array, others: Array) -> Array:
    one = np.ones(1, dtype=kind)
    shares, other_shares = one / places.astype(kind), one / others.astype(kind)
    cosines = np.sqrt(shares) * np.sqrt(other_shares)
    return np.asarray(cosines + np.sqrt(one - shares) * np.sqrt(one - other_shares))


def _require_reach(kind: np.dtype[Any], limit: int) -> None:
    """Refuse positions at which one more than ``FAR`` away could have the score of t itself.

    Position t - w is behind by 1 - cos of an angle of at least w / (2 t^(3/2)), which is more than w^2 / (16 t^3);
    rounding moves a score by less than 8 units of 2^-p, where 1 + 2^-p is the next number of the type after 1.
    """
    step = float(np.finfo(kind).eps)
    if limit > FAR and 256 * step * limit**3 > (FAR + 1) ** 2:
        raise InputError("limit", limit, f"at most {int(((FAR + 1) ** 2 / (256 * step)) ** (1 / 3))} for {kind.name}")
