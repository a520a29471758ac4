"""``ccsim certify`` and ``ccsim sweep`` on claims: selection, stores, certificates, exit codes, JSON."""

import json
import re

import pytest

from ccsim.claims import (
    Claim,
    Direction,
    Finding,
    Paper,
    Parameter,
    Role,
    Verdict,
    Word,
    check,
    find_papers,
    registered_claims,
)  # fmt: skip
from ccsim.claims.summary import findings_of, screen_of
from ccsim.claims.verdict import Coverage
from ccsim.cli.app import run_app
from ccsim.cli.claims import print_verdicts
from tests.claims.made import made
from tests.printed import printed_json


@pytest.fixture
def ccsim(capsys, measured_here):
    def call(*arguments):
        code = run_app([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def claims(monkeypatch):
    """Some claims in place of the registered ones."""

    def put(*some):
        known = {claim.name: claim for claim in some}
        for place in ("ccsim.claims", "ccsim.claims.claim"):  # the face keeps what it once looked up
            monkeypatch.setattr(f"{place}.registered_claims", lambda: known)

    return put


def measured(name, value, **changes):
    """A claim whose value is so much above n."""
    measure = changes.pop("measure", lambda length: Finding(measured=length + value, checked=1, of=1))
    return made(name, measure=measure, **changes)


def test_one_claim_with_its_certificate_that_is_verified(ccsim, tmp_path):
    code, out, _ = ccsim(
        "certify", "communication-greater-than", "-n", 3, "--json", "--save-certificates", tmp_path / "c"
    )
    (row,) = printed_json("certify", out)
    assert code == 0
    assert (row["claimed"], row["measured"], row["verdict"], row["exact"]) == (4, 4, "tight", True)
    assert (row["paper"], row["parameters"], row["checked"], row["of"]) == ("communication", {"length": 3}, 64, 64)
    assert row["certificate"].startswith("deterministic = 4 bits")
    assert row["source"]
    assert row["seconds"] >= 0
    assert ccsim("verify", row["saved"])[0] == 0


def test_a_family_has_protocols_and_claims_of_papers(ccsim):
    code, out, _ = ccsim("certify", "inner-product", "--jobs", 1, "--json")
    rows = printed_json("certify", out)
    assert code == 0
    assert {"trivial-inner-product", "communication-inner-product"} <= {row["claim"] for row in rows}
    assert {row["paper"] for row in rows} >= {"classical", "communication"}


def lines_of(lines, word, claim):
    """Where a claim has its line with this word: in the news first, then in its paper."""
    return [place for place, line in enumerate(lines) if re.match(rf"{word} +{claim} ", line)]


def test_the_table_is_grouped_by_paper_and_tells_what_fails(ccsim, claims):
    claims(
        measured("good", 0, sizes=({"length": 2}, {"length": 3})),
        measured("failing", 2, ours="n + 2"),
        measured("wrong", 2, paper=Paper("other", "Others 2026")),
    )
    code, out, _ = ccsim("certify", "good", "failing", "wrong", "--all-sizes")
    lines = [line.strip() for line in out.splitlines()]
    assert code == 1
    mine, others = lines.index("Myself 2025: statements"), lines.index("Others 2026: statements")
    (good,) = lines_of(lines, "holds", "good")
    assert "  n = 2, 3: 2, 3 bits measured, claimed ≤ 3, 4  " in lines[good]
    assert mine < good < others < lines_of(lines, "broken", "wrong")[-1]
    news = " ".join(lines[lines_of(lines, "not reached", "failing")[0] :])
    assert "what was run costs more, which refutes nothing" in news
    assert max(map(len, out.splitlines())) <= 120  # in a pipe
    assert "4 verdicts on 3 claims: 1 broken, 1 not reached, 2 holds" in lines[-1]
    assert "  n = 2: 2 bits measured, claimed ≤ 3  " in ccsim("certify", "good")[1]
    assert ccsim("certify", "good", "failing")[0] == 0


def screen(out):
    lines = out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    return lines


def test_all_claims_end_in_one_screen_that_opens_with_what_holds(ccsim, claims):
    claims(
        measured("good", 0, sizes=({"length": 2}, {"length": 3})),
        measured("drawn", 0, measure=lambda length: Finding(measured=length, checked=1, of=9)),
        measured("two", 0, instances="two machines"),
        measured("by-formula", 0, measure=lambda length: Finding(measured=length)),
        measured("dearer", 2, ours="n + 2", paper=Paper("other", "Others, Several and Many of Them 2026")),
        measured("wrong", 2, paper=Paper("other", "Others, Several and Many of Them 2026")),
    )
    code, out, err = ccsim("certify", "--all-sizes")
    lines = screen(out)
    assert (code, err) == (1, "")
    holds = (
        "3 of 6 claims hold: 0 for every length, 1 in all cases at the sizes run, 2 on samples; 1 stay open, "
        "2 come out otherwise. "
    )
    assert " ".join(lines[:3]).startswith(f"{holds}7 verdicts in ")
    assert [line.split() for line in lines[3:6]] == [
        ["claims", "any", "length", "all", "cases", "samples", "open", "other"],
        ["Myself", "2025", "4", "-", "1", "2", "1", "-"],
        ["Others", "and", "others", "2026", "2", "-", "-", "-", "-", "2"],
    ]
    assert lines[7:-1] == [
        "Findings, each with the command that shows it:",
        "- wrong contradicts itself (our fault): 6 measured, 5 claimed, at length=4, and",
        "  nothing backs it: ccsim certify wrong",
        "- Others et al. 2026: ≤ 5 bits claimed at n = 4; here it takes 6, which refutes",
        "  nothing: ccsim certify dearer",
    ]
    every = ccsim("certify", "--all", "--all-sizes")[1]
    assert "Myself 2025: calculated from formulas, not measured" in every
    assert "7 verdicts on 6 claims: 1 broken, 1 not reached, 4 holds, 1 calculated" in every.splitlines()[-1]


def findings(out):
    """The names behind the commands of a screen, and its last line but one."""
    lines = screen(out)
    return re.findall(r"ccsim certify ([a-z]\S+)$", out, re.MULTILINE), lines[-2]


def test_findings_are_what_fails_then_what_is_improved_then_what_is_proved_here(ccsim, claims):
    ours = {"role": Role.RESULT, "direction": Direction.EXACT, "formula": "n"}
    claims(
        measured("holds", 0),
        measured("proved-here", 0, proved="equality_costs", **ours),
        measured("run-here", 0, **ours),
        measured("cheaper", 0, ours="n", improvement="something"),
        *(dear := [measured(f"dear-{letter}", 2, ours="n + 2") for letter in "abcdef"])[:2],
        measured("wrong", 2),
    )
    assert findings(ccsim("certify")[1])[0] == ["wrong", "dear-a", "dear-b", "cheaper", "proved-here"]
    claims(*dear, measured("wrong", 2))
    named, last = findings(ccsim("certify")[1])
    assert named == ["wrong", "dear-a", "dear-b", "dear-c", "dear-d"]
    assert last == "2 more do not hold: ccsim certify --all"
    claims(measured("holds", 0))
    assert findings(ccsim("certify")[1]) == ([], "Nothing that was run states otherwise than its source.")


def test_what_is_kept_is_not_measured_again_but_what_is_broken_or_asked_for_is(ccsim, claims, tmp_path):
    log = tmp_path / "log"

    def noting(length):
        with log.open("a") as file:
            file.write("noted ")
        return Finding(measured=length, checked=1, of=1)

    claims(measured("noted", 0, measure=noting, sizes=({"length": 2}, {"length": 3})), measured("wrong", 2))
    for more, from_before, times in (
        ((), "", 1),
        ((), ", 1 from before", 1),
        (("--all-sizes",), ", 1 from before", 2),
        (("--fresh",), "", 3),
    ):
        out = ccsim("certify", *more)[1]
        assert re.search(r"verdicts in [0-9.]+ s([^.]*)\.", " ".join(out.split()))[1] == from_before
        assert len(log.read_text().split()) == times
    out = ccsim("certify", "--dearest")[1].splitlines()
    assert {line.split()[3:][0] for line in out[1:-1]} == {"noted", "wrong"}
    assert "2 verdicts on 2 claims" in out[-1]


@pytest.mark.parametrize("words", [[Word.SLIP], [Word.BROKEN, Word.NOT_MEASURED], list(Word)])
def test_however_much_fails_of_however_many_papers_it_is_one_screen(words):
    named = registered_claims().values()
    papers = {f"p{place}": Paper(f"p{place}", 9 * "Somebody and " + str(place)) for place in range(30)} | find_papers()
    verdicts = [
        Verdict(
            claim=claim.name, paper=claim.paper.name if place % 2 else f"p{place % 30}", source="", statement="",
            role="", direction="", unit="bits", parameters={}, word=words[place % len(words)], reason="so it is " * 20,
        )
        for place, claim in enumerate(named)
    ]  # fmt: skip
    lines = screen("\n".join(screen_of(verdicts, papers, len(verdicts) + 10**4, 10**5)))
    table = lines[lines.index("") + 1 :]
    last = table.index("") - 1
    assert re.match(r"\d+ other papers ", table[last])
    assert sum(int(re.search(r"\d+(?= +[-\d])", row[31:])[0]) for row in table[1 : last + 1]) == len(named)


@pytest.mark.parametrize("word", [Word.TIGHT, Word.CALCULATED, Word.OPEN])
def test_only_what_holds_of_our_own_results_is_a_finding(word):
    about = dict.fromkeys(("paper", "source", "statement", "unit"), "ours")
    row = Verdict(
        claim="ours",
        role=Role.RESULT.value,
        direction=Direction.EXACT.value,
        parameters={},
        word=word,
        coverage=Coverage.CERTIFICATE,
        **about,
    )
    assert findings_of([row]) == [row] * (word == Word.TIGHT)


def on_terminal(monkeypatch, width):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_verdict_is_seen_on_any_terminal(ccsim, claims, monkeypatch, width):
    on_terminal(monkeypatch, width)
    large = {"formula": "10**11 + 1", "measure": lambda length: Finding(measured=10**11, checked=1, of=1)}
    claims(measured("a-claim-of-a-paper-with-a-long-name", 0, **large))
    out = ccsim("certify", "mine")[1]
    table = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in out.splitlines() if not line.endswith(" s)")]
    assert any(line.startswith("holds") for line in table)
    assert any("a-claim-of-a-paper-with-a-long-name" in line for line in table)
    assert all(len(line) <= width or len(line.split()[-1]) > width - 16 for line in table)


@pytest.mark.parametrize("width", [80, 200, 220])
def test_statements_are_seen_at_any_width_beside_their_line_where_there_is_room(width, capsys, monkeypatch):
    on_terminal(monkeypatch, width)
    about = {"statement": "It is so, and" + 12 * " what-is more", "direction": Direction.OPEN, "measure": Finding}
    print_verdicts([check(Claim(name="a-claim", paper=Paper("mine", "Mine"), source="", **about))], {})
    shown = re.sub("\x1b\\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    last = [line for line in shown if line.strip()][-1]
    assert "It is so, and" in last
    assert all(len(line) <= width for line in shown)
    assert ("a-claim" in last) == (width == 220)
    assert last.endswith(" …" if width == 80 else "more")
    assert set(last.split()) <= {"open", "a-claim", "It", "is", "so,", "and", "what-is", "more", "…"}


def test_statements_steps_results_and_what_is_calculated_stand_apart(ccsim, claims):
    claims(
        measured("by-formula", 0, measure=lambda length: Finding(measured=length)),
        measured("printed-line", 2, role=Role.STEP, ours="n + 2", repair="Section 1, line 2; read 1 as 3."),
        measured("said", 0),
        measured("found-here", 0, role=Role.RESULT, sharpens="said", paper=Paper("ccsim", "This project")),
    )
    code, out, _ = ccsim("certify", "mine", "ccsim")
    lines = [line.strip() for line in out.splitlines()]
    heads = [
        "Myself 2025: statements",
        "Myself 2025: steps of proofs and constructions",
        "Myself 2025: calculated from formulas, not measured",
        "This project: results",
    ]
    assert code == 0
    assert [line for line in lines if line in heads] == heads
    assert lines[lines_of(lines, "slip", "printed-line")[0]].endswith("read 1 as 3.")
    assert "4 bits calculated" in lines[lines_of(lines, "calculated", "by-formula")[0]]
    assert {word.value for word in Word if f"{word.value}  " in out} >= {"slip", "calculated"}


def test_a_paper_is_chosen_by_a_part_of_its_name(ccsim, claims):
    claims(measured("good", 0), measured("other", 0, paper=Paper("somebody2024", "Somebody 2024")))
    assert [row["claim"] for row in json.loads(ccsim("certify", "--paper", "somebody", "--json")[1])] == ["other"]
    assert [row["claim"] for row in json.loads(ccsim("certify", "mine", "--json")[1])] == ["good"]


def test_a_sweep_is_a_table_and_json_and_is_not_done_twice(ccsim, tmp_path):
    arguments = ("sweep", "communication-index-two-way", "--grid", "length=2:4", "--store", tmp_path / "s.sqlite3")
    code, out, _ = ccsim(*arguments, "--json")
    rows = printed_json("sweep", out)
    assert code == 0
    assert [(row["parameters"]["length"], row["measured"]) for row in rows] == [(2, 2), (3, 3), (4, 3)]
    assert json.loads(ccsim(*arguments, "--json")[1]) == rows
    assert "0 broken, 3 tight" in ccsim(*arguments)[1].splitlines()[-1]


def test_a_size_that_could_not_be_measured_is_exit_code_3(ccsim, claims, tmp_path):
    claims(
        measured("small", 0, measure=lambda length: Finding(**({} if length > 4 else {"measured": 4, "checked": 1})))
    )
    code, out, _ = ccsim("sweep", "small", "--grid", "length=4:5", "--store", tmp_path / "s.sqlite3")
    assert code == 3
    assert "n = 5: claimed ≤ 6 bits" in out


def test_several_axes_after_one_option(ccsim, claims, tmp_path):
    parameters = (
        Parameter("length", "n", 4),
        Parameter("width", "w", 1),
        Parameter("kind", "k", "one", choices=("one", "two")),
    )
    claims(measured("wide", 0, parameters=parameters, measure=lambda length, width, kind: Finding(measured=length)))
    arguments = ("--store", tmp_path / "s.sqlite3", "--json")
    code, out, _ = ccsim("sweep", "wide", "--grid", "length=2:3", "width=1,5", "kind=one,two", *arguments)
    assert code == 0
    assert len({tuple(row["parameters"].items()) for row in json.loads(out)}) == 8


MISUSED = [
    (("certify", "no-such-claim"), "no-such-claim"),
    (("certify", "communication-equalty"), "communication-equality"),
    (("certify", "--paper", "nobody"), "nobody"),
    (("certify", "communication-equality", "--set", "width=3"), "width"),
    (("certify", "communication-equality", "--set", "length=3,4"), "one value"),
    (("certify", "communication-equality", "-n", "0"), "length = 0"),
    (("certify", "communication-equality", "-n", "30"), "would need"),
    (("certify", "communication-equality", "--jobs", "0"), "--jobs"),
    (("certify", "communication-equality", "--set", "length"), "--set"),
    (("certify", "--save-certificates", __file__), "--save-certificates"),
    (("report", "--output", "/nowhere/at/all.html"), "--output"),
    (("sweep", "communication-equality", "--grid", "length=1:99999999"), "at most 1000000 values"),
    (("certify", "--store", "/nowhere/at/all.sqlite3"), "a folder that exists"),
    (("sweep", "no-such-claim", "--grid", "length=1:2"), "no-such-claim"),
    (("sweep", "index", "--grid", "length=1:2"), "one claim"),
    (("sweep", "communication-equality"), "--grid"),
    (("sweep", "communication-equality", "--grid", "width=1:2"), "width"),
    (("sweep", "communication-equality", "--grid", "length=2", "--cluster", "tcp://127.0.0.1:9"), "--cluster"),
    (("sweep", "communication-equality", "--grid", "length=2", "--cluster", "here"), "port"),
    (("sweep", "communication-equality", "--grid", "length=2", "--cluster", "web://here:1"), "scheme"),
    (("certify", "communication-equality", "-n", "100000"), "2^100000 x 2^100000"),
]


def test_bad_usage_is_one_clear_line_and_exit_code_2(ccsim, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ccsim.claims.running.WAITING", 0.2)
    for arguments, said in MISUSED:
        code, out, err = ccsim(*arguments)
        assert (code, out, len(err.splitlines())) == (2, "", 1), arguments
        assert said in err
