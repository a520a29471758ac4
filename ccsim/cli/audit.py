"""``ccsim audit``: is the model in a file right on every word of a task, or on which is it wrong?"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Annotated, Any

import typer

import ccsim as cc
from ccsim.arguments import require_integer
from ccsim.auditing.auditor import as_read
from ccsim.auditing.failure import answers_text
from ccsim.auditing.tasks import read_task
from ccsim.cli.drawing import draw_audit, require_picture
from ccsim.cli.output import JsonFlag, print_json, progress_on_stderr
from ccsim.cli.own_models import own_model
from ccsim.errors import InputError
from ccsim.models.comparison import likely_seconds, likely_time
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.models.runtimes import is_run
from ccsim.problems import SequenceTask

EXITS = {"right": 0, "wrong": 1, "undecided": 3}
OWN = re.compile(r"\.py:\w+$")
COMPARED = 1 / 8  # of the time is kept for comparing with the float model
LEAST = 1 / 2  # of the time is for the searches, however long it took to read the model
MOST_LENGTH = 1 << 16  # a model takes seconds for one step at so many positions


def audit(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            help="Tensors (.safetensors, .npz, .pt) with a description, or the description, or with --module; or what"
            " is run: a graph (.onnx), a folder of Hugging Face with config.json, or file.py:name, a PyTorch module or"
            " a function from ids to scores."
        ),
    ],
    task: Annotated[
        str,
        typer.Option(
            help="A task on words (see `ccsim list problems`), re:EXPRESSION, automaton.json, dyck:KINDS,DEPTH, mod:M,"
            " or file.py:name, which is run."
        ),
    ],
    length: Annotated[int, typer.Option("--length", "-n", help="The task's size, as `ccsim list` counts it.")],
    alphabet: Annotated[
        str | None, typer.Option(help="The symbols of re: and mod:; those of the expression, or 01, if not given.")
    ] = None,
    module: Annotated[
        str | None,
        typer.Option(help="file.py:name, which is run: the PyTorch module, or what makes it, that has the weights."),
    ] = None,
    precision: Annotated[
        int | None, typer.Option(help="Bits of every number in fixed point, instead of what the description says.")
    ] = None,
    arithmetic: Annotated[
        str | None, typer.Option(hidden=True)  # so that who gives it reads what to use
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--time",
            help="Seconds for all of it: the start, the searches, the interval, the comparison with the float model.",
        ),
    ] = 60.0,
    states: Annotated[int, typer.Option(help="The most states, and pairs of states, at one position.")] = 1 << 20,
    words: Annotated[int, typer.Option(help="The most words that are run.")] = 1 << 20,
    seed: Annotated[int, typer.Option(help="Seed of whatever is drawn.")] = 0,
    save: Annotated[Path | None, typer.Option(help="Write the audit here, as JSON with the failing word.")] = None,
    draw: Annotated[
        Path | None,
        typer.Option(
            help="An .svg file: the automaton it seems to have learnt, the task's, and the collision it fails by."
        ),
    ] = None,
    tolerance: Annotated[
        float, typer.Option(help="For --draw: states whose numbers differ by no more are taken for one.")
    ] = 0.5,
    tokens: Annotated[
        str | None, typer.Option(help="For a forward pass: the ids of the symbols in their order, such as 10,11.")
    ] = None,
    before: Annotated[str | None, typer.Option(help="The same: ids in front of each word, such as BOS.")] = None,
    after: Annotated[str | None, typer.Option(help="Ids behind it, such as SEP and a query.")] = None,
    pad: Annotated[str | None, typer.Option(help="An id and the length up to which it is written behind that.")] = None,
    position: Annotated[str | None, typer.Option(help="Where the answer stands, before padding; -1 is last.")] = None,
    rows: Annotated[
        str | None, typer.Option(help="Which outputs are the answers, such as ids of answer tokens.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Above which a single score means the second answer; 0.5 if all scores met lie in [0, 1], else 0, if"
            " not given."
        ),
    ] = None,
    sequence_first: Annotated[
        bool, typer.Option("--sequence-first", help="For a forward pass: it takes ids of shape (N, batch).")
    ] = False,
    every: Annotated[
        bool, typer.Option("--every-position", help="Ask after every symbol what the task wants of the word so far.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Audit a model: exact size, what the task needs, and a proof for all words or a word on which it is wrong.

    The verdict is about the model in the fixed point that is named, in which every step is exact; what the model
    answered before, in float64, is said beside it. Exit code 0 if it is right on all words, 1 if it is wrong on some, 3
    if that could not be decided. With file.py:name the file is run, your own code with all that it does; the model's
    forward pass is then run on all words, or on some that are drawn, and proves nothing of others; with --precision a
    module of known parts is read in place of that, and checked against its outputs. An object with start() and
    step(state, ids) is explored by the states that its step leads to, bit by bit, as this machine runs it.
    """
    if save is not None and not save.parent.is_dir():
        raise InputError("save", str(save), "a file in a folder that exists")
    if arithmetic is not None:
        expected = "not given: --precision audits in fixed point, and file.py:name runs a step or a module as it is"
        raise InputError("--arithmetic", arithmetic, expected)
    require_picture(draw)
    if not seconds > 0:
        raise InputError("seconds", seconds, "a positive number")
    built = read_task(task, require_integer("length", length, 1, MOST_LENGTH), alphabet)
    limits: dict[str, Any] = {"states": states, "words": words, "seed": seed}
    layout = {"tokens": tokens, "before": before, "after": after, "pad": pad, "position": position, "rows": rows}
    scoring: dict[str, Any] = {"threshold": threshold, "sequence_first": sequence_first}
    with progress_on_stderr() as progress:
        bar = progress.add_task("reading", total=None)
        compared = {"seed": seed, "words": words, "seconds": seconds / 4}
        loaded = _read(file, module, built, layout, scoring, precision, compared)
        progress.update(bar, description="auditing")
        model = loaded.model if isinstance(loaded, cc.models.files.LoadedModel) else loaded
        asked = (model, built)
        if every:
            asked = _asked_everywhere(loaded, built)
        if isinstance(loaded, cc.models.files.LoadedModel):
            plain, built = built, loaded.framed(built)
            asked = asked if every else (model, built)
        end = context.obj + seconds
        left = max(LEAST * seconds, end - time.monotonic() - COMPARED * seconds)
        found = cc.audit(*asked, **limits, seconds=left)
        if isinstance(loaded, cc.models.files.LoadedModel):
            found = _as_read(found, loaded, plain, every, end, seconds, limits)
        _verify(found, end)
        lines: list[str] = []
        facts: dict[str, Any] = {"file": None, "quantised": None}
        if isinstance(loaded, cc.models.files.LoadedModel):
            progress.update(bar, description="comparing with the float model")
            limit = cc.auditing.Budget(seconds=max(COMPARED * seconds / 2, end - time.monotonic()))
            some = cc.auditing.drawn_words(built, seed=seed, budget=limit)
            difference = loaded.difference(built, seed=seed, words=some, seconds=limit.left)
            if difference.first_wrong is not None and not every:
                found = found.with_failure(difference.first_wrong, "words that were compared with the float model")
            lines, facts = (
                _lines(loaded, None if every else found.failure, difference, end, "at the last position " * every),
                _facts(file, loaded, difference),
            )
    drawn, said = draw_audit(draw, found, model, built, tolerance, seed)
    _say(found, save, json, [*lines, *said], {**facts, "drawn": None if drawn is None else str(drawn)})
    raise typer.Exit(EXITS[found.verdict])


