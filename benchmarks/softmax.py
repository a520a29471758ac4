"""How fast the max-logit softmax protocol is explored and compared with its model, as ratios in the same run.

Run it with ``python benchmarks/softmax.py [--json] [--length 10] [--longer 12]``. The rival is one batched float64
NumPy forward pass of the same model over the same words. Every case is timed once after the tables are warm; what is
timed includes every transcript's bits, every leaf and every answer.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import ccsim as cc
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems.inputs import Words
from protocols.reductions import max_logit_softmax

BLOCK = 1 << 16
CLOSE = 0.1


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """How long something takes, and what comes out."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def scores(model: OneLayerTransformer, words: Any) -> Any:
    """What the model gives in float64, as anybody would write it: embedded, one query for each word, batched."""
    numbers, block = model.precision.floats, model.block
    stream = numbers(model.token_embedding)[words] + numbers(model.position_embedding)
    heads = []
    for maps in block.maps:
        query, key, value = (numbers(part.weights) for part in maps)
        logits = ((stream @ key) @ (stream[:, -1] @ query)[:, :, None])[..., 0]
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        heads.append(((weights / weights.sum(axis=1, keepdims=True))[:, None] @ (stream @ value))[:, 0])
    last = stream[:, -1] + np.hstack(heads) @ numbers(block.output.weights)
    inner, outer = (layer.affine for layer in block.tokenwise.layers)
    hidden = np.maximum(last @ numbers(inner.weights) + numbers(inner.bias), 0)
    last = last + hidden @ numbers(outer.weights) + numbers(outer.bias)
    return last @ numbers(model.read_out.weights) + numbers(model.read_out.bias)


def forward_pass(model: OneLayerTransformer) -> float:
    """The rival: floating-point answers on all words, in blocks."""
    words = Words.over(model.alphabet, model.length)
    some = words.array(np.arange(64))
    assert np.abs(model.precision.floats(model.outputs(some)) - scores(model, some)).max() < CLOSE
    spent = 0.0
    for start in range(0, words.size, BLOCK):
        rows = words.array(np.arange(start, min(start + BLOCK, words.size)))
        spent += seconds(lambda rows=rows: scores(model, rows))[0]
    return spent


def compare(length: int, variant: str) -> list[dict[str, Any]]:
    """The rival, the model's exact forward pass, the exploration, and both together."""
    model = OneLayerTransformer.random("abcd", length=length, width=16, heads=2, precision=16, seed=0)
    rival = forward_pass(model)
    exact, codes = seconds(lambda: model.task().codes())
    protocol = max_logit_softmax(model, cc.Partition.odd_even(length), variant=variant)
    known = protocol.function.codes  # the answers to compare with, so that the exploration is timed by itself
    explored, found = seconds(lambda: protocol.explore().raise_if_wrong())
    fresh = max_logit_softmax(model, cc.Partition.odd_even(length), variant=variant)
    both, certified = seconds(lambda: cc.certify(fresh, model))
    assert certified.verdict == "tight"
    assert found.pairs == len(codes) == known.size
    case = f"{variant}, 4^{length} words"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    rows = [
        {"case": f"{case}: floating-point forward pass (rival)", "seconds": rival},
        {"case": f"{case}: exact forward pass", "seconds": exact},
        {"case": f"{case}: exploration, {found.worst_bits} bits, {found.leaves} leaves", "seconds": explored},
        {"case": f"{case}: exploration against the exact model", "seconds": both},
    ]
    return [
        {**row, "seconds": round(row["seconds"], 2), "ratio to rival": round(row["seconds"] / rival, 2), "MiB": peak}
        for row in rows
    ]


def main() -> None:
    """Print every case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--length", type=int, default=10)
    parser.add_argument("--longer", type=int, default=12, help="a second length, or 0")
    arguments = parser.parse_args()
    rows = compare(arguments.length, "literal") + compare(arguments.length, "compact")
    if arguments.longer:
        longer = compare(arguments.longer, "literal")
        base = rows[0]["seconds"]
        rows += [
            {**row, f"ratio to the rival at 4^{arguments.length}": round(row["seconds"] / base, 2)} for row in longer
        ]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(", ".join(f"{name}: {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
