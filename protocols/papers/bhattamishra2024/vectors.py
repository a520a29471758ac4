"""Nearly orthogonal vectors (section B.3): how many signs are printed and found."""

from __future__ import annotations

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.bhattamishra2024.findings import derandomised
from protocols.papers.bhattamishra2024.findings import vectors as findings
from protocols.papers.bhattamishra2024.paper import claim, step

__all__ = ["CLAIMS"]

MARGIN = Parameter("inverse", "r", 4, "1/g, for the margin g", low=2)

SETS = Parameter(
    "vectors", "vectors", "basis", "which vectors are mapped", choices=("basis", "codes", "sphere", "every")
)

PROOF = "docs/proofs/nearly_orthogonal.md"

WITHOUT_CHANCE = "docs/proofs/derandomised_vectors.md"

SEED = "vectors of seed 0; every pair looked at"

LEMMAS: tuple[Claim, ...] = (
    claim(
        "Lemma 2",
        "N vectors of O(log N / g^2) signs exist, no two with a product above g of their length.",
        Direction.UPPER,
        formula="c*r**2*log(N, 2)",
        constant=Constant("3", f"(2/g^2) ln(N(N-1)/2) + 1 signs are enough, by Hoeffding ({PROOF})"),
        ours="floor(2*r**2*log(N*(N - 1)/2)) + 1",
        ours_exact=False,
        unit="signs",
        lengths=(512,),
        low=6,
        meaning="vectors",
        more=(MARGIN,),
        measure=findings.growth,
        tags=("vectors",),
        hypotheses=(SEED,),
    ),
    step(
        "Lemma 2: dimension",
        "The union bound 2 N^2 exp(-k g^2/4) is at most 1/2 from k = (8/g^2) ln 2N on, so that half of all draws are "
        "within g from both sides.",
        Direction.EXACT,
        formula="floor(8*r**2*log(2*N)) + 1",
        unit="signs",
        lengths=(16, 256),
        low=3,
        meaning="vectors",
        more=(MARGIN,),
        measure=findings.dimension,
        tags=("vectors",),
        hypotheses=("of so many signs, the seeds 0 to 7 are drawn", SEED),
    ),
    step(
        "Lemma 2: tail",
        "The sum of k random signs is at least gk in magnitude with probability at most 2 exp(-k g^2/4).",
        Direction.UPPER,
        formula="2*exp(-Rational(1, 4)*k/r**2)",
        ours="2*exp(-Rational(1, 2)*k/r**2)",
        ours_exact=False,
        more=(Parameter("signs", "k", 16, "signs"), MARGIN),
        sizes=({"signs": 16}, {"signs": 64}, {"signs": 256}),
        measure=findings.tail,
        tags=("vectors",),
        hypotheses=("all sequences of signs are counted; our account is the better exponent of Hoeffding 1963",),
    ),
    claim(
        "Lemma 3",
        "Some map to O(log N / g^2) signs for each direction keeps all products of N unit vectors to within g.",
        Direction.UPPER,
        formula="c*r**2*log(N, 2)",
        constant=Constant("13", f"6 r^2 ln(2N(N+1)) + 1 signs are enough ({PROOF})"),
        unit="signs",
        instances="the vectors that are named",
        lengths=(256,),
        low=8,
        meaning="vectors",
        more=(SETS, MARGIN),
        sizes=({"vectors": "basis"}, {"vectors": "codes"}, {"vectors": "sphere"}, {"vectors": "every"}),
        measure=findings.linear_map,
        tags=("vectors",),
        hypotheses=(
            "vectors of the standard basis, as B.3 uses it; binary codes of N numbers; N whole points of a sphere in "
            "32 dimensions; or every unit vector of L(N) dimensions at once, by positive semidefinite matrices",
            SEED,
        ),
    ),
    claim(
        "Corollary 8.1",
        "N vectors of O(log N) signs exist whose products are 1 with themselves and at most 1/4 with others.",
        Direction.UPPER,
        formula="c*log(N, 2)",
        constant=Constant("48", f"32 ln(N(N-1)/2) + 1 signs are enough, by Hoeffding ({PROOF})"),
        ours="floor(32*log(N*(N - 1)/2)) + 1",
        ours_exact=False,
        unit="signs",
        lengths=(256,),
        low=6,
        meaning="vectors",
        measure=findings.corollary,
        tags=("vectors",),
        hypotheses=(SEED,),
    ),
)

IN_LOGARITHMIC_SPACE = claim(
    "Corollary 8.1: in logarithmic space",
    "Vectors of O(log N) signs, each of which can be made by itself, are as near to orthogonal (section B.3).",
    Direction.UPPER,
    formula="c*e",
    constant=Constant("550", f"8 points for each digit, 68 m + 1 signs for m bits of it ({WITHOUT_CHANCE})", "bits"),
    unit="signs",
    more=(Parameter("bits", "e", 256, "log N for N vectors", low=4),),
    measure=derandomised.in_logarithmic_space,
    tags=("vectors",),
    hypotheses=(
        "measured are signs; that a vector takes logarithmic space and polynomial time is seen from how it is made",
        "a code of small bias in the place of the derandomised lemma that is cited, which is not in the text",
        "all pairs up to 256 vectors, all differences up to 2^16, beyond them by the distance of the code",
    ),
)

CLAIMS: tuple[Claim, ...] = (*LEMMAS, IN_LOGARITHMIC_SPACE)
