"""``ccsim run``: one run of a protocol, message by message."""

from __future__ import annotations

from typing import Annotated, Any

from typer import Argument, Exit, Option, echo

import ccsim as cc
from ccsim.cli.app import JsonFlag, print_json
from ccsim.errors import InputError
from ccsim.plain_data import counted


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
    word: Annotated[str | None, Option(help="A whole word, dealt to the parties (sequence tasks).")] = None,
    isolated: Annotated[bool, Option("--isolated", help="Each party in a process of its own.")] = False,
    timeout: Annotated[float, Option(help="Seconds that an isolated party may stay silent.")] = 30.0,
    seed: Annotated[int | None, Option(help="Seed of the coins, and of inputs that are not given.")] = None,
    json: JsonFlag = False,
) -> None:
    """Run a protocol on one input per party and print its transcript.

    Inputs that are not given are drawn from the seed. Exit code 0 if the answer is right, 1 if it is wrong.
    """
    entry = find_entry(protocol, chosen)
    built = entry.build(n)
    seed = cc.engine.fresh_seed() if seed is None else seed
    inputs = _inputs(built, {"alice": alice, "bob": bob, "carol": carol}, word, seed)
    done = built.run(*inputs, seed=seed, isolated=isolated, timeout=timeout)
    if json:
        print_json(_report(built, entry, n, done, seed))
    else:
        echo(_text(built, done, seed))
    raise Exit(0 if done.correct else 1)


def find_entry(name: str, chosen: str | None) -> cc.registry.ProtocolEntry:
    """The protocol of this name; or, for a problem, the one that was chosen or else the simplest."""
    if name in cc.registry.registered_protocols() and chosen is None:
        return cc.registry.find_protocol(name)
    candidates = cc.registry.protocols_for(name)
    if not candidates and name not in cc.registry.registered_protocols():
        try:
            cc.problems.find_problem(name)
        except InputError:
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
    """One input per player: dealt from the word, as given, or drawn."""
    function, players = protocol.function, protocol.model.players
    unknown = [name for name, text in given.items() if text is not None and name not in players]
    if unknown:
        raise InputError(f"--{unknown[0]}", given[unknown[0]], f"inputs for {', '.join(players)} only")
    if word is not None:
        if any(given.values()):
            raise InputError("--word", word, "either a word, or inputs of the parties, not both")
        if not isinstance(function, cc.problems.SplitTask):
            raise InputError("--word", word, f"inputs of the parties: {function.name} is not a task on words")
        return list(function.deal(function.task.words.parse(word)))
    for attempt in range(1000):
        inputs = []
        for player, part in zip(players, function.inputs, strict=True):
            text = given.get(player)
            drawn = cc.engine.draw(part.size, seed, "input", player, attempt)
            inputs.append(part.value(drawn) if text is None else _parse(part, player, text))
        if function(*inputs) is not None or all(given.get(player) is not None for player in players):
            break
    return inputs


def _parse(part: Any, player: str, text: str) -> Any:
    try:
        return part.parse(text)
    except InputError as error:
        raise InputError(f"--{player}", text, error.expected) from None


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


def _text(protocol: cc.Protocol, done: cc.Run, seed: int) -> str:
    inputs = ", ".join(
        f"{player} {part.show(value)}"
        for player, part, value in zip(protocol.model.players, protocol.function.inputs, done.inputs, strict=True)
    )
    lines = [f"{protocol.name} ({protocol.model.name})", inputs]
    if not protocol.deterministic:
        lines.append(f"coins from seed {seed}")
    lines.append(str(done))
    if done.carried is not None:
        lines.append(
            "carried between processes: "
            + ", ".join(f"{who} {counted(bits, 'bit')}" for who, bits in done.carried.items())
        )
    return "\n".join(lines)
