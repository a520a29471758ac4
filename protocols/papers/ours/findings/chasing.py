"""What is measured about a chain of thought that composes: its width, and every token that it says."""

from __future__ import annotations

from itertools import product

import numpy as np

from ccsim import models, problems
from ccsim.claims import Finding
from protocols import constructions, reductions
from protocols.papers import checks
from protocols.papers.checks import Looked, grown

__all__ = ["composing_chain"]

ALL_UP_TO = 3  # values: all pairs of tables are gone through as a conversation
BY_TABLES_UP_TO = 16
DRAWN = 4


def composing_chain(length: int, steps: int) -> Finding:
    """The width of the layer for so many values; the chain must say each pointer in turn."""
    exhaustive = [_conversation(values, steps) for values in (2, ALL_UP_TO)]
    found = grown(checks.sizes_between(length, 2), lambda values: _looked(values, steps))
    wrong = [fault for faults, _ in exhaustive for fault in faults]
    return found.but(
        checked=found.checked + sum(count for _, count in exhaustive),
        of=(found.of or 0) + sum(count for _, count in exhaustive),
        violations=(*found.violations, *wrong),
        facts={"steps": steps, "all tables": f"of 2 and of {ALL_UP_TO} values, as a conversation"},
    )


def _looked(values: int, steps: int) -> Looked:
    chain, generator, wrong = constructions.chasing_chain(values, steps), np.random.default_rng(0), list[str]()
    small = values <= BY_TABLES_UP_TO
    spoken: list[models.SequenceModel] = [layer if small else _without_tables(layer) for layer in chain]
    for tables in generator.integers(values, size=(DRAWN, 2 * values)).tolist():
        path = _path(tables, values, steps)
        if constructions.think(spoken, tables) != path:
            wrong.append(f"not {path}")
    return Looked(constructions.size_of(chain[0]).width, DRAWN, values ** (2 * values), wrong)


def _without_tables(layer: models.OneLayerTransformer) -> models.Transformer:
    """The same layer, which computes on its words without tables of all symbols at all places."""
    shared = {name: getattr(layer, name) for name in ("name", "alphabet", "answers", "token_embedding", "read_out")}
    return models.Transformer(**shared, position_embedding=layer.position_embedding, blocks=(layer.block,))


def _path(tables: list[int], values: int, steps: int) -> list[int]:
    """0, f(0), g(f(0)), ..."""
    path = [0]
    for step in range(steps):
        path.append(tables[values * (step % 2) + path[-1]])
    return path


def _conversation(values: int, steps: int) -> tuple[list[str], int]:
    """The chain as a protocol on all pairs of tables, whose answers are those of pointer chasing."""
    chain = constructions.chasing_chain(values, steps)
    protocol = reductions.chain_of_thought(chain, problems.Partition("A" * values + "B" * values), start=0)
    explored = protocol.explore()
    wrong = [str(violation) for violation in explored.violations]
    tables = list(product(range(values), repeat=values))
    right = [[_path([*f, *g], values, steps)[-1] for g in tables] for f in tables]
    wrong += [] if protocol.function.codes.tolist() == right else ["another function than pointer chasing"]
    return wrong, explored.pairs
