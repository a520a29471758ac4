"""Protocol trees and fooling sets as Lean 4 text, for those who want a proof assistant to check them.

The text needs core Lean 4 only. A protocol is an inductive type, as on paper: it outputs an answer, or a party sends
one bit of its input. Decision tables (which inputs send 1) are numbers, bit i for input i; so is each row of the
matrix, of which bit j of ``ones v i`` says whether the cell (i, j) has the answer v.

The text of a protocol ends in the theorem that it is right on every cell and has the depth that is claimed; that
of a fooling set, in the theorem that no rectangle of one answer contains two of its cells. Both by ``decide +kernel``
(Lean 4.15 or later), which evaluates them in the kernel alone, where arithmetic is fast and nothing stops it after so
many steps: meant for matrices of at most some thousand cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix

__all__ = ["fooling_set_in_lean", "protocol_in_lean"]

MOST_CELLS = 1 << 14
MOST_DEPTH = 200

_OPTIONS = "set_option maxRecDepth 1000000\n"

_OWN_NAMES = ("ones", "free", "hasAnswer", "isFree", "answers", "mayHave", "together", "apart")

_PROTOCOL = """\
/-- A deterministic protocol of two parties: bit i of a table says what input i sends. -/
inductive Protocol where
  | output (answer : Nat) : Protocol
  | alice (table : Nat) (zero one : Protocol) : Protocol
  | bob (table : Nat) (zero one : Protocol) : Protocol

namespace Protocol

/-- The answer at the leaf that a pair of inputs reaches. -/
def eval : Protocol → Nat → Nat → Nat
  | output answer, _, _ => answer
  | alice table zero one, x, y => if Nat.testBit table x then eval one x y else eval zero x y
  | bob table zero one, x, y => if Nat.testBit table y then eval one x y else eval zero x y

/-- The bits sent in the worst case. -/
def depth : Protocol → Nat
  | output _ => 0
  | alice _ zero one => 1 + max (depth zero) (depth one)
  | bob _ zero one => 1 + max (depth zero) (depth one)

