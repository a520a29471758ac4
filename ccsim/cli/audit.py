"""``ccsim audit``: is the model in a file right on every word of a task, or on which is it wrong?"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Exit, Option, echo

from ccsim import auditing
from ccsim.auditing.auditor import as_read
from ccsim.auditing.result import answers_text
from ccsim.auditing.tasks import object_in_file, read_task
from ccsim.cli.app import JsonFlag, print_json, progress_on_stderr
from ccsim.errors import InputError, require_integer
from ccsim.models.files import Difference, LoadedModel, load_model, open_forward, read_module
from ccsim.models.files.modules import module_with_weights
from ccsim.models.forward_models import ForwardModel, is_run
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentModel, likely_seconds, likely_time
from ccsim.models.step_models import as_step, is_step
from ccsim.plain_data import counted, require_place
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
        int | None, Option(help="Bits of every number in fixed point, instead of what the description says.")
    ] = None,
    arithmetic: Annotated[
        str | None, Option(hidden=True)  # so that who gives it reads what to use
    ] = None,
    seconds: Annotated[
        float,
        Option(
            "--time",
            help="Seconds for all of it: the start, the searches, the interval, the comparison with the float model.",
        ),
    ] = 60.0,
    states: Annotated[int, Option(help="The most states, and pairs of states, at one position.")] = 1 << 20,
    words: Annotated[int, Option(help="The most words that are run.")] = 1 << 20,
    seed: Annotated[int, Option(help="Seed of whatever is drawn.")] = 0,
    save: Annotated[Path | None, Option(help="Write the audit here, as JSON with the failing word.")] = None,
    draw: Annotated[
        Path | None,
        Option(help="An .svg file: the automaton it seems to have learnt, the task's, and the collision it fails by."),
    ] = None,
    tolerance: Annotated[
        float, Option(help="For --draw: states whose numbers differ by no more are taken for one.")
    ] = 0.5,
    tokens: Annotated[
        str | None, Option(help="For a forward pass: the ids of the symbols in their order, such as 10,11.")
    ] = None,
    before: Annotated[str | None, Option(help="The same: ids in front of each word, such as BOS.")] = None,
    after: Annotated[str | None, Option(help="Ids behind it, such as SEP and a query.")] = None,
    pad: Annotated[str | None, Option(help="An id and the length up to which it is written behind that.")] = None,
    position: Annotated[str | None, Option(help="Where the answer stands, before padding; -1 is last.")] = None,
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
        bool, Option("--every-position", help="Ask after every symbol what the task wants of the word so far.")
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
    if draw is not None:
        if draw.suffix != ".svg":
            raise InputError("--draw", str(draw), "a name that ends in .svg")
        require_place("--draw", draw)
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
        read, model = (loaded, loaded.model) if isinstance(loaded, LoadedModel) else (None, loaded)
        progress.update(bar, description="auditing")
        plain, built = built, built if read is None else read.framed(built)
        asked = (model, built)
        if every:
            framed = () if read is None else read.description.frame[0]
            asked = auditing.every_position(model, plain, before=framed)
        end = context.obj + seconds
        left = max(LEAST * seconds, end - time.monotonic() - COMPARED * seconds)
        found = auditing.audit(*asked, **limits, seconds=left)
        if read is not None:
            found = _as_read(found, read, plain, every, end, seconds, limits)
        _verify(found, end)
        lines: list[str] = []
        facts: dict[str, Any] = {"file": None, "quantised": None}
        if read is not None:
            progress.update(bar, description="comparing with the float model")
            limit = auditing.Budget(seconds=max(COMPARED * seconds / 2, end - time.monotonic()))
            some = auditing.drawn_words(built, seed=seed, budget=limit)
            difference = read.difference(built, seed=seed, words=some, seconds=limit.left)
            if difference.first_wrong is not None and not every:
                found = found.with_failure(difference.first_wrong, "words that were compared with the float model")
            where = "at the last position " * every
            lines = _lines(read, None if every else found.failure, difference, end, where)
            facts = _facts(file, read, difference)
    drawn, said = draw_audit(draw, found, model, built, tolerance, seed)
    _say(found, save, json, [*lines, *said], {**facts, "drawn": None if drawn is None else str(drawn)})
    raise Exit(EXITS[found.verdict])


def _read(
    file: str,
    module: str | None,
    task: SequenceTask,
    layout: dict[str, str | None],
    scoring: dict[str, Any],
    precision: int | None,
    limits: dict[str, Any],
) -> SequenceModel | LoadedModel:
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
    return load_model(file, length=task.length, precision=precision, threshold=level)


def _as_read(
    found: auditing.Audit,
    loaded: LoadedModel,
    task: SequenceTask,
    every: bool,
    end: float,
    seconds: float,
    limits: dict[str, Any],
) -> auditing.Audit:
    module = loaded.module
    if module is None:
        return as_read(found, loaded, None)
    asked = auditing.every_position(module, task) if every else (module, task)
    left = max(COMPARED * seconds / 2, end - time.monotonic() - COMPARED * seconds)
    return as_read(found, loaded, lambda: auditing.audit(*asked, seconds=left, **limits))


def _verify(found: auditing.Audit, end: float) -> None:
    """A failing word that does not fail when it is run again, which is done if it can be until then, is none."""
    if found.failure is None or found.subject is None:
        return
    model = found.subject[0]
    likely = likely_seconds(model, model.ranks(found.failure.word)[None])
    if likely <= max(0.0, end - time.monotonic()) and not found.verify():
        raise ArithmeticError(f"the failing word {found.failure} is none")


def _say(found: auditing.Audit, save: Path | None, json: bool, lines: list[str], facts: dict[str, Any]) -> None:
    if save is not None:
        found.save(save)
    if json:
        print_json({**found.to_json(), **facts, "saved": None if save is None else str(save)})
        return
    for line in (str(found), *(f"  {line}" for line in lines), *([] if save is None else [f"saved {save}"])):
        echo(line)


def _lines(
    loaded: LoadedModel,
    failure: auditing.Failure | None,
    difference: Difference,
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


def _float_line(loaded: LoadedModel, failure: auditing.Failure, end: float) -> str:
    """Whose mistake it is: that of the model as it was trained, or that of its numbers being rounded."""
    before = "before quantisation" if loaded.module is None else "run as it is,"
    word, model = loaded.model.ranks(failure.word)[None], loaded.model
    likely = likely_time(loaded.float_codes, word) if isinstance(model, RecurrentModel) else 0.0
    if likely > max(0.0, end - time.monotonic()):
        return f"what it answers there {before} was not worked out: out of time"
    answer = loaded.float_answer(failure.word)
    judged = "right: only the quantised model fails" if answer == failure.right else "wrong too"
    return f"{before} it {answers_text(answer)} there, which is {judged}"


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
    answers = [
        {"answer": answer, "compared": compared, "float_wrong": before, "wrong": after}
        for answer, compared, before, after in difference.by_answer
    ]
    counts = {name: value for name, value in vars(difference).items() if name not in ("first_wrong", "own")}
    return {"file": described, "quantised": {**counts, "first": first, "by_answer": answers}}


def own_model(
    given: str,
    module: str | None,
    task: SequenceTask,
    layout: dict[str, str | None],
    scoring: dict[str, Any],
    precision: int | None,
    limits: dict[str, Any],
) -> SequenceModel | LoadedModel:
    """What ``file.py:name`` is: a model of ccsim; a module that is read, if numbers are said; else a forward pass.

    The module may also be ``file.py:name`` of another argument, into which the weights in a file are loaded, and what
    is run a graph of ONNX or a folder of Hugging Face. ``layout`` has the texts of the options of the same names,
    ``scoring`` the threshold and which axis comes first, ``limits`` how many words are run for how many seconds to
    compare a module with what was read of it.
    """
    said = {name: text for name, text in layout.items() if text is not None}
    if module is not None:
        found = module_with_weights(object_in_file(module), given)
    elif is_run(given):
        if precision is not None:
            expected = "none: this is run as it is, in the arithmetic that it was saved in, and not read"
            raise InputError("--precision", precision, expected)
        found = open_forward(given, sequence_first=scoring["sequence_first"])
    else:
        found = object_in_file(given)
    native = isinstance(found, SequenceModel)
    if native or is_step(found):
        _require_none(said, "as a model of ccsim knows them" if native else "as a step takes the places of the symbols")
        if precision is not None:
            own = "the model has its own" if native else "a step is run as it is"
            raise InputError("--precision", precision, f"none: {own}")
        if scoring["threshold"] is not None or scoring["sequence_first"]:
            raise InputError("--threshold, --sequence-first", "given", "none: the model knows its answers")
        return found if native else as_step(found, task.alphabet, task.answers)
    if precision is not None:
        outside = {name: text for name, text in said.items() if name in ("pad", "position")}
        _require_none(outside, "where a module is read: its answer stands at the last position")
        numbers: dict[str, Any] = {"precision": precision, "layout": _entries(said, task)}
        more = scoring | limits
        return read_module(found, task.alphabet, task.answers, length=task.length, **numbers, **more)
    return ForwardModel(found, task.alphabet, task.answers, **scoring, **_entries(said, task))


def _require_none(said: dict[str, str], why: str) -> None:
    for name, text in said.items():
        raise InputError(f"--{name}", text, f"not given, {why}")


def _entries(said: dict[str, str], task: SequenceTask) -> dict[str, Any]:
    entries: dict[str, Any] = {name: _numbers(name, text) for name, text in said.items()}
    counts = {
        "tokens": (len(task.alphabet), f"{len(task.alphabet)} ids, one for each of {task.alphabet[:6]}"),
        "pad": (2, "an id and a length, such as 0,64"),
        "position": (1, "one position, such as -1"),
    }
    for name, (count, expected) in counts.items():
        if name in entries and len(entries[name]) != count:
            raise InputError(f"--{name}", said[name], expected)
    if "tokens" in entries:
        entries["tokens"] = dict(zip(task.alphabet, entries["tokens"], strict=True))
    if "position" in entries:
        (entries["position"],) = entries["position"]
    return entries


def _numbers(name: str, text: str) -> list[int]:
    if not re.fullmatch(r"-?\d{1,9}(,-?\d{1,9})*", text):
        raise InputError(f"--{name}", text, "whole numbers with commas between them")
    return [int(number) for number in text.split(",")]


def draw_audit(
    path: Path | None, found: auditing.Audit, model: SequenceModel, task: SequenceTask, tolerance: float, seed: int
) -> tuple[Path | None, list[str]]:
    """Write the picture, if one is asked for and there is something to draw: where it is, and what is said of it."""
    if path is None:
        return None, []
    pictures, said = [], []
    if isinstance(model, RecurrentModel):
        try:
            learned = auditing.learned_automaton(model, task, tolerance=tolerance, seed=seed)
            pictures.append(learned_picture(learned))
            said.append(_learned_line(learned, model.state_bits))
        except InputError as error:
            said.append(f"not drawn: what it has learnt ({error})")
    else:
        said.append("not drawn: what it has learnt, as only recurrent models have states")
    if found.failure is not None and found.failure.collision is not None:
        pictures.append(collision_picture(found.failure.collision))
    if not pictures:
        return None, said
    whole = gathered(pictures, 1, "; ".join(picture.told for picture in pictures))
    return whole.save(path), [*said, f"drawn in {path}"]


def _learned_line(learned: auditing.Learned, carried: int) -> str:
    apart = f"{learned.states} told apart at {learned.tolerance:g} ({learned.effective_bits:.3g} bits of {carried})"
    task = "the task has no automaton" if learned.least is None else f"the task needs {learned.least.states}"
    agrees = f"it agrees with the model on {float(learned.agrees):.1%} of drawn words"
    learnt = counted(learned.automaton.states, "state")
    return f"seems to have learnt an automaton of {learnt} ({task}), from {apart}; {agrees}"
