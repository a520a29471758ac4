"""``ccsim list``, ``ccsim run``, ``ccsim cite`` and ``ccsim lectures``: what comes with ccsim or is added to it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from enum import StrEnum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option, echo

import ccsim as cc
from ccsim.cli.app import Format, FormatOption, JsonFlag, make_folder, print_as, print_json
from ccsim.cli.commands import columns, wrapped
from ccsim.cli.progress import shown_progress
from ccsim.cli.saving import places_of, save_pictures
from ccsim.cli.shelves import print_shelves, shelves
from ccsim.errors import InputError
from ccsim.plain_data import counted, meant, table_text
from ccsim.references import Reference, references, references_in

Shelf = StrEnum("Shelf", ["all", "problems", "protocols", "claims"])


def list_(
    what: Annotated[Shelf | None, Argument(help="What to list; if nothing, how much there is.")] = None,
    form: FormatOption = Format.text,
    json: JsonFlag = False,
) -> None:
    """List problems, protocols and the claims of papers, one line each."""
    found = shelves(what or Shelf.all)
    rows = [
        (name.removesuffix("s"), row["name"], row.get("problem", row.get("paper", "")), row["summary"])
        for name, own in found.items()
        for row in own
    ]
    heading = ("kind", "name", "problem or paper", "summary")
    if not print_as(form, json, lambda: found, lambda kind: table_text(kind, heading, rows)):
        print_shelves(what)


HERE = Path(cc.__file__).parent
LECTURES = (HERE / "lectures", HERE.parent / "notebooks")  # of an installed wheel, and of a checkout


def cite(
    names: Annotated[
        list[str] | None, Argument(help="Papers, claims, keys of the bibliography, or all; ccsim if none is named.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Print BibTeX entries: of ccsim, or of the sources of what is named, each once.

    A paper's name gives its entry, a claim's those of its sources. Exit code 0.
    """
    found = {one.key: one for name in names or ["ccsim"] for one in _sources_of(name)}
    if json:
        print_json([{**vars(one), "bibtex": one.bibtex} for one in found.values()])
    else:
        echo("\n\n".join(one.bibtex for one in found.values()))


def _sources_of(name: str) -> list[Reference]:
    known, claims = references(), cc.claims.registered_claims()
    if name in known or name == "all":
        return [known[name]] if name in known else list(known.values())
    papers = {claim.paper.name for claim in claims.values()}
    families = {family for claim in claims.values() for family in (claim.name, *claim.families)}
    if name not in papers | families:
        if found := references_in(name):
            return found
        some = ", ".join(sorted(papers & set(known)))
        near = meant(name, {*known, *papers, *families})
        raise InputError("name", name, f"a paper ({some}), a claim, or a key that `ccsim cite all` prints{near}")
    chosen = [claim for claim in claims.values() if claim.paper.name == name] or cc.claims.claims_of(name, claims)
    found = [one for claim in chosen for one in _sources_of_claim(claim)]
    if not found:
        raise InputError("name", name, "a claim whose source is in the bibliography")
    return found


def _sources_of_claim(claim: cc.claims.Claim) -> list[Reference]:
    if claim.paper.name == "ccsim":
        return [references()["ccsim"]]
    protocol = cc.registry.registered_protocols().get(claim.name)
    return references_in(protocol.build(protocol.sizes[0]).source if protocol else claim.source)


def lectures(
    folder: Annotated[Path, Argument(help="Where to put them; made if it is not there.")],
    json: JsonFlag = False,
) -> None:
    """Copy the lectures, which are notebooks, into a folder of yours.

    Existing files are kept: your answers to the exercises are not overwritten. Where Jupyter is
    installed, the copies are trusted as by "jupyter trust", so that their pictures are shown. Exit code 0.
    """
    shelf = next((shelf for shelf in LECTURES if shelf.is_dir()), None)
    if shelf is None:
        raise ValueError("the lectures did not come with this copy of ccsim")
    make_folder("folder", folder)
    rows, copied = [], []
    for notebook in sorted(shelf.glob("*.ipynb")):
        target = folder / notebook.name
        kept = target.exists()
        if not kept:
            target.write_bytes(notebook.read_bytes())
            copied.append(target)
        rows.append({"file": str(target), "copied": not kept})
    _trust(copied)
    if json:
        print_json(rows)
        return
    for row in rows:
        echo(f"{'copied' if row['copied'] else 'kept  '} {row['file']}")
    echo(f"open them with: jupyter lab {folder}")


