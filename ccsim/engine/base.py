"""What a protocol is: parties, the function that they compute, the rules they keep, and what it is claimed to cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ccsim.engine.coins import Coins
from ccsim.engine.cost import Cost
from ccsim.engine.model import CommunicationModel, two_way
from ccsim.engine.party import Party, as_party
from ccsim.engine.views import View, views_of
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems.function import MultipartyFunction, as_function


@dataclass(frozen=True, eq=False)
class ProtocolBase:
    """The parts of a :class:`~ccsim.engine.protocol.Protocol`, which says what each of them is, and runs it."""

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
        object.__setattr__(self, "function", as_function(self.function))
        if not isinstance(self.parties, Mapping) or set(self.parties) != set(self.model.roles):
            raise InputError("parties", self.parties, f"a mapping with a party for each of {self.model.roles}")
        if self.function.parties != self.model.players:
            raise InputError("function", self.function.parties, f"a function of {self.model.players}, as the model has")
        if self.answer not in ("both", *self.model.roles):
            raise InputError("answer", self.answer, f"'both' or one of {self.model.roles}")
        if self.cost is not None and not isinstance(self.cost, Cost):
            raise InputError("cost", self.cost, 'a formula with its values, such as Cost("n + 1", {"n": 3})')
        if self.public is not None and not isinstance(self.public, Coins):
            raise InputError("public", self.public, "coins, such as Coins(8) for 8 outcomes or Coins.bits(3)")
        wrong = not isinstance(self.private, Mapping) or [c for c in self.private.values() if not isinstance(c, Coins)]
        if wrong:
            raise InputError("private", self.private, 'coins by party, such as {"alice": Coins(4)}')
        if set(self.private) - set(self.model.players):
            raise InputError("private", sorted(self.private), f"coins of some of {self.model.players}")
        ordered = {role: as_party(self.parties[role]) for role in self.model.roles}
        object.__setattr__(self, "parties", ordered)
        for role, party in ordered.items():
            if self.public is None and party.needs("public"):
                raise InputError("public", None, f"coins, such as Coins(8): {role} is a function of public=")
            if role not in self.private and party.needs("private"):
                raise InputError("private", dict(self.private), f"coins for {role}, which is a function of private=")

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

    def told(self, code: int) -> str:
        """The answer of a code, in a message."""
        known = -1 <= code < len(self.function.answers)
        return repr(self.decode(code)) if known else "an answer that the function never gives"
