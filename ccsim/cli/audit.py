"""``ccsim audit``: is the model in a file right on every word of a task, or on which is it wrong?"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Exit, Option, echo

from ccsim import auditing
from ccsim.auditing.auditor import as_read
from ccsim.auditing.result import answers_text
from ccsim.auditing.tasks import object_in_file, read_task
from ccsim.cli.app import JsonFlag, print_json
from ccsim.cli.commands import columns, wrapped
from ccsim.cli.progress import shown_progress
from ccsim.cli.saving import places_of
from ccsim.errors import InputError, require_integer
from ccsim.models.files import Difference, LoadedModel, load_model, open_forward, read_module
from ccsim.models.files.description import is_run
from ccsim.models.files.modules import module_with_weights
from ccsim.models.forward_models import ForwardModel
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentModel, likely_seconds, likely_time
from ccsim.models.step_models import as_step, is_step
from ccsim.plain_data import counted
from ccsim.plots import collision_picture, gathered, learned_picture
from ccsim.problems import SequenceTask

EXITS = {"right": 0, "wrong": 1, "undecided": 3}
OWN = re.compile(r"\.py:\w+$")
COMPARED = 1 / 8  # of the time is kept for comparing with the float model
LEAST = 1 / 2  # of the time is for the searches, however long it took to read the model
MOST_LENGTH = 1 << 16  # a model takes seconds for one step at so many positions


def audit(
    context: Context,
    file: Annotated[
        str,
        Argument(
            help="Tensors (.safetensors, .npz, .pt) with a description, or the description, or with --module; or what"
            " is run: a graph (.onnx), a folder of Hugging Face with config.json, or file.py:name, a PyTorch module or"
            " a function from ids to scores."
        ),
    ],
    task: Annotated[
        str,
        Option(
            help="A task on words (see `ccsim list problems`), re:EXPRESSION, automaton.json, dyck:KINDS,DEPTH, mod:M,"
            " or file.py:name, which is run."
        ),
    ],
    length: Annotated[int, Option("--length", "-n", help="The task's size, as `ccsim list` counts it.")],
    alphabet: Annotated[
        str | None, Option(help="The symbols of re: and mod:; those of the expression, or 01, if not given.")
    ] = None,
    module: Annotated[
        str | None,
        Option(help="file.py:name, which is run: the PyTorch module, or what makes it, that has the weights."),
    ] = None,
    precision: Annotated[
        int | None, Option(help="Bits of every number in fixed point, instead of those of the description.")
    ] = None,
    seconds: Annotated[
        float,
        Option(
            "--seconds",
            help="Seconds for all of it: the start, the searches, the interval, the comparison with the float model.",
        ),
    ] = 60.0,
    states: Annotated[int, Option(help="The most states, and pairs of states, at one position.")] = 1 << 20,
    words: Annotated[int, Option(help="The most words that are run.")] = 1 << 20,
    seed: Annotated[int, Option(help="Seed of whatever is drawn.")] = 0,
    save: Annotated[
        list[Path] | None,
        Option(
            "--save",
            "--draw",
            help="A file for the audit with the failing word (.json), or for a picture (.svg, .tex, .pdf, .png) of the"
            " automaton it seems to have learnt, of the task's, and of the collision it fails by; may be repeated.",
        ),
    ] = None,
    tolerance: Annotated[
        float, Option(help="For that picture: states whose numbers differ by no more are taken for one.")
    ] = 0.5,
    tokens: Annotated[
        str | None, Option(help="For a forward pass: the ids of the symbols in their order, such as 10,11.")
    ] = None,
    before: Annotated[str | None, Option(help="The same: ids in front of each word, such as BOS.")] = None,
    after: Annotated[str | None, Option(help="Ids behind it, such as SEP and a query.")] = None,
    pad: Annotated[str | None, Option(help="An id and the length up to which it is written behind that.")] = None,
    position: Annotated[str | None, Option(help="Position of the answer, before padding; -1 is last.")] = None,
    rows: Annotated[str | None, Option(help="Which outputs are the answers, such as ids of answer tokens.")] = None,
    threshold: Annotated[
        float | None,
        Option(
            help="Above which a single score means the second answer; 0.5 if all scores met lie in [0, 1], else 0, if"
            " not given."
        ),
    ] = None,
    sequence_first: Annotated[
        bool, Option("--sequence-first", help="For a forward pass: it takes ids of shape (N, batch).")
    ] = False,
    every: Annotated[
        bool, Option("--every-position", help="Ask for the task's answer on the prefix after every symbol.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Audit a model: exact size, what the task needs, and a proof for all words or a word on which it is wrong.

    The verdict is about the model in the fixed point that is named, in which every step is exact; what the model
    answered before, in float64, is printed too. Exit code 0 if it is right on all words, 1 if it is wrong on some, 3
    if that could not be decided. With file.py:name the file is run, your own code with all that it does; the model's
    forward pass is then run on all words, or on some that are drawn, and proves nothing of others; with --precision a
    module of known parts is read in place of that, and checked against its outputs. An object with start() and
    step(state, ids) is explored by the states that its step leads to, bit by bit, as this machine runs it.
    """
    audits, pictures = places_of(save)
    if not seconds > 0:
        raise InputError("seconds", seconds, "a positive number")
    plain = read_task(task, require_integer("length", length, 1, MOST_LENGTH), alphabet)
    layout = {"tokens": tokens, "before": before, "after": after, "pad": pad, "position": position, "rows": rows}
    scoring: dict[str, Any] = {"threshold": threshold, "sequence_first": sequence_first}
    limits: dict[str, Any] = {"states": states, "words": words, "seed": seed}
    end = context.obj + seconds

    def left(least: float, kept: float = 0.0) -> float:
        """The seconds until the end but for those kept, and at least these; both as shares of all."""
        return max(least * seconds, float(end - time.monotonic()) - kept * seconds)

    with shown_progress("reading the model", limit=seconds, began=context.obj) as report:
        compared = {"seed": seed, "words": words, "seconds": seconds / 4}
        loaded = read_model(file, module, plain, layout, scoring, precision, compared)
        read, model = (loaded, loaded.model) if isinstance(loaded, LoadedModel) else (None, loaded)
        report("auditing")
        built = plain if read is None else read.framed(plain)
        result = _audited(model, read, plain, built, every, limits, left)
        lines: list[str] = []
        facts: dict[str, Any] = {"file": None, "quantised": None}
        if read is not None:
            report("comparing with the float model")
            limit = auditing.Budget(seconds=left(COMPARED / 2))
            some = auditing.drawn_words(built, seed=seed, budget=limit)
            difference = read.difference(built, seed=seed, words=some, seconds=limit.left)
            if difference.first_wrong is not None and not every:
                result = result.with_failure(difference.first_wrong, "words that were compared with the float model")
            lines = _lines(
                read, None if every else result.failure, difference, left(0.0), "at the last position " * every
            )
            facts = _facts(file, read, difference)
    drawn, notes = draw_audit(pictures, result, model, built, tolerance, seed)
    lines += notes
    for path in audits:
        result.save(path)
    if json:
        one = {name: str(paths[0]) if paths else None for name, paths in (("drawn", drawn), ("saved", audits))}
        print_json({**result.to_json(), **facts, **one})
    else:
        text = "\n".join([str(result), *(f"  {line}" for line in lines), *(f"saved {path}" for path in audits)])
        for line in text.splitlines():
            echo(wrapped(line, columns(), 4) if sys.stdout.isatty() else line)
    raise Exit(EXITS[result.verdict])