def _trust(notebooks: Iterable[Path]) -> None:
    """Sign them: Jupyter shows no drawing of a notebook that was neither run here nor signed. Nothing without it."""
    try:
        jupyter = import_module("nbformat.sign")
        notary = jupyter.NotebookNotary()
        with closing(notary.store):
            for notebook in notebooks:
                notary.sign(import_module("nbformat").read(notebook, as_version=4))
    except (ImportError, OSError):  # no Jupyter, or no place for its signatures: the pictures come when cells are run
        return


def run(
    protocol: Annotated[str, Argument(help="A protocol, or a problem; see `ccsim list`.")],
    n: Annotated[int, Option("--size", "-n", help="The size of the problem.")] = 4,
    chosen: Annotated[
        str | None,
        Option("--protocol", help="Which of a problem's protocols: its name, or a part of it."),
    ] = None,
    alice: Annotated[str | None, Option(help="Alice's input, as text.")] = None,
    bob: Annotated[str | None, Option(help="Bob's input, as text.")] = None,
    carol: Annotated[str | None, Option(help="Carol's input, where there are three parties.")] = None,
    word: Annotated[str | None, Option(help="A whole word, which the partition splits (sequence tasks).")] = None,
    isolated: Annotated[bool, Option("--isolated", help="Each party in a process of its own.")] = False,
    timeout: Annotated[float, Option(help="Seconds that an isolated party may stay silent.")] = 30.0,
    seed: Annotated[int | None, Option(help="Seed of the coins, and of inputs that are not given.")] = None,
    save: Annotated[
        list[Path] | None, Option(help="A file for a chart of the messages (.svg, .tex, .pdf, .png); may be repeated.")
    ] = None,
    everything: Annotated[bool, Option("--all", help="Print all messages of a long transcript.")] = False,
    form: FormatOption = Format.text,
    json: JsonFlag = False,
) -> None:
    """Run a protocol on one input per party and print its transcript.

    Inputs that are not given are drawn from the seed. Exit code 0 if the answer is right, 1 if it is wrong.
    """
    _, pictures = places_of(save, json=False)
    entry = find_entry(protocol, chosen)
    seed = cc.engine.fresh_seed() if seed is None else seed
    with shown_progress(f"building {entry.name}") as report:
        built = entry.build(n)
        report(f"running {entry.name}")
        inputs = _inputs(built, {"alice": alice, "bob": bob, "carol": carol}, word, seed)
        done = built.run(*inputs, seed=seed, isolated=isolated, timeout=timeout)
    messages = done.transcript.table()
    rows = [list(message.values()) for message in messages]
    table = partial(table_text, columns=list(messages[0]) if messages else ["message"], rows=rows)
    saved = save_pictures(lambda: cc.plots.draw(done), pictures)
    if not print_as(form, json, lambda: _report(built, entry, n, done, seed) | {"saved": list(saved)}, table):
        echo(
            "\n".join(
                [_text(built, done, seed, everything), *(f"saved {path}: {what}" for path, what in saved.items())]
            )
        )
    raise Exit(0 if done.correct else 1)


