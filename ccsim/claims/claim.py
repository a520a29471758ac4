"""A claim: what a source states, as a formula with its hypotheses, the function that measures it, and what that finds.

Other packages add claims by an entry point in the group ``ccsim.claims`` that names a sequence of
:class:`~ccsim.claims.Claim`. Every registered protocol is a claim too.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from ccsim import bounds, certificates, engine, lazy, registry
from ccsim.certified import certify_protocol
from ccsim.engine.party import ProtocolBase
from ccsim.errors import InputError, require_integer
from ccsim.families.family import FamilyCertificate
from ccsim.formulas import exact_value
from ccsim.lazy import Renamed
from ccsim.plain_data import meant
from ccsim.plots.curves import Plot
from ccsim.registry import ProtocolEntry, registered

sympy = lazy.load("sympy")


MOST_BITS = 14_000  # of an integer that is written out

Value = Any
"""An int, a Fraction, or a real number that sympy knows exactly, such as ``3*log(3)/log(2)``."""


def evaluate(formula: str, values: Mapping[str, Any]) -> Value:
    """The exact value of a formula of :mod:`ccsim.formulas`, texts left out; finite and real, or an error."""
    return exact_value(formula, {name: value for name, value in values.items() if not isinstance(value, str)})


def compare(first: Value, second: Value) -> int:
    """-1, 0 or 1 as the first value is less than, equal to, or more than the second; never by floating point."""
    if isinstance(first, (int, Fraction)) and isinstance(second, (int, Fraction)):
        return (first > second) - (first < second)
    difference = sympy.sympify(first, strict=True) - sympy.sympify(second, strict=True)
    near = difference.evalf(60)  # with errors accounted for
    if abs(near) > sympy.Rational(1, 10**40):
        return 1 if near > 0 else -1
    if difference.equals(0):
        return 0
    return 1 if bool(difference > 0) else -1


def number(value: Value) -> int | float | None:
    """A value as JSON knows it: an integer if it is one, else the nearest floating-point number."""
    if value is None or isinstance(value, int):
        return written(value)
    return written(int(value)) if value == int(value) else float(value)


def written(count: int | None) -> int | None:
    """An integer, or None if it has more digits than Python reads and writes as text (4300)."""
    return None if count is None or abs(count) >= 1 << MOST_BITS else count


def short_text(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else f"≈2^{value.bit_length() - 1}"
    exact = str(value)
    return exact if isinstance(value, Fraction) and len(exact) <= 7 else f"≈{float(value):.3g}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Finding:
    """What was measured at one setting of a claim.

    Attributes:
        measured: the value, in the claim's unit; not given with a bracket.
        bracket: proved: its lower side is measured for a lower bound, its upper side for an upper bound, else both.
        claimed, formula: the claimed value and how it came about, for a claim without a formula of its own.
        source: where the claim is from, for a claim whose source does not state it.
        exact: whether the value is the true one, and not from a sample nor one side of an open bracket.
        checked, of: how many cases (inputs, words, draws) were checked, of how many.
        violations: whatever contradicts what must hold: counterexamples, broken rules. Any makes it broken.
        certificate: proves the value; the bracket's, if there is a bracket with a witness.
        every_length: proves a bound for every length at once, of which the value is one.
        achieved: a value that something which was run on every case attains, within every hypothesis of the statement,
            where that is less than a lower bound states: it refutes the bound.
        calculated: whether the value is a formula's, although parts of it were executed; it always is where no case was
            gone through and no certificate proves it. Such a value is not measured.
        outside: which hypothesis of the statement does not hold here, if one does not: it then does not apply.
        series: for a claim about growth, each size with the value that was measured there.
        refusal: the message with which our code refused, where it must refuse.
        bites_from: from which length on a lower bound is not trivial; found from the formula if not given.
        protocol, tree: to show, as a run and as rectangles in a matrix; the bracket's tree, if it has one.
        facts, note: further figures by name, and a sentence, for people.
    """

    measured: Value | None = None
    bracket: bounds.Bracket | None = None
    claimed: Value | None = None
    formula: str | None = None
    source: str = ""
    exact: bool = True
    checked: int = 0
    of: int | None = None
    violations: Sequence[str] = ()
    certificate: certificates.Certificate | None = None
    every_length: FamilyCertificate | None = None
    achieved: Value | None = None
    calculated: bool = False
    outside: str = ""
    series: tuple[tuple[int, Value], ...] = ()
    refusal: str | None = None
    bites_from: int | None = None
    protocol: ProtocolBase | None = None
    tree: engine.ProtocolTree | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        if self.measured is not None and self.bracket is not None:
            raise InputError("measured", self.measured, "nothing beside a bracket")
        if self.series and (self.measured, self.bracket) != (None, None):
            raise InputError("measured", self.measured, "nothing beside a series, whose last value it is")

    def also(self, violations: Iterable[str] = (), facts: Mapping[str, Any] | None = None, **changes: Any) -> Finding:
        """This finding with further violations and facts, and some attributes changed."""
        every, figures = [*self.violations, *violations], {**self.facts, **(facts or {})}
        return replace(self, violations=every, facts=figures, **changes)

    @classmethod
    def of_bracket(cls, bracket: bounds.Bracket, **more: Any) -> Finding:
        """A proved bracket, as ``ccsim.bounds`` gives it, with its certificate; all cells were gone through."""
        rows, columns = bracket.matrix.shape if bracket.matrix is not None else (0, 0)
        proved = bracket.matrix is not None and (bracket.lower_witness or bracket.upper_witness)
        values = {
            "bracket": bracket,
            "exact": bracket.exact,
            "checked": rows * columns,
            "of": rows * columns,
            "certificate": bracket.certificate if proved else None,
            "facts": {"method": bracket.method, **more.pop("facts", {})},
        }
        return cls(**{**values, **more})

    @classmethod
    def of_exploration(cls, explored: engine.Exploration, **more: Any) -> Finding:
        """The worst-case bits of a protocol on all its inputs, with whatever rules or answers were wrong."""
        values = {
            "measured": explored.worst_bits,
            "checked": explored.pairs,
            "of": explored.pairs,
            "violations": [*map(str, explored.violations)],
            "protocol": explored.protocol,
            "tree": explored.tree,
        }
        names = {"average": "average_bits", "rounds": "worst_rounds", "leaves": "leaves"}
        facts = {name: getattr(explored, attribute) for name, attribute in names.items()}
        more["facts"] = {"protocol": explored.protocol.name, **facts, **more.pop("facts", {})}
        return cls(**{**values, **more})

    @classmethod
    def of_refusal(cls, attempt: Callable[[], Any], citing: str, **more: Any) -> Finding:
        """What happens on an attempt that must be refused with an :class:`~ccsim.errors.InputError` that cites why."""
        try:
            attempt()
        except InputError as error:
            text = str(error)
            fault = f"refused without citing {citing}: {text}"
            return cls(refusal=text, **more) if citing in text else cls(violations=(fault,), **more)
        return cls(violations=("not refused",), **more)


Setting = Mapping[str, int | str]
"""A value for each parameter of a claim."""


class Direction(StrEnum):
    """What a claim states of the measured value."""

    LOWER = "lower bound"
    UPPER = "upper bound"
    EXACT = "exact value"
    CONSTRUCTION = "construction"
    REFUSAL = "refusal"
    OPEN = "open"


class Role(StrEnum):
    """Whose statement it is, and of what kind: three things that no table mixes."""

    STATEMENT = "statement"  # of a source, with its hypotheses
    STEP = "step of a proof"  # or of a construction, as a source prints it
    RESULT = "result of this project"  # beside the statement that it sharpens


@dataclass(frozen=True)
class Paper:
    """Where claims are from: a ``name`` for the command line, in lower case, and authors and year, the ``citation``."""

    name: str
    citation: str


@dataclass(frozen=True)
class Parameter:
    """A parameter of a claim.

    Attributes:
        name: a word, such as ``"length"`` (of the input: what ``--length`` sets), ``"width"``, ``"precision"``.
        symbol: how the formulas write it, such as ``"N"``.
        default: its value where none is given; text where the parameter chooses among ``choices``.
        meaning: what it is, in a few words with its unit.
        low, step: integers from ``low`` on in steps of ``step`` are accepted.
        choices: the texts that are accepted.
    """

    name: str
    symbol: str
    default: int | str
    meaning: str = ""
    low: int = 1
    step: int = 1
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.step < 1:
            raise InputError("step", self.step, "1 or more")

    def check(self, value: object) -> int | str:
        """The value, or an :class:`~ccsim.errors.InputError` that names the parameter."""
        if isinstance(self.default, str):
            if not isinstance(value, str) or (self.choices and value not in self.choices):
                raise InputError(self.name, value, f"one of {', '.join(self.choices)}" if self.choices else "a text")
            return value
        checked = require_integer(self.name, value, low=self.low)
        if (checked - self.low) % self.step:
            raise InputError(self.name, value, f"{self.low} and from there in steps of {self.step}")
        return checked


@dataclass(frozen=True)
class Constant:
    """The constant ``c`` of a claim about growth, declared before anything is measured.

    Attributes:
        value: a positive number, as a formula.
        why: whose it is: the source's, or ours with the place of its proof.
        along: the parameter that grows.
        short: why the growth is not looked at over five sizes and a factor of 64, where it is not.
    """

    value: str
    why: str
    along: str = "length"
    short: str = ""


@dataclass(frozen=True)
class Place:
    """The place of a claim in the picture of what kinds of models can do.

    Attributes:
        task: what is to be done, in a few words.
        model: what kind of model does it, or cannot.
        size: how large such a model is, or has to be: ``"N bits of state"``.
        able: whether a small one can; None where that is open.
    """

    task: str
    model: str
    size: str
    able: bool | None
    says = Renamed("size")


KINDS = {"direction": Direction, "role": Role, "hypotheses": tuple, "tags": tuple, "sizes": tuple}


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """What a source states, with a way to measure it; :class:`Source` makes claims of functions.

    Attributes:
        name: what the command line calls it: lower case, words joined by hyphens.
        paper, source: where it is from: the paper; theorem, lemma or section.
        statement: one sentence for people.
        direction: how the formula bounds what is measured.
        role: whether a source states it, a source's proof has it as a step, or this project found it.
        sharpens: for a result of this project, the claim that it sharpens.
        measure: called with every parameter by keyword, returns a :class:`~ccsim.claims.Finding`.
        formula: the claimed value as a formula (:mod:`ccsim.formulas`) in the parameters' symbols. A further symbol
            ``c`` represents a constant that the source leaves open: then growth is claimed, and ``constant`` declares
            one. None where nothing is counted, or where the finding brings the value.
        unit: what the values count.
        ours, ours_exact: our own account of the measured value, proved elsewhere, where it differs from the formula;
            whether it is the exact value, or a bound. A measurement that disagrees with it is our fault.
        constant: the value of ``c``, for a claim about growth.
        improvement: what improves a statement of which more is proved or built here than it states.
        repair: for a step that is wrong as printed: its place, and its correction.
        built: how what is built here differs from what the source prints, as ``"modified: ..."``, or ``"ours: ..."``
            where it prints nothing; the verdict states so.
        instances: which objects were executed, where the statement is about all of a kind: ``"two machines"``.
        proved: the theorem of ``proofs/EveryLength.v`` that is the statement, for every N, if Coq has one.
        trivial: a value that needs no theorem; while the formula is not above it, a lower bound is vacuous.
        hypotheses: what the source assumes.
        parameters: what can be set.
        sizes: settings that are measured by default, each in seconds; parameters left out have their default.
        tags: families that it belongs to, such as ``"dyck"``.
        plots: data for plots, if the claim offers any.
        places: its places in the picture of what kinds of models can do, if any.
    """

    name: str
    paper: Paper
    source: str
    statement: str
    direction: Direction
    measure: Callable[..., Finding] = field(repr=False)
    role: Role = Role.STATEMENT
    sharpens: str = ""
    formula: str | None = None
    unit: str = "bits"
    ours: str | None = None
    ours_exact: bool = True
    constant: Constant | None = None
    improvement: str = ""
    repair: str = ""
    built: str = ""
    instances: str = ""
    proved: str = ""
    trivial: str | None = None
    hypotheses: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    sizes: tuple[Setting, ...] = ({},)
    tags: tuple[str, ...] = ()
    plots: Callable[[], tuple[Plot, ...]] | None = field(default=None, repr=False)
    places: tuple[Place, ...] = ()

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.name):
            raise InputError("name", self.name, "words in lower case joined by hyphens")
        for argument, kind in KINDS.items():
            if not isinstance(given := getattr(self, argument), kind):  # a text alone would be taken for its letters
                raise InputError(argument, given, f"a {kind.__name__}")
        symbols = [parameter.symbol for parameter in self.parameters] + ["c"] * (self.constant is not None)
        along = self.constant and self.constant.along
        of_a, origins = f"nothing for a {self.role.value}", ("modified: ", "ours: ")
        for wrong, argument, given, expected in (
            (len(set(symbols)) < len(symbols), "symbol", symbols, "another one for each parameter; c for a constant"),
            (not self.settings({}), "sizes", self.sizes, "one setting or more; ({},) is that of all defaults"),
            (self.role is not Role.RESULT, "sharpens", self.sharpens, f"{of_a}, which is not ours"),
            (self.role is not Role.STEP, "repair", self.repair, f"{of_a}: only a line can be a slip"),
            (not self.built.startswith(origins), "built", self.built, "'modified: ...' or 'ours: ...'"),
            (along and not self.parameter(along), "constant", along, f"growth along a parameter of {self.name}"),
        ):
            if wrong and (given or argument == "sizes"):
                raise InputError(argument, given, expected)

    @property
    def families(self) -> tuple[str, ...]:
        """Every name by which the claim is found besides its own."""
        return (self.paper.name, *self.tags)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name, if the claim has it."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    def setting(self, given: Setting) -> Setting:
        """A full setting: what is given, checked, and defaults for the rest."""
        unknown = sorted(set(given) - {parameter.name for parameter in self.parameters})
        if unknown:
            names = ", ".join(parameter.name for parameter in self.parameters) or "no parameters"
            raise InputError(unknown[0], given[unknown[0]], f"for {self.name}: {names}")
        return {
            parameter.name: parameter.check(given.get(parameter.name, parameter.default))
            for parameter in self.parameters
        }

    def settings(self, given: Setting | None = None) -> tuple[Setting, ...]:
        """The default settings, each with what is given put in its place, none twice."""
        made = [self.setting({**size, **(given or {})}) for size in self.sizes]
        return tuple(setting for place, setting in enumerate(made) if setting not in made[:place])

    def claimed(self, setting: Setting) -> Value | None:
        """The claimed value at a setting; None without a formula, an error for an undeclared ``c``."""
        return self._value(self.formula, setting)

    def own_value(self, setting: Setting) -> Value | None:
        """The value by our own account, if there is one."""
        return self._value(self.ours, setting)

    def trivial_value(self, setting: Setting) -> Value | None:
        """The value that needs no theorem, if one is known."""
        return self._value(self.trivial, setting)

    def _value(self, formula: str | None, setting: Setting) -> Value | None:
        if formula is None:
            return None
        symbols = {parameter.symbol: setting[parameter.name] for parameter in self.parameters}
        declared = {} if self.constant is None else {"c": evaluate(self.constant.value, {})}
        return evaluate(formula, {**symbols, **declared})


Measure = Callable[..., Finding]


def param(symbol: str, default: int | str, meaning: str = "", **more: Any) -> Any:
    """The default of an argument of a claim's function: a :class:`~ccsim.claims.Parameter` of the argument's name.

    ``symbol`` is how formulas write it, ``meaning`` a few words with its unit; ``more`` are ``low``, ``step`` and
    ``choices``.
    """
    return Parameter("", symbol, default, meaning, **more)


class Source:
    """A paper, and the claims on it in the order in which they are declared: ``claims``.

    ``role`` is theirs if no other is given; a result has the place of its proof as its source, others have the
    paper's citation before it.

    >>> from ccsim import bounds, claims, problems
    >>> source = Source(Paper("folklore", "Folklore"))
    >>> @source.claim("Lemma 1", direction=Direction.EXACT, formula="n + 1")
    ... def equality(length: int = param("n", 3, "bits of each string")) -> Finding:
    ...     '''Equality costs n + 1 bits.'''
    ...     return Finding.of_bracket(bounds.deterministic(problems.equality(length)))
    >>> [(claim.name, claims.check(claim, length=2).description) for claim in source.claims]
    [('folklore-lemma-1', 'tight')]
    """

    def __init__(self, paper: Paper, role: Role = Role.STATEMENT) -> None:
        if not isinstance(paper, Paper):
            raise InputError("paper", paper, 'a paper, such as Paper("knuth1968", "Knuth 1968")')
        self.paper, self.role = paper, role
        self.claims: list[Claim] = []

    def claim(self, place: str, *, direction: Direction, name: str = "", **rest: Any) -> Callable[[Measure], Measure]:
        """Declare the decorated function as a claim, and leave the function as it is.

        The first paragraph of its docstring is the statement; how it is measured may follow.

        Args:
            place: its place in the paper, such as ``"Theorem 4"``.
            direction: how the formula bounds what is measured.
            name: what the command line calls it, behind the name of the paper; its place if not given.
            rest: what else a :class:`~ccsim.claims.Claim` has; a ``source`` replaces citation and ``place``.

        Raises :class:`~ccsim.errors.InputError` for a function without a statement, or arguments without :func:`param`.
        """
        role = rest.pop("role", self.role)
        words = re.sub(r"[^a-z0-9]+", "-", (name or place).lower()).strip("-")
        source = place if role is Role.RESULT else f"{self.paper.citation}, {place}".removesuffix(", ")

        def declare(measure: Measure) -> Measure:
            if not inspect.isroutine(measure):
                raise InputError("measure", measure, "a function, whose docstring is the statement")
            statement = " ".join(inspect.cleandoc(measure.__doc__ or "").partition("\n\n")[0].split())
            if not statement:
                raise InputError(measure.__name__, measure.__doc__, "a docstring that states the claim")
            self.claims.append(
                Claim(
                    name=f"{self.paper.name}-{words}",
                    paper=self.paper,
                    statement=statement,
                    direction=direction,
                    role=role,
                    parameters=tuple(map(_parameter, inspect.signature(measure).parameters.values())),
                    measure=measure,
                    **{"source": source, **rest},
                )
            )
            return measure

        return declare


def _parameter(argument: inspect.Parameter) -> Parameter:
    if not isinstance(argument.default, Parameter):
        expected = 'a parameter as its default, such as param("n", 4, "bits of each string")'
        given = "nothing" if argument.default is argument.empty else argument.default
        raise InputError(argument.name, given, expected)
    return replace(argument.default, name=argument.name)


GROUP = "ccsim.claims"


def registered_claims() -> dict[str, Claim]:
    """Every claim by name: protocols first, then each paper's claims in its own order."""
    protocols = sorted(registry.registered_protocols().values(), key=lambda entry: (entry.problem, entry.name))
    known = {entry.name: claim_of(entry) for entry in protocols}
    return known | {claim.name: claim for _, claim in registered(GROUP, Claim, known)}


