"""The max-logit softmax protocol as it is printed, field by field, and its one-sided variant."""

from __future__ import annotations

from functools import partial

import numpy as np

from ccsim.arrays import Array
from ccsim.engine import Cost
from ccsim.engine.schedule import Conclusion, Field, Known, Schedule, Step, StepFunction
from ccsim.errors import InputError
from protocols.reductions.max_logit.parts import (
    OTHER,
    Exchange,
    fits_words,
    printed_fields_hold,
    said_answer,
    sums_name,
)

MOST_BITS = 30  # fields of twice the precision must fit in 62 bits


def literal_schedule(exchange: Exchange, knowing: tuple[str, ...], *, answer_bit: bool) -> tuple[Schedule, Cost]:
    """Fields of the printed widths: p-bit numbers, sums of p + L(N) and of 2p bits.

    Without ``answer_bit`` every party that must know the answer receives the other's sums and finishes; with it,
    only the calculator does, and sends the answer to the other if that must know it.
    """
    return _Literal(exchange, knowing, answer_bit).schedule()


class _Literal:
    def __init__(self, exchange: Exchange, knowing: tuple[str, ...], answer_bit: bool) -> None:
        self.exchange, self.knowing = exchange, knowing
        self.model, self.precision = exchange.model, exchange.model.precision
        other = "compact" if fits_words(self.model) else "symbols"
        if self.precision.bits > MOST_BITS:
            expected = f"at most {MOST_BITS} bits, so that sums of twice the precision fit in 62 bits"
            raise InputError("precision", self.precision.bits, f"{expected}; variant={other!r} takes it")
        if not printed_fields_hold(self.model):
            expected = "exponentials up to 1 in p bits, and weighted sums in 2p bits"
            raise InputError("precision", str(self.precision), f"{expected}; variant={other!r} takes it")
        self.finishing = (exchange.calculator,) if answer_bit else knowing
        self.told = tuple(role for role in knowing if role not in self.finishing)
        self.steps: list[Step] = []

    def schedule(self) -> tuple[Schedule, Cost]:
        """The fields in the paper's order, the answers, the formula."""
        self._announce()
        senders = [role for role in ("alice", "bob") if self._speaks(role)]
        self._maxima(senders)
        room = 1 << (self.precision.bits + (self.model.length - 1).bit_length())
        self.steps += self.exchange.normaliser_fields(senders, [(room,) * self.model.heads] * len(senders))
        givers = self._sums()
        answers, sums = self._answers(givers), len(givers)
        spoken, announced = len(senders), "m*p + " if self.announced else ""
        formula = f"{announced}H*({spoken}*p + {spoken}*(p + L(N)) + {2 * sums}*v*p)"
        parameters = {"m": self.model.width, "p": self.precision.bits, "H": self.model.heads, "N": self.model.length}
        parameters["v"] = self.model.head_width
        if self.told:
            formula, parameters = (
                f"{formula} + L(answers)",
                {**parameters, "answers": len(self.exchange.function.answers)},
            )
        return Schedule(tuple(self.steps), answers), Cost(formula, parameters)

    def _needs(self, role: str) -> bool:
        """Whether a party has anything to compute: positions of its own, or the answer."""
        return bool(self.exchange.parts[role].count) or role in self.finishing

    def _speaks(self, role: str) -> bool:
        return bool(self.exchange.parts[role].count) and self._needs(OTHER[role])

    @property
    def announced(self) -> bool:
        """Whether the last row has to be announced."""
        return self._speaks(self.exchange.holder)

    def _announce(self) -> None:
        if not self.announced:
            return
        exchange, precision = self.exchange, self.precision
        embedded = self.model.embedding_table[-1] - precision.low
        first_alike = np.array([int(np.flatnonzero((embedded == row).all(axis=1))[0]) for row in embedded])

        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray(embedded[exchange.symbol(exchange.holder, rows, known)])

        def symbol(known: Known) -> Array:
            vectors = known["x_N"].reshape(-1, embedded.shape[1])
            matches = (vectors[:, None, :] == embedded[first_alike][None]).all(axis=2)
            return np.asarray(np.argmax(matches, axis=1))

        bounds = (1 << precision.bits,) * self.model.width
        self.steps += [
            Field(exchange.holder, "x_N", "x_N, the embedded last symbol", bounds, numbers),
            Conclusion("symbol", symbol, instead_of=("x_N",)),
        ]

    def _maxima(self, senders: list[str]) -> None:
        low, bounds = self.precision.low, (1 << self.precision.bits,) * self.model.heads
        for role in senders:

            def maxima(rows: Array, known: Known, role: str = role) -> Array:
                return self.exchange.maxima(role, rows, known) - low

            label = f"largest logit of {role}{self.exchange.each_head}"
            self.steps.append(Field(role, f"maximum {role}", label, bounds, maxima))
        names = tuple(f"maximum {role}" for role in senders)

        def largest(known: Known) -> Array:
            said = [known[name].reshape(-1, self.model.heads) for name in names]
            return np.asarray(np.max(said, axis=0) + low)

        if senders:
            self.steps.append(Conclusion("maximum", largest, instead_of=names))
        self.steps += self.exchange.notes()

    def _sums(self) -> list[str]:
        """Who sends sums, of 2p bits per coordinate: whoever speaks, if the other is to finish."""
        bounds = np.full(self._low.shape, 1 << (2 * self.precision.bits))
        senders = [role for role in ("alice", "bob") if OTHER[role] in self.finishing and self._speaks(role)]
        self.steps += [self.exchange.sum_field(role, self._low, bounds) for role in senders]
        return senders

    @property
    def _low(self) -> Array:
        return np.full((self.model.heads, self.model.head_width), -(1 << (2 * self.precision.bits - 1)))

    def _answers(self, senders: list[str]) -> dict[str, StepFunction]:
        low, calculator = self._low, self.exchange.calculator
        if len(senders) == 2:  # then all is known to both
            self.steps.append(Conclusion("answer", self._finished))
            return dict.fromkeys(self.knowing, said_answer)
        finish = {role: partial(self._finish, role, low) for role in self.finishing}
        if not self.told:
            return dict(finish)
        self.steps.append(
            Field(calculator, "answer", "the answer", (len(self.exchange.function.answers),), finish[calculator])
        )
        return dict.fromkeys(self.knowing, said_answer)

    def _finish(self, role: str, low: Array, rows: Array, known: Known) -> Array:
        return self.exchange.answer(role, rows, known, low)

    def _finished(self, known: Known) -> Array:
        total = known[sums_name("alice")] + known[sums_name("bob")]
        return self.exchange.finish(known["symbol"], total.reshape(-1, *self._low.shape) + 2 * self._low)
