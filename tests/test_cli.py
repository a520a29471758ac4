"""The command line: what it prints, as JSON and for people, and how it fails."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import ccsim as cc
from ccsim import Protocol, Receive, Send, registry
from ccsim.bounds.scheduler import Clock
from ccsim.cli import main
from ccsim.cli.app import run_app
from ccsim.families import FamilyCertificate, letter_parties, named_family
from ccsim.problems import disjointness
from tests.claims.conftest import Here
from tests.printed import printed_json
from tests.speed import patient


@pytest.fixture
def ccsim(capsys):
    def call(*arguments):
        code = run_app([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_run_prints_every_message_and_the_answer(ccsim):
    code, out, err = ccsim("run", "trivial-disjointness", "-n", "4", "--alice", "0110", "--bob", "0011")
    assert code == 0
    assert err == ""
    assert "alice → bob     4      4  0110" in out
    assert "answers 0 on alice 0110, bob 0011, which is right, and sends 5 bits" in out.splitlines()[0]
    assert out.rstrip().endswith("answer 0 (expected 0)")


def test_a_long_transcript_and_a_long_list_are_cut_unless_all_is_asked_for(ccsim, monkeypatch):
    monkeypatch.setattr("ccsim.cli.registered.MOST_LINES", 2)
    long = ("run", "trivial-disjointness", "-n", "4", "--seed", "1")
    assert "1 alice" not in ccsim(*long)[1].replace("  ", " ")
    assert "3 lines more: --all" in ccsim(*long)[1]
    assert "1 alice" in ccsim(*long, "--all")[1].replace("  ", " ")
    assert ccsim("list")[1] != ccsim("list", "all")[1]


def test_run_json_counts_the_bits(ccsim):
    arguments = ("-n", "4", "--alice", "0110", "--bob", "0011", "--json")
    code, out, _ = ccsim("run", "trivial-disjointness", *arguments)
    data = printed_json("run", out)
    assert code == 0
    assert data["bits"] == 5 == sum(row["bits"] for row in data["transcript"])
    assert (data["answer"], data["expected"], data["correct"]) == (0, 0, True)


def test_isolated_run_carries_the_bits_that_it_counts(ccsim):
    _, out, _ = ccsim(
        "run", "trivial-disjointness", "-n", "3", "--alice", "110", "--bob", "001", "--isolated", "--json"
    )
    data = printed_json("run", out)
    assert data["carried"] == {"alice": 3, "bob": 1}


def test_run_deals_a_word(ccsim):
    code, out, _ = ccsim("run", "trivial-dyck", "-n", "8", "--word", "([]([]))", "--json")
    data = printed_json("run", out)
    assert code == 0
    assert data["inputs"] == {"alice": "(][)", "bob": "[(])"}
    assert data["answer"] == 0


def test_the_same_seed_gives_the_same_run(ccsim):
    first = ccsim("run", "fingerprint-equality", "-n", "8", "--seed", "5", "--json")
    assert first == ccsim("run", "fingerprint-equality", "-n", "8", "--seed", "5", "--json")


def test_a_problem_with_a_part_of_a_protocol_name_finds_the_protocol(ccsim):
    inputs = ("--alice", "01100110", "--bob", "01100111", "--seed", "3", "--json")
    _, out, _ = ccsim("run", "equality", "-n", "8", "--protocol", "fingerprint", *inputs)
    assert printed_json("run", out)["protocol"] == "fingerprint-equality"


def test_three_parties_run_from_the_command_line(ccsim):
    inputs = ("--alice", "01", "--bob", "01", "--carol", "11", "--json")
    code, out, _ = ccsim("run", "forehead-equality", "-n", "2", *inputs)
    data = printed_json("run", out)
    assert code == 0
    assert (data["bits"], data["answer"]) == (2, 0)


def test_list_shows_every_problem_and_protocol(ccsim):
    code, out, _ = ccsim("list", "--json")
    data = printed_json("list", out)
    assert code == 0
    assert {"disjointness", "equality", "dyck"} <= {row["name"] for row in data["problems"]}
    assert {"fingerprint-equality", "trivial-disjointness"} <= {row["name"] for row in data["protocols"]}
    assert set(printed_json("list", ccsim("list", "problems", "--json")[1])) == {"problems"}
    listed = ccsim("list", "problems")[1]
    assert all(row["name"] in listed for row in data["problems"])


def test_every_protocol_is_for_a_problem_of_the_catalogue(ccsim):
    data = json.loads(ccsim("list", "--json")[1])
    problems = {row["name"] for row in data["problems"]}
    strays = {row["name"] for row in data["protocols"] if row["problem"] not in problems}
    assert strays == set()


@pytest.mark.slow
def test_certify_one_protocol_at_a_larger_size(ccsim):
    code, out, _ = ccsim("certify", "trivial-disjointness", "-n", "6", "--json")
    (row,) = printed_json("certify", out)
    assert code == 0
    assert (row["claimed"], row["measured"], row["verdict"], row["checked"]) == (7, 7, "tight", 4096)


def test_a_wrong_protocol_comes_out_broken_with_its_counterexample(ccsim, monkeypatch):
    def alice(x):
        yield Send(x)
        return (yield Receive())[0]

    def bob(y):
        yield Receive()
        yield Send("1")
        return 1

    def build(n):
        return Protocol("always disjoint", disjointness(n), {"alice": alice, "bob": bob})

    entry = registry.ProtocolEntry("always-disjoint", "disjointness", "wrong", build, (2,))
    monkeypatch.setattr(registry, "registered_protocols", lambda: {entry.name: entry})
    monkeypatch.setattr("ccsim.claims.Pool", Here)
    code, out, _ = ccsim("certify", "always-disjoint", "--json")
    (row,) = printed_json("certify", out)
    assert code == 1
    assert row["verdict"] == "broken"
    assert "alice: 01, bob: 01" in row["reason"]
    inputs = ("--alice", "11", "--bob", "11")
    assert ccsim("run", "always-disjoint", "-n", "2", *inputs)[0] == 1


FIGURES = {"deterministic": 3, "one-way": 2, "rank": 4, "fooling": 6, "cover": 4, "partition": 7, "randomised": 2}


def test_every_measure_has_its_main_figures_in_front(ccsim):
    for measure, value in FIGURES.items():
        code, out, _ = ccsim("bounds", "disjointness", "-n", "2", "--measure", measure, "--json")
        data = printed_json("bounds", out)
        assert (code, data["measure"], data["lower"], data["upper"], data["exact"]) == (0, measure, value, value, True)
        assert data["brackets"]


def test_bounds_at_an_error_and_with_so_many_bits(ccsim, tmp_path):
    """Asked for by name: what depends on more than the function."""
    (tmp_path / "and.csv").write_text("0,0\n0,1\n")
    asked = ("bounds", tmp_path / "and.csv", "--json", "--measure")
    for measure in ("approximate-rank", "quantum"):
        found = printed_json("bounds", ccsim(*asked, measure, "--error", "1/10")[1])
        assert found["parameters"]["error"] == "1/10"
    found = printed_json("bounds", ccsim(*asked, "one-way-success", "--bits", "0")[1])
    assert [one["lower"] for one in found["brackets"]] == ["1/2", "1/2"]
    wrong = [("randomised", "--error", "1"), ("quantum", "--error", "x"), ("one-way-success", "--bits", "99")]
    for arguments in wrong:
        code, out, err = ccsim(*asked, *arguments)
        assert (code, out) == (2, "")
        assert err.startswith("ccsim: ")


def test_bounds_of_everything_is_a_table(ccsim):
    code, out, _ = ccsim("bounds", "equality", "-n", "2", "--seconds", str(patient(10)))
    assert code == 0
    for measure in ("deterministic", "one-way", "rank", "fooling-set", "cover", "partition", "discrepancy"):
        assert measure in out
    assert "label None" not in out
    assert "code" not in out
    more = ccsim("bounds", "equality", "-n", "1", "--seconds", str(patient(10)), "--all")[1]
    assert "cover (label 0)" in out
    assert "rank (label 0" in more
    assert "rank (label 0" not in out
    _, out, error = ccsim("bounds", "equality", "-n", "1", f"--time={patient(10)}", "--json")
    assert "--seconds" in error  # --time warns
    data = printed_json("bounds", out)
    measures = [row["measure"] for row in data["brackets"]]
    assert len(measures) == len(set(measures))
    assert [len(row["detail"]) for row in data["brackets"] if row["measure"] == "deterministic"] == [3]


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        ((), ["ccsim"]),
        (("bhattamishra2024", "bhattamishra2024-theorem-3"), ["bhattamishra2024"]),
        (("kozachinskiy2024-composition",), ["kozachinskiy2024", "kozachinskiy2025"]),
        (("communication", "ccsim-match2-precision"), ["kushilevitz1997", "tamm1995", "ccsim"]),
        (("hastad-wigderson",), ["hastad2007"]),
        (("Yao 1979; Kushilevitz and Nisan 1997",), ["yao1979", "kushilevitz1997"]),
    ],
)
def test_sources_are_cited_once(ccsim, names, keys):
    rows = printed_json("cite", ccsim("cite", *names, "--json")[1])
    assert [row["key"] for row in rows] == keys
    assert ccsim("cite", *names)[1] == "\n\n".join(row["bibtex"] for row in rows) + "\n"
    assert "sanford2024" in ccsim("cite", "yao")[2]  # an error names what there is
    assert ccsim("cite", "all")[1].count("@") > 30


def test_measures_that_are_asked_for_add_up(ccsim):
    asked = ("bounds", "equality", "-n", "2", "--json", "--measure", "cover", "--measure")
    data = printed_json("bounds", ccsim(*asked, "fooling-set", "--measure", "cover")[1])
    assert [(row["measure"], row["lower"], row["upper"]) for row in data["brackets"]] == [
        ("fooling-set", 7, 7),
        ("cover", 4, 4),
    ]
    assert ccsim(*asked, "blackboard")[0] == 2


def test_the_table_says_what_was_read_from_a_file(ccsim, tmp_path):
    (tmp_path / "named.csv").write_text("x,y\n0,1\n1,0\n", encoding="utf-8")
    table = ("bounds", str(tmp_path / "named.csv"), "--measure", "deterministic")
    code, _, error = ccsim(*table)
    assert code == 2
    assert "--header" in error
    code, out, _ = ccsim(*table, "--header", "none")
    assert code == 0
    assert "3 x 2, labels 0, 1, 'x', 'y'" in out


def test_a_saved_certificate_is_verified_and_a_changed_one_refused(ccsim, tmp_path):
    path = tmp_path / "certificate.json"
    save = ("--measure", "deterministic", "--save", str(path))
    assert ccsim("bounds", "inner-product", "-n", "3", *save)[0] == 0
    code, out, _ = ccsim("verify", str(path))
    assert code == 0
    assert out.startswith("accepted")
    assert " of inner-product, n = 3 (8 x 8, sha256 " in out
    (row,) = printed_json("verify", ccsim("verify", str(path), "--json")[1])
    assert (row["certificate"]["function"], row["certificate"]["compared"]) == ("inner-product", True)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["proofs"][0]["value"] += 1
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data), encoding="utf-8")
    code, out, _ = ccsim("verify", str(path), str(changed), "--json")
    assert code == 1
    assert [row["accepted"] for row in printed_json("verify", out)] == [True, False]


def test_a_certificate_with_the_cells_of_another_function_is_refused(ccsim, tmp_path):
    path = tmp_path / "certificate.json"
    assert ccsim("bounds", "parity", "-n", "2", "--measure", "deterministic", "--save", str(path))[0] == 0
    assert "parity, n = 2 (4 x 4, sha256 " in ccsim("verify", str(path))[1]
    data = json.loads(path.read_text(encoding="utf-8"))
    data["matrix"]["rows"] = ["".join("01"[cell == "0"] for cell in row) for row in data["matrix"]["rows"]]
    path.write_text(json.dumps(data), encoding="utf-8")
    code, out, _ = ccsim("verify", str(path))
    assert code == 1
    assert "the cells are not those of parity, n = 2" in out


def test_certificates_for_every_length_are_verified_and_say_so(ccsim, tmp_path):
    path, family = tmp_path / "letters.json", named_family("equality")
    FamilyCertificate.of(family, upper=letter_parties(family).witness()).save(path)
    code, out, _ = ccsim("verify", str(path))
    assert code == 0
    assert "deterministic <= n + 1 bits for all n >= 1 (both know) of equality, n bits each" in out
    (row,) = printed_json("verify", ccsim("verify", str(path), "--json")[1])
    assert row["certificate"]["proofs"] == [
        {"side": "upper", "statement": "<= n + 1 bits for all n >= 1", "kind": "finite-state-parties"}
    ]


def test_certificates_of_all_measures_are_saved_and_verified(ccsim, tmp_path):
    path = tmp_path / "all.json"
    code, out, _ = ccsim("bounds", "disjointness", "-n", "2", "--save", str(path), "--json")
    saved = printed_json("bounds", out)["saved"]
    assert code == 0
    assert len(saved) > 8
    code, out, _ = ccsim("verify", *saved)
    assert (code, out.count("accepted")) == (0, len(saved)), out


BAD = [
    (("bounds", "no-such-function"), "no-such-function"),
    (("bounds", "nothing.npy"), "exists"),
    (("bounds", "eqality"), "did you mean equality"),
    (("verify", "no.json"), "a file that exists"),
    (("bounds", "equality", "--measure", "guess"), "'--measure': --measure = 'guess': expected"),
    (("size", "gru"), "'gru' is not one of"),
    (("cite", "bhattamishra"), "bhattamishra"),
    (("bounds", "equality", "--seconds", "-3"), "more than 0"),
    (("bounds", "equality", "-n", "30"), "would need"),
    (("bounds", "clique-independent-set", "-n", "99"), "graph = a Graph: expected from 1 to 62 vertices, not 99"),
    (("bounds", "equality-of-three", "-n", "1", "--measure", "rank"), "several parties"),
    (("run", "trivial-disjointnes"), "trivial-disjointness"),
    (("run", "trivial-disjointness", "-n", "3", "--alice", "0102", "--bob", "000"), "--alice = '0102'"),
    (("run", "trivial-disjointness", "-n", "3", "--alice", "01", "--bob", "000"), "exactly 3 bits"),
    (("run", "trivial-disjointness", "-n", "3", "--carol", "010"), "alice, bob only"),
    (("run", "trivial-disjointness", "-n", "3", "--word", "010"), "not a task on words"),
    (("run", "trivial-dyck", "-n", "4", "--word", "(x)]"), "'x'"),
    (("run", "trivial-dyck", "-n", "4", "--word", "()"), "4 symbols"),
    (("run", "trivial-disjointness", "-n", "-1"), "n = -1"),
    (("run", "equality", "--protocol", "nothing-like-it"), "--protocol"),
    (("certify", "no-such-thing"), "no-such-thing"),
    (("bounds", "disjointness", "-n", "24"), "would need"),
    (("frobnicate",), "frobnicate"),
    (("run",), "protocol"),
    (("run", "trivial-disjointness", "-n", "three"), "'three'"),
]


def test_bad_input_is_one_clear_line_and_exit_code_2(ccsim):
    for arguments, said in BAD:
        code, out, err = ccsim(*arguments)
        assert (code, out, len(err.splitlines())) == (2, "", 1), arguments
        assert said.lower() in err.lower()


def test_the_installed_command_runs_and_ends_with_its_exit_code():
    command = Path(sys.executable).with_name("ccsim")
    done = subprocess.run([command, "run", "nothing"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ccsim: protocol = 'nothing'")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_signs_that_a_terminal_cannot_show_are_written_otherwise(encoding):
    command = [sys.executable, "-m", "ccsim", "certify", "communication-set-intersection-size-from-below", "--all"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, check=True)
    assert "claimed >= 1" in done.stdout.decode(encoding)
    assert done.stderr == b""


def test_a_run_that_is_stopped_shows_what_is_finished(monkeypatch, capsys):
    def stopped(cells, store, **_):
        store.add({cell.key: "code" for cell in cells})
        raise KeyboardInterrupt

    monkeypatch.setattr("ccsim.claims.run_cells", stopped)
    assert run_app(["certify", "communication-equality"]) == 130
    out, err = capsys.readouterr()
    assert "0 verdicts on 0 claims" in out
    assert "stopped: 0 of 1 are measured" in err
    assert run_app(["certify"]) == 130
    out, err = capsys.readouterr()
    assert "hold" not in out
    assert f" 0 of {re.search('stopped: 0 of ([0-9]+) are measured', err)[1]} verdicts in " in out


def test_the_version_is_the_packages(ccsim):
    assert ccsim("--version")[1] == f"ccsim {cc.__version__}\n"
    heading = re.search(
        r"^## (\S+)", Path(__file__).parents[1].joinpath("CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert heading[1] in ("Unreleased", cc.__version__)


def test_a_certificate_is_written_over_no_device_and_no_folder(ccsim, tmp_path):
    for place in ("/dev/null", tmp_path, tmp_path / "no" / "file"):
        code, out, err = ccsim("bounds", "equality", "-n", 2, "--save", place)
        assert (code, out) == (2, "")
        assert "--save" in err
    assert Path("/dev/null").is_char_device()


def test_what_no_checker_reads_is_not_saved(ccsim, monkeypatch, tmp_path):
    monkeypatch.setattr("ccsim.certificates.certificate.MOST_CELLS", 255)
    path = tmp_path / "index.json"
    code, out, err = ccsim("bounds", "index", "-n", 8, "--measure", "rank", "--save", path)
    assert (code, path.exists()) == (0, False)
    assert "rank (label 1" in out
    assert "not saved, as a certificate is of a matrix of at most 255 cells: rank (label 0" in err


def test_three_parties_meet_at_a_blackboard(ccsim):
    code, out, _ = ccsim("bounds", "equality-of-three", "-n", 2)
    assert code == 0
    assert "4 bits" in out
    data = printed_json("bounds", ccsim("bounds", "equality", "-n", 2, "--measure", "blackboard", "--json")[1])
    assert (data["lower"], data["upper"]) == (3, 3)


def test_a_search_that_is_stopped_shows_and_saves_what_is_proved(ccsim, monkeypatch, tmp_path):
    def stopped(question, place, clock):
        raise KeyboardInterrupt
        yield

    monkeypatch.setitem(cc.bounds.MEASURES, "cover", replace(cc.bounds.MEASURES["cover"], search=stopped))
    code, out, err = ccsim("bounds", "equality", "-n", "3", "--measure", "cover", "--save", tmp_path / "cover.json")
    assert code == 130
    assert "stopped" in err
    assert "cover (label 1)" in out
    assert ccsim("verify", tmp_path / "cover.json")[0] == 0
    with pytest.raises(KeyboardInterrupt):
        cc.bounds.brackets_of(cc.problems.equality(3), "cover")


@pytest.mark.parametrize(
    ("command", "drawn"),
    [
        (("bounds", "equality", "-n", 2, "--measure", "deterministic"), "protocol tree"),
        (("bounds", "equality", "-n", "1:2", "--measure", "deterministic"), "equality: bits against n"),
        (("run", "equality", "-n", 2, "--seed", 1), "message-sequence chart"),
        (("language", "(ab)*", "--longest", 0), "an automaton"),
    ],
)
def test_pictures_are_saved_by_the_endings_of_their_names(tmp_path, ccsim, command, drawn):
    paths = [tmp_path / f"figure{suffix}" for suffix in (".svg", ".tex", ".PNG")]
    code, out, _ = ccsim(*command, *(part for path in paths for part in ("--save", path)))
    assert code == 0
    assert all(f"saved {path}: {drawn}" in out for path in paths)
    assert all(path.stat().st_size > 500 for path in paths)
    code, _, error = ccsim(*command, "--save", tmp_path / "figure.jpg")
    assert code == 2
    assert ".svg, .tex, .pdf, .png" in error


def test_a_certificate_and_its_picture_are_saved_together(tmp_path, ccsim):
    paths = [tmp_path / "c.json", tmp_path / "c.tex"]
    given = ("bounds", "equality", "-n", 2, "--measure", "cover", "--json")
    _, out, _ = ccsim(*given, "--save", paths[0], "--save", paths[1])
    assert set(map(str, paths)) <= set(json.loads(out)["saved"])
    assert r"\end{tikzpicture}" in paths[1].read_text(encoding="utf-8")


def test_being_told_to_end_stops_a_run_and_ends_what_is_beside(monkeypatch):
    """As the keyboard does; a process beside has nothing to show."""
    told_to_end = []

    def run(*_):
        told_to_end.extend(Clock.within(patient(5)).run(lambda tell: tell(signal.getsignal(signal.SIGTERM))))
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("ccsim.cli.app.run_app", run)
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with pytest.raises(SystemExit, match="130"):
            main(["bounds"])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert told_to_end == [signal.SIG_DFL]


def test_a_summary_that_is_stopped_keeps_what_was_told(ccsim, monkeypatch):
    def stopped(clock, work):
        raise KeyboardInterrupt

    monkeypatch.setattr("ccsim.bounds.scheduler.Clock.run", stopped)
    code, out, err = ccsim("bounds", "equality", "-n", "3", "--json")
    data = printed_json("bounds", out)
    assert code == 130
    assert len(err.splitlines()) == 1
    assert {row["measure"] for row in data["brackets"]} >= {"deterministic", "cover", "discrepancy"}
    assert any(row["method"].endswith(", stopped") for row in data["brackets"])


def test_lectures_are_copied_and_answers_are_not_written_over(ccsim, tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    names = sorted(path.name for path in (Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
    (tmp_path / names[0]).write_text("my answers", encoding="utf-8")
    code, out, _ = ccsim("lectures", tmp_path, "--json")
    assert code == 0
    rows = printed_json("lectures", out)
    assert [(Path(row["file"]).name, row["copied"]) for row in rows] == [(name, name != names[0]) for name in names]
    assert (tmp_path / names[0]).read_text(encoding="utf-8") == "my answers"
    assert ccsim("lectures", __file__)[0] == 2


def test_jupyter_trusts_the_lectures_that_were_copied_and_no_other(ccsim, tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    assert ccsim("lectures", tmp_path / "mine")[0] == 0
    notary = import_module("nbformat.sign").NotebookNotary()
    first, *rest = [nbformat.read(path, as_version=4) for path in sorted((tmp_path / "mine").glob("*.ipynb"))]
    assert rest
    assert all(map(notary.check_signature, [first, *rest]))
    first.cells[1].source += "#"
    assert not notary.check_signature(first)
    notary.store.close()
    (tmp_path / "file").touch()
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "file"))
    assert ccsim("lectures", tmp_path / "again")[0] == 0


def test_the_first_line_of_bounds_is_the_answer_and_lines_are_short(ccsim):
    out = ccsim("bounds", "disjointness", "-n", "3", "--seconds", str(patient(10)))[1]
    first, *rest = out.splitlines()
    assert "disjointness(3) is exactly 4 bits" in first
    assert len(rest) <= 20
    assert max(map(len, rest)) <= 120
    assert sum(line.startswith("nondeterministic") for line in rest) == 2
    assert all(re.search(r"one-way \(. to .\) +3 bits", out) for _ in "AB")


def test_tables_are_printed_in_the_form_that_is_asked_for(ccsim):
    commands = [
        ("bounds", "equality", "-n", "2", "--measure", "cover"),
        ("list", "problems"),
        ("run", "equality", "-n", "2", "--seed", "1"),
        ("certify", "communication-equality", "-n", "2"),
    ]
    for command in commands:
        assert ccsim(*command, "--format", "latex")[1].startswith(r"\begin{tabular}"), command
        assert ccsim(*command, "--format", "markdown")[1].startswith("| "), command
        heading, *rows = ccsim(*command, "--format", "csv")[1].splitlines()
        assert rows, command
        assert heading.count(",") >= 3, command
        assert json.loads(ccsim(*command, "--format", "json")[1]), command


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"),
    [
        ("transformer --task dyck --width 64 --heads 4 --precision 16", 0, "CANNOT"),
        ("transformer --task dyck --width 64 --heads 4 --precision 16 -n 3000", 1, "CANNOT"),
        ("transformer --task dyck --width 64 --heads 4 --precision 16 -n 300", 0, "NOT KNOWN"),
        ("transformer --task index-lookup --width 64 --precision 16 -n 8", 0, "CAN"),
        ("transformer --task index-lookup --width 64 --precision 16 --window 8 -n 8", 0, "NOT KNOWN"),
        ("transformer --task index-lookup --width 64 --precision 16 --window 9 -n 8", 0, "CAN"),
        ("recurrent --task dyck --width 1 --precision 3", 0, "CAN"),
        ("recurrent --task index-lookup --width 1 --precision 8 -n 8", 0, "CAN"),
        ("recurrent --task index-lookup --width 1 --precision 8 -n 9", 1, "CANNOT"),
        ("recurrent --task associative-recall --width 1 --precision 7 -n 6", 0, "NOT KNOWN"),
        ("recurrent --task equality-of-halves --width 1 --precision 5 -n 10", 0, "CAN"),
        ("recurrent --task dyck --width 1 --precision 3 -n 100000", 0, "CAN"),
        ("recurrent --task multi-query-associative-recall --width 4096 --precision 16 -n 1024", 0, "CAN"),
        ("recurrent --task multi-query-associative-recall --width 64 --precision 16 -n 1000", 0, "NOT KNOWN"),
        ("transformer --task inequality-of-halves --width 16 --precision 6 -n 8", 0, "CAN"),
    ],
)
def test_size_begins_with_what_such_a_model_can_do(ccsim, arguments, code, verdict):
    ended, out, _ = ccsim("size", *arguments.split())
    assert (ended, out.split(":")[0]) == (code, verdict)
    data = printed_json("size", ccsim("size", *arguments.split(), "--json")[1])
    assert data["answer"]["verdict"] == verdict


def test_size_of_all_tasks_and_heads_that_share_the_width(ccsim):
    sizes = ("size", "transformer", "--width", "64", "--precision", "16")
    rows = json.loads(ccsim(*sizes, "--json")[1])
    assert {row["verdict"] for row in rows} == {"CANNOT", "NOT KNOWN"}
    data = printed_json("size", ccsim(*sizes, "--heads", "4", "--task", "dyck", "--json")[1])
    assert data["size"]["head_width"] == 16
    code, _, err = ccsim(*sizes, "--heads", "3", "--task", "dyck")
    assert code == 2
    assert "--head-width" in err
