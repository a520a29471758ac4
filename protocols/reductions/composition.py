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

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Conclusion, Field, Known, Schedule, Step
from ccsim.errors import InputError
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems import Partition, SequenceTask, Words
from protocols.reductions.exchange import OTHER, Part
from protocols.reductions.sums_in_order import Pass, chain_task, require_layer

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
    made = _one_pass(model, partition)
    steps = [*_named_query(model, query), *made.steps()]
    formula, parameters = made.formula, _parameters(model)
    if query is None:
        formula, parameters = f"L(n) + {formula}", {"n": n, **parameters}
    return Protocol(
        f"composition ({speaker} speaks) for {model.name}",
        function,
        Schedule(tuple(steps), {"bob": made.answer}).parties(),
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
    n = _size(model)
    bits, heads, width = model.precision.bits, model.heads, model.head_width
    sums = bits + (model.length - 1).bit_length()
    alice = heads * (bits + sums + 2 * width * bits)
    bob = (n - 1).bit_length() + heads * (bits + sums)
    return {"printed": heads * (width + 1) * bits, "alice": alice, "bob": bob, "total": alice + bob}


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
    chain = _Chain(tuple(models), partition, start, helper)
    steps = [step for number in range(len(chain.models)) for step in chain.steps(number)]
    final = chain.token_name(len(chain.models))

    def answer(rows: Array, known: Known) -> Array:
        return known[final]

    name = f"chain of thought of {len(chain.models)} passes of {chain.models[0].name} split {partition}"
    return Protocol(
        name,
        chain.task.split(partition),
        Schedule(tuple(steps), {"alice": answer, "bob": answer}).parties(),
        cost=chain.cost,
        source=f"{SOURCE}, theorem 2",
    )


class _Chain:
    """The models of a chain of thought and what each of them reads."""

    def __init__(self, models: tuple[OneLayerTransformer, ...], partition: Partition, start: Any, helper: str) -> None:
        if not models:
            raise InputError("models", models, "one or more one-layer transformers")
        first = require_layer("models[0]", models[0])
        for number, model in enumerate(models):
            require_layer(f"models[{number}]", model)
            for name in ("alphabet", "answers", "precision", "heads", "head_width"):
                if getattr(model, name) != getattr(first, name):
                    raise InputError(f"models[{number}].{name}", getattr(model, name), f"{getattr(first, name)}")
            if model.length != first.length + number:
                raise InputError(f"models[{number}].length", model.length, f"{first.length + number} tokens")
        if not set(first.answers) <= set(first.alphabet):
            raise InputError("models[0].answers", first.answers[:6], "symbols of the alphabet")
        if not isinstance(partition, Partition) or partition.length != first.length - 1:
            raise InputError("partition", partition, f"a partition of {first.length - 1} positions")
        if start not in first.alphabet:
            raise InputError("start", start, f"a symbol of {first.alphabet[:8]}")
        if helper not in OTHER:
            raise InputError("helper", helper, "'alice' or 'bob'")
        self.models, self.partition, self.helper = models, partition, helper
        self.start = first.alphabet.index(start)
        self.rank = np.array([first.alphabet.index(answer) for answer in first.answers], dtype=np.int64)
        self.code = {rank: code for code, rank in enumerate(self.rank.tolist())}

    @property
    def task(self) -> SequenceTask:
        """What the chain answers on a prompt, by the models' forward passes."""
        return chain_task(self.models, self.models[0].alphabet, self.start, self.rank)

    @property
    def cost(self) -> Cost:
        """The bits of all passes and tokens."""
        whole = " + ".join(f"2*H*L(N + {number})" for number in range(len(self.models)))
        parameters = {**_parameters(self.models[0]), "k": len(self.models), "n": len(self.models[0].answers)}
        return Cost(f"k*(H*(4*p + 2*v*p) + L(n)) + {whole}", parameters)

    def token_name(self, number: int) -> str:
        """The name under which the answer of a pass, counted from 1, is known."""
        return f"token {number}"

    def steps(self, number: int) -> list[Step]:
        """A pass, counted from 0, and the token that follows."""
        helper = self.helper if number % 2 == 0 else OTHER[self.helper]
        model = self.models[number]
        shared = tuple(range(self.models[0].length - 1, model.length))
        parts = _parts(model, self.partition, {OTHER[helper]: shared})
        symbols, query = partial(self._symbols, number, helper), self._query(number)
        made = Pass(model, helper, parts, symbols, query, f"{number + 1}: ")
        name = self.token_name(number + 1)
        token = Field(made.finisher, name, f"{name}, the next one", (len(model.answers),), made.answer)
        return [*made.steps(), token]

    def _symbols(self, number: int, helper: str, role: str, rows: Array, known: Known) -> Array:
        """A party's own symbols, and for the finisher all tokens that both know."""
        if role == helper:
            return np.asarray(rows, dtype=np.int64)
        columns = [self._token(place, rows, known) for place in range(number + 1)]
        return np.column_stack([rows, *columns]).astype(np.int64)

    def _query(self, number: int) -> Any:
        def query(role: str, rows: Array, known: Known) -> Array:
            return self._token(number, rows, known)

        return query

    def _token(self, number: int, rows: Array, known: Known) -> Array:
        """The rank of the token after so many passes; the first is the start."""
        if number == 0:
            return np.full(len(rows), self.start, dtype=np.int64)
        return np.asarray(self.rank[known[self.token_name(number)]])


def _size(model: Any) -> int:
    require_layer("model", model)
    n = len(model.alphabet)
    if model.length != 2 * n + 1:
        raise InputError("model", model.length, f"length 2n + 1 = {2 * n + 1} for n = {n} symbols")
    return n


def _parameters(model: OneLayerTransformer) -> dict[str, int]:
    return {"H": model.heads, "p": model.precision.bits, "v": model.head_width, "N": model.length}


def _one_pass(model: OneLayerTransformer, partition: Partition) -> Pass:
    def symbols(role: str, rows: Array, known: Known) -> Array:
        ranks = np.asarray(rows, dtype=np.int64)
        if role == "bob":
            ranks = ranks.copy()
            ranks[:, -1] = known["symbol"]
        return ranks

    def query(role: str, rows: Array, known: Known) -> Array:
        return known["symbol"]

    return Pass(model, "alice", _parts(model, partition, {}), symbols, query)


def _parts(model: OneLayerTransformer, partition: Partition, shared: dict[str, tuple[int, ...]]) -> dict[str, Part]:
    """What each party adds up: its own positions, and those that it takes over of what both know."""
    ranks = np.arange(len(model.alphabet))
    return {
        role: Part(model, role, (*(place - 1 for place in held), *shared.get(role, ())), ranks)
        for role, held in (("alice", partition.alice), ("bob", partition.bob))
    }


def _named_query(model: OneLayerTransformer, query: Any) -> list[Step]:
    """The symbol at the last position, from Bob or known to both."""
    if query is not None:
        rank = np.array([model.alphabet.index(query)])
        return [Conclusion("symbol", lambda known: rank)]

    def last(rows: Array, known: Known) -> Array:
        return np.asarray(rows[:, -1], dtype=np.int64)

    return [
        Field("bob", "query", "the query x", (len(model.alphabet),), last),
        Conclusion("symbol", lambda known: known["query"]),
    ]
