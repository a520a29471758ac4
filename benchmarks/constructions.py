"""How long it takes to build and check the constructions for lookup, equality, thresholds and recall.

Run it with ``python benchmarks/constructions.py [--json]``. Building includes the search for addresses and the check of
all their products; checking compares every answer with the task's. The rival is the same model's plain forward pass,
which computes for every word what is the same for all of them, on a few of the same words.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import ccsim as cc
from ccsim.models import Transformer
from ccsim.models.transformer import embed
from ccsim.problems import equality_of_halves, index_lookup
from protocols.constructions import (
    BinaryAddresses,
    SparseThreshold,
    equality_transformer,
    growth_table,
    index_lookup_transformer,
    multi_query_recall_transformer,
    size_of,
    threshold_transformer,
)
from protocols.constructions.addresses import _smallest
from protocols.reductions import max_logit_softmax

Words = npt.NDArray[Any]
PLAIN_WORDS = 4


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """How long something takes, and what comes out; addresses found before are forgotten."""
    _smallest.cache_clear()
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def plain_seconds(model: Transformer, words: Words) -> float:
    """The rival, for one word."""
    few = words[:PLAIN_WORDS]

    def work() -> None:
        for word in few:  # alone, it has nothing in common with others
            stream = embed(model.precision, model.token_embedding, model.positions(few.shape[-1]), word[None])
            for block in model.blocks:
                stream = block(stream, model.causal)
            model.read_out(stream[:, -1])

    return seconds(work)[0] / len(few)


def equality(length: int) -> dict[str, Any]:
    """Random words, random words with equal halves, and every single difference from one of these."""
    generator, half = np.random.default_rng(0), length // 2
    base = generator.integers(0, 2, half)
    close = np.tile(np.concatenate([base, base]), (half, 1))
    close[np.arange(half), np.arange(half) + half * generator.integers(0, 2, half)] ^= 1
    halves = generator.integers(0, 2, (64, half))
    words = np.concatenate([close, generator.integers(0, 2, (64, length)), np.hstack([halves, halves])])

    def work() -> Transformer:
        model = equality_transformer(length)
        assert (model.codes(words) == equality_of_halves(length).evaluate(words)).all()
        return model

    spent, model = seconds(work)
    return row(f"equality, N = {length}, {len(words)} words", spent, 10, model, len(words), plain_seconds(model, words))


def recall(pairs: int, route: Any) -> dict[str, Any]:
    """Random words in which every key is asked for."""
    generator, count = np.random.default_rng(0), 4
    words = np.empty((count, 3 * pairs), dtype=np.int64)
    for word in words:
        word[0 : 2 * pairs : 2], word[2 * pairs :] = generator.permutation(pairs), generator.permutation(pairs)
        word[1 : 2 * pairs : 2] = pairs + generator.integers(0, 2, pairs)

    def work() -> Any:
        model = multi_query_recall_transformer(pairs, route=route)
        for word, values in zip(words, model.values(words), strict=True):
            held = dict(zip(word[0 : 2 * pairs : 2].tolist(), (word[1 : 2 * pairs : 2] - pairs).tolist(), strict=True))
            assert [held[key] for key in word[2 * pairs :].tolist()] == values.tolist()
        return model

    spent, model = seconds(work)
    plain = plain_seconds(model.transformer, words)
    return row(f"recall by {route}, N = {pairs}, {count * pairs} queries", spent, 30, model, count, plain)


def lookup(length: int) -> dict[str, Any]:
    """Random words of an index lookup."""
    generator = np.random.default_rng(0)
    words = generator.integers(0, 2, (64, length + 1))
    words[:, -1] = 2 + generator.integers(0, length, 64)

    def work() -> Any:
        model = index_lookup_transformer(length)
        assert (model.codes(words) == index_lookup(length).evaluate(words)).all()
        return model

    spent, model = seconds(work)
    return row(f"index lookup, N = {length}, {len(words)} words", spent, None, model, len(words), None)


def intersection(length: int) -> dict[str, Any]:
    """Disjoint words, and such with one common 1."""
    generator, half = np.random.default_rng(0), length // 2
    first = generator.integers(0, 2, (64, half))
    words = np.hstack([first, 1 - first])
    words[np.arange(32), np.arange(32)] = words[np.arange(32), half + np.arange(32)] = 1

    def work() -> Any:
        model = threshold_transformer(SparseThreshold.halves(length, lambda a, b: a and b, "any"))
        assert model.codes(words).tolist() == [1] * 32 + [0] * 32
        return model

    spent, model = seconds(work)
    return row(f"intersection, N = {length}, {len(words)} words", spent, None, model, len(words), None)


def row(case: str, spent: float, limit: int | None, model: Any, words: int, plain: float | None) -> dict[str, Any]:
    """One line of the table."""
    size = size_of(model)
    found: dict[str, Any] = {"case": case, "seconds": round(spent, 2)}
    if limit is not None:
        found |= {"limit": limit, "within": spent < limit}
    if plain is not None:
        found["times the plain forward pass of each word"] = round(spent / (plain * words), 3)
    return found | {"width": size.width, "precision": size.precision, "bits": size.representation_bits}


def protocols() -> list[dict[str, Any]]:
    """What index lookup costs as a protocol of the one-layer model, beside what the task needs."""
    rows = []
    for length in (2, 3, 4):
        model, task = index_lookup_transformer(length, addresses=BinaryAddresses(length)), index_lookup(length)
        partition = cc.Partition.prefix(length + 1, length)
        needed = cc.bounds.deterministic(task.split(partition)).lower
        for variant in ("literal", "one-sided", "compact", "cheapest"):
            protocol = max_logit_softmax(model, partition, variant=variant, task=task)
            bits = protocol.explore().raise_if_wrong().worst_bits
            case = f"index lookup, N = {length}, protocol ({variant})"
            rows.append({"case": case, "bits": bits, "needed": needed, "slack": bits - needed})
    return rows


def main() -> None:
    """Print every case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    rows = [equality(1024), recall(512, "address"), recall(512, "copy"), lookup(1024), intersection(1024)]
    spent, table = seconds(growth_table)
    rows.append({"case": f"growth table, N = 2^4..2^14, {len(table)} models", "seconds": round(spent, 2)})
    rows += protocols()
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    for entry in rows:
        print(", ".join(f"{name}: {value}" for name, value in entry.items()))


if __name__ == "__main__":
    main()
