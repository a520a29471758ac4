"""Newman's conversion of public to private coins."""

from dataclasses import replace
from fractions import Fraction

import pytest

from ccsim import AnswerEach, Bits, Coins, Cost, Protocol, Receive, Send, one_way
from ccsim.engine import array_party
from ccsim.errors import InputError
from ccsim.problems import equality
from protocols.classical import forehead_equality, inner_product_equality, newman, trivial
from protocols.classical.fingerprints import strings_of
from protocols.classical.public_coins import announcing

QUARTER = Fraction(1, 4)


def by_generators(n, repetitions):
    """The same protocol, with parties that are generators."""

    def fingerprint(string, public):
        return Bits([(string.to_unsigned() & shared).bit_count() & 1 for shared in strings_of(public, n, repetitions)])

    def alice(x, public):
        yield Send(fingerprint(x, public))
        return (yield Receive())[0]

    def bob(y, public):
        same = (yield Receive()) == fingerprint(y, public)
        yield Send(Bits([same]))
        return int(same)

    return replace(inner_product_equality(n, repetitions), parties={"alice": alice, "bob": bob})


@pytest.mark.parametrize(("build", "n"), [(inner_product_equality, 4), (by_generators, 2)])
def test_error_and_cost(build, n):
    public = build(n, 2)
    private = newman(public, QUARTER)
    measured = private.measure_error()
    assert private.public is None
    assert measured.exact
    assert not measured.violations
    assert measured.worst_error <= private.error == Fraction(1, 2)
    choices = private.cost.parameters["choices"]
    assert measured.worst_bits == private.cost.bits == public.cost.bits + (choices - 1).bit_length()
    assert private.cost.exact


@pytest.mark.parametrize("build", [inner_product_equality, by_generators])
def test_the_error_is_the_mean_over_the_outcomes(build):
    private = announcing(build(2, 1), [1, 2, 3], goal=Fraction(5, 6))
    for difference in (1, 2, 3):  # one of three inner products says nothing of two strings that differ
        assert sum((difference & outcome).bit_count() % 2 == 0 for outcome in (1, 2, 3)) == 1
    assert private.measure_error().worst_error == Fraction(1, 3)


@pytest.mark.slow
def test_less_extra_error_takes_more_outcomes():
    sizes = [
        newman(inner_product_equality(4, 2), Fraction(1, share)).cost.parameters["choices"] for share in (2, 8, 16)
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_private_coins_are_kept():
    """Alice's own coin says whether she sends an inner product at all; if not, the answer is 'equal'."""

    def alice(x, public, private):
        product = (x.to_unsigned() & public).bit_count() & 1
        yield Send(Bits([private, product & private]), "coin, product")

    def bob(y, public):
        coin, product = yield Receive(width=2)
        return int(not coin or product == (y.to_unsigned() & public).bit_count() & 1)

    public = Protocol(
        "half-hearted",
        equality(2),
        {"alice": alice, "bob": bob},
        model=one_way(),
        answer="bob",
        cost=Cost("2", {}),
        error=Fraction(3, 4),
        public=Coins.bits(2),
        private={"alice": Coins(2)},
    )
    assert public.measure_error().worst_error == Fraction(3, 4)
    private = announcing(public, [0, 1, 2, 3], goal=Fraction(7, 8))
    assert private.private["alice"] == Coins(8)
    assert private.measure_error().worst_error == Fraction(3, 4)
    assert private.measure_error().worst_bits == private.cost.bits == 4


def test_too_few_outcomes_are_found_out():
    measured = announcing(inner_product_equality(2, 1), [0, 1], goal=3 * QUARTER).measure_error()
    assert not measured.within_claim
    assert measured.worst_error == 1


def test_bad_protocols():
    with pytest.raises(InputError, match="a protocol with public coins"):
        newman(trivial(equality(2)), QUARTER)
    with pytest.raises(InputError, match="inputs in hand"):
        newman(replace(forehead_equality(1), public=Coins(2)), QUARTER)
    with pytest.raises(InputError, match="extra_error = 0"):
        newman(inner_product_equality(2), 0)


@pytest.mark.slow
def test_a_protocol_that_breaks_its_claim_is_not_converted():
    silent = array_party(lambda inputs, heard, public: AnswerEach(1))
    liar = replace(inner_product_equality(7), parties={"alice": silent, "bob": silent})
    with pytest.raises(InputError, match="private coins of alice"):
        newman(liar, QUARTER)
