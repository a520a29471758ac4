"""What commands print with ``--json``: for each the names and types of its fields, with which every test compares.

A shape is a type; ``None``; a tuple of alternatives; a list of one shape, for any number of these; a set of texts; a
mapping of ``str`` to a shape, for names that are not fixed; or the fields of an object, ``?`` after those that may be
missing. A float may be an integer, and a truth value is neither.
"""

import json

from ccsim.claims.claim import Direction, Role
from ccsim.claims.verdict import Coverage, Word

MAYBE_TEXT, MAYBE_NUMBER, VALUE, WORD = (str, None), (int, None), (int, str), [(str, int)]
# fmt: off
BRACKET = {
    "measure": str, "parameters": {str: object}, "lower": VALUE, "upper": (int, str, None), "exact": bool, "unit": str,
    "method": str, "seconds": float,
}
NAMED = {"missing": {str: str}, "read?": str, "saved": [str]}
VERDICTS = [{
    "claim": str, "verdict": set(Word), "paper": str, "source": str, "statement": str, "role": set(Role),
    "hypotheses": [str], "direction": set(Direction), "unit": str, "parameters": {str: VALUE}, "formula": MAYBE_TEXT,
    "claimed": (float, None), "claimed_text": str, "measured": (float, None), "measured_text": str,
    "slack": (float, None), "reason": str, "exact": bool, "checked": MAYBE_NUMBER, "of": MAYBE_NUMBER,
    "coverage": set(Coverage), "covered": str, "bites_from": MAYBE_NUMBER, "series": [[(float, None)]],
    "certificate": MAYBE_TEXT, "seconds": float, "facts": {str: object}, "saved": MAYBE_TEXT,
}]
COLLISION = (
    None,
    {"kind": {"state"}, "prefixes": [WORD], "suffix": WORD, "answers": [object], "state": [int]},
    {
        "kind": {"transcript"}, "partition": str, "words": [WORD], "cross": WORD, "answers": [object],
        "transcript": [int],
    },
    {"kind": {"symbol"}, "row": int, "words": [WORD], "answers": [object], "seen": [int]},
)
FILE = {
    "path": str, "architecture": str, "convention": str, "precision": {"bits": int, "scale": MAYBE_NUMBER},
    "parameters": int, "saturated": int, "unused_tensors": [str], "checked_words": MAYBE_NUMBER,
}
QUANTISED = {
    "differing": int, "compared": int, "exact": bool, "first": (None, [(str, int, list)]), "float_wrong": int,
    "wrong": int, "by_answer": [{"answer": object, "compared": int, "float_wrong": int, "wrong": int}],
}
PROVED = {"measure": str, "unit": str, "parameters": {str: object}, "sha256": str}
SIDES = {"lower", "upper"}
PRINTED = {
    "audit": {
        "format": {"ccsim audit"}, "version": int, "model": str, "task": str, "length": int, "arithmetic": str,
        "rule": str, "reading": str,
        "architecture": {"recurrent", "feed-forward", "one-layer transformer", "attention unit", "any"},
        "size": {str: int},
        "need": {
            "bits": MAYBE_NUMBER, "partition": str, "reason": str, "has": int, "excluded": bool,
            "excluded_from": MAYBE_NUMBER, "multiples_of?": int, "condition?": str,
        },
        "verdict": {"right", "wrong", "undecided"}, "reason": str, "words": MAYBE_NUMBER, "wrong_words": MAYBE_NUMBER,
        "every_length": bool,
        "accuracy": (None, {"words": int, "right": int, "wrong": int, "how": str, "at_least": str, "at_most": str}),
        "failure": (
            None,
            {"word": WORD, "answer": object, "right": object, "found_by": str, "collision": COLLISION},
        ),
        "shortest": (None, WORD), "searched": {str: int}, "seconds": float, "error_rate": MAYBE_TEXT,
        "file": (None, FILE), "quantised": (None, QUANTISED), "saved": MAYBE_TEXT, "drawn": MAYBE_TEXT,
    },
    "bounds": (
        {**BRACKET, "main": str, "brackets": [BRACKET], **NAMED},
        {
            "measure": str, "brackets": [{**BRACKET, "detail": [BRACKET]}], **NAMED,
            "bicliques?": {str: [[[(str, int)]]]},
        },
        {
            "family": str, "sizes": [int],
            "measures": [{"measure": str, "unit": str, "values": [{"n": int, **BRACKET}]}],
            "beside": {"n": [float], "log2 n": [float], "sqrt n": [float]}, "missing": {str: str},
        },
    ),
    "certify": VERDICTS,
    "cite": [{"key": str, "kind": str, "fields": {str: str}, "bibtex": str}],
    "language": {
        "language": str, "alphabet": [str], "words": str, "blank": MAYBE_TEXT,
        "automaton": {"table": [[int]], "outputs": [int], "first": int},
        "monoid": (None, {"size": int, "egg_boxes": MAYBE_TEXT}), "left_out": {str: str},
        "class": {
            "words": str, "deterministic": {"O(1)", "Theta(log n)", "Theta(n)"}, "reason": str, "properties": [str],
            "certificate": MAYBE_TEXT, "problem": MAYBE_TEXT, "protocol": MAYBE_TEXT,
        },
        "lines": (None, [str]), "other_models": [{"model": str, "complexity": str, "reason": str}],
        "partitions": [{"partition": str, "lower": str, "upper": str, "landmarks": MAYBE_TEXT, "certificate": str}],
        "exact": [{"length": int, "lower": int, "upper": int}], "ranks": [{"length": int, "leaves": int}],
        "recurrent_bits": int,
        "transformer": (None, {
            "width": int, "heads": int, "precision": int, "excluded": str, "first": MAYBE_NUMBER,
            "excluded_from": MAYBE_NUMBER, "multiples_of": MAYBE_NUMBER, "up_to": int, "hypotheses": str,
        }),
    },
    "lectures": [{"file": str, "copied": bool}],
    "list": {
        "problems?": [{"name": str, "summary": str}],
        "protocols?": [{"name": str, "problem": str, "summary": str, "sizes": [int]}],
        "claims?": [{"name": str, "paper": str, "tags": [str], "summary": str}],
    },
    "report": {"output": str, "bytes": int, "verdicts": int, "plots": int, "failed": [str], "summary": str},
    "run": {
        "protocol": str, "function": str, "n": int, "model": str, "inputs": {str: str},
        "transcript": [{
            "number": int, "sender": str, "receivers": [str], "bits": int, "total": int, "message": str, "meaning": str,
        }],
        "bits": int, "rounds": int, "by_direction": {str: int}, "answers": {str: object}, "answer": object,
        "expected": object, "correct": bool, "seed": int, "public": MAYBE_TEXT, "private": (None, {str: str}),
        "carried": (None, {str: int}), "saved": [str],
    },
    "size": {
        "answer": {"verdict": {"CANNOT", "CAN", "NOT KNOWN"}, "task": str, "where": str, "why": str},
        "kind": {"recurrent", "transformer"}, "task": str, "size": {str: int}, "length": MAYBE_NUMBER, "needs": str,
        "costs": str, "excluded_from": MAYBE_NUMBER, "excluded": (bool, None), "smallest_width": MAYBE_NUMBER,
        "needed_bits": MAYBE_NUMBER, "protocol_bits": MAYBE_NUMBER, "hypotheses": str, "vacuous": bool, "reason": str,
        "certificate": MAYBE_TEXT, "theorem": MAYBE_TEXT, "wrong_from": MAYBE_NUMBER, "wrong_up_to_bits?": MAYBE_NUMBER,
        "preset": MAYBE_TEXT, "error": (None, {"share": float, "told": str}),
    },
    "sweep": VERDICTS,
    "verify": [{
        "file": str, "accepted": bool, "proved?": bool, "message": str,
        "certificate": (
            None,
            {
                **PROVED, "function": MAYBE_TEXT, "n": MAYBE_NUMBER, "compared": bool, "rows": VALUE, "columns": VALUE,
                "labels": int, "relation": bool, "proofs": [{"side": SIDES, "value": VALUE, "kind": str}],
            },
            {
                **PROVED, "family": str, "letters": [int], "states": int,
                "proofs": [{"side": SIDES, "statement": str, "kind": str}],
            },
        ),
    }],
}
# fmt: on


def fits(shape, data):
    """Whether plain data has a shape."""
    if isinstance(shape, tuple):
        return any(fits(one, data) for one in shape)
    if isinstance(shape, list):
        return isinstance(data, list) and all(fits(shape[0], item) for item in data)
    if isinstance(shape, set):
        return isinstance(data, str) and data in shape
    if isinstance(shape, dict) and str in shape:
        return isinstance(data, dict) and all(fits(shape[str], value) for value in data.values())
    if isinstance(shape, dict):
        needed, known = {name for name in shape if name[-1] != "?"}, {name.rstrip("?"): shape[name] for name in shape}
        named = isinstance(data, dict) and needed <= data.keys() <= known.keys()
        return named and all(fits(known[name], value) for name, value in data.items())
    if shape is None or isinstance(data, bool):
        return data is None if shape is None else shape in (bool, object)
    return isinstance(data, (float, int) if shape is float else shape)


def printed_json(command, text):
    """What a command has printed, as data, once it has the command's shape."""
    data = json.loads(text)
    assert fits(PRINTED[command], data), data
    return data
