"""The documentation: its examples and commands run as printed, and what is generated is what the program says."""

import doctest
import importlib
import inspect
import json
import os
import pkgutil
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

import ccsim
import protocols
from ccsim.auditing import Budget
from ccsim.certificates.verify.claims import MEASURES, PROVES
from ccsim.certificates.verify.families import ALWAYS
from ccsim.claims import Word, check, registered_claims
from ccsim.claims.claim import find_claims
from ccsim.claims.growth import curve
from ccsim.claims.summary import FAULTS
from ccsim.claims.verdict import Coverage
from ccsim.cli.app import run_app
from ccsim.cli.commands import COMMANDS as COMMANDS_OF_CCSIM
from ccsim.models.recurrent import likely_seconds, likely_time
from ccsim.problems import dyck
from ccsim.references import references, references_in
from tests.golden.test_golden import compare_verdicts
from tests.slow import slow
from tests.speed import patient

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WRITTEN = sorted(path for path in DOCS.rglob("*.md") if path.name not in ("languages.md", "leaderboard.md"))
PAGES = [path for path in WRITTEN if ">>> " in path.read_text(encoding="utf-8")]
INSTALLS = re.compile(r"^(python -m (pip|venv)|\. )")


SECONDS = re.compile(r"\b\d+\.\d+(?= s[,)]|$)")
PRINTED = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def commands_of(path):
    """Each command of a page, with what the page prints after it."""
    blocks = re.findall(r"^```console\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [found for block in blocks for found in PRINTED.findall(block)]


def as_told(text):
    """Text without seconds and without blanks at the ends of lines."""
    return "\n".join(SECONDS.sub("", line.rstrip()).rstrip() for line in text.splitlines())


COMMANDS = {path: found for path in [*WRITTEN, ROOT / "CONTRIBUTING.md"] if (found := commands_of(path))}


def load_generator():
    specification = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def count_own_time(path, monkeypatch):
    """Limits of audits count the time of this process alone: a page is then the same, whatever else runs beside it."""
    if path.stem != "audit_my_model":
        return
    monkeypatch.setattr(time, "monotonic", time.process_time)
    monkeypatch.setitem(inspect.unwrap(ccsim.audit).__kwdefaults__, "clock", time.process_time)
    for function in (Budget.__init__, likely_seconds, likely_time):
        function = inspect.unwrap(function)
        *others, clock = function.__defaults__
        assert clock is not time.process_time
        monkeypatch.setattr(function, "__defaults__", (*others, time.process_time))


LONG = ("audit_my_model", "bounds")


@pytest.mark.parametrize(
    "path", [slow(path) if path.stem in LONG else path for path in PAGES], ids=lambda path: path.stem
)
def test_examples_print_what_they_say(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where files that examples write go
    count_own_time(path, monkeypatch)
    options = doctest.NORMALIZE_WHITESPACE
    assert doctest.testfile(str(path), module_relative=False, optionflags=options).failed == 0


@pytest.mark.parametrize(
    "path", [slow(path) if path.stem == "run_on_a_cluster" else path for path in COMMANDS], ids=lambda path: path.stem
)
def test_commands_run_as_printed(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    count_own_time(path, monkeypatch)
    for room in ("ccsim", "protocols"):
        (tmp_path / room).symlink_to(ROOT / room)
    for command, printed in COMMANDS[path]:
        if INSTALLS.match(command):
            continue
        if command.startswith("ccsim "):
            wanted = int("# exit code 1" in command)
            assert run_app(shlex.split(command, comments=True)[1:]) == wanted, command
            out = capsys.readouterr().out
            assert out, command
        else:
            program = command.replace("python ", f"{shlex.quote(sys.executable)} ", 1)
            done = subprocess.run(program, shell=True, check=False, capture_output=True, text=True)
            assert done.returncode == 0, command
            out = done.stdout
        assert printed == "" or as_told(out) == as_told(printed), command


@pytest.mark.slow
def test_the_page_on_clusters_runs_on_this_machine(tmp_path, monkeypatch, capsys):
    """Scheduler, worker and sweep as printed, but for the name of the host and a port that is free here."""
    text = (DOCS / "how_to" / "run_on_a_cluster.md").read_text(encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    printed = re.findall(r"^\$ (.*(?:dask|--cluster).*)$", text, re.MULTILINE)
    scheduler, worker, sweep = (shlex.split(one.replace("HOST", "127.0.0.1").replace("8786", port)) for one in printed)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "ccsim.claims.running.WAITING", patient(60)
    )  # three programs start at once on whatever else runs here
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begun = []
    try:
        for program, *arguments in (scheduler, worker):
            assert program == "dask"
            more = ["--dashboard-address", ":0"] if "scheduler" in arguments else ["--no-dashboard"]
            begun.append(subprocess.Popen([sys.executable, "-m", "dask", *arguments, *more], **quiet))
        assert run_app(sweep[1:]) == 0
    finally:
        for process in reversed(begun):
            process.terminate()
            process.wait(timeout=patient(30))
    assert "0 broken, 8 tight" in capsys.readouterr().out


def test_the_claim_of_the_page_on_claims_is_measured(tmp_path, monkeypatch):
    """The module that the page shows is one, and its claim holds."""
    text = (DOCS / "registering_claims.md").read_text(encoding="utf-8")
    (tmp_path / "my_claims.py").write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    (claim,) = importlib.import_module("my_claims").mine.claims
    assert check(claim).description == "tight"


def test_every_claim_that_a_page_certifies_exists():
    pages = [path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")]
    called = {
        name for page in pages for names in re.findall(r"`ccsim certify ([^`]*)`", page) for name in names.split()
    }
    names = sorted(
        name for name in called if name[0] != "-" and name not in ("NAME", "ccsim", "mine", "mine-theorem-1")
    )
    assert len(names) > 10
    assert [name for name in names if not find_claims([name])] == []


def test_the_page_on_the_command_line_names_every_command():
    named = re.findall(r"^\| `ccsim (\w+)` \|", (DOCS / "command_line.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(COMMANDS_OF_CCSIM)
    assert re.findall(r"^### ccsim (\w+)$", load_generator().options(), re.MULTILINE) == list(COMMANDS_OF_CCSIM)


def test_the_picture_and_the_page_are_those_of_the_verdicts():
    """A slow test compares the verdicts with a run."""
    generator = load_generator()
    rows = generator.stored_rows()
    made = generator.story_picture(registered_claims().values(), generator.words_of(rows)).svg
    assert made + "\n" == (DOCS / "story.svg").read_text(encoding="utf-8"), "run python docs/generate.py"
    assert made.count("✓") == made.count("a small one can") + 1
    page = generator.claims_page()
    assert [row["claim"] for row in rows if f">{row['claim']}<" not in page] == []


def test_no_claim_looks_better_at_its_first_size_than_at_all():
    """What ``ccsim certify`` says without --all-sizes hides nothing that is known to fail."""
    first, failing = {}, set()
    for row in load_generator().stored_rows():
        first.setdefault(row["claim"], row["verdict"] in FAULTS)
        failing |= {row["claim"]} if row["verdict"] in FAULTS else set()
    assert {name for name, fails in first.items() if fails} == failing


def near(claim, row):
    """Whether a declared curve is at most 20 times what was measured last: a constant that all satisfy says nothing."""
    size, value = row["series"][-1]
    return curve(claim, row["parameters"], size) <= 20 * value


@pytest.mark.slow
def test_the_kept_verdicts_are_those_of_a_run_and_every_exact_lower_bound_in_it_is_certified(capsys, tmp_path):
    store = ["--all-sizes", "--store", str(tmp_path / "store.sqlite3")]
    assert run_app(["certify", "--json", "--save-certificates", str(tmp_path / "certificates"), *store]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert run_app(["certify", *store]) == 0
    screen = capsys.readouterr().out.splitlines()
    assert (len(screen) <= 24, max(map(len, screen)) <= 80) == (True, True)
    assert re.match(rf"\d+ of {len(registered_claims())} claims hold: ", screen[0])
    generator = load_generator()
    assert generator.kept(rows) == generator.stored_rows(), "run docs/generate.py"
    assert {row["claim"] for row in rows} == set(registered_claims())
    assert compare_verdicts(rows) > len(rows) // 2
    assert {row["verdict"] for row in rows} <= {word.value for word in Word} - {"broken", "not measured"}
    loose = {row["claim"] for row in rows if row["series"] and not near(registered_claims()[row["claim"]], row)}
    assert loose == set()
    proved = [row for row in rows if row["exact"] and row["direction"] in ("lower bound", "exact value")]
    assert len(proved) > 50
    assert run_app(["verify", *(row["saved"] for row in proved)]) == 0


@pytest.mark.slow
def test_the_table_of_languages_is_that_of_a_search():
    made = load_generator().languages_page()
    assert made == (DOCS / "languages.md").read_text(encoding="utf-8"), "run python docs/generate.py"


def test_every_kind_of_witness_has_its_proof():
    kinds = {kind for table in (PROVES, ALWAYS) for checkers in table.values() for kind in checkers}
    proved = set(re.findall(r"^### (\S+)$", (DOCS / "theory.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert proved == kinds


def test_every_measure_is_defined():
    (table,) = re.findall(r"^\| measure \|.*?\n\n", (DOCS / "theory.md").read_text(encoding="utf-8"), re.M | re.DOTALL)
    rows = [row.split("|")[1] for row in table.splitlines()[2:] if row]
    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row)} == set(MEASURES)


def test_dyck_costs_what_its_proof_says():
    for length, brackets in [(2, 1), (2, 3), (4, 1), (4, 2), (6, 1)]:
        words = brackets * (2 * brackets) ** (length // 2 - 1)
        function = dyck(length, brackets, 2).split(ccsim.Partition.odd_even(length))
        found = ccsim.bounds.deterministic(function, seconds=patient(20))
        assert found.lower == found.upper == words.bit_length() + 1  # the logarithm of words + 1, rounded up, and 1


def test_the_reference_lists_every_package():
    listed = set(re.findall(r"^   ([\w.]+)$", (DOCS / "reference.md").read_text(encoding="utf-8"), re.MULTILINE))
    found = {
        module.name
        for package in (ccsim, protocols)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if module.ispkg and getattr(importlib.import_module(module.name), "__all__", ())
    }
    assert found <= listed | {"ccsim"}
    assert all(importlib.import_module(name) for name in listed)


def public_names():
    """What packages of the reference offer: the name under which each is public, and where it is defined."""
    listed = re.findall(r"^   ([\w.]+)$", (DOCS / "reference.md").read_text(encoding="utf-8"), re.MULTILINE)
    for package in listed:
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            yield package, name, getattr(module, name)


def test_the_page_of_public_names_has_all_of_them():
    table = load_generator().public_names()
    rows = dict(re.findall(r"^\| `([\w.]+)` \| (.*) \|$", table, re.MULTILINE))
    assert all(f"`{name}`" in rows[package].split(", ") for package, name, _ in public_names())


def test_every_citation_has_an_entry_and_every_page_its_place():
    entries = set(references())
    cited = {
        key
        for path in WRITTEN
        for keys in re.findall(r"\{cite\}`([\w,]+)`", path.read_text(encoding="utf-8"))
        for key in keys.split(",")
    }
    assert cited <= entries
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    assert "proofs/*" in index
    assert "lectures/*" in index
    pages = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md") if path.parent.name != "proofs"}
    pages -= {"index"}
    assert pages == {line for line in index.splitlines() if line in pages}


def test_the_citation_file_has_the_package_and_every_paper():
    cited = re.sub(r'"', "", (ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    own, _, papers = cited.partition("\nreferences:\n")
    entries = references()
    ours = entries["ccsim"].fields
    assert ours["version"] == ccsim.__version__
    assert ours["license"] == "MIT"
    date = f"{ours['year']}-{ours['month']}-"
    title = re.sub("[{}]", "", ours["title"])
    for line in (f"title: {title}", f"version: {ccsim.__version__}", f"date-released: {date}", "license: MIT"):
        assert f"\n{line}" in own
    assert "\nkeywords:\n  - communication complexity\n" in own
    executed = [one for claim in registered_claims().values() for one in references_in(claim.source)]
    executed = {one.key: one for one in executed if one.key not in ("kushilevitz1997", "tamm1995")}  # textbook facts
    listed = papers.split("  - type: ")[1:]
    assert len(listed) == len(executed) == 10
    for paper in executed.values():
        names = [name.partition(",")[0] for name in paper.fields["author"].split(" and ")]
        title = re.sub("[{}]", "", paper.fields["title"])
        (entry,) = [text for text in listed if f"title: {title}\n" in text]
        assert re.findall("family-names: (.*)", entry) == names
        assert f"year: {paper.fields['year']}\n" in entry


def test_the_bibliography_is_read_as_others_read_it():
    pybtex = pytest.importorskip("pybtex.database")
    data = pybtex.parse_file(str(ROOT / "ccsim" / "references.bib"))
    assert list(data.entries) == list(references())
    for key, entry in data.entries.items():
        own = references()[key]
        fields = {name: value for name, value in own.fields.items() if name != "author"}
        assert (entry.type, dict(entry.fields)) == (own.kind, fields)
    again = "\n".join(one.bibtex for one in references().values())
    assert pybtex.parse_string(again, "bibtex") == data


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The documentation as it is read, built without a warning; ``SITE`` names one that has just been built."""
    if "SITE" in os.environ:
        return Path(os.environ["SITE"])
    if shutil.which("sphinx-build") is None:
        pytest.skip("needs the extra docs")
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(["sphinx-build", "-W", "-q", str(DOCS), str(folder)], capture_output=True, check=False)
    assert built.returncode == 0, built.stderr.decode()
    return folder


@pytest.mark.slow
def test_every_public_name_is_in_the_reference(site):
    *_, packed = (site / "objects.inv").read_bytes().split(b"\n", 4)
    described = {line.split(" py:")[0] for line in zlib.decompress(packed).decode().splitlines() if " py:" in line}
    missing = [
        f"{package}.{name}"
        for package, name, thing in public_names()
        if not any(one.endswith(f".{name}") for one in described)
    ]
    assert missing == []


@pytest.mark.slow
def test_the_site_needs_no_network_and_sets_its_formulas(site):
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    for path, text in pages.items():
        loaded = re.findall(r'<(?:script|img|iframe)[^>]* src="(https?:[^"]*)"|<link[^>]* href="(https?:[^"]*)"', text)
        assert loaded == [], path
    assert pages[site / "theory.html"].count("<math") > 100
    assert pages[site / "lectures" / "08_separations_in_one_picture.html"].count("<math") > 3
    assert "copybtn" in pages[site / "index.html"] or (site / "_static" / "copybutton.js").exists()


def test_names_in_the_glossary_exist():
    names = re.findall(r"`((?:ccsim|protocols)\.[\w.]+)`", (DOCS / "glossary.md").read_text(encoding="utf-8"))
    assert len(names) > 40
    for name in names:
        assert pkgutil.resolve_name(name) is not None


def test_the_words_of_verdicts_are_defined_where_they_are_explained():
    words, _, scopes = (DOCS / "verdicts.md").read_text(encoding="utf-8").partition("## How far")
    assert re.findall(r"^\| ([a-z ]+) \| (.*) \|$", words, re.MULTILINE)[1:] == [
        (word.value, word.meaning) for word in Word
    ]
    assert re.findall(r"^\| ([a-z ]+) \| ([^|]*) \| .*\|$", scopes.partition("\n## ")[0], re.MULTILINE)[1:] == [
        (coverage.value, coverage.meaning) for coverage in Coverage
    ]


def test_the_checks_of_contributors_are_those_of_the_machine():
    """Each command that CONTRIBUTING names for checking is in the script that it calls all of them."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"^\$ (.*?)(?: +#.*)?$", re.search(r"```text\n(.*?)```", text, re.DOTALL)[1], re.MULTILINE)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert named.pop() == ".ci/run"
    said = [set(shlex.split(line, comments=True)) for line in script.splitlines() if line[:1] not in ("", "#", "t")]
    named += re.findall(r"^\$ (python -m pip .*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(named) >= 7
    for command in (part for line in named for part in line.split(" && ")):
        assert any(set(shlex.split(command)) - {"build/docs"} <= words for words in said), command


def test_every_proof_is_named_where_proofs_are_listed():
    theory = (DOCS / "theory.md").read_text(encoding="utf-8")
    assert [path.name for path in (DOCS / "proofs").glob("*.md") if f"(proofs/{path.name})" not in theory] == []