def _read(
    file: str,
    module: str | None,
    task: SequenceTask,
    layout: dict[str, str | None],
    scoring: dict[str, Any],
    precision: int | None,
    limits: dict[str, Any],
) -> SequenceModel | cc.models.files.LoadedModel:
    """The model that a file holds, or that code in it makes."""
    if module is not None or OWN.search(file) or is_run(file):
        return own_model(file, module, task, layout, scoring, precision, limits)
    if scoring["sequence_first"]:
        raise InputError("--sequence-first", True, "not given: it speaks of a forward pass that is run")
    for name, text in layout.items():
        if text is not None:
            raise InputError(
                f"--{name}", text, "not given: it says how words are laid out for a forward pass that is run"
            )
    level = scoring["threshold"]
    return cc.models.files.load_model(file, length=task.length, precision=precision, threshold=level)


def _asked_everywhere(
    loaded: SequenceModel | cc.models.files.LoadedModel, task: SequenceTask
) -> tuple[SequenceModel, SequenceTask]:
    """The model and the task at every position, for ``--every-position``."""
    if not isinstance(loaded, cc.models.files.LoadedModel):
        return cc.auditing.every_position(loaded, task)
    return cc.auditing.every_position(loaded.model, task, before=loaded.description.frame[0])


def _as_read(
    found: cc.auditing.Audit,
    loaded: cc.models.files.LoadedModel,
    task: SequenceTask,
    every: bool,
    end: float,
    seconds: float,
    limits: dict[str, Any],
) -> cc.auditing.Audit:
    """The audit of a reading, beside which the module itself is run, where there is one."""
    module = loaded.module
    if module is None:
        return as_read(found, loaded, None)
    asked = cc.auditing.every_position(module, task) if every else (module, task)
    left = max(COMPARED * seconds / 2, end - time.monotonic() - COMPARED * seconds)
    return as_read(found, loaded, lambda: cc.audit(*asked, seconds=left, **limits))


