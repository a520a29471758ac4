"""A claim: what a source says, as a formula with its hypotheses, and the function that measures it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ccsim.arguments import require_integer
from ccsim.claims.finding import Finding
from ccsim.claims.values import Value, evaluate
from ccsim.errors import InputError
from ccsim.plots.series import Plot

__all__ = ["Claim", "Constant", "Direction", "Paper", "Parameter", "Place", "Role", "Setting"]

Setting = Mapping[str, int | str]
"""A value for each parameter of a claim."""


class Direction(StrEnum):
    """What a claim says of the measured value."""

    LOWER = "lower bound"
    UPPER = "upper bound"
    EXACT = "exact value"
    CONSTRUCTION = "construction"
    REFUSAL = "refusal"
    OPEN = "open"


class Role(StrEnum):
    """Who says it, and as what: three things that no table mixes."""

    STATEMENT = "statement"
    STEP = "step of a proof"
    RESULT = "result of this project"

    @property
    def meaning(self) -> str:
        """What it stands for, in a few words."""
        return {
            Role.STATEMENT: "what a source states, with its hypotheses",
            Role.STEP: "a line of a source's proof or construction, as printed",
            Role.RESULT: "what this project proves or builds itself, beside the statement that it sharpens",
        }[self]


@dataclass(frozen=True)
class Paper:
    """Where claims are from.

    Attributes:
        name: what the command line calls it, in lower case, such as ``"bhattamishra2024"``.
        citation: authors and year, for people.
    """

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
        found = require_integer(self.name, value, low=self.low)
        if (found - self.low) % self.step:
            raise InputError(self.name, value, f"{self.low} and from there in steps of {self.step}")
        return found


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
    """Where a claim stands in the picture of what kinds of models can do.

    Attributes:
        task: what is to be done, in a few words.
        model: what kind of model does it, or cannot.
        says: how large such a model is, or has to be: ``"N bits of state"``.
        able: whether a small one can; None where that is open.
    """

    task: str
    model: str
    says: str
    able: bool | None


KINDS = {"direction": Direction, "role": Role, "hypotheses": tuple, "tags": tuple, "sizes": tuple}


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """What a source says, with a way to measure it.

    Attributes:
        name: what the command line calls it: lower case, words joined by hyphens.
        paper: where it is from.
        source: theorem, lemma or section.
        statement: one sentence for people.
        direction: how the formula bounds what is measured.
        role: whether a source states it, a source's proof has it as a step, or this project found it.
        sharpens: for a result of this project, the claim that it says more than.
        measure: called with every parameter by keyword, returns a :class:`~ccsim.claims.Finding`.
        formula: the claimed value as a formula (:mod:`ccsim.formulas`) in the parameters' symbols.
            A further symbol ``c`` stands for a constant that the source leaves open: then growth is claimed, and
            ``constant`` declares one. None where nothing is counted, or where the finding brings the value.
        unit: what the values count.
        ours: our own account of the measured value, proved elsewhere, where it differs from the formula; a
            measurement that disagrees with it is our fault.
        ours_exact: whether that account is the exact value, or a bound in the claim's direction.
        constant: the value of ``c``, for a claim about growth.
        improvement: what improves a statement of which more is proved or built here than it says.
        repair: for a step that cannot be right as printed: where it stands, and the reading that repairs it.
        built: how what is built here differs from what the source prints, as ``"modified: ..."``, or ``"ours: ..."``
            where it prints nothing; the verdict says so.
        instances: which objects were executed, where the statement is about all of a kind: ``"two machines"``.
        proved: the theorem of ``proofs/EveryLength.v`` that is the statement, for every N, if Coq has one; a verdict
            that stands says so.
        trivial: a value that needs no theorem; while the formula is not above it, a lower bound is vacuous.
        hypotheses: what the source assumes.
        parameters: what can be set.
        sizes: settings that are measured by default, each in seconds; parameters left out have their default.
        tags: families that it belongs to, such as ``"dyck"``.
        plots: data for plots, if the claim offers any.
        places: where it stands in the picture of what kinds of models can do, if it does.

    >>> from ccsim.claims import Finding
    >>> from ccsim.bounds import deterministic
    >>> from ccsim.problems import equality
    >>> claim = Claim(
    ...     name="equality", paper=Paper("folklore", "Folklore"), source="", statement="Equality costs n + 1 bits.",
    ...     direction=Direction.EXACT, formula="n + 1", parameters=(Parameter("length", "n", 3),),
    ...     measure=lambda length: Finding.of_bracket(deterministic(equality(length))),
    ... )
    >>> from ccsim.claims import check
    >>> claim.claimed({"length": 3}), check(claim, length=2).told
    (4, 'tight')
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
        if len(set(symbols)) < len(symbols):
            raise InputError("symbol", symbols, "another one for each parameter, and c for a declared constant alone")
        if not self.settings({}):
            raise InputError("sizes", self.sizes, "one setting or more; ({},) is that of all defaults")
        if self.sharpens and self.role is not Role.RESULT:
            raise InputError("sharpens", self.sharpens, f"nothing for a {self.role.value}, which is not ours")
        if self.repair and self.role is not Role.STEP:
            raise InputError("repair", self.repair, f"nothing for a {self.role.value}: only a line can be a slip")
        if self.built and not self.built.startswith(("modified: ", "ours: ")):
            raise InputError("built", self.built, "'modified: ...' or 'ours: ...'")
        if self.constant is not None and self.parameter(self.constant.along) is None:
            raise InputError("constant", self.constant.along, f"growth along a parameter of {self.name}")

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

    def symbols(self, setting: Setting) -> dict[str, int | str]:
        """The setting by the symbols of the formulas."""
        return {parameter.symbol: setting[parameter.name] for parameter in self.parameters}

    def claimed(self, setting: Setting) -> Value | None:
        """The claimed value at a setting, with the declared constant; None without a formula.

        Raises :class:`~ccsim.errors.InputError` for a formula with a symbol ``c`` that nothing declares.
        """
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
        declared = {} if self.constant is None else {"c": evaluate(self.constant.value, {})}
        return evaluate(formula, {**self.symbols(setting), **declared})
