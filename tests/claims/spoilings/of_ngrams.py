"""Models of n-grams made wrong: their counts, heads, scores, sizes, and the rounding of floating point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.claims.spoilings.of_composition import of_method, of_property
from tests.claims.spoilings.spoiling import Spoiling, answers, instead

MODEL = "ccsim.models.language.model:HardAttentionLanguageModel"
HEAD = "ccsim.models.language.heads:PositionalHead"
NGRAMS = "protocols.constructions.ngrams"


def one_head_more(model):
    layer = model.layers[0]
    return replace(
        model,
        layers=(
            replace(layer, heads=(*layer.heads, replace(layer.heads[0], value=0 * layer.heads[0].value))),
            *model.layers[1:],
        ),
    )


def one_layer_more(model):
    layer = model.layers[0]
    idle = replace(layer, residual=True, heads=tuple(replace(head, value=0 * head.value) for head in layer.heads))
    return replace(model, layers=(*model.layers, idle))


def last_context(weights):
    changed = weights.copy()
    changed[-1, 0] += 1
    return changed


def of_models(build, more, *rest):
    """What is wrong with a model for n-grams."""
    return (
        Spoiling("one too many", NGRAMS, build, answers(more)),
        Spoiling("a count of the last context", f"{NGRAMS}.model:NGramModel", "weights", of_property(last_context)),
        Spoiling("the end is forgotten", MODEL, "probabilities", of_method(lambda found: [2 * each for each in found])),
        Spoiling("one string differs", MODEL, "probabilities", of_method(lambda found: [*found[:-1], found[-1] + 1])),
        *rest,
    )


BEFORE = Spoiling(
    "heads look a place too far back", HEAD, "chosen", of_method(lambda chosen: np.roll(chosen, -1, axis=1))
)
FIRST = Spoiling(
    "all look at the first position",
    HEAD,
    "chosen",
    of_method(lambda chosen: np.eye(len(chosen), dtype=bool)[[0] * len(chosen)]),
)


class Later:
    """A score that takes each key for the one after it."""

    def __init__(self, score):
        self.score = score

    def order(self, query, first, second):
        return self.score.order(query, first + np.array([0, 1]), second + np.array([0, 1]))


SPOILINGS = {
    "svete2024-theorem-3-1": of_models("ngram_by_heads", one_head_more, BEFORE, FIRST),
    "svete2024-theorem-3-2": of_models(
        "ngram_by_layers", one_layer_more, replace(BEFORE, setting={"order": 3}), replace(FIRST, setting={"order": 3})
    ),
    "svete2024-theorem-3-3": of_models("ngram_by_values", one_head_more, BEFORE, FIRST),
    "ccsim-ngrams-by-heads": of_models("ngram_by_heads", one_head_more, replace(BEFORE, setting={"order": 3})),
    "ccsim-ngrams-by-layers": of_models("ngram_by_layers", one_layer_more, replace(BEFORE, setting={"order": 3})),
    "svete2024-scores": (
        BEFORE,
        FIRST,
        Spoiling("scores in another order", "ccsim.models.language.scores:RootCosine", "order", of_method(np.negative)),
        Spoiling(
            "the key of the next position",
            f"{NGRAMS}.by_heads",
            "RootCosine",
            lambda original: lambda: Later(original()),
        ),
    ),
    "ccsim-ngrams-in-floating-point": (
        Spoiling("one position later", f"{NGRAMS}", "first_lost_maximum", answers(lambda position: position + 1)),
        Spoiling("in another type", f"{NGRAMS}.lost_maximum", "_floating", instead(np.dtype("float32"))),
        Spoiling(
            "ties are not lost",
            f"{NGRAMS}.lost_maximum",
            "_scores",
            lambda original: (
                lambda kind, places, others: (
                    original(kind, places, others) + np.where(places == others, kind.type(1), kind.type(0))
                )
            ),
        ),
    ),
}
