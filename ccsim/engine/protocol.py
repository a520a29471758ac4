"""A protocol: run it on one input, explore it on all, measure it over its coins."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from inspect import signature
from typing import Any

from ccsim.engine.explore import Exploration, explore
from ccsim.engine.model import blackboard, draw, fresh_seed, two_way
from ccsim.engine.party import ProtocolBase, View
from ccsim.engine.processes import IsolatedConversation, carried_bits
from ccsim.engine.randomised import Measurement, measure_error
from ccsim.engine.run import Board, Run, Watch, WatchedConversation, conversations, replay, run
from ccsim.engine.tree import ProtocolTree
from ccsim.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Protocol(ProtocolBase):
    """Who sends what, to compute which function, under which rules.

    Attributes:
        name: what tables and errors call it.
        function: what is to be computed: a function, a relation, a matrix or rows of labels.
        parties: one party per role of the model: a generator function or an array party.
        model: the communication model (default: two-way).
        answer: who must know the answer: ``both`` (all players), or the name of one role.
        cost: claimed worst-case bits, as a formula.
        error: claimed worst-case probability of a wrong answer over the coins, 0 if deterministic.
        public: shared coins, given to every party as ``public``.
        private: each party's own coins, given to it as ``private``.
        source: where it is from.

    >>> from ccsim import Receive, Send
    >>> from ccsim.problems import equality
    >>> def alice(x):
    ...     yield Send(x, "x")
    ...     return (yield Receive())[0]
    >>> def bob(y):
    ...     equal = (yield Receive()) == y
    ...     yield Send(equal, "x = y")
    ...     return int(equal)
    >>> protocol = Protocol("send all", equality(2), {"alice": alice, "bob": bob})
    >>> protocol.run("01", "01").answer, protocol.explore().worst_bits
    (1, 3)
    """

    def __new__(cls, *given: Any, **named: Any) -> Protocol:
        known = [part.name for part in fields(cls)]
        unknown = next((name for name in named if name not in known), None)
        if unknown is not None:
            expected = f'one of {", ".join(known)} (coins are public=Coins(8) or private={{"alice": Coins(4)}})'
            raise InputError("argument", unknown, expected)
        return super().__new__(cls)

    @classmethod
    def of_tree(cls, tree: ProtocolTree, name: str = "tree") -> Protocol:
        """A protocol tree as a protocol that runs: each party walks down it and sends the bit that its input
        determines."""
        players = tree.function.parties
        answer = "both" if tree.knowing == players else tree.knowing[0]
        model = two_way() if players == ("alice", "bob") else blackboard(players)
        return cls(name, tree.function, {player: tree.walker(player) for player in players}, model, answer)

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
        ``isolated`` each party runs in an operating-system process of its own and only message bits cross. Otherwise
        each party is played once more, after the others were asked about other inputs, and must do the same. Whether
        the protocol is right on all inputs, and whether a party peeks, is what :meth:`explore` checks.

        Raises :class:`~ccsim.errors.PartyError` for a party that raises or ends the program (isolated: also for one
        that dies or takes longer than ``timeout`` seconds; no process stays behind), and
        :class:`~ccsim.errors.ProtocolError` for one that does otherwise when played again, or takes too long.
        """
        places = self.places(inputs)
        seed = fresh_seed() if seed is None and not self.deterministic else seed
        if self.public is None and public is not None:
            raise InputError("public", public, "nothing: this protocol has no public coins")
        if self.public is not None:
            drawn = draw(self.public.size, seed or 0, "public") if public is None else public
            public = self.public.check(drawn, "public")
        private = private or {}
        if set(private) - set(self.private):
            raise InputError("private", dict(private), f"outcomes for {sorted(self.private)} only")
        outcomes = {
            role: coins.check(private.get(role, draw(coins.size, seed or 0, role)), f"private[{role!r}]")
            for role, coins in self.private.items()
        }
        views = self.views(public)
        chosen = [self._seen_index(view, places) * view.coins + outcomes.get(view.role, 0) for view in views]
        if isolated:
            with conversations(partial(IsolatedConversation, self, timeout), views, chosen) as isolated_talks:
                board, answers = run(self, isolated_talks)
                carried = carried_bits(isolated_talks, board.transcript)
        else:
            with Watch(timeout) as watch:
                begin = partial(WatchedConversation, self, watch)
                with conversations(begin, views, chosen) as talks:
                    board, answers = run(self, talks)
                self._ask_again(begin, views, chosen, board, answers)
            carried = None
        values = tuple(part.value(place) for part, place in zip(self.function.inputs, places, strict=True))
        expected = self.function(*values)
        relation = self.function.is_relation
        return Run(values, board.transcript, answers, expected, public, outcomes or None, seed, carried, relation)

    def _ask_again(
        self,
        begin: Callable[[View, int], WatchedConversation],
        views: tuple[View, ...],
        chosen: list[int],
        board: Board,
        answers: Mapping[str, Hashable],
    ) -> None:
        """Play each party once more, after the others were asked about other inputs: it must do the same."""
        elsewhere = [(index + 1) % view.size for view, index in zip(views, chosen, strict=True)]
        for number, view in enumerate(views):
            mixed = [chosen[number] if other is view else place for other, place in zip(views, elsewhere, strict=True)]
            with conversations(begin, views, mixed) as talks:
                for role, talk in talks.items():
                    if role != view.role:
                        with suppress(Exception):  # what others do elsewhere is not looked at
                            talk.advance()
                replay(view.role, talks[view.role], board.heard[view.role], answers)

    def _seen_index(self, view: View, places: list[int]) -> int:
        if view.role not in self.model.players:
            return 0
        own = self.model.players.index(view.role)
        seen = [place for player, place in enumerate(places) if (player != own) == self.model.forehead]
        index = 0
        for part, place in zip(view.seen, seen, strict=True):
            index = index * part.size + place
        return index

    def explore(self, **options: Any) -> Exploration:
        """Explore every input by rectangles; see :func:`ccsim.engine.explore.explore`."""
        return explore(self, **options)

    def measure_error(self, **options: Any) -> Measurement:
        """Measure error and cost over the coins; see :func:`ccsim.engine.randomised.measure_error`."""
        return measure_error(self, **options)


Protocol.__signature__ = signature(ProtocolBase)  # type: ignore[attr-defined]  # not that of __new__, which passes all on