def find_papers() -> dict[str, Paper]:
    """Every paper that has a claim, by name."""
    return {claim.paper.name: claim.paper for claim in registered_claims().values()}


def find_claims(names: list[str], paper: str | None = None) -> list[Claim]:
    """The claims of these names and families, all if none is named; of one paper, if one is; an error for others."""
    known = registered_claims()
    chosen = {claim for name in names for claim in claims_of(name, known)} if names else set(known.values())
    if paper is not None:
        papers = {claim.paper.name for claim in known.values()}
        matching = {name for name in papers if paper.lower() in name}
        if not matching:
            raise InputError("--paper", paper, f"a part of one of {', '.join(sorted(papers))}")
        chosen = {claim for claim in chosen if claim.paper.name in matching}
    return [claim for claim in known.values() if claim in chosen]


def claims_of(name: str, known: dict[str, Claim]) -> list[Claim]:
    """The claim of this name, or the claims of this family."""
    if name in known:
        return [known[name]]
    family = [claim for claim in known.values() if name in claim.families]
    if not family:
        names = {*known, *(family for claim in known.values() for family in claim.families)}
        raise InputError("claim", name, f"a claim or a family that `ccsim list claims` shows{meant(name, names)}")
    return family


CLASSICAL = Paper("classical", "Classical protocols")


