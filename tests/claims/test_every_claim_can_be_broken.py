"""For each claim something under it is spoiled, and its verdict must turn: a verdict that cannot fail says nothing."""

from importlib import import_module
from pathlib import Path

import pytest

from ccsim.claims import Word, check_claim, registered_claims

FOLDER = Path(__file__).parent / "spoilings"
MODULES = sorted(path.stem for path in FOLDER.glob("of_*.py"))
TABLE = {}
for name in MODULES:
    for claim, spoilings in import_module(f"tests.claims.spoilings.{name}").SPOILINGS.items():
        assert claim not in TABLE, f"{claim} stands in two tables"
        TABLE[claim] = spoilings
FIRST = 1  # of a claim's spoilings in the quick tests; the others are left to the slow ones
CASES = [
    pytest.param(
        claim,
        place,
        id=f"{claim}-{spoiling.said}".replace(" ", "-"),
        marks=[pytest.mark.slow] if place >= FIRST else [],
    )
    for claim, spoilings in TABLE.items()
    for place, spoiling in enumerate(spoilings)
]
GOOD = (Word.TIGHT, Word.HOLDS, Word.IMPROVED, Word.VACUOUS, Word.CALCULATED, Word.SLIP, Word.NOT_REACHED, Word.OPEN)


def test_every_claim_has_a_spoiling():
    assert set(TABLE) == set(registered_claims())
    assert all(TABLE.values())


def test_every_spoiling_finds_what_it_spoils():
    """The slow ones too, as they name what they change by where it stands."""
    for spoilings in TABLE.values():
        for spoiling in spoilings:
            assert spoiling.found()[1] is not None


@pytest.mark.parametrize(("name", "place"), CASES)
def test_a_spoiled_claim_turns(name, place, monkeypatch):
    spoiling = TABLE[name][place]
    claim = registered_claims()[name]
    setting = claim.setting({**claim.sizes[0], **spoiling.setting})
    if spoiling.afterwards:
        check_claim(claim, setting)
    with spoiling.applied(monkeypatch):
        spoiled = check_claim(claim, setting)
    assert spoiled.word in spoiling.words, (spoiled.word, spoiled.measured_text, spoiled.reason)
    assert spoiled.word not in GOOD or check_claim(claim, setting).word is not spoiled.word
