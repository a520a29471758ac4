"""A protocol: parties, the function that they compute, the rules they keep, and what it is claimed to cost."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ccsim.engine.coins import Coins, draw, fresh_seed
from ccsim.engine.cost import Cost
from ccsim.engine.model import REFEREE, CommunicationModel, two_way
from ccsim.engine.party import Conversation, Party, as_party
from ccsim.engine.run import Run, run
from ccsim.engine.views import View, views_of
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems.function import MultipartyFunction

if TYPE_CHECKING:
    from ccsim.engine.explore import Exploration
    from ccsim.engine.randomised import Measurement

__all__ = ["Protocol"]


@dataclass(frozen=True, eq=False)
class Protocol:
    """Who says what, to compute which function, under which rules.

    Attributes:
        name: what it is called, with its parameters.
        function: what it computes.
        parties: one party per role of the model: a generator function or an array party.
        model: the communication model (default: two-way).
        answer: who must know the answer: ``both`` (all players), or the name of one role.
        cost: claimed worst-case bits, as a formula.
        error: claimed worst-case probability of a wrong answer over the coins, 0 if deterministic.
        public: shared coins, given to every party as ``public``.
        private: each party's own coins, given to it as ``private``.
        source: where it is from.

    >>> from ccsim import Bits, Receive, Send
    >>> from ccsim.problems import equality
    >>> def alice(x):
    ...     yield Send(x, "x")
    ...     return (yield Receive())[0]
    >>> def bob(y):
    ...     equal = (yield Receive()) == y
    ...     yield Send(Bits([equal]), "x = y")
    ...     return int(equal)
    >>> protocol = Protocol("send all", equality(2), {"alice": alice, "bob": bob})
    >>> protocol.run("01", "01").answer, protocol.explore().worst_bits
    (1, 3)
    """

    name: str
    function: MultipartyFunction
    parties: Mapping[str, Party | Callable[..., Any]] = field(repr=False)
    model: CommunicationModel = field(default_factory=two_way)
    answer: str = "both"
    cost: Cost | None = None
    error: Fraction = Fraction(0)
    public: Coins | None = None
    private: Mapping[str, Coins] = field(default_factory=dict)
    source: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if set(self.parties) != set(self.model.roles):
            raise InputError("parties", sorted(self.parties), f"one for each of {self.model.roles}")
        if self.function.parties != self.model.players:
            raise InputError("function", self.function.parties, f"a function of {self.model.players}, as the model has")
        if self.answer not in ("both", *self.model.roles):
            raise InputError("answer", self.answer, f"'both' or one of {self.model.roles}")
        if set(self.private) - set(self.model.players):
            raise InputError("private", sorted(self.private), f"coins of some of {self.model.players}")
        ordered = {role: as_party(self.parties[role]) for role in self.model.roles}
        object.__setattr__(self, "parties", ordered)

    @property
    def knowing(self) -> tuple[str, ...]:
        """The roles that must know the answer."""
        return self.model.players if self.answer == "both" else (self.answer,)

    @property
    def deterministic(self) -> bool:
        """Whether no party is granted any coins."""
        return self.public is None and not self.private

    def party(self, role: str) -> Party:
        """The party in this role."""
        return as_party(self.parties[role])

    def views(self, public: int | None = None) -> tuple[View, ...]:
        """What each role sees, given the outcome of the public coins."""
        return views_of(self.function, self.model, self.private, public)

    def encode(self, answer: Hashable) -> int:
        """The code of an answer: -1 for None (no answer), -2 for one that the function never gives."""
        if answer is None:
            return DONT_CARE
        try:
            return self.function.places.get(answer, -2)
        except TypeError:  # not hashable, so surely not an answer
            return -2

    def decode(self, code: int) -> Hashable:
        """The answer of a code; None for -1."""
        return self.function.answers[code] if 0 <= code < len(self.function.answers) else None

    def run(
        self,
        *inputs: Hashable,
        seed: int | None = None,
        public: int | None = None,
        private: Mapping[str, int] | None = None,
        isolated: bool = False,
        timeout: float = 30.0,
    ) -> Run:
        """Run on one input per player (values, or text as the input sets read it).

        Coins not given are drawn from ``seed``, or from a fresh seed that the result reports. With
        ``isolated`` each party runs in an operating-system process of its own and only message bits cross;
        a party that dies, raises, or says nothing for ``timeout`` seconds raises
        :class:`~ccsim.errors.PartyError` and no process stays behind.
        """
        places = self._places(inputs)
        seed = fresh_seed() if seed is None and not self.deterministic else seed
        public = self._public_outcome(public, seed)
        outcomes = self._private_outcomes(private or {}, seed)
        views = self.views(public)
        chosen = [self._seen_index(view, places) * view.coins + outcomes.get(view.role, 0) for view in views]
        if isolated:
            from ccsim.engine.isolation import carried_bits, isolated_talks

            with isolated_talks(self, views, chosen, timeout) as talks:
                transcript, answers = run(self, talks)
                carried: dict[str, int] | None = carried_bits(talks, transcript)
        else:
            with self._open(views, chosen) as talks:
                transcript, answers = run(self, talks)
            carried = None
        values = tuple(part.value(place) for part, place in zip(self.function.inputs, places, strict=True))
        expected = self.function(*values)
        return Run(values, transcript, answers, expected, public, outcomes or None, seed, carried)

    @contextmanager
    def _open(self, views: tuple[View, ...], chosen: list[int]) -> Generator[dict[str, Conversation], None, None]:
        talks = {
            view.role: self.party(view.role).converse(view, index, self.decode)
            for view, index in zip(views, chosen, strict=True)
        }
        try:
            yield talks
        finally:
            for talk in talks.values():
                talk.close()

    def _places(self, inputs: tuple[Hashable, ...]) -> list[int]:
        sets = self.function.inputs
        if len(inputs) != len(sets):
            raise InputError("inputs", inputs, f"{len(sets)} inputs, one for each of {self.model.players}")
        places = []
        for player, part, value in zip(self.model.players, sets, inputs, strict=True):
            try:
                places.append(part.index(part.parse(value) if isinstance(value, str) else value))
            except InputError as error:
                raise InputError(f"input of {player}", value, error.expected) from None
        return places

    def _seen_index(self, view: View, places: list[int]) -> int:
        if view.role == REFEREE:
            return 0
        own = self.model.players.index(view.role)
        seen = [place for player, place in enumerate(places) if (player != own) == self.model.forehead]
        index = 0
        for part, place in zip(view.seen, seen, strict=True):
            index = index * part.size + place
        return index

    def _public_outcome(self, given: int | None, seed: int | None) -> int | None:
        if self.public is None:
            if given is not None:
                raise InputError("public", given, "nothing: this protocol has no public coins")
            return None
        return draw(self.public.size, seed or 0, "public") if given is None else self.public.check(given, "public")

    def _private_outcomes(self, given: Mapping[str, int], seed: int | None) -> dict[str, int]:
        if set(given) - set(self.private):
            raise InputError("private", dict(given), f"outcomes for {sorted(self.private)} only")
        return {
            role: coins.check(given[role], f"private[{role!r}]") if role in given else draw(coins.size, seed or 0, role)
            for role, coins in self.private.items()
        }

    def explore(self, **options: Any) -> Exploration:
        """Explore every input by rectangles; see :func:`ccsim.engine.explore.explore`."""
        from ccsim.engine.explore import explore

        return explore(self, **options)

    def measure(self, **options: Any) -> Measurement:
        """Measure error and cost over the coins; see :func:`ccsim.engine.randomised.measure`."""
        from ccsim.engine.randomised import measure

        return measure(self, **options)