end Protocol
"""


def protocol_in_lean(matrix: CommunicationMatrix, tree: dict[str, Any], name: str = "found") -> str:
    """A protocol tree that both parties know the answer of, as Lean 4 text with the theorem that it is right.

    Args:
        matrix: at most 2^14 cells.
        tree: as in the witness ``protocol-tree``: ``{"answer": code}``, or ``{"speaker", "ones", "zero", "one"}``.
        name: of the definition.

    >>> matrix = CommunicationMatrix.from_array([[0, 1], [0, 1]])
    >>> tree = {"speaker": "bob", "ones": [1], "zero": {"answer": 0}, "one": {"answer": 1}}
    >>> print(protocol_in_lean(matrix, tree).split("def found")[1].splitlines()[1])
      (.bob 2 (.output 0) (.output 1))
    """
    lines = [_OPTIONS, _PROTOCOL, _matrix(matrix), f"def {_checked(name)} : Protocol :=", *_term(tree, 1), ""]
    depth = _depth(tree)
    lines += [
        f"/-- Right on every promised cell: {matrix.shape[0]} inputs of Alice by {matrix.shape[1]} of Bob. -/",
        f"theorem {name}_correct : ∀ x : Fin {matrix.shape[0]}, ∀ y : Fin {matrix.shape[1]},",
        f"    isFree x.val y.val = true ∨ hasAnswer ({name}.eval x.val y.val) x.val y.val = true := by",
        "  decide +kernel",
        "",
        f"theorem {name}_depth : {name}.depth = {depth} := by",
        "  decide +kernel",
        "",
    ]
    return "\n".join(lines)


def fooling_set_in_lean(matrix: CommunicationMatrix, cells: Sequence[Sequence[int]], name: str = "cells") -> str:
    """A fooling set (both parties know the answer) as Lean 4 text with the theorem that it is one.

    Two cells (x, y), (x', y') exclude each other if they have different answers, or if (x, y') or (x', y) has
    another answer than they have.

    >>> matrix = CommunicationMatrix.from_array([[1, 0], [0, 1]])
    >>> "def cells : List (Nat × Nat) :=\\n  [(0, 0), (1, 1)]" in fooling_set_in_lean(matrix, [(0, 0), (1, 1)])
    True
    """
    for cell in cells:
        row, column = cell
        if not (0 <= row < matrix.shape[0] and 0 <= column < matrix.shape[1]):
            raise InputError("cells", cell, f"cells of a {matrix.shape} matrix")
    pairs = ", ".join(f"({row}, {column})" for row, column in cells)
    answers = range(len(matrix.labels))
    return "\n".join(
        [
            _OPTIONS,
            _matrix(matrix),
            f"def {_checked(name)} : List (Nat × Nat) :=",
            f"  [{pairs}]",
            "",
            f"def answers : List Nat := [{', '.join(map(str, answers))}]",
            "",
            "/-- Whether the cell has the answer v or is free. -/",
            "def mayHave (v x y : Nat) : Bool := hasAnswer v x y || isFree x y",
            "",
            "/-- Whether some rectangle of one answer may contain both cells. -/",
            "def together (p q : Nat × Nat) : Bool :=",
            "  answers.any fun v => mayHave v p.1 p.2 && mayHave v q.1 q.2 && mayHave v p.1 q.2 && mayHave v q.1 p.2",
            "",
            "def apart : List (Nat × Nat) → Bool",
            "  | [] => true",
            "  | p :: rest => !isFree p.1 p.2 && rest.all (fun q => !together p q) && apart rest",
            "",
            f"theorem {name}_fool : apart {name} = true := by",
            "  decide +kernel",
            "",
            f"theorem {name}_count : {name}.length = {len(cells)} := by",
            "  decide +kernel",
            "",
        ]
    )


def _matrix(matrix: CommunicationMatrix) -> str:
    if matrix.shape[0] * matrix.shape[1] > MOST_CELLS:
        raise InputError("matrix", matrix, f"at most {MOST_CELLS} cells")
    codes = matrix.codes.tolist()

    def rows(code: int) -> str:
        return ", ".join(str(sum(1 << place for place, cell in enumerate(row) if cell == code)) for row in codes)

    listed = ",\n   ".join(f"[{rows(code)}]" for code in range(len(matrix.labels)))
    return "\n".join(
        [
            "/-- For each answer, for each input of Alice, a number whose bit y is 1 where the cell has the answer. -/",
            "def ones : List (List Nat) :=",
            f"  [{listed}]",
            "",
            "/-- For each input of Alice, a number whose bit y is 1 where the cell is free. -/",
            "def free : List Nat :=",
            f"  [{rows(DONT_CARE)}]",
            "",
            "def hasAnswer (v x y : Nat) : Bool := Nat.testBit ((ones.getD v []).getD x 0) y",
            "",
            "def isFree (x y : Nat) : Bool := Nat.testBit (free.getD x 0) y",
            "",
        ]
    )


def _checked(name: str) -> str:
    if not re.fullmatch("[a-z][A-Za-z0-9_]*", name) or name in _OWN_NAMES:
        raise InputError("name", name, "a Lean identifier that the text does not use itself")
    return name


def _depth(tree: dict[str, Any]) -> int:
    return 0 if "speaker" not in tree else 1 + max(_depth(tree["zero"]), _depth(tree["one"]))


def _term(tree: dict[str, Any], indent: int) -> list[str]:
    """The lines of a term: a node whose children are leaves takes one line."""
    if indent > MOST_DEPTH:
        raise InputError("tree", "...", f"at most {MOST_DEPTH} bits deep")
    space = "  " * indent
    if "speaker" not in tree:
        if "answer" not in tree:
            raise InputError("tree", tree, "leaves with one answer, that both parties know")
        return [f"{space}(.output {int(tree['answer'])})"]
    if tree["speaker"] not in ("alice", "bob"):
        raise InputError("tree", tree["speaker"], "alice or bob as speaker")
    head = f"{space}(.{tree['speaker']} {sum(1 << int(line) for line in set(tree['ones']))}"
    zero, one = _term(tree["zero"], indent + 1), _term(tree["one"], indent + 1)
    if len(zero) == len(one) == 1:
        return [f"{head} {zero[0].strip()} {one[0].strip()})"]
    one[-1] += ")"
    return [head, *zero, *one]
