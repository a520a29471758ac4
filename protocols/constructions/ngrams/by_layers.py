"""An n-gram model by n - 1 layers of one head."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray
from ccsim.models.language import HardAttentionLanguageModel, HardAttentionLayer, PositionalHead, RootCosine
from protocols.constructions.ngrams.history import and_units, one_hot
from protocols.constructions.ngrams.model import NGramModel, require_language
from protocols.constructions.ngrams.sizes import LENGTH, sized


def ngram_by_layers(
    language: NGramModel, layers: int | None = None, *, length: int = LENGTH
) -> HardAttentionLanguageModel:
    """A transformer with one head and n - 1 layers with the same probabilities (Svete and Cotterell 2024, theorem 3.2).

    Every layer looks at the position before its own, by the unit vectors of :func:`ngram_by_heads`, and layer l copies
    the l-th block from there into its block l + 1. So after l layers a position knows the last l + 1 symbols. The width
    is (n - 1) S + 4 for S symbols, the beginning mark among them.

    The content has n - 1 blocks and the first is there from the start: layer n - 1 finds no block to write to, and
    ``layers`` may be as low as n - 2 (but at least 1).

    It reads strings of every length; ``length`` is the one for which its size is stated.

    >>> language = NGramModel.from_strings(["aab", "ab"], order=3)
    >>> model = ngram_by_layers(language)
    >>> model.probability("aab") == language.probability("aab"), model.heads, len(model.layers), model.width
    (True, 1, 2, 10)
    """
    require_language(language)
    block, places = len(language.symbols) + 1, language.order - 1
    depth = places if layers is None else require_integer("layers", layers, low=max(1, places - 1), high=places)
    width = places * block
    embedding = np.pad(one_hot(language), ((0, 0), (0, width - block)))

    def encoding(positions: IntArray) -> IntArray:
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
    model = HardAttentionLanguageModel(
        f"{language.order}-grams by layers",
        language.symbols,
        places,
        embedding,
        encoding,
        tuple(stack),
        (and_units(language),),
        language.weights,
    )
    source = "Svete and Cotterell 2024, theorem 3.2"
    return sized(model, length, width="(n - 1)*S + 4", precision="log(N)", source=source)
