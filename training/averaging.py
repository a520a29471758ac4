"""Measures ``protocols/trained/averaging.json``: ``python training/averaging.py``, in about a minute, with NumPy alone.

The training figure on sparse averages in the talk on Sanford, Hsu and Telgarsky 2023: an attention unit is trained to
average q = 3 of N = 20 rows, and its attention matrix on a fixed example is kept after T = 0, 1000 and 40 000 steps.
The slides give no more; width, batches, rate and values are ours. Queries are a linear map of the rows that are named,
keys a vector for each row, values a linear map of the value; gradients are written out.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from protocols.trained.averaging import FILE

ROWS, NAMED, VALUES, WIDTH = 20, 3, 2, 32
BATCH, RATE, SEED, TESTED = 16, 3e-3, 0, 200
KEPT = (0, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 40_000)
SHOWN = (0, 1000, 40_000)

Words = tuple[np.ndarray, np.ndarray]


def words(generator: np.random.Generator, count: int) -> Words:
    """Which rows each row names, as 0 and 1 of shape (count, N, N), and values in the unit ball, (count, N, d')."""
    named = np.zeros((count, ROWS, ROWS))
    places = generator.random((count, ROWS, ROWS)).argsort(axis=2)[:, :, :NAMED]
    np.put_along_axis(named, places, 1.0, axis=2)
    values = generator.normal(size=(count, ROWS, VALUES))
    return named, values / np.maximum(1, np.linalg.norm(values, axis=2, keepdims=True))


def attention(unit: dict[str, np.ndarray], named: np.ndarray) -> np.ndarray:
    """The attention matrices, (count, N, N)."""
    logits = named @ unit["query"] @ unit["key"].T
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    return np.asarray(weights / weights.sum(axis=2, keepdims=True))


def gradients(unit: dict[str, np.ndarray], named: np.ndarray, values: np.ndarray) -> dict[str, np.ndarray]:
    """Of half the mean squared distance to the averages."""
    weights = attention(unit, named)
    mixed = weights @ values
    off = (mixed @ unit["value"] - named @ values / NAMED) / len(named)
    towards = off @ unit["value"].T @ values.transpose(0, 2, 1)
    logits = weights * (towards - (towards * weights).sum(axis=2, keepdims=True))
    return {
        "query": (named.transpose(0, 2, 1) @ logits).sum(axis=0) @ unit["key"],
        "key": np.einsum("bij,bim->jm", logits, named @ unit["query"]),
        "value": np.einsum("bid,bie->de", mixed, off),
    }


def trained(steps: int = KEPT[-1]) -> dict[str, Any]:
    """The measurements at the steps that are kept, and the matrices at those that are shown, in thousandths."""
    generator, test = np.random.default_rng(SEED), words(np.random.default_rng(SEED + 1), TESTED)
    unit = {
        "query": generator.normal(size=(ROWS, WIDTH)) * 0.1,
        "key": generator.normal(size=(ROWS, WIDTH)) * 0.1,
        "value": np.eye(VALUES),
    }
    first, second = ({name: np.zeros_like(part) for name, part in unit.items()} for _ in range(2))
    entries, matrices = [], {}
    for step in range(steps + 1):
        if step in KEPT:
            entries.append({"step": step, **measured(unit, *test)})
        if step in SHOWN:
            matrices[str(step)] = np.rint(1000 * attention(unit, test[0][:1])[0]).astype(int).tolist()
        for name, slope in gradients(unit, *words(generator, BATCH)).items():  # Adam
            first[name] = 0.9 * first[name] + 0.1 * slope
            second[name] = 0.999 * second[name] + 0.001 * slope**2
            rate = RATE * np.sqrt(1 - 0.999 ** (step + 1)) / (1 - 0.9 ** (step + 1))
            unit[name] -= rate * first[name] / (np.sqrt(second[name]) + 1e-8)
    example = [[place + 1 for place in np.flatnonzero(row)] for row in test[0][0]]
    settings = {"rows": ROWS, "named": NAMED, "values": VALUES, "width": WIDTH, "batch": BATCH, "seed": SEED}
    return {"settings": settings, "entries": entries, "example": np.array(example).tolist(), "matrices": matrices}


def measured(unit: dict[str, np.ndarray], named: np.ndarray, values: np.ndarray) -> dict[str, float]:
    """The weight of the rows that are named, in the mean and at least, and the largest error, on the test words."""
    weights = attention(unit, named)
    share, off = (weights * named).sum(axis=2), weights @ values @ unit["value"] - named @ values / NAMED
    figures = {"mean": share.mean(), "least": share.min(), "error": np.linalg.norm(off, axis=2).max()}
    return {name: round(float(value), 4) for name, value in figures.items()}


if __name__ == "__main__":
    FILE.write_text(json.dumps(trained()) + "\n", encoding="utf-8")
