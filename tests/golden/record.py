"""Results of every room, written down before the redesign: whatever survives it gives the same ones.

``python tests/golden/record.py [ROOM ...]`` writes them anew, the cheap ones first.
"""

import itertools
import json
import sys
import time
from pathlib import Path

import numpy as np

import ccsim as cc
from ccsim import families, models
from ccsim.bounds import MEASURES, PRESETS, REQUIREMENTS, brackets_of
from ccsim.claims import check_claim, registered_claims
from ccsim.errors import InputError
from ccsim.models.files.float_model import float_scores
from ccsim.problems.catalogue import registered_problems
from ccsim.problems.function import TwoPartyFunction
from protocols.trained import KINDS, TASKS, leaderboard_model, trained_model, trained_names, trained_task

CELLS, SMALL = 72, 20  # of a matrix; the second for measures whose searches are long
LONG = {"discrepancy", "randomised", "one-way-success", "approximate-rank", "sign-rank", "nonnegative-rank", "quantum"}
EXPRESSIONS = (
    "(ab)*", "(b|ab*a)*", "(a|b)*a", "a*b*", "(a|b)*ab(a|b)*", "(aa)*", "(a|b)*a(a|b)", "a*ba*", "(ab|ba)*",
    "(a|b|c)*ab", "a*|b*", "((a|b)(a|b))*", "(b*ab*ab*ab*)*",
)  # fmt: skip
RECURRENT = (
    ("Elman", {}), ("LSTM", {}), ("GRU", {}), ("LinearAttention", {}), ("LinearAttention", {"key_width": 2}),
    ("DiagonalStateSpace", {"states": 2}), ("DiagonalStateSpace", {"states": 2, "real": True}),
    ("SelectiveStateSpace", {"states": 2, "window": 2}),
)  # fmt: skip
TRANSFORMERS, PRECISIONS = ("OneLayerTransformer", "Transformer"), (4, 8, 16)


class GoneError(Exception):
    """What a key names does not exist any more."""


def listed(*parts):
    """A key: names, and options as JSON."""
    return " ".join(part if isinstance(part, str) else json.dumps(part) for part in parts)


def there(table, name):
    """The entry of this name, which may have gone."""
    if name not in table:
        raise GoneError(name)
    return table[name]


def claim_keys():
    return [listed(name, setting) for name, each in registered_claims().items() for setting in each.settings()]


def claim(key):
    """Word, claimed value, measured value and reason at a default setting."""
    name, _, setting = key.partition(" ")
    found = there(registered_claims(), name)
    try:
        verdict = check_claim(found, found.setting(json.loads(setting)))
    except InputError as error:
        raise GoneError(key) from error
    return [verdict.word.value, verdict.claimed_text, verdict.measured_text, verdict.reason]


def bracket_keys():
    """Every different matrix of a few cells, every measure."""
    seen = set()
    for (name, problem), n in itertools.product(registered_problems().items(), range(1, 5)):
        try:
            function = problem.function(n)
        except InputError:
            continue
        if not isinstance(function, TwoPartyFunction) or min(function.shape) < 2 or np.prod(function.shape) > CELLS:
            continue
        same = function.shape, function.matrix.codes.tobytes()
        for measure in () if same in seen else MEASURES:
            if measure not in LONG or np.prod(function.shape) <= SMALL:
                knowing = ("both", "bob") if measure in ("deterministic", "leaves") else ("both",)
                yield from (listed(name, str(n), measure, answer) for answer in knowing)
        seen.add(same)


def bracket(key):
    """Both sides of all brackets of a measure, with no limit of time."""
    name, n, measure, answer = key.split()
    there(MEASURES, measure)
    bits = 1 if measure == "one-way-success" else None
    found = brackets_of(there(registered_problems(), name).function(int(n)), measure, answer=answer, bits=bits)
    lower, upper = {}, {}
    for one in found:  # a measure may be bounded in several ways
        lower[one.name] = max(lower.get(one.name, one.lower), one.lower)
        upper[one.name] = min((high for high in (upper.get(one.name), one.upper) if high is not None), default=None)
    return {name: [str(lower[name]), str(upper[name])] for name in lower}


