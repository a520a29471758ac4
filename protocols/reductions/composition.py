"""One attention layer on composed functions as a protocol: one pass, or one for each step of a chain of thought.

Peng, Narayanan and Papadimitriou 2024 let the holder of one function send, for each head, the numerator of the
softmax average over its tokens (d numbers) and its normaliser: H (d + 1) p bits, in one message. Layers for which that
is exact add up in registers of p bits: :mod:`protocols.reductions.sums_in_order`. Here are the layers of the rest of
ccsim, which take a common maximum off and add up exactly (the arithmetic of Bhattamishra et al. 2024, appendix B.2).
To follow them bit for bit costs more:

- Exponentials are taken off the maximum over all tokens, and each weight is rounded down after division by the sum
  over all tokens. To add up the model's own numbers a party must first know both, so maxima and normalisers are
  exchanged before the sums.
- Sums of up to N exponentials take p + L(N) bits, and sums of weights times values 2p bits.
- The argument x is the last token, on which the queries depend. Bob, who holds it, has to name it first: L(n) =
  ceil(log2 n) bits, unless both know it.

With messages both ways g(f(x)) takes 2 L(n) bits whatever the layer does, so this exchange bounds no layer on one
composition. It bounds chains of thought, which chase more pointers than they exchange messages.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Conclusion, Field, Known, Schedule, Step, schedule_of
from ccsim.errors import Array, InputError
from ccsim.models import OneLayerTransformer, SequenceModel
from ccsim.problems import Partition, SequenceTask, Words
from protocols.reductions.exchange import (
    OTHER,
    Exchange,
    Part,
    printed_formula,
    require_layer,
    require_printed_fields,
)

SOURCE = "Peng, Narayanan and Papadimitriou 2024"


def composition(model: OneLayerTransformer, *, speaker: str = "f", query: Any = None) -> Protocol:
    """A layer on words f(1) ... f(n) g(1) ... g(n) x as a protocol of four rounds, exact on every word.

    Alice holds the table of the function that ``speaker`` names, ``f`` or ``g``; Bob holds the other table and
    answers. He names x, in L(n) bits, unless ``query`` gives a symbol that both know to be the last token.
    Then Alice sends her largest logits, Bob those of both and his sums of exponentials, Alice hers and her
    weighted sums, and Bob finishes:

        L(n) (or 0) + H (2p + 2 (p + L(N)) + 2 v p) bits,    N = 2n + 1, of which Alice's are
                      H (p + (p + L(N)) + 2 v p);            one message of sums in order has H (d + 1) p, with d = v.

    The protocol computes what the model answers, right or wrong, so exploring it compares the answer with the
    model's forward pass. With ``reduce("function-composition", "k-hop-composition", n).pull(...)`` it becomes a
    protocol for g(f(x)), if the model is right; that needs ``speaker="f"`` and no ``query``.

    Args:
        model: one layer; its alphabet has n symbols and its length is 2n + 1.
        speaker: whose table Alice holds.
        query: None, or the symbol at the last position.

    >>> model = OneLayerTransformer.random(range(2), length=5, width=2, precision=6, seed=1, answers=range(2))
    >>> protocol = composition(model)
    >>> protocol.explore().raise_if_wrong().worst_bits, protocol.cost.bits
    (55, 55)
    """
    n = _size(model)
    if speaker not in ("f", "g"):
        raise InputError("speaker", speaker, "'f' or 'g'")
    if query is not None and query not in model.alphabet:
        raise InputError("query", query, f"None or a symbol of {model.alphabet[:8]}")
    partition = Partition("A" * n + "B" * (n + 1) if speaker == "f" else "B" * n + "A" * n + "B")
    last = model.alphabet if query is None else (query,)
    function = model.task(words=Words((model.alphabet,) * (2 * n) + (last,))).split(partition)
    exchange, formula, parameters = Exchange.of(model, function, "bob"), printed_formula(2, 1), _parameters(model)
    if query is None:
        named = exchange.announcement("query", "the query x", np.arange(n)[:, None], (n,))
        formula, parameters = f"L(n) + {formula}", {"n": n, **parameters}
    else:
        rank = np.array([model.alphabet.index(query)])
        named = [Conclusion("symbol", lambda known: rank)]
    steps = (*named, *exchange.printed_fields(("alice", "bob"), ("alice",), in_turn=True))
    return Protocol(
        f"composition ({speaker} speaks) for {model.name}",
        function,
        Schedule(steps, {"bob": partial(exchange.answer, "bob")}).parties(),
        answer="bob",
        cost=Cost(formula, parameters),
        source=f"{SOURCE}, theorem 1",
    )


def composition_costs(model: OneLayerTransformer) -> dict[str, int]:
    """The printed message of sums in order, H (d + 1) p, beside what :func:`composition` sends, in bits.

    ``alice``: largest logits, sums of exponentials, weighted sums. ``bob``: the query, largest logits, sums of
    exponentials; without the query where both know it. d is the width v of the values of one head.

    >>> model = OneLayerTransformer.random(range(2), length=5, width=2, precision=6, seed=1, answers=range(2))
    >>> composition_costs(model)
    {'printed': 18, 'alice': 39, 'bob': 16, 'total': 55}
    """
    schedule = schedule_of(composition(model))
    assert schedule is not None
    bits = {role: sum(said.width for said in schedule.fields if said.sender == role) for role in OTHER}
    return {"printed": model.heads * (model.head_width + 1) * model.precision.bits, **bits, "total": schedule.bits}


def chain_of_thought(
    models: Sequence[OneLayerTransformer], partition: Partition, *, start: Any, helper: str = "alice"
) -> Protocol:
    """Several passes, each of which appends its answer to the prompt, as a protocol with alternating messages.

    The prompt is a word whose positions are dealt out by ``partition``, and then the token ``start``, which both
    know. The first model answers on it; its answer is said and becomes the next token; the second model answers on
    the longer word, and so on; what the last one answers is the result, which both know. Helper and finisher change
    places after each pass, so that k passes take 3 k + 1 rounds:

        sum over t = 0, ..., k - 1 of H (2p + 2 (p + L(N + t)) + 2 v p) + L(n) bits,

    for k passes, N tokens at first, and n symbols. Tokens that both know are added up by the finisher. From the
    cost of pointer chasing the paper concludes that a layer needs of order sqrt(n / (H d p)) steps (theorem 2).

    Args:
        models: of the same alphabet, answers, precision and sizes, each one token longer than the one before; the
            answers are symbols of the alphabet.
        partition: who holds which position of the prompt before ``start``.
        start: the token at the end of the prompt.
        helper: who sends its sums in the first pass.

    >>> sizes = {"width": 2, "precision": 6, "seed": 1, "answers": range(2)}
    >>> models = [OneLayerTransformer.random(range(2), length=length, **sizes) for length in (5, 6)]
    >>> protocol = chain_of_thought(models, Partition("AABB"), start=0)
    >>> explored = protocol.explore().raise_if_wrong()
    >>> explored.worst_bits, protocol.cost.bits, explored.worst_rounds
    (110, 110, 7)
    """
    if not isinstance(models, Sequence):
        raise InputError("models", models, "a list of one-layer transformers")
    _require_chain(models, partition, start, helper)
    first, answers = models[0], np.arange(len(models[0].answers))
    begin = first.alphabet.index(start)
    ranks = np.array([first.alphabet.index(answer) for answer in first.answers], dtype=np.int64)

    def token(number: int, rows: Array, known: Known) -> Array:
        """The rank of the token after so many passes; the first is the start."""
        return ranks[known[f"token {number}"]] if number else np.full(len(rows), begin, dtype=np.int64)

    def one_pass(number: int) -> list[Step]:
        """A pass, counted from 0, and the token that follows; the finisher adds up all tokens that both know."""
        model, finisher = models[number], OTHER[helper] if number % 2 == 0 else helper
        parts, shared = {}, range(first.length - 1, model.length)
        for role, held in zip(OTHER, (partition.alice, partition.bob), strict=True):
            parts[role] = Part(model, (*(place - 1 for place in held), *(shared if role == finisher else ())))

        def symbols(role: str, rows: Array, known: Known) -> Array:
            tokens = [token(place, rows, known) for place in range(number + 1)] if role == finisher else []
            return np.column_stack([rows, *tokens]).astype(np.int64)

        def last(role: str, rows: Array, known: Known) -> Array:
            return token(number, rows, known)

        exchange = Exchange(model, parts, finisher, symbols, last, answers, f"{number + 1}: ")
        name, answer, speaker = f"token {number + 1}", partial(exchange.answer, finisher), exchange.helper
        said = Field(finisher, name, f"{name}, the next one", (len(answers),), answer)
        return [*exchange.printed_fields((speaker, finisher), (speaker,), in_turn=True), said]

    steps = [step for number in range(len(models)) for step in one_pass(number)]
    whole = " + ".join(f"2*H*L(N + {number})" for number in range(len(models)))
    parameters = {**_parameters(first), "k": len(models), "n": len(ranks)}
    cost = Cost(f"k*(H*(4*p + 2*v*p) + L(n)) + {whole}", parameters)
    return chain_protocol(models, chain_task(models, first.alphabet, begin, ranks), partition, steps, cost)


def _require_chain(models: Sequence[OneLayerTransformer], partition: Partition, start: Any, helper: str) -> None:
    if not models:
        raise InputError("models", models, "one or more one-layer transformers")
    for number, model in enumerate(models):
        require_printed_fields(require_layer(f"models[{number}]", model))
        for name in ("alphabet", "answers", "precision", "heads", "head_width"):
            if getattr(model, name) != getattr(models[0], name):
                raise InputError(f"models[{number}].{name}", getattr(model, name), f"{getattr(models[0], name)}")
        if model.length != models[0].length + number:
            raise InputError(f"models[{number}].length", model.length, f"{models[0].length + number} tokens")
    first = models[0]
    if not set(first.answers) <= set(first.alphabet):
        raise InputError("models[0].answers", first.answers[:6], "symbols of the alphabet")
    if not isinstance(partition, Partition) or partition.length != first.length - 1:
        raise InputError("partition", partition, f"a partition of {first.length - 1} positions")
    if start not in first.alphabet:
        raise InputError("start", start, f"a symbol of {first.alphabet[:8]}")
    if helper not in OTHER:
        raise InputError("helper", helper, "'alice' or 'bob'")


def chain_task(models: Sequence[SequenceModel], symbols: Sequence[Hashable], first: int, ranks: Array) -> SequenceTask:
    """What several passes answer on words of these symbols, each of them appending its answer to what it has read.

    ``first`` is the rank of the token that stands behind every word, and ``ranks`` those of the answers, by code.
    """

    def evaluate(words: Array) -> Array:
        begun = np.full((*words.shape[:-1], 1), first, dtype=np.int64)
        text = np.concatenate([words.astype(np.int64), begun], axis=-1)
        for model in models:
            codes = model.codes(text)
            text = np.concatenate([text, ranks[codes][..., None]], axis=-1)
        return np.asarray(codes)

    length = models[0].length
    assert length is not None
    words, name = Words.over(symbols, length - 1), f"{len(models)} passes of {models[0].name}"
    return SequenceTask(name, words, models[0].answers, evaluate, note="the last token of a chain of thought")


def chain_protocol(
    models: Sequence[SequenceModel], task: SequenceTask, partition: Partition, steps: Sequence[Step], cost: Cost
) -> Protocol:
    """The passes of a chain of thought, after which both know the last token."""

    def answer(rows: Array, known: Known) -> Array:
        return known[f"token {len(models)}"]

    return Protocol(
        f"chain of thought of {len(models)} passes of {models[0].name} split {partition}",
        task.split(partition),
        Schedule(tuple(steps), dict.fromkeys(OTHER, answer)).parties(),
        cost=cost,
        source=f"{SOURCE}, theorem 2",
    )


def _size(model: Any) -> int:
    require_printed_fields(require_layer("model", model))
    n = len(model.alphabet)
    if model.length != 2 * n + 1:
        raise InputError("model", model.length, f"length 2n + 1 = {2 * n + 1} for n = {n} symbols")
    return n


def _parameters(model: OneLayerTransformer) -> dict[str, int]:
    return {"H": model.heads, "p": model.precision.bits, "v": model.head_width, "N": model.length}
