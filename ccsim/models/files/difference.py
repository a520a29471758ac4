"""How far quantisation changed what a model answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Difference:
    """How far quantisation changed what a model answers.

    Attributes:
        differing: on how many of the words that were compared the answers differ.
        compared: how many words were compared.
        exact: whether these are all words of the task, else they were drawn.
        first: the first word on which they differ, or None.
        float_wrong: on how many of the promised ones among them the model is wrong before it is quantised.
        wrong: and after it.
        first_wrong: the first word on which it is then wrong, or None.
        by_answer: the last two for the words of each answer: the answer, how many words, wrong before and after.
        own: what was run in place of the float model, such as "the module itself"; empty if nothing was.
    """

    differing: int
    compared: int
    exact: bool
    first: Any
    float_wrong: int
    wrong: int
    by_answer: tuple[tuple[Any, int, int, int], ...] = ()
    first_wrong: Any = None
    own: str = ""

    def __str__(self) -> str:
        if self.own:
            answers, before = f"answers in fixed point and of {self.own}", self.own
        else:
            answers, before = "quantised and float answers", "before quantisation"
        if not self.compared:
            return f"{answers} were not compared: out of time"
        which = f"all {self.compared} words" if self.exact else f"{self.compared} drawn words"
        parts = [f"on {wrong} of {count} that want {answer!r}" for answer, count, _, wrong in self.by_answer]
        return (
            f"{answers} differ on {self.differing} of {which}; wrong on {self.wrong}, {before} on {self.float_wrong}"
        ) + (f" ({', '.join(parts)})" if parts and not self.exact else "")