def _audited(
    model: SequenceModel,
    read: LoadedModel | None,
    task: SequenceTask,
    built: SequenceTask,
    every: bool,
    limits: dict[str, Any],
    left: Callable[..., float],
) -> auditing.Audit:
    """The audit of what was read, on the task that its description frames, and of the module that it was read from."""

    def asked(model: SequenceModel, own: SequenceTask, before: Sequence[Any] = ()) -> tuple[Any, Any]:
        return auditing.every_position(model, task, before=before) if every else (model, own)

    subject = asked(model, built, () if read is None else read.description.frame[0])
    result = auditing.audit(*subject, **limits, seconds=left(LEAST, COMPARED))
    if read is not None:
        options = {**limits, "seconds": left(COMPARED / 2, COMPARED)}
        own = None if read.module is None else partial(auditing.audit, *asked(read.module, task), **options)
        result = as_read(result, read, own)
    failure = result.failure
    if failure is not None and result.subject is not None:  # one that does not fail when it is run again is none
        tried = result.subject[0]
        if likely_seconds(tried, tried.ranks(failure.word)[None]) <= left(0.0) and not result.verify():
            raise ArithmeticError(f"the failing word {failure} is none")
    return result


def _lines(
    loaded: LoadedModel, failure: auditing.Failure | None, difference: Difference, seconds: float, where: str
) -> list[str]:
    """What is known of a model from a file, for people; a long word is run on the float model if it can be in time."""
    lines = []
    if failure is not None:  # is it a mistake of the model as it was trained, or of its numbers being rounded?
        before = "before quantisation" if loaded.module is None else "run as it is,"
        word, recurrent = loaded.model.ranks(failure.word)[None], isinstance(loaded.model, RecurrentModel)
        if recurrent and likely_time(loaded.float_codes, word) > seconds:
            lines.append(f"what it answers there {before} was not worked out: out of time")
        else:
            answer = loaded.float_answer(failure.word)
            judged = "right: only the quantised model fails" if answer == failure.right else "wrong too"
            lines.append(f"{before} it {answers_text(answer)} there, which is {judged}")
    moved = f", {loaded.saturated} of them moved into range" if loaded.saturated else ""
    lines.append(f"{loaded.parameters} numbers of {loaded.precision.bits} bits{moved}; {where}{difference}")
    if loaded.unused:
        more = f" and {len(loaded.unused) - 6} more" if len(loaded.unused) > 6 else ""
        names = ", ".join(map(repr, loaded.unused[:6]))
        lines.append(f"tensors of the file that are ignored, by its description: {names}{more}")
    return lines


