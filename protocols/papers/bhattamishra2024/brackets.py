"""Bounded Dyck languages by what is small: two layers, and simple recurrent networks (section 4.1)."""

from __future__ import annotations

from functools import partial
from typing import Any

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.bhattamishra2024.findings import bracket_layers
from protocols.papers.bhattamishra2024.paper import claim

__all__ = ["CLAIMS"]

LAYERS = "docs/proofs/dyck_layers.md"

RECOGNISED = partial(bracket_layers.recognised, kinds=2, depth=2, layers=2)

# what the claims about two layers share
TWO_LAYERS: dict[str, Any] = {
    "lengths": (384,),
    "low": 6,
    "step": 2,
    "tags": ("transformer", "two-layers", "dyck", "construction"),
    "hypotheses": (
        "every word of 6 symbols, beyond these words of the language and words that miss it by one or two symbols",
    ),
}


def small(name: str, statement: str, formula: str, constant: int, why: str, **rest: Any) -> Claim:
    """Something that is built, and of a size that is proved."""
    declared = Constant(str(constant), why)
    return claim(name, statement, Direction.CONSTRUCTION, formula=formula, constant=declared, **rest)


CLAIMS: tuple[Claim, ...] = (
    small(
        "Section 4.1: Dyck by a simple network",
        "Recurrent networks of constant width recognise Dyck-(2,2) with standard activation functions: sigmoid, ReLU.",
        "c",
        32,
        "a unit for each of 8 states and 4 symbols (protocols/constructions/automaton_network.py)",
        unit="units",
        lengths=(512,),
        low=2,
        step=2,
        more=(Parameter("activation", "f", "relu", "kind of unit", choices=("relu", "sigmoid")),),
        sizes=({"activation": "relu"}, {"activation": "sigmoid"}),
        measure=bracket_layers.networks,
        tags=("recurrent", "dyck", "construction"),
        hypotheses=(
            "all words of each length, by products of states; one network for all lengths",
            "networks of ours; those that are cited have fewer units for large depth",
        ),
    ),
    small(
        "Section 4.1: Dyck by two layers",
        "Two-layer transformers can model bounded Dyck languages: two layers, of a width that does not grow with N, "
        "say whether a word is in Dyck-(2,2).",
        "c",
        11,
        f"9 numbers, and two codes of one sign ({LAYERS})",
        unit="numbers",
        measure=partial(RECOGNISED, quantity="width"),
        plots=bracket_layers.beside_one_layer,
        **TWO_LAYERS,
    ),
    small(
        "Section 4.1: Dyck by two layers precision",
        "Their precision is O(log N).",
        "c*log(N, 2)",
        4,
        f"steps of 1/N or less, numbers up to 3N ln 2N ({LAYERS})",
        measure=partial(RECOGNISED, quantity="precision"),
        **TWO_LAYERS,
    ),
    small(
        "Section 4.1: next brackets by two layers",
        "Two layers, of a width that does not grow with N, say which symbols may follow each prefix of Dyck-(2,k): so "
        "the source that is cited models the language, for any k.",
        "c*(8 + k)",
        1,
        f"6 + k numbers, and two codes of one sign ({LAYERS})",
        unit="numbers",
        more=(Parameter("depth", "k", 2, "brackets that may be open at once"),),
        sizes=({"depth": 2}, {"depth": 4}),
        measure=partial(bracket_layers.next_brackets, kinds=2),
        **TWO_LAYERS,
    ),
)
