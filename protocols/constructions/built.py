"""What is built here for tasks on words of every length: a model of each kind, and the task that it is right on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ccsim.models import SequenceModel, dyck_automaton
from ccsim.problems import (
    SequenceTask,
    associative_recall,
    disjointness_of_halves,
    dyck,
    equality_of_halves,
    index_lookup,
)
from protocols.constructions.averaging import (
    disjointness_by_uniform_attention,
    dyck_by_uniform_attention,
    equality_by_uniform_attention,
)
from protocols.constructions.lookup import index_lookup_transformer
from protocols.constructions.recurrent import recall_table, shift_register

BUILT: Mapping[tuple[str, str], tuple[Callable[[int], SequenceModel], Callable[[int], SequenceTask]]] = {
    ("recurrent", "dyck"): (lambda length: dyck_automaton(2, 2), dyck),
    ("recurrent", "index-lookup"): (shift_register, index_lookup),
    ("recurrent", "associative-recall"): (recall_table, associative_recall),
    ("transformer", "dyck"): (dyck_by_uniform_attention, dyck),
    ("transformer", "index-lookup"): (index_lookup_transformer, index_lookup),
    ("transformer", "equality-of-halves"): (equality_by_uniform_attention, equality_of_halves),
    ("transformer", "disjointness-of-halves"): (disjointness_by_uniform_attention, disjointness_of_halves),
}
"""By kind of model (a transformer has one layer) and name of the task, what builds the model and the task at N."""