def size(key):
    """From which length on a public model's size is excluded, and what is needed and had at one length."""
    preset, task = key.split()
    there(REQUIREMENTS, task)
    known = there(PRESETS, preset)
    more = ("heads", "head_width", "window") if known.kind == "transformer" else ()
    sizes = {name: getattr(known, name) for name in ("kind", "width", "precision", *more)}
    found = cc.bounds.model(**sizes, task=task, length=64, error="1/4")
    return [found.excluded_from, found.smallest_width, found.needed_bits, found.protocol_bits, found.wrong_from]


def language(key):
    """Class, monoid, bits of a recurrent model, bounds at three lengths by partition, and ranks."""
    found = families.language(families.read_language(key), name=key)
    return {
        "states": len(found.automaton.outputs),
        "monoid": found.monoid.size,
        "class": [found.classification.deterministic, *found.classification.properties],
        "recurrent": found.recurrent_bits,
        "partitions": {
            one.partition: [[one.certificate.lower(n), one.certificate.upper(n)] for n in (1, 4, 20)]
            for one in found.partitions
        },
        "ranks": [list(map(str, row)) for row in found.ranks()],
    }


def shipped_keys():
    return [*trained_names(), *(listed(task, kind) for task in TASKS for kind in KINDS)]


def shipped(key):
    """A trained model as it was loaded, and its task: of the leaderboard at ten symbols."""
    task, _, kind = key.partition(" ")
    if kind:
        there(KINDS, kind)
        return leaderboard_model(task, kind, 10), there(TASKS, task)(10)
    return trained_model(there({name: name for name in trained_names()}, key)), trained_task(key)


def audit(key):
    """The verdict, and how many words are wrong."""
    loaded, task = shipped(key)
    found = cc.audit(loaded.model, task, clock=time.process_time)
    return [found.verdict, found.wrong_words]


def some_words(symbols, length, count=8):
    rows, places = np.arange(count)[:, None], np.arange(length)
    return (7 * rows + rows * rows // 3 + 5 * places * (rows + 1)) % symbols


def cell_keys():
    for (name, more), bits, layers in itertools.product(RECURRENT, PRECISIONS, (1, 2)):
        yield listed(name, {"width": 3, "layers": layers, "precision": bits, **more})
    for name, bits, heads in itertools.product(TRANSFORMERS, PRECISIONS, (1, 2)):
        yield listed(name, {"length": 6, "width": 4, "heads": heads, "precision": bits})
    yield from shipped_keys()


def cell(key):
    """States and answers of a random network in fixed point, or the scores of a trained one in float64."""
    name, _, options = key.partition(" ")
    if not options.startswith("{"):
        loaded, task = shipped(key)
        words = some_words(len(loaded.model.alphabet), task.length)
        return [float(f"{score:.9g}") for score in np.ravel(float_scores(loaded.parts, words))]
    if not hasattr(models, name):
        raise GoneError(name)
    model, words = getattr(models, name).random("abc", seed=1, **json.loads(options)), some_words(3, 6)
    carried = model.outputs(words) if name in TRANSFORMERS else model.run(words)
    return [carried.tolist(), model.codes(words).tolist()]


ROOMS = {
    "claims": (claim_keys, claim),
    "brackets": (bracket_keys, bracket),
    "sizes": (lambda: [listed(preset, task) for preset in PRESETS for task in REQUIREMENTS], size),
    "languages": (lambda: EXPRESSIONS, language),
    "audits": (shipped_keys, audit),
    "cells": (cell_keys, cell),
}


def record(room):
    """Write the results of a room anew."""
    (keys, value), found = ROOMS[room], []
    for key in keys():
        begun = time.process_time()
        try:
            found.append((key, value(key), time.process_time() - begun))
        except (GoneError, InputError):
            continue
    lines = [f"{json.dumps(key)}: {json.dumps(result)}" for key, result, _ in sorted(found, key=lambda one: one[2])]
    Path(__file__).with_name(f"{room}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    for room in sys.argv[1:] or ROOMS:
        record(room)
