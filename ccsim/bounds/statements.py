r"""Each measure as papers write it: its symbol, the theorem that makes it a bound on communication, and the sources.

In LaTeX, for a document with amsmath; sources are keys of :mod:`ccsim.references`. The documentation of the bounds has
the same theorems with examples. :meth:`ccsim.bounds.Bracket.latex` writes a statement, and :func:`booktabs` a table.

The proof of each side of a bracket in words, the argument and its source, is by the kind of its witness. The proofs
themselves are in ``docs/theory.md``, under the name of each kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ccsim.bounds.bracket import Bracket, Side, Witness
from ccsim.certificates.verify.certificates import with_unit
from ccsim.plain_data import Latex, latex, table_text
from ccsim.references import references


class Theorem(NamedTuple):
    """The symbol of a measure (with places for a label v, an error e, a direction, a field, rounds), and what holds."""

    symbol: str
    text: str
    sources: tuple[str, ...]


BOOK = "kushilevitz1997"
TREES = r"""a protocol of $c$ bits partitions the communication matrix into at most $2^c$ rectangles, in each of which
all who must know the answer know it"""
LEAVES = r"the leaves of a protocol with the answer $v$ are disjoint rectangles of $v$-entries, so that "
YAO = r"""the best success of $c$ bits is the least, over distributions of the inputs, of the success of deterministic
protocols (Yao's principle)"""
SHATTERED = r"""one message with public coins needs $(1 - H(\varepsilon))\, \mathrm{VC}(f)$ bits, with the binary
entropy $H$"""
SKEW = r"$R_\varepsilon(f) \geq \log_2 \frac{1 - 2 \varepsilon}{\mathrm{disc}_\mu(f)}$ for every distribution $\mu$"
NORM = r"\log_2 \bigl( (1 - 2 \varepsilon)\, \gamma_2^\alpha(A) \bigr)$ with $\alpha = 1 / (1 - 2 \varepsilon)$"

# fmt: off
THEOREMS = {measure: Theorem(symbol, text, tuple(keys.split())) for measure, symbol, text, keys in (
    ("deterministic", r"D<rounds>(f)", TREES, f"yao1979 {BOOK}"),
    ("blackboard", r"D(f)", r"the inputs that lead to a leaf form a box", BOOK),
    ("leaves", r"L(f)", r"$\lceil \log_2 L(f) \rceil \leq D(f) \leq 2 \log_{3/2} L(f)$", f"{BOOK} karchmer1990"),
    ("one-way", r"D^{<to>}(f)",
     r"for a total function it is $\lceil \log_2 r \rceil$ for $r$ different rows of the sender", BOOK),
    ("one-way-messages", r"m^{<to>}(f)", r"one message needs $\lceil \log_2 m^{<to>}(f) \rceil$ bits", BOOK),
    ("one-way-randomised", r"R^{<to>}_{<e>}(f)", SHATTERED, "kremer1999"),
    ("vc-dimension", r"\mathrm{VC}(f)", SHATTERED, "kremer1999"),
    ("one-way success", r"s^{<to>}(f)", YAO, "yao1977"),
    ("public-coin success", r"s(f)", YAO, "yao1977"),
    ("randomised", r"R^{\mathrm{pub}}_{<e>}(f)", YAO, f"yao1977 {BOOK}"),
    ("rank", r"\mathrm{rk}<field>(A_{<v>})",
     r"$D(f) \geq \lceil \log_2 \mathrm{rk}(A_v) \rceil$ over every field, where $A_v$ is 1 where $f$ is $v$, "
     "and else 0", BOOK),
    ("fooling-set", r"\mathrm{fool}<of>(f)",
     r"each pair of a fooling set needs a leaf of its own, so that $D(f) \geq \lceil \log_2 \mathrm{fool}(f) \rceil$",
     "yao1979 dietzfelbinger1996"),
    ("cover", r"C<of>(f)", LEAVES + r"$D(f) \geq \lceil \log_2 C^v(f) \rceil$", BOOK),
    ("nondeterministic", r"N<of>(f)", LEAVES + r"$D(f) \geq N^v(f)$", BOOK),
    ("partition", r"\chi<of>(f)", LEAVES + r"$D(f) \geq \lceil \log_2 \chi(f) \rceil$", BOOK),
    ("discrepancy", r"\mathrm{disc}_\mu(f)", SKEW, BOOK),
    ("least-discrepancy", r"\mathrm{disc}(f)", SKEW, BOOK),
    ("rectangle-bound", r"\mathrm{rec}<of>_{<e>}(f)", r"$R_\varepsilon(f)$ is at least its logarithm",
     "yao1983 jain2010"),
    ("fractional-cover", r"C^{*<,of>}(f)",
     LEAVES + r"$D(f) \geq \lceil \log_2 C^{*,v}(f) \rceil$ with the fractional cover number $C^{*,v}(f)$", BOOK),
    ("biclique-cover", r"\mathrm{bc}(G)", r"it is at least $\lceil \log_2 n \rceil$ if $G$ has a clique of "
     "$n$ vertices, with equality for a complete graph", "fishburn1996"),
    ("biclique-partition", r"\mathrm{bp}(G)", r"it is at least the number of positive eigenvalues of the adjacency "
     "matrix, and of negative ones", "graham1972"),
    ("matrix-rank", r"\mathrm{rk}(A)", r"$D(f) \geq \lceil \log_2 \mathrm{rk}(A) \rceil$ for a matrix $A$ of numbers",
     BOOK),
    ("partition-bound", r"\mathrm{prt}_{<e>}(f)", r"$R_\varepsilon(f) \geq \log_2 \mathrm{prt}_\varepsilon(f)$",
     "jain2010"),
    ("gamma_2", r"\gamma_2^{<alpha>}(A)", r"$R_\varepsilon(f) \geq 2 " + NORM, "razborov2003 linial2009"),
    ("quantum", r"Q^*_{<e>}(f)", r"$Q^*_\varepsilon(f) \geq " + NORM, "linial2009"),
    ("nonnegative-rank", r"\mathrm{rk}_+(A<label>)",
     r"$D(f) \geq \lceil \log_2 \mathrm{rk}_+(A_v) \rceil$ for the $0/1$ matrix $A_v$ of an answer; for the slack "
     "matrix of a polytope it is the extension complexity", "yannakakis1991 cohen1993"),
    ("sign-rank", r"\mathrm{rk}_\pm(f)",
     r"private coins with an error below $1/2$ need $\log_2 \mathrm{rk}_\pm(f)$ bits, up to two",
     "paturi1986 forster2002"),
    ("approximate-rank", r"\mathrm{rk}_{<e>}(f)",
     r"half of $\log_2 \mathrm{rk}_{2 \varepsilon}(f)$ bounds the qubits for an error of $\varepsilon$ without "
     "entanglement", "linial2009"),
)}
# fmt: on
PLACE = re.compile("<(,?\\w+)>")


UNSET = "v"  # the letter for an answer in theorems


def theorem_of(bracket: Bracket) -> Theorem | None:
    """That of the measure by the name that is printed: the rectangle bound without error has one of its own."""
    return THEOREMS.get(bracket.name.partition(" (")[0])


def symbol(bracket: Bracket, text: str = "") -> Latex:
    """The symbol of a measure, or a text with its places, with the parameters of a bracket."""
    given = bracket.parameters
    label = given.get("label")
    if "code" in given:
        code = given["code"]
        label = code if code is None or bracket.matrix is None else bracket.matrix.labels[code]
    shown = None if label is None else str(label) if str(label).isdecimal() else rf"\text{{{latex(label)}}}"
    places = {
        "v": UNSET if shown is None else shown,
        ",of": "" if shown is None else f",{shown}",
        "of": "" if shown is None else f"^{{{shown}}}",
        "label": "" if shown is None else f"_{{{shown}}}",
        "e": str(given.get("error", r"\varepsilon")),
        "to": r"\leftarrow" if given.get("direction") == "bob-to-alice" else r"\to",
        "field": "" if given.get("field", "rational") == "rational" else rf"_{{\mathrm{{{given['field']}}}}}",
        "rounds": "" if given.get("rounds") is None else f"^{{({given['rounds']})}}",
        "alpha": str(given.get("alpha", r"\alpha")).replace("inf", r"\infty"),
    }
    usual = Theorem(rf"\text{{{latex(bracket.measure)}}}(f)", "", ())
    text = text or (theorem_of(bracket) or usual).symbol
    return Latex(PLACE.sub(lambda found: places[found[1]], text))


def value(bracket: Bracket) -> Latex:
    r"""The value or what it lies between, with its unit: ``$D(f) = 3$ bits``, ``$3 \leq D(f) \leq 4$ bits``."""
    name, low, high = symbol(bracket), bracket.lower, bracket.upper
    if bracket.exact:
        shown = f"{name} = {low}"
    else:
        shown = rf"{name} \geq {low}" if high is None else rf"{low} \leq {name} \leq {high}"
    unit = with_unit(high if high is not None else low, bracket.unit).partition(" ")[2]
    return Latex(f"${shown}$ {latex(unit)}".rstrip())


def sources(brackets: Iterable[Bracket]) -> list[str]:
    """The keys of what to cite, ccsim last."""
    keys = (key for theorem in filter(None, map(theorem_of, brackets)) for key in theorem.sources)
    return [*dict.fromkeys(keys), "ccsim"]


def statement(bracket: Bracket) -> str:
    """See :meth:`ccsim.bounds.Bracket.latex`."""
    about = "a graph $G$" if bracket.measure.startswith("biclique") else "$f$"
    table = bracket.relation or bracket.matrix
    if bracket.function is not None:
        about = rf"$f = \texttt{{{latex(bracket.function[0])}}}$ with $n = {bracket.function[1]}$"
    elif table is not None:
        kind, (rows, columns) = "function" if bracket.relation is None else "relation", table.shape
        about = rf"a {kind} $f$ with a communication matrix $A$ of size ${rows} \times {columns}$"
    conditions = bracket.name.partition(" (")[2][:-1]
    weights = {weight for row in bracket.parameters.get("weights", ()) for weight in row if weight}
    if bracket.measure == "discrepancy" and len(weights) == 1:
        conditions = "for the uniform distribution"
    knows = {"both": "both parties know the answer", None: ""}.get(bracket.parameters.get("answer"), "")
    proved = ("at least", bracket.below), ("at most", bracket.above)
    sides = [f"{name}: {side_in_words(side, bracket.measure)}" for name, side in proved if side.by]
    notes = "; ".join(filter(None, (conditions, knows, *sides)))
    theorem, known = theorem_of(bracket), references()
    lines = [
        f"% {' '.join(f'{bracket.name} {bracket.amount()}'.split())}",
        f"For {about}, {value(bracket)}{f' ({latex(notes)})' if notes else ''}.",
        *([f"Theorem~{_cited(bracket)}: {symbol(bracket, theorem.text)}."] if theorem else []),
        r"Computed with ccsim~\cite{ccsim}.",
        "",
        "% What is cited, for the bibliography:",
        *(f"% {line}" for key in sources([bracket]) for line in known[key].bibtex.splitlines()),
    ]
    return "\n".join(lines)


def booktabs(brackets: Iterable[Bracket]) -> str:
    """See :func:`ccsim.bounds.bracket_table`."""
    every = list(brackets)
    rows = [
        (
            one.name,
            value(one),
            *(side_in_words(side, one.measure, sources=False) for side in (one.below, one.above)),
            _cited(one),
        )
        for one in every
    ]
    table = table_text("latex", ("measure", "value", "at least, by", "at most, by", "theorem"), rows)
    return f"{table}\n% computed with ccsim~\\cite{{ccsim}}; BibTeX entries: ccsim cite {' '.join(sources(every))}"


def _cited(bracket: Bracket) -> Latex:
    keys = ",".join(sources([bracket])[:-1])
    return Latex(rf"\cite{{{keys}}}" if keys else "")


RANKS, MINIMAX = "Mehlhorn and Schmidt 1982", "Yao 1977"

ARGUMENTS = {
    "all-patterns": ("shattered set", ""),
    "all-rectangles": ("program over all rectangles", ""),
    "all-sets": ("all row or column sets", ""),
    "biased-rectangle": ("one rectangle", ""),
    "branch-and-cut": ("branch and cut", "Gomory 1958"),
    "branching": ("all branches of a search", ""),
    "cell-weights": ("weights of entries", ""),
    "cover-weights": ("weights of entries", ""),
    "crown": ("crown and Sperner's theorem", "Bollobás 1965"),
    "diagonals": ("semidefinite matrix", ""),
    "distinct-lines": ("different inputs", ""),
    "elimination": ("elimination", ""),
    "factors": ("factorisation", ""),
    "fooling-orbits": ("symmetric search", ""),
    "fooling-rows": ("all branches of a search", ""),
    "fooling-search": ("all branches of a search", ""),
    "fooling-set": ("fooling set", ""),
    "forster": ("spectral norm", "Forster 2002"),
    "gamma2-dual": ("dual matrix", ""),
    "gamma2-gram": ("Gram matrix", ""),
    "hard-distribution": ("hard distribution", MINIMAX),
    "hard-for-messages": ("hard distribution", MINIMAX),
    "khrapchenko": ("Khrapchenko's theorem", "Khrapchenko 1971"),
    "leaf-rank": ("rank of the leaves", RANKS),
    "lines": ("distinct rows or columns", ""),
    "lrat": ("refutation by SAT", ""),
    "message-classes": ("message classes", ""),
    "minor": ("rank", ""),
    "pivots": ("rank mod p", ""),
    "plane": ("small dimensions excluded", ""),
    "protocol-tree": ("protocol tree", ""),
    "rectangles": ("list of rectangles", ""),
    "rank-search": ("as many as the rank excluded", ""),
    "regular-minor": ("minor regular within the error", "Poljak and Rohn 1993"),
    "shattered": ("shattered set", ""),
    "vc": ("shattered set", "Paturi and Simon 1986"),
    "vc-listing": ("all shattered sets", ""),
    "weighted-rectangles": ("weights of rectangles", ""),
}
"""Of each kind of witness the argument, and who gave it where it is not folklore."""

OF_MEASURES = {
    "discrepancy": ("discrepancy", "Yao 1983"),
    "gamma_2": ("gamma_2 norm", "Linial and Shraibman 2009"),
    "least-discrepancy": ("discrepancy under hard weights", "Yao 1983"),
    "partition-bound": ("partition bound", "Jain and Klauck 2010"),
    "rectangle-bound": ("corruption of rectangles", "Yao 1983"),
    "vc-dimension": ("VC dimension", "Kremer, Nisan and Ron 1999"),
}
"""Likewise of the measures whose logarithm is a bound."""

REASONS = {
    "fooling": ARGUMENTS["fooling-set"],
    "rank": ARGUMENTS["leaf-rank"],
    "splits": ("search of all protocols", ""),
    "three": ("theorem of three bits", ""),
    "four": ("theorem of three bits", ""),
}
"""Why a rectangle has no protocol of so few bits."""

WITHOUT_WITNESS = {
    "": ("nothing known", ""),
    "lines": ARGUMENTS["lines"],
    "naming a line": ("one party sends its input", ""),
    "trivial": ("trivial", ""),
}


FOR = {
    "distribution": ("for one distribution", ""),
    "signs": ("for the signs", ""),
    "support": ("for the support", "Yannakakis 1991"),
}
"""What an argument is about, where that is not the matrix."""


def arguments_of(side: Side, measure: str) -> list[tuple[str, str]]:
    """What proves a side, and its source or nothing; several where each answer has a proof of its own."""
    if side.witness is None or side.value == 0:
        return [WITHOUT_WITNESS.get(side.by if side.value else "trivial" * (side.value == 0), (side.by, ""))]
    return list(dict.fromkeys(_arguments(side.witness, side, measure)))


def _arguments(witness: Witness, side: Side, measure: str) -> list[tuple[str, str]]:
    kind, inner = witness["kind"], witness.get("of")
    found = _arguments(inner, side, measure) if isinstance(inner, dict) else []
    if kind == "parts":
        return [each for part in witness["parts"] if part for each in _arguments(part, side, measure)]
    if kind == "bits-of" and witness["measure"] in OF_MEASURES:
        return [OF_MEASURES[witness["measure"]]]
    if kind == "refutation":
        return [REASONS.get(witness["nodes"][-1][4], (side.by, ""))]
    if kind in ("protocol-mixture", "message-mixture"):
        return [(_mixture(witness), "")]
    if kind in FOR:
        words, source = FOR[kind]
        return [(f"{each} {words}", source) for each, _ in found]
    if kind == "pivots" and measure != "rank":
        return [("rank", RANKS)]
    return found or [ARGUMENTS.get(kind, (side.by, ""))]


def _mixture(witness: dict[str, Any]) -> str:
    several = witness.get("trees") or witness["protocols"]
    return "deterministic tree" if len(several) == 1 else f"{len(several)} protocols mixed"


def side_in_words(side: Side, measure: str, sources: bool = True) -> str:
    """The arguments of a side, with their sources in brackets.

    >>> side_in_words(Side(2, "hard distribution", {"kind": "hard-distribution"}), "randomised")
    'hard distribution (Yao 1977)'
    """
    return " and ".join(
        f"{words} ({source})" if source and sources else words for words, source in arguments_of(side, measure)
    )


def proof_in_words(bracket: Bracket, sources: bool = True, reason: bool = True) -> str:
    """The proofs of both sides: first why it is not less, then why it is not more; and the reason why it is open.

    >>> from ccsim.bounds.measures import deterministic
    >>> proof_in_words(deterministic([[0, 1], [1, 0]]), sources=False)
    'rank of the leaves; protocol tree'
    """
    below = bracket.below if bracket.below.by else Side(bracket.lower, "trivial")
    sides = [side_in_words(side, bracket.measure, sources) for side in (below, bracket.above)]
    why = f"; {bracket.open.value}" if reason and bracket.open and not bracket.exact else ""
    return "; ".join(dict.fromkeys(sides)) + why
