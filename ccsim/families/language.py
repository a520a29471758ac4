"""What is found out about a regular language: its monoid, its class, and bounds for every length."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ccsim.bounds.measures import deterministic
from ccsim.bounds.rank import leaf_rank
from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.families import values_of
from ccsim.certificates.verify.matrices import bits_for
from ccsim.errors import InputError
from ccsim.families.classification import (
    FARTHEST,
    LINEAR,
    LOGARITHMIC,
    Classification,
    Exclusion,
    OtherModel,
    classify,
    exclusion,
    other_models,
)
from ccsim.families.family import FamilyCertificate, count_at
from ccsim.families.landmarks import Landmarks, landmark_protocol
from ccsim.families.lower import lower_bound
from ccsim.families.monoid import MOST_ELEMENTS, Monoid, transition_monoid
from ccsim.families.parties import commuting_parties, letter_parties, messages
from ccsim.families.reductions import Reduction, linear_reduction, logarithmic_set
from ccsim.families.sources import dealt, periodic_partitions, with_blank
from ccsim.models.automata.automaton import Automaton
from ccsim.models.automata.expression import from_regular_expression
from ccsim.problems.function import TwoPartyFunction

FAR = 480  # positions at which partitions are compared: a multiple of their periods
KEYS = {"alphabet", "table", "outputs", "first"}  # of an automaton in a file
MOST_CELLS = 1 << 11  # of the matrices whose exact complexity is looked for
MOST_RANKED = 1 << 18  # of those whose rank is computed
MOST_LETTERS = 6  # of each party, there
FEW_LETTERS = 4  # with which partitions of period 4 are looked at


@dataclass(frozen=True, eq=False)
class Dealt:
    """A language under one partition, with its bounds for every length.

    Attributes:
        partition: who holds which position; repeated.
        certificate: lower and upper bound on the bits after which both know the answer.
    """

    partition: str
    certificate: FamilyCertificate

    def lower(self, length: int) -> int:
        """The bound from below at a length, a multiple of the period."""
        return self.certificate.lower(length // len(self.partition)) or 0

    def leaves(self, length: int) -> int:
        """How many leaves the bound from below counts at a length, a multiple of the period."""
        return count_at(self.certificate.proofs["lower"][0], length // len(self.partition))

    def upper(self, length: int) -> int:
        """The bound from above at a length, a multiple of the period."""
        found = self.certificate.upper(length // len(self.partition))
        assert found is not None
        return found


@dataclass(frozen=True, eq=False)
class Language:
    """A regular language and what holds of it.

    Attributes:
        name: as it was given.
        automaton: the minimal automaton, without blanks.
        blank: the letter that may stand anywhere, or None.
        monoid: the syntactic monoid.
        classification: its class with blanks, and why.
        dealt: the partitions that were looked at, the best first; none if only the class was asked for.
        proof: what holds for every n with blanks, under AB, by the monoid alone: the reduction, or the fooling set, or
            the protocol, of its class.
        reduction: the small problem inside, in the linear case.
        landmarks: a protocol of a logarithmic number of bits that is right at every length, in the logarithmic case;
            None in others, and where none was found.
    """

    name: str
    automaton: Automaton
    blank: str | None
    monoid: Monoid
    classification: Classification
    dealt: tuple[Dealt, ...] = field(repr=False)
    proof: FamilyCertificate = field(repr=False)
    reduction: Reduction | None = field(repr=False)
    landmarks: Landmarks | None = field(repr=False)

    @property
    def read(self) -> Automaton:
        """The automaton of the words that are dealt: with the blank, if there is one."""
        return self.automaton if self.blank is None else with_blank(self.automaton, self.blank)

    @property
    def best(self) -> Dealt:
        """The partition with the strongest bound far out; :class:`~ccsim.errors.InputError` if none was looked at."""
        if not self.dealt:
            raise InputError("longest", 0, "2 or more, as no partition was looked at")
        return self.dealt[0]

    @property
    def recurrent_bits(self) -> int:
        """Bits of state that are enough for a recurrent model at every length: those that number the states."""
        return bits_for(self.automaton.states)

    @cached_property
    def lines(self) -> tuple[FamilyCertificate, FamilyCertificate] | None:
        """How many messages each party needs for every n, with blanks, under AB: its number of different lines, of
        Alice and of Bob. None if an automaton grows too large."""
        blank = self.blank or _unused(self.automaton)  # there are blanks, whether it was given with them or not
        family = dealt(with_blank(self.automaton, blank), "AB")
        try:
            return messages(family), messages(family, "bob-to-alice")
        except (InputError, Refused):
            return None

    @property
    def others(self) -> tuple[OtherModel, ...]:
        """Its class in other models, with blanks, as far as it is proved here."""
        executed = self.classification.deterministic != LOGARITHMIC or self.landmarks is not None
        return other_models(self.classification, self.reduction, self.lines, executed)

    def exact(self, seconds: float | None = None) -> list[tuple[int, int, int]]:
        """The deterministic complexity under the best partition at small lengths: (length, at least, at most)."""
        found = [(length, deterministic(small, seconds=seconds)) for length, small in self._small(MOST_CELLS)]
        return [(length, int(bracket.lower), int(bracket.upper or 0)) for length, bracket in found]

    def ranks(self) -> list[tuple[int, int]]:
        """The rank growth under the best partition at small lengths: (length, the ranks of both answers together).

        So many leaves every protocol has; what grows faster than the certified bound shows how much more there may be.
        """
        return [(length, sum(leaf_rank(small).ranks)) for length, small in self._small(MOST_RANKED)]

    def _small(self, most: int) -> Iterator[tuple[int, TwoPartyFunction]]:
        """The functions under the best partition whose matrices have at most so many cells, and their lengths."""
        family = dealt(self.read, self.best.partition)
        for n in range(1, MOST_LETTERS + 1):
            if len(family.alice) ** n * len(family.bob) ** n > most:
                break
            yield n * len(self.best.partition), family.at(n)

    def excluded(self, *, width: int = 8, heads: int = 1, precision: int = 16) -> Exclusion:
        """At which lengths up to 2^13 no one-layer transformer of this size recognises the language.

        At each length by the partition that is best for it, with as many positions as each party has.
        """
        needs = []
        for one in self.dealt:
            counts = values_of(one.certificate.proofs["lower"][0], FARTHEST // len(one.partition))
            needs.append((one.partition, [bits_for(count) for count in counts]))
        size = {"width": width, "heads": heads, "precision": precision}
        return exclusion(needs, **size, symbols=len(self.read.alphabet), blank=self.blank is not None)


def read_language(given: str, alphabet: Sequence[str] | None = None) -> Automaton:
    """The minimal automaton of a regular expression, or of a JSON file with alphabet, table, outputs and first.

    Expressions are read by :func:`~ccsim.models.automata.from_regular_expression`. What ends in ``.json`` is a file,
    unless the dot is escaped. Raises :class:`~ccsim.errors.InputError` for what cannot be read.

    >>> read_language("(ab)*").alphabet
    ('a', 'b')
    """
    if not isinstance(given, str):
        raise InputError("language", given, "a regular expression, or the name of a JSON file")
    if not given.endswith(".json") or given.endswith("\\.json"):
        return from_regular_expression(given, alphabet)
    if alphabet is not None:
        raise InputError("alphabet", alphabet, "none beside a file, which has its own")
    return _from_file(Path(given))


def _from_file(path: Path) -> Automaton:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict) and (unknown := sorted(data.keys() - KEYS)):
            raise ValueError(f"unknown {', '.join(map(repr, unknown))}")
        made = Automaton.of(data["alphabet"], data["table"], data["outputs"], data.get("first", 0))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError("file", str(path), f"an automaton: alphabet, table, outputs, first ({error})") from error
    least = made.minimise()
    return Automaton.of(least.alphabet, least.table, least.outputs, name=path.stem)


def language(
    automaton: Automaton,
    *,
    name: str = "",
    blank: str | None = None,
    longest: int | None = None,
    rounds: int = 4,
    most: int = MOST_ELEMENTS,
    progress: Callable[[str], None] = lambda said: None,
) -> Language:
    """What is found out about the language of a minimal automaton.

    Args:
        automaton: the automaton, with answers 0 and 1.
        name: what it is called.
        blank: a letter more that may stand anywhere.
        longest: periodic partitions up to this period are looked at; if None, 4, but 3 beyond four letters. If 0, none,
            and no logarithmic protocol is looked for: the class alone takes seconds for 50 states or 64 letters.
        rounds: how hard fooling sets are looked for.
        most: how many elements the monoid may have.
        progress: is told what is being done.

    >>> found = language(read_language("(ab)*"), blank="_", longest=2, rounds=2)
    >>> found.classification.deterministic, found.best.certificate.statements()["upper"]
    ('Theta(n)', '<= 2*n + 1 bits for all n >= 1')
    """
    if automaton.answers != (0, 1):
        raise InputError("automaton", automaton.answers, "the answers 0 and 1")
    if blank == "":
        raise InputError("blank", blank, "a letter")
    if longest is None:
        longest = 4 if len(automaton.alphabet) + (blank is not None) <= FEW_LETTERS else 3
    progress("monoid")
    monoid = transition_monoid(automaton, most)
    classification = classify(monoid)
    answering = automaton
    if automaton.states == 1:  # one answer only, as it always gives the same: then nobody has to say it
        outcome = int(automaton.outputs[0])
        answering = Automaton.of(automaton.alphabet, automaton.table, [0], answers=(outcome,), name=automaton.name)
    proof, reduction = _proof(answering, monoid, classification, blank or _unused(automaton))
    read, found = answering if blank is None else with_blank(answering, blank), []
    for partition in periodic_partitions(longest) if longest else ():
        progress(f"partition {partition}")
        parties = letter_parties(dealt(read, partition))
        if monoid.is_commutative and parties.block_bits:  # to say products is better than to say letters
            parties = commuting_parties(read, transition_monoid(read), partition)
        inside = [reduction.witness] if reduction is not None and blank is not None and partition == "AB" else []
        lower = lower_bound(parties.family, rounds=rounds, more=inside).proofs["lower"][1]
        found.append(Dealt(partition, FamilyCertificate.of(parties.family, lower=lower, upper=parties.witness())))
    found.sort(key=lambda one: (-one.lower(FAR), one.upper(FAR), len(one.partition)))
    logarithmic = classification.deterministic == LOGARITHMIC
    progress("logarithmic protocols")
    landmarks = landmark_protocol(automaton, monoid) if logarithmic and longest else None
    name = name or automaton.name
    return Language(name, automaton, blank, monoid, classification, tuple(found), proof, reduction, landmarks)


def _unused(automaton: Automaton) -> str:
    """A name for a blank that no letter has."""
    names = ("_", *(f"blank{number}" for number in range(len(automaton.alphabet))))
    return next(name for name in names if name not in automaton.alphabet)


def _proof(
    automaton: Automaton, monoid: Monoid, classification: Classification, blank: str
) -> tuple[FamilyCertificate, Reduction | None]:
    """One side of the class, by the monoid: from below where it grows, from above where it does not."""
    if classification.deterministic == LINEAR:
        reduction = linear_reduction(automaton, monoid, blank)
        return FamilyCertificate.of(reduction.family, lower=reduction.witness), reduction
    if classification.deterministic == LOGARITHMIC:
        family, words = logarithmic_set(automaton, monoid, blank)
        return FamilyCertificate.of(family, lower={"kind": "regular-fooling-set", "words": words.to_json()}), None
    read = with_blank(automaton, blank)
    parties = commuting_parties(read, transition_monoid(read), "AB")
    return FamilyCertificate.of(parties.family, upper=parties.witness()), None
