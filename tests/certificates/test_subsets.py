"""gamma_2 on the sets of one size: eigenvalues by numpy, known bits, and spoilt certificates."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from ccsim import InputError
from ccsim.bounds import disjointness_randomised, gamma2
from ccsim.bounds.measures import question_about
from ccsim.bounds.randomised.subsets import bits_of_sets
from ccsim.bounds.steps import randomised
from ccsim.certificates import Certificate
from ccsim.certificates.verify import Refused, verify
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.matrices import Unwritten
from ccsim.certificates.verify.norms import COMMON
from ccsim.certificates.verify.reading import NAMED
from ccsim.problems import disjointness

LONG = disjointness_randomised(16).certificate.to_json()


def proved(name, n, alpha, size, weights):
    witness = {"kind": "subsets", "size": size, "weights": weights}
    return Claim(Unwritten(name, n), "gamma_2", "lower", {"label": 1, "alpha": alpha}).proved(witness)


@pytest.mark.parametrize(("n", "size"), [(2, 1), (4, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
@pytest.mark.parametrize("name", COMMON)
def test_eigenvalues_of_all_sets_of_a_size(name, n, size):
    draw = np.random.default_rng(n * 10 + size)
    sets = [sum(1 << place for place in chosen) for chosen in combinations(range(n), size)]
    common = np.array([[(x & y).bit_count() for y in sets] for x in sets])
    signs = np.array([[2 * NAMED[name](n, x, y) - 1 for y in sets] for x in sets])
    for _ in range(5):
        weights = draw.integers(-9, 10, size + 1).tolist()
        weights[0] = weights[0] or 1
        across = [comb(size, own) * comb(n - size, size - own) for own in range(size + 1)]
        table = np.array([weight / count for weight, count in zip(weights, across, strict=True)])[common]
        product = signs * table
        gain = np.where(product > 0, product, 3 * product).sum() / len(sets)
        expected = gain / np.abs(np.linalg.eigvalsh(table)).max()
        assert float(proved(name, n, "3/1", size, weights)) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "bits"), [(2, 0), (8, 2), (12, 3), (15, 4), (20, 5), (32, 6)])
def test_bits_of_disjointness(n, bits):
    found = disjointness_randomised(n)
    assert (found.lower, found.upper) == (bits, n + 1)
    again = Certificate.from_json(found.certificate.to_json())
    assert again.verify() == found.certificate.verify()


def test_without_error_the_weights_are_large():
    assert all(bits_of_sets(name, 100, "0/1").lower > 30 for name in ("disjointness", "inner-product"))


def test_it_is_at_most_gamma_2_of_the_whole():
    of = bits_of_sets("disjointness", 3, "1/3").lower_witness["of"]
    assert 1 < proved("disjointness", 3, "3/1", of["size"], of["weights"]) <= gamma2(disjointness(3), 3).upper


def test_the_bound_is_told_of_tables_too_large_for_others(monkeypatch):
    monkeypatch.setattr(randomised, "_methods", lambda *_: {})
    *_, (_, found, last) = randomised.randomised_steps(question_about(disjointness(9)))
    assert (found.lower, last) == (2, True)
    assert found.method.startswith("gamma_2 of sets | ")


def spoilt(**changes):
    proof = LONG["proofs"][0]
    of = {**proof["witness"]["of"], **changes}
    return {**LONG, "proofs": [{**proof, "witness": {**proof["witness"], "of": of}}]}


@pytest.mark.parametrize(
    "data",
    [
        {**LONG, "proofs": [{**LONG["proofs"][0], "value": 5}]},
        {**LONG, "matrix": {"function": "disjointness", "n": 14}},
        {**LONG, "matrix": {"function": "greater-than", "n": 16}},
        {**LONG, "matrix": {"function": "inner-product", "n": 16}},
        {**LONG, "matrix": {"labels": [0, 1], "rows": ["11", "10"]}},
        {**LONG, "parameters": {**LONG["parameters"], "error": "2/5"}},
        spoilt(size=5),
        spoilt(size=9, weights=[1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        spoilt(weights=[0] * 7),
        spoilt(weights=[1, 0, 0, 0, 0, 0, 0]),
        spoilt(weights=[-weight for weight in LONG["proofs"][0]["witness"]["of"]["weights"]]),
        spoilt(size=0, weights=[1]),
    ],
)
def test_more_than_is_proved_is_refused(data):
    verify(LONG)
    with pytest.raises(Refused):
        verify(data)


def test_any_weights_prove_no_more_than_the_best():
    draw, best = np.random.default_rng(0), Fraction(0)
    of = bits_of_sets("disjointness", 8, "1/3").lower_witness["of"]
    most = proved("disjointness", 8, "3/1", of["size"], of["weights"])
    for _ in range(100):
        weights = [weight + int(draw.integers(-(1 << 34), 1 << 34)) for weight in of["weights"]]
        best = max(best, proved("disjointness", 8, "3/1", of["size"], weights))
    assert 0 < best <= most * Fraction(100001, 100000)


def test_what_has_no_such_certificate_is_refused():
    for n, error in ((1, "1/3"), ((1 << 12) + 1, "1/3"), (8, "1/2"), (8, "-1/3")):
        with pytest.raises(InputError):
            disjointness_randomised(n, error)
    with pytest.raises(InputError):
        bits_of_sets("equality", 8, "1/3")
