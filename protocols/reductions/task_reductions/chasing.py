"""Function composition and pointer chasing as tables written one after another."""

from __future__ import annotations

from typing import Any

from ccsim.problems import Partition, function_composition, k_hop_composition, pointer_chasing
from protocols.reductions.task_reductions.reduction import TaskReduction

PENG = "Peng, Narayanan and Papadimitriou 2024"


def function_composition_to_two_hops(n: int) -> TaskReduction:
    """g(f(x)) over n elements to two tables and an argument: Alice writes f, Bob g and then x.

    >>> function_composition_to_two_hops(2).word((1, 0), ((0, 1), 1))
    (1, 0, 0, 1, 1)
    """
    return TaskReduction(
        name="function composition to two hops",
        source=function_composition(n),
        task=k_hop_composition(n, 2),
        partition=Partition.prefix(2 * n + 1, n),
        encode_alice=tuple,
        encode_bob=lambda pair: (*pair[0], pair[1]),
        note="Alice writes the table of f, Bob that of g and the argument",
        citation=f"{PENG}, theorem 1",
    )


def pointer_chasing_to_hops(n: int, hops: int = 2) -> TaskReduction:
    """Pointer chasing over n vertices to ``hops`` tables and an argument: f_A, f_B, f_A, ... and vertex 0.

    Each party writes its table as often as it is used; Bob writes the argument.

    >>> pointer_chasing_to_hops(2, hops=3).word((1, 0), (0, 1))
    (1, 0, 0, 1, 1, 0, 0)
    """
    task = k_hop_composition(n, hops)
    alice = [place for place in range(1, task.length) if (place - 1) // n % 2 == 0]

    def bob(pointers: Any) -> Any:
        return (*tuple(pointers) * (hops // 2), 0)

    return TaskReduction(
        name=f"pointer chasing to {hops} hops",
        source=pointer_chasing(n, hops),
        task=task,
        partition=Partition.of(task.length, alice=alice),
        encode_alice=lambda pointers: tuple(pointers) * ((hops + 1) // 2),
        encode_bob=bob,
        note="the parties write their tables in turn, Bob the argument 0",
        citation=f"{PENG}, theorem 2",
    )
