"""An n-gram model by n - 1 heads in one layer."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray
from ccsim.models.language import HardAttentionLanguageModel, HardAttentionLayer, PositionalHead, RootCosine
from protocols.constructions.ngrams.history import and_units, one_hot
from protocols.constructions.ngrams.model import NGramModel, require_language
from protocols.constructions.ngrams.sizes import LENGTH, sized


def ngram_by_heads(
    language: NGramModel, heads: int | None = None, *, length: int = LENGTH
) -> HardAttentionLanguageModel:
    """A transformer with n - 1 heads that has the same probabilities (Svete and Cotterell 2024, theorem 3.1).

    Position t has the query (sqrt(1/t), sqrt(1 - 1/t)), and position j in head h = 0, 1, ..., n - 2 the key of j + h:
    two unit vectors, whose product is largest where j + h = t. So head h fetches the symbol h places back. One relu
    unit per context then asks whether these symbols are its own, and the output matrix holds the counts.

    The n - 1 beginning marks are the positions 1 to n - 1, so that t - h >= 1 wherever a symbol is asked for. Head 0
    looks at its own position: if the content stays beside what the others fetch, it is not needed, and ``heads`` may be
    as low as n - 2 (but at least 1).

    It reads strings of every length; ``length`` is the one for which its size is stated.

    >>> language = NGramModel.from_strings(["aab", "ab"], order=3)
    >>> model = ngram_by_heads(language)
    >>> model.probability("aab") == language.probability("aab"), model.heads
    (True, 2)
    """
    require_language(language)
    block, places = len(language.symbols) + 1, language.order - 1
    width, numbers = places * block, 2 * places
    count = places if heads is None else require_integer("heads", heads, low=max(1, places - 1), high=places)
    embedding = np.pad(one_hot(language), ((0, 0), (0, width - block)))

    def encoding(positions: IntArray) -> IntArray:
        """For h = 0, 1, ...: the integers (1, t + h - 1), which stand for the unit vector of t + h."""
        return np.stack([part for h in range(places) for part in (np.ones_like(positions), positions + h - 1)], axis=-1)

    made = []
    for place in range(places - count, places):
        value = np.zeros((width, width), dtype=np.int64)
        value[:block, place * block : (place + 1) * block] = np.eye(block, dtype=np.int64)
        select = np.eye(numbers, dtype=np.int64)
        made.append(PositionalHead(select[:, :2], select[:, 2 * place : 2 * place + 2], value, RootCosine()))
    model = HardAttentionLanguageModel(
        f"{language.order}-grams by heads",
        language.symbols,
        places,
        embedding,
        encoding,
        (HardAttentionLayer(tuple(made), residual=count < places),),
        (and_units(language),),
        language.weights,
    )
    source = "Svete and Cotterell 2024, theorem 3.1"
    return sized(model, length, width="(n - 1)*(S + 2)", precision="log(N)", source=source)