def _verify(found: cc.auditing.Audit, end: float) -> None:
    """A failing word that does not fail when it is run again, which is done if it can be until then, is none."""
    if found.failure is None or found.subject is None:
        return
    model = found.subject[0]
    likely = likely_seconds(model, model.ranks(found.failure.word)[None])
    if likely <= max(0.0, end - time.monotonic()) and not found.verify():
        raise ArithmeticError(f"the failing word {found.failure} is none")


def _say(found: cc.auditing.Audit, save: Path | None, json: bool, lines: list[str], facts: dict[str, Any]) -> None:
    """The audit and what is known of the file, for people or as JSON."""
    if save is not None:
        found.save(save)
    if json:
        print_json({**found.to_json(), **facts, "saved": None if save is None else str(save)})
        return
    for line in (str(found), *(f"  {line}" for line in lines), *([] if save is None else [f"saved {save}"])):
        typer.echo(line)


def _lines(
    loaded: cc.models.files.LoadedModel,
    failure: cc.auditing.Failure | None,
    difference: cc.models.files.Difference,
    end: float,
    where: str,
) -> list[str]:
    """What is said of a model from a file, for people; until that time a long word is run on the float model."""
    lines = [] if failure is None else [_float_line(loaded, failure, end)]
    moved = f", {loaded.saturated} of them moved into range" if loaded.saturated else ""
    lines.append(f"{loaded.parameters} numbers of {loaded.precision.bits} bits{moved}; {where}{difference}")
    if loaded.unused:
        more = f" and {len(loaded.unused) - 6} more" if len(loaded.unused) > 6 else ""
        names = ", ".join(map(repr, loaded.unused[:6]))
        lines.append(f"tensors of the file that are ignored, as its description says: {names}{more}")
    return lines


def _float_line(loaded: cc.models.files.LoadedModel, failure: cc.auditing.Failure, end: float) -> str:
    """Whose mistake it is: that of the model as it was trained, or that of its numbers being rounded."""
    before = "before quantisation" if loaded.module is None else "run as it is,"
    word, model = loaded.model.ranks(failure.word)[None], loaded.model
    likely = likely_time(loaded.float_codes, word) if isinstance(model, RecurrentModel) else 0.0
    if likely > max(0.0, end - time.monotonic()):
        return f"what it answers there {before} was not worked out: out of time"
    answer = loaded.float_answer(failure.word)
    judged = "right: only the quantised model fails" if answer == failure.right else "wrong too"
    return f"{before} it {answers_text(answer)} there, which is {judged}"


def _facts(file: str, loaded: cc.models.files.LoadedModel, difference: cc.models.files.Difference) -> dict[str, Any]:
    """What is known of the file, and what quantisation changed."""
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
    answers = [
        {"answer": answer, "compared": compared, "float_wrong": before, "wrong": after}
        for answer, compared, before, after in difference.by_answer
    ]
    counts = {name: value for name, value in vars(difference).items() if name not in ("first_wrong", "own")}
    return {"file": described, "quantised": {**counts, "first": first, "by_answer": answers}}