def find_entry(name: str, chosen: str | None) -> cc.registry.ProtocolEntry:
    """The protocol of this name; or, for a problem, the one that was chosen or else the simplest."""
    known = cc.registry.registered_protocols()
    name = name if name in known else cc.problems.full_name(name)
    candidates = cc.registry.protocols_for(name)
    if name in known and chosen is None:
        return known[name]
    if not candidates and name not in known:
        if name not in cc.problems.registered_problems():
            return cc.registry.find_protocol(name)
        raise InputError("protocol", name, "a problem with a registered protocol; `ccsim list protocols` shows them")
    if chosen is None:
        return next((entry for entry in candidates if entry.name.startswith("trivial")), candidates[0])
    matching = [entry for entry in candidates if chosen in entry.name]
    if len(matching) != 1:
        names = ", ".join(entry.name for entry in matching or candidates)
        raise InputError("--protocol", chosen, f"a part of exactly one name among: {names}")
    return matching[0]


def _inputs(protocol: cc.Protocol, given: dict[str, str | None], word: str | None, seed: int) -> list[Any]:
    function, players = protocol.function, protocol.model.players
    unknown = [name for name, text in given.items() if text is not None and name not in players]
    if unknown:
        raise InputError(f"--{unknown[0]}", given[unknown[0]], f"inputs for {', '.join(players)} only")
    if word is not None:
        if any(given.values()):
            raise InputError("--word", word, "either a word, or inputs of the parties, not both")
        if not isinstance(function, cc.problems.SplitTask):
            raise InputError("--word", word, f"inputs of the parties: {function.name} is not a task on words")
        return list(function.split(function.task.words.parse(word)))
    for attempt in range(1000):
        inputs = []
        for player, part in zip(players, function.inputs, strict=True):
            text = given.get(player)
            if text is None:
                inputs.append(part.value(cc.engine.draw(part.size, seed, "input", player, attempt)))
                continue
            try:
                inputs.append(part.parse(text))
            except InputError as error:
                raise InputError(f"--{player}", text, error.expected) from None
        if function(*inputs) is not None or all(given.get(player) is not None for player in players):
            break
    return inputs


def _report(protocol: cc.Protocol, entry: cc.registry.ProtocolEntry, n: int, done: cc.Run, seed: int) -> dict[str, Any]:
    shown = [part.show(value) for part, value in zip(protocol.function.inputs, done.inputs, strict=True)]
    return {
        "protocol": entry.name,
        "function": protocol.function.name,
        "n": n,
        "model": protocol.model.name,
        "inputs": dict(zip(protocol.model.players, shown, strict=True)),
        "transcript": done.transcript.table(),
        "bits": done.bits,
        "rounds": done.transcript.rounds,
        "by_direction": done.transcript.by_direction,
        "answers": dict(done.answers),
        "answer": done.answer,
        "expected": done.expected,
        "correct": done.correct,
        "seed": seed,
        "public": None if done.public is None else str(done.public),
        "private": None if done.private is None else {role: str(coin) for role, coin in done.private.items()},
        "carried": None if done.carried is None else dict(done.carried),
    }


MOST_LINES = 16  # of a transcript


def _text(protocol: cc.Protocol, done: cc.Run, seed: int, everything: bool) -> str:
    inputs = ", ".join(
        f"{player} {part.show(value)}"
        for player, part, value in zip(protocol.model.players, protocol.function.inputs, done.inputs, strict=True)
    )
    coins = [] if protocol.deterministic else [f"coins from seed {seed}"]
    carried = [f"{who} {counted(bits, 'bit')}" for who, bits in (done.carried or {}).items()]
    more = [f"carried between processes: {', '.join(carried)}"] if carried else []
    judged = "right" if done.correct else "wrong"
    answer = f"{protocol.name} answers {done.answer} on {inputs}, which is {judged}"
    sentence = f"{answer}, and sends {counted(done.bits, 'bit')} ({protocol.model.name})."
    lines = str(done).splitlines()
    if not everything and len(lines) > MOST_LINES:
        left_out = len(lines) - MOST_LINES
        lines[MOST_LINES // 2 : MOST_LINES // 2 + left_out] = [f"… {counted(left_out, 'line')} more: --all"]
    return "\n".join([wrapped(sentence, columns()), *coins, *lines, *more])