def claim_of(entry: ProtocolEntry) -> Claim:
    """The claim that a protocol computes its function at every size, at the cost that it states."""

    def measure(length: int, samples: int, seed: int) -> Finding:
        protocol = entry.build(length)
        certified = certify_protocol(protocol, n=length, samples=samples, seed=seed)
        coins = protocol.public.size if protocol.public else 1
        names = ("protocol", "function", "average", "error", "claimed_error", "outcomes")
        return Finding(
            measured=certified.measured,
            claimed=certified.claimed,
            formula=certified.formula,
            source=certified.source,
            exact=certified.exact,
            checked=certified.checked * certified.outcomes,
            of=certified.checked * coins,
            violations=(certified.reason,) if certified.verdict == "broken" else (),
            protocol=protocol,
            facts={name: getattr(certified, name) for name in names},
        )

    return Claim(
        name=entry.name,
        paper=Paper(entry.package, f"Protocols of {entry.package}") if entry.package else CLASSICAL,
        source="",
        statement=entry.summary,
        direction=Direction.UPPER,
        measure=measure,
        parameters=(
            Parameter("length", "n", entry.sizes[0], "size of the problem", low=0),
            Parameter("samples", "samples", 256, "draws of public coins that are too many to enumerate"),
            Parameter("seed", "seed", 0, "of those draws", low=0),
        ),
        sizes=tuple({"length": size} for size in entry.sizes),
        tags=(entry.problem,),
    )
