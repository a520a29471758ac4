"""A certificate for every length as a Coq file, as :mod:`ccsim.certificates.coq` writes one about a matrix.

The theorem speaks of the family and of the recurrence in the words of ``proofs/Families.v``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ccsim.certificates import verify
from ccsim.certificates.coq_terms import KNOWING, NAMES, SENDERS
from ccsim.certificates.verify.data import bits_for
from ccsim.errors import InputError

__all__ = ["certificate_of_every_length_in_coq"]

Plain = dict[str, Any]

MOST_ENTRIES = 1 << 12
BASE = 1 << 13  # a power of two above all numbers of states
HEAD = """\
(* Checked by coqc -Q proofs Ccsim, once make -C proofs proofs has compiled what it needs. *)
From Coq Require Import List NArith ZArith.
From Ccsim Require Import Specification Families Words FiniteParties FamilyChecker Theorems.
Import ListNotations.
Open Scope nat_scope.
"""


def certificate_of_every_length_in_coq(data: Plain) -> str:
    """The Coq text: a theorem about every n for each side, whose proof is a computation inside of Coq.

    Args:
        data: an accepted certificate for every length, as plain data, with witnesses of the kinds in ``KINDS`` and a
            table of at most 2^12 entries; else an ``InputError``.

    >>> proof = {"side": "lower", "value": [[2], [2]], "witness": {"kind": "regular-fooling-set",
    ...          "words": {"steps": [[[0, 0, 0], [1, 1, 0]]], "accepting": [0], "first": 0}}}
    >>> text = certificate_of_every_length_in_coq(
    ...     {"family": {"function": "equality"}, "measure": "deterministic", "parameters": {"answer": "both"},
    ...      "proofs": [proof]})
    >>> print("\\n".join(text.splitlines()[6:9]))
    Theorem lower : forall F, family_of_name Equality = Some F ->
      always_holds F (LastingDeterministic Both) Lower (Counted ([2]%Z, [2]%Z)).
    Proof.
    """
    definitions, named = _family(data["family"])
    subject = "F" if named else "language"
    lines = [HEAD, *definitions]
    for proof in data["proofs"]:
        claim = f"always_holds {subject} {_measure(data)} {proof['side'].capitalize()} ({_growth(proof['value'])})"
        witness = _witness(data, proof["witness"])
        lines += [
            f"Theorem {proof['side']} :{f' forall F, {named} = Some F ->' if named else ''}\n  {claim}.",
            "Proof.",
            *(["  intros F E. injection E as <-."] if named else []),
            f"  apply accepted_for_every_length with (base := {BASE}%N) (w := Plain ({witness})).",
            f"  vm_compute. reflexivity.\nQed.\nPrint Assumptions {proof['side']}.\n",
        ]
    return "\n".join(lines)


def _list(items: Iterable[object]) -> str:
    return "[" + "; ".join(map(str, items)) + "]"


def _nested(data: Any) -> str:
    return _list(map(_nested, data)) if isinstance(data, list) else str(data)


def _family(told: Plain) -> tuple[list[str], str]:
    """Definitions of the family, or what Coq knows it by."""
    if "function" in told:
        return [], f"family_of_name {NAMES[told['function']]}"
    read = verify.families.read_family(told)
    if len(read.table) * read.alice * read.bob > MOST_ENTRIES:
        raise InputError("--coq", len(read.table), f"a table of at most {MOST_ENTRIES} entries")
    answers = _list("None" if code < 0 else f"Some {code}%N" for code in read.outputs)
    lines = [f"Definition answer (state : nat) : option N := nth state {answers} None."]
    if "partition" in told:
        turn = _list("alice" if owner == "A" else "bob" for owner in told["partition"])
        step = f"nth symbol (nth state {_nested(told['table'])} []) 0"
        body = f"dealt {len(told['symbols'])} next {turn} {read.first} answer"
        lines.append(f"Definition next (state symbol : nat) : nat :=\n  {step}.")
    else:
        step = f"nth y (nth x (nth state {_nested(read.table)} []) []) 0"
        body = f"Family {read.alice} {read.bob} {read.first} next answer"
        lines.append(f"Definition next (state x y : nat) : nat :=\n  {step}.")
    return [*lines, f"Definition language : family := {body}.\n"], ""


def _code(code: int | None) -> str:
    return "None" if code is None else f"(Some {code}%N)"


def _measure(data: Plain) -> str:
    measure, given = data["measure"], data["parameters"]
    if measure == "deterministic":
        return f"(LastingDeterministic {KNOWING[given['answer']]})"
    if measure == "fooling-set":
        return f"(LastingFoolingSet {KNOWING[given['answer']]} {_code(given['code'])})"
    if measure == "rank":
        field = "Rational" if given["field"] == "rational" else f"Modulo {given['field'][3:-1]}%Z"
        return f"(LastingRank{field} {given['code']}%N)"
    return f"({'LastingMessages' if measure == 'one-way-messages' else 'LastingOneWay'} {SENDERS[given['direction']]})"


def _growth(value: Any) -> str:
    first, second = value
    return f"Linear {first} {second}" if isinstance(first, int) else f"Counted ({_list(first)}%Z, {_list(second)}%Z)"


def _automaton(data: Plain) -> str:
    def move(step: list[int]) -> str:
        *letter, after = step
        return f"({letter[0]}, {after})" if len(letter) == 1 else f"(({letter[0]}, {letter[1]}), {after})"

    moves = _list(_list(map(move, listed)) for listed in data["steps"])
    accepting = _list("true" if state in data["accepting"] else "false" for state in range(len(data["steps"])))
    return f"(Automaton {moves} {accepting} {data['first']})"


def _line(line: list[int] | None) -> str:
    return "None" if line is None else f"(Some {_list(line)})"


def _looked_up(data: Any, depth: int, kind: str = "nat") -> str:
    """A function of so many numbers whose values are listed."""
    arguments, body = "abc"[:depth], f"{_nested(data)}%{kind}"
    for argument in arguments[:-1]:
        body = f"(nth {argument} {body} [])"
    return f"(fun {' '.join(arguments)} => nth {arguments[-1]} {body} 0%{kind})"


def _parties(witness: Plain, labels: int) -> str:
    depths = {"says": 2, "replies": 3, "hears": 3, "keeps": 3, "last": 1}
    functions = " ".join(_looked_up(witness[name], depth) for name, depth in depths.items())
    said = [1 + verify.finite_state.widest(witness[name], depths[name]) for name in ("says", "replies", "last")]
    bits = " ".join(str(bits_for(count)) for count in (*said, labels))
    return (
        f"FiniteStateParties {witness['speaker']} (Parties {functions} {_looked_up(witness['answers'], 2, 'N')} {bits})"
    )


KINDS: dict[str, Callable[[Plain], str]] = {
    "regular-fooling-set": lambda w: f"RegularFoolingSet {_automaton(w['words'])}",
    "regular-distinct-lines": lambda w: f"RegularDistinctLines {_automaton(w['lines'])}",
    "regular-message-classes": lambda w: f"RegularMessages {_automaton(w['lines'])} {_automaton(w['classes'])}",
    "triangular-set": lambda w: f"TriangularSet {_automaton(w['words'])}",
    "triangular-complement": lambda w: (
        f"TriangularComplement {w['code']}%N {_automaton(w['words'])}"
        f" {_line(w['silent']['alice'])} {_line(w['silent']['bob'])}"
    ),
}


def _witness(data: Plain, witness: Plain) -> str:
    kind = witness["kind"]
    if kind == "finite-state-parties":
        return _parties(witness, len(verify.families.read_family(data["family"]).labels))
    if kind not in KINDS:
        raise InputError("--coq", kind, f"a witness of a kind among {', '.join([*KINDS, 'finite-state-parties'])}")
    return KINDS[kind](witness)
