"""What the papers claim: the verdicts that are known, certificates, and what a fault in our code makes of them."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

import ccsim.bounds
from ccsim.certificates import Certificate
from ccsim.claims import Direction, Word, measure_claim, registered_claims
from ccsim.cli.app import run_app
from ccsim.models import OneLayerTransformer
from ccsim.problems import Partition
from protocols.constructions.ngrams import NGramModel
from protocols.papers import CLAIMS
from protocols.reductions import automaton, one_way_error, recurrent
from protocols.reductions.max_logit import protocol as max_logit_protocol
from protocols.reductions.task_reductions import Reduction, comparing

KNOWN = [
    ("communication-equality", {"length": 3}, "tight", 4),
    ("communication-disjointness", {"length": 3}, "tight", 4),
    ("communication-index-one-way", {"length": 3}, "tight", 3),
    ("communication-index-two-way", {"length": 3}, "tight", 3),
    ("communication-greater-than", {"length": 3}, "tight", 4),
    ("communication-inner-product", {"length": 3}, "tight", 4),
    ("communication-set-intersection-size-from-above", {"length": 4}, "holds", 6),
    ("communication-set-intersection-size-from-below", {"length": 4}, "tight", 6),
    ("bhattamishra2024-fact-2", {"length": 3}, "improved", 4),
    ("bhattamishra2024-theorem-2", {"kind": "gru", "length": 4}, "tight", 10),
    ("bhattamishra2024-theorem-3", {"length": 4}, "tight", 4),
    ("bhattamishra2024-proposition-9", {"length": 4}, "tight", 4),
    ("bhattamishra2024-theorem-4", {}, "printed constant fails", 196),
    ("bhattamishra2024-theorem-4-one-sided", {"width": 8}, "improved", 229),
    ("bhattamishra2024-lemma-1", {"length": 6}, "improved", 7),
    ("bhattamishra2024-lemma-1-fooling-set", {"length": 4}, "tight", 8),
    ("bhattamishra2024-lemma-1-fooling-set", {"length": 10}, "tight", 512),
    ("bhattamishra2024-lemma-4", {"length": 4, "seed": 7}, "tight", 3),
    ("bhattamishra2024-section-4-2-contiguous-partitions", {"length": 6}, "tight", 4),
    ("bhattamishra2024-theorem-5", {"length": 8}, "vacuous here (bites from N = 68)", 1),
    ("bhattamishra2024-section-5-dyck-by-a-recurrent-model", {"length": 100}, "tight", 3),
    ("bhattamishra2024-section-5-dyck-by-a-recurrent-model", {"length": 8000}, "tight", 3),
    ("bhattamishra2024-theorem-8", {"length": 6}, "tight", 3),
    ("bhattamishra2024-theorem-11", {"length": 6}, "tight", 3),
    ("bhattamishra2024-theorem-11-states", {"length": 6}, "tight", 8),
    ("bhattamishra2024-lemma-5", {"length": 4}, "improved", 3),
    ("bhattamishra2024-corollary-13-1", {}, "refused, as it must be", None),
    ("sanford2023-sparse-averaging-from-below", {"length": 2}, "improved", 3),
    ("sanford2023-sparse-averaging-message", {}, "printed constant fails", 321),
    ("sanford2023-sparse-averaging-recurrent", {"length": 4}, "improved", 3),
    ("sanford2023-match3", {"length": 5, "encoding": "tight"}, "improved", 3),
    ("sanford2023-conjecture", {}, "open", None),
    ("peng2024-theorem-1", {"bits": 1, "speaker": "g"}, "holds", Fraction(1, 4)),
    ("peng2024-theorem-1", {"bits": 1, "speaker": "f"}, "printed constant fails", Fraction(1, 8)),
    ("peng2024-theorem-1-message", {}, "printed constant fails", 55),
    ("svete2024-theorem-3-1", {"length": 3, "order": 3}, "tight", 2),
    ("svete2024-theorem-3-2", {"length": 3, "order": 3}, "tight", 2),
    ("svete2024-theorem-3-3", {"length": 3, "order": 3}, "tight", 1),
]


def verdict_of(name, given):
    claim = registered_claims()[name]
    return measure_claim(claim, claim.setting({**claim.sizes[0], **given}))


@pytest.mark.parametrize(("name", "given", "told", "measured"), KNOWN, ids=lambda value: str(value)[:60])
def test_the_known_verdicts(name, given, told, measured):
    verdict = verdict_of(name, given)
    assert (verdict.told, verdict.measured) == (told, measured), verdict.reason
    assert json.dumps(verdict.to_json())
    if verdict.exact and verdict.direction in (Direction.LOWER, Direction.EXACT):
        certificate = Certificate.from_json(verdict.attachments["certificate"])
        assert certificate.verify() == verdict.certificate


def test_claims_have_names_of_their_own_and_come_in_their_papers_order():
    names = [claim.name for claim in CLAIMS]
    assert Counter(names).most_common(1)[0][1] == 1
    papers = [claim.paper.name for claim in CLAIMS]
    older = ["communication", "bhattamishra2024", "sanford2023", "peng2024", "svete2024"]
    assert list(dict.fromkeys(papers)) == [*older, "sanford2024", "chen2024", "kozachinskiy2024"]
    assert papers == sorted(papers, key=list(dict.fromkeys(papers)).index)
    ours = [name.removeprefix("bhattamishra2024-") for name in names if name.startswith("bhatta")]
    assert ours[:3] == ["fact-1", "fact-1-randomised", "fact-2"]
    assert ours.index("theorem-3") < ours.index("theorem-4") < ours.index("lemma-1") < ours.index("theorem-5")
    assert ours[-1] == "corollary-13-1"


@pytest.mark.slow
def test_every_claim_at_every_default_size_and_every_exact_lower_bound_is_certified(capsys, tmp_path):
    assert run_app(["certify", "--json", "--save-certificates", str(tmp_path / "certificates")]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["claim"] for row in rows} == set(registered_claims())
    assert {row["verdict"] for row in rows} <= {word.value for word in Word} - {"broken", "not measured"}
    proved = [row for row in rows if row["exact"] and row["direction"] in ("lower bound", "exact value")]
    assert len(proved) > 50
    assert run_app(["verify", *(row["saved"] for row in proved)]) == 0


@pytest.mark.slow
def test_plots_of_the_papers_are_drawn():
    for claim in CLAIMS:
        for plot in claim.plots() if claim.plots else ():
            assert all(line.points for line in plot.lines)
            assert not plot.logarithmic or all(x > 0 and y > 0 for line in plot.lines for x, y in line.points)


# Our own code, made wrong on purpose


def one_more(original):
    return lambda *given, **options: replace(original(*given, **options), lower=9, upper=9)


def flipped(original):
    return lambda *given, **options: 1 - original(*given, **options)


def half_the_error(original):
    return lambda *given: replace(original(*given), upper=original(*given).upper / 2, lower=Fraction(0))


def silent(original):
    """A state that is never sent: zeros in its place."""
    return lambda *given: original(*given[:-1], lambda *known: given[-1](*known) * 0)


def contiguous(_):
    return lambda length: Partition.prefix(length, length // 2)


FAULTS = [
    ("bhattamishra2024-lemma-1-fooling-set", Partition, "odd_even", contiguous, "may contain"),
    ("bhattamishra2024-lemma-4", automaton, "confusion", lambda _: lambda *given: None, "not confused"),
    ("communication-equality", ccsim.bounds, "deterministic", one_more, "certificate refused"),
    ("bhattamishra2024-lemma-1", Partition, "odd_even", contiguous, "own account"),
    ("bhattamishra2024-theorem-2", recurrent, "Field", silent, "expected"),
    ("bhattamishra2024-theorem-3", Reduction, "read", lambda _: lambda self, answer, own: 1, "is wrong"),
    ("bhattamishra2024-theorem-4", OneLayerTransformer, "codes", flipped, "expected"),
    ("bhattamishra2024-theorem-4", OneLayerTransformer, "finish", lambda _: lambda *given: 1 / 0, "ZeroDivisionError"),
    ("bhattamishra2024-corollary-13-1", max_logit_protocol, "_check", lambda _: lambda *given: None, ""),
    ("sanford2023-match3", comparing, "_number", lambda _: lambda *given: 0, ""),
    ("peng2024-theorem-1", one_way_error, "least_one_way_error", half_the_error, "when counted"),
    ("svete2024-theorem-3-1", NGramModel, "probability", lambda _: lambda *given: Fraction(1, 3), "probability"),
]


@pytest.mark.parametrize(("name", "owner", "attribute", "wrap", "said"), FAULTS)
def test_a_fault_of_ours_comes_out_broken(monkeypatch, name, owner, attribute, wrap, said):
    monkeypatch.setattr(owner, attribute, wrap(getattr(owner, attribute)))
    claim = registered_claims()[name]
    verdict = measure_claim(claim, claim.settings()[0])
    assert verdict.word is Word.BROKEN
    assert said in verdict.reason