def _facts(file: str, loaded: LoadedModel, difference: Difference) -> dict[str, Any]:
    described = {
        "path": file,
        "architecture": loaded.description.architecture,
        "convention": loaded.description.convention,
        "precision": {"bits": loaded.precision.bits, "scale": getattr(loaded.precision, "scale", None)},
        "parameters": loaded.parameters,
        "saturated": loaded.saturated,
        "checked_words": loaded.checked,
        "unused_tensors": list(loaded.unused),
    }
    first = None if difference.first is None else list(difference.first)
    names = ("answer", "compared", "float_wrong", "wrong")
    answers = [dict(zip(names, row, strict=True)) for row in difference.by_answer]
    counts = {name: value for name, value in vars(difference).items() if name not in ("first_wrong", "own")}
    return {"file": described, "quantised": {**counts, "first": first, "by_answer": answers}}


def read_model(
    file: str,
    module: str | None,
    task: SequenceTask,
    layout: dict[str, str | None],
    scoring: dict[str, Any],
    precision: int | None,
    limits: dict[str, Any],
) -> SequenceModel | LoadedModel:
    """What is in a file, or made by code in it; ``limits`` bound the comparison of a module with its reading."""
    given = {name: text for name, text in layout.items() if text is not None}
    if module is not None:
        source = module_with_weights(object_in_file(module), file)
    elif is_run(file):
        if precision is not None:
            expected = "none: this is run as it is, in the arithmetic that it was saved in, and not read"
            raise InputError("--precision", precision, expected)
        source = open_forward(file, sequence_first=scoring["sequence_first"])
    elif OWN.search(file):
        source = object_in_file(file)
    else:
        if scoring["sequence_first"]:
            raise InputError("--sequence-first", True, "not given: it speaks of a forward pass that is run")
        _require_none(given, "not given: it gives the layout of words for a forward pass that is run")
        return load_model(file, length=task.length, precision=precision, threshold=scoring["threshold"])
    native = isinstance(source, SequenceModel)
    if native or is_step(source):
        why = "as a model of ccsim knows them" if native else "as a step takes the places of the symbols"
        _require_none(given, f"not given, {why}")
        if precision is not None:
            own = "the model has its own" if native else "a step is run as it is"
            raise InputError("--precision", precision, f"none: {own}")
        if scoring["threshold"] is not None or scoring["sequence_first"]:
            raise InputError("--threshold, --sequence-first", "given", "none: the model knows its answers")
        return source if native else as_step(source, task.alphabet, task.answers)
    if precision is None:
        return ForwardModel(source, task.alphabet, task.answers, **scoring, **_entries(given, task))
    outside = {name: text for name, text in given.items() if name in ("pad", "position")}
    _require_none(outside, "not given, where a module is read: its answer is at the last position")
    numbers: dict[str, Any] = {"precision": precision, "layout": _entries(given, task)}
    return read_module(source, task.alphabet, task.answers, length=task.length, **numbers, **scoring, **limits)


