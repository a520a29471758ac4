"""Spoilings of the communication problems, of the facts of the main source, and of what rests on their bounds."""

from dataclasses import replace

from tests.claims.spoilings.changes import moved
from tests.claims.spoilings.spoiling import Spoiling, answers

BOUNDS, CHECKS, PROBLEMS = "ccsim.bounds", "protocols.papers.checks", "ccsim.problems"
CLASSICAL, CHECKER = "protocols.classical", "ccsim.certificates.verify"
COMBINED = "ccsim.certificates.verify.combined"
FACT, SMALL = "bhattamishra2024-fact", {"length": 2}


def another(name):
    """A catalogue that has this problem under every name."""
    return lambda original: lambda _: original(name)


def credulous(original):
    """A checker that believes every claim."""
    return lambda data: [(proof["side"], proof["value"], proof["witness"]["kind"]) for proof in data["proofs"]]


def bounded(name, attribute="deterministic", owner=BOUNDS, setting=None):
    """What is tried on every bound: too high, too low, of another function, and believed without a proof."""
    given = SMALL if setting is None else setting
    other = "greater-than" if name != "greater-than" else "equality"
    return (
        Spoiling("one bit more than is proved", owner, attribute, moved(1, 1), given),
        Spoiling("a lower side that is one too low", owner, attribute, moved(-1, 0), given),
        Spoiling("an upper side that is one too high", owner, attribute, moved(0, 1), given),
        Spoiling("another function", PROBLEMS, "find_problem", another(other), given),
        Spoiling("a checker that believes everything", CHECKER, "verify", credulous, given),
    )


def for_both(original):
    """The cost if both must know, whoever is asked about."""

    def asked(subject, **options):
        return original(subject, **{**options, "answer": "both"})

    return asked


def longer(original):
    """A protocol that sends more inner products for longer strings."""
    return lambda n: original(n, repetitions=2 + n // 32)


def one_string(original):
    """A protocol with one inner product, of half the bits and twice the error."""
    return lambda n: original(n, repetitions=1)


def more(extra):
    """A number and something that grows with the argument."""
    return lambda original: lambda number: original(number) + extra(number)


INNER, PRINTS = f"{CLASSICAL}.inner_product_equality", f"{CLASSICAL}.fingerprint_equality"

PUBLIC = (
    Spoiling("one inner product only", CLASSICAL, "inner_product_equality", one_string),
    Spoiling("a cost that grows with n", CLASSICAL, "inner_product_equality", longer),
    Spoiling("products that are all 0", INNER, "inner_products", answers(lambda found: found * 0), {"length": 8}),
    Spoiling("one string twice", INNER, "strings_of", answers(lambda found: [found[0]] * 2), {"length": 8}),
)
PRIVATE = (
    Spoiling("a residue written in n/16 bits more", PRINTS, "width_of", more(lambda number: number // 64)),
    Spoiling("half as many primes", PRINTS, "first_primes", lambda original: lambda n: original(max(1, n // 2))),
    Spoiling("twice as many primes", PRINTS, "first_primes", lambda original: lambda n: original(2 * n)),
    Spoiling("numbers that are no primes", PRINTS, "first_primes", lambda _: lambda n: list(range(2, n + 2))),
)
BY_NAME, SHORT = "ccsim.bounds.one_message.index_bound", {"length": 13}
ENTROPY = (
    Spoiling("one bit more than is proved", BY_NAME, "index_randomised", moved(1, 0), SHORT),
    Spoiling("one bit less than is proved", BY_NAME, "index_randomised", moved(-1, 0), SHORT),
    Spoiling("another function", PROBLEMS, "find_problem", another("equality"), SHORT),
    Spoiling("a checker that believes everything", CHECKER, "verify", credulous, SHORT),
    Spoiling("a bit more for every power", COMBINED, "bits_for_power", answers(lambda bits: bits + 3), SHORT),
)
FOOLING = (
    Spoiling("one bit less", BOUNDS, "deterministic", moved(-1, -1), SMALL),
    Spoiling("only who must know it less", BOUNDS, "deterministic", for_both, SMALL),
    Spoiling(
        "a fooling set with a cell too many",
        "ccsim.bounds.fooling.largest",
        "maximum_fooling_set",
        answers(lambda found: replace(found, cells=(*found.cells, (0, 0)), upper=found.upper + 1)),
        SMALL,
    ),
)
ONE_WAY = bounded("index", "one_way_bits", CHECKS)

SPOILINGS = {
    **{
        f"communication-{name}": bounded(name) for name in ("equality", "disjointness", "greater-than", "inner-product")
    },
    "communication-equality-public-coins": PUBLIC,
    "communication-equality-private-coins": PRIVATE,
    "communication-index-one-way": ONE_WAY,
    "communication-index-two-way": bounded("index"),
    "communication-set-intersection-size-from-below": bounded("set-intersection-size"),
    "communication-set-intersection-size-from-above": bounded("set-intersection-size"),
    f"{FACT}-1": (*bounded("intersection"), Spoiling("both must know", BOUNDS, "deterministic", for_both, SMALL)),
    f"{FACT}-2": (*bounded("equality"), Spoiling("both must know", BOUNDS, "deterministic", for_both, SMALL)),
    f"{FACT}-3": ONE_WAY,
    f"{FACT}-3-randomised": ENTROPY,
    f"{FACT}-3-both-speak": (*bounded("index"), Spoiling("both must know", BOUNDS, "deterministic", for_both, SMALL)),
    f"{FACT}-4": FOOLING,
}
