"""Times of the constructions on attention units: ``python benchmarks/constructions_attention.py``.

Sparse averaging at N = 256, q = 4 is to be built and checked on sampled subsets in less than a minute.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ccsim.problems import match2
from protocols.constructions.averaging import sparse_averaging_unit
from protocols.constructions.matching import match2_unit, match3_bigram_transformer, match3_local_unit, match3_tensor
from protocols.constructions.ngrams import (
    NGramModel,
    alice,
    first_lost_maximum,
    ngram_by_heads,
    ngram_by_layers,
    ngram_by_values,
    vowels_and_consonants,
)
from tests.constructions.test_matching import adversarial_words


def averaging(length: int, most: int, samples: int) -> str:
    """Exact worst errors on sampled subsets, and one whole output of the unit."""
    average, generator = sparse_averaging_unit(length, most), random.Random(0)
    subsets = [tuple(sorted(generator.sample(range(1, length + 1), most))) for _ in range(samples)]
    worst = max(average.worst_errors(subsets))
    scale = average.precision.scale
    values = np.random.default_rng(0).integers(-scale, scale + 1, size=length)
    rows = np.column_stack([subsets[:length], np.arange(1, length + 1), values])
    outputs = average.unit(rows)[:, 0]
    off = max(
        abs(Fraction(int(output), scale) - Fraction(int(values[np.array(subset) - 1].sum()), most * scale))
        for output, subset in zip(outputs, subsets, strict=False)
    )
    bits = average.precision.bits
    return f"width {average.width}, {bits} bits, worst error {float(worst):.1e}, of one input {float(off):.1e}"


def matching(length: int, modulus: int) -> str:
    """Match2 on words near the margins."""
    model, words = match2_unit(length, modulus), adversarial_words(length, modulus)
    wrong = int((model.codes(words) != match2(length, modulus).evaluate(words)).sum())
    return f"{model.precision.bits} bits, {wrong} of {len(words)} words wrong"


def ngrams(length: int) -> str:
    """Probabilities of a long string by all three constructions."""
    language = NGramModel.from_strings(map(vowels_and_consonants, alice()), order=4, smoothing=1)
    string = "".join(random.Random(0).choices(language.symbols, k=length))
    exact = language.probability(string)
    builds = (ngram_by_heads, ngram_by_layers, ngram_by_values)
    return f"equal: {[build(language).probability(string) == exact for build in builds]}"


def main() -> None:
    """All of them, one line each."""
    work: dict[str, Callable[[], str]] = {
        "sparse averaging, N = 256, q = 4, 2000 subsets": lambda: averaging(256, 4, 2000),
        "sparse averaging, N = 1024, q = 4, 1024 subsets": lambda: averaging(1024, 4, 1024),
        "match2, N = 64, M = 64": lambda: matching(64, 64),
        "match2, N = 1024, M = 32": lambda: matching(1024, 32),
        "match3_bigram, N = 64, M = 64": lambda: f"{match3_bigram_transformer(64, 64).precision.bits} bits",
        "match3_local, N = 256, M = 64, K = 3": lambda: f"{match3_local_unit(256, 64, 3).precision.bits} bits",
        "match3 tensor, N = 16, M = 32": lambda: f"{match3_tensor(16, 32).precision.bits} bits",
        "4-grams, a string of length 500": lambda: ngrams(500),
        "first lost maximum in float64": lambda: f"t = {first_lost_maximum('float64')}",
    }
    for name, run in work.items():
        start = time.perf_counter()
        result = run()
        print(f"{name:50} {time.perf_counter() - start:7.2f} s   {result}", flush=True)


if __name__ == "__main__":
    main()