def _require_none(given: dict[str, str], expected: str) -> None:
    for name, text in given.items():
        raise InputError(f"--{name}", text, expected)


def _entries(given: dict[str, str], task: SequenceTask) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for name, text in given.items():
        if not re.fullmatch(r"-?\d{1,9}(,-?\d{1,9})*", text):
            raise InputError(f"--{name}", text, "whole numbers with commas between them")
        entries[name] = [int(number) for number in text.split(",")]
    counts = {
        "tokens": (len(task.alphabet), f"{len(task.alphabet)} ids, one for each of {task.alphabet[:6]}"),
        "pad": (2, "an id and a length, such as 0,64"),
        "position": (1, "one position, such as -1"),
    }
    for name, (count, expected) in counts.items():
        if name in entries and len(entries[name]) != count:
            raise InputError(f"--{name}", given[name], expected)
    if "tokens" in entries:
        entries["tokens"] = dict(zip(task.alphabet, entries["tokens"], strict=True))
    if "position" in entries:
        (entries["position"],) = entries["position"]
    return entries


def draw_audit(
    paths: list[Path], result: auditing.Audit, model: SequenceModel, task: SequenceTask, tolerance: float, seed: int
) -> tuple[list[Path], list[str]]:
    """Write the picture if there is something to draw: where it is, and notes on what is drawn, which prove nothing."""
    if not paths:
        return [], []
    pictures, notes = [], []
    if isinstance(model, RecurrentModel):
        try:
            learned = auditing.learned_automaton(model, task, tolerance=tolerance, seed=seed)
            pictures.append(learned_picture(learned))
            bits = f"{learned.effective_bits:.3g} bits of {model.state_bits}"
            least = "the task has no automaton" if learned.least is None else f"the task needs {learned.least.states}"
            learnt = counted(learned.automaton.states, "state")
            notes.append(
                f"seems to have learnt an automaton of {learnt} ({least}), from {learned.states} distinguished at "
                f"{learned.tolerance:g} ({bits}); it agrees with the model on {float(learned.agrees):.1%} of "
                "drawn words"
            )
        except InputError as error:
            notes.append(f"not drawn: what it has learnt ({error})")
    else:
        notes.append("not drawn: what it has learnt, as only recurrent models have states")
    if result.failure is not None and result.failure.collision is not None:
        pictures.append(collision_picture(result.failure.collision))
    if not pictures:
        return [], notes
    whole = gathered(pictures, 1, "; ".join(picture.alt for picture in pictures))
    return [whole.save(path) for path in paths], [*notes, *(f"drawn in {path}" for path in paths)]
