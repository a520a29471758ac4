"""The hash under which a result is kept: whatever a claim can reach changes it, and nothing spoilt is served."""

import json
import subprocess
import sys
from pathlib import Path

import cloudpickle
import pytest

from ccsim.claims import Source, check_claim, registered_claims, store
from ccsim.claims.claim import Direction, Finding, Paper, param
from tests.speed import patient

ROOT = Path(__file__).parents[2]
FILES = {
    "__init__.py": "",
    "claims.py": (
        "from pathlib import Path\n"
        "from ccsim.claims import Direction, Finding, Paper, Source, param\n"
        "from spoilt import (\n    values,  # (these)\n    beside,\n)\n"
        "mine = Source(Paper('mine', 'Myself 2025'))\n"
        "@mine.claim('Theorem 1', direction=Direction.UPPER, formula='99')\n"
        "def measured(length: int = param('n', 4)) -> Finding:\n"
        "    '''It is so.'''\n"
        "    from .inner import late\n"
        "    data = int((Path(__file__).parent / 'data' / 'number.txt').read_text())\n"
        "    return Finding(measured=values.VALUE + late.VALUE + data, checked=1, of=1)\n"
    ),
    "values.py": "from importlib import import_module\nVALUE = import_module('spoilt.named').VALUE\n",
    "named.py": "VALUE = 1\n",
    "beside.py": "VALUE = 1\n",
    "unused.py": "VALUE = 1\n",
    "inner/__init__.py": "",
    "inner/late.py": "VALUE = 1\nFASTER = 'fast.compiled'\n",
    "data/number.txt": "1\n",
}
RUN = """
import sys
from ccsim.claims import Store, cells_of, run_cells
from ccsim.claims.store import code_of
from spoilt.claims import mine
from tests.claims.conftest import Here
with Store(sys.argv[1]) as store:
    (row,) = run_cells(cells_of(mine.claims), workers=Here(), store=store)
    print(code_of(mine.claims[0]), row.measured, store.before)
"""


@pytest.fixture
def package(tmp_path):
    for name, text in FILES.items():
        (tmp_path / "spoilt" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "spoilt" / name).write_text(text)
    return tmp_path / "spoilt"


def run(package):
    """The hash, what was measured, and whether that is of a run before."""
    command = [sys.executable, "-c", RUN, str(package.parent / "store.sqlite3")]
    path = {"PYTHONPATH": f"{package.parent}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    code, measured, before = subprocess.run(
        command, env=path, capture_output=True, text=True, check=True, timeout=patient(60)
    ).stdout.split()
    return code, int(measured), before == "1"


def test_what_is_spoilt_is_measured_again_and_what_is_mended_is_served(package):
    code, value, served = run(package)
    assert (value, served) == (3, False)
    late = package / "inner" / "late.py"
    late.write_text("VALUE = 7\n")
    spoilt, value, served = run(package)
    assert (value, served, spoilt != code) == (9, False, True)
    late.write_text(FILES["inner/late.py"])
    assert run(package) == (code, 3, True)


@pytest.fixture
def code_of(package, monkeypatch):
    """The hash as a new process would find it, without the files of ccsim; the package itself is imported once."""
    monkeypatch.syspath_prepend(package.parent)
    for name in [name for name in sys.modules if name.partition(".")[0] == "spoilt"]:
        monkeypatch.delitem(sys.modules, name)
    caches = [value for value in vars(store).values() if hasattr(value, "cache_clear")]

    places = store._places
    monkeypatch.setattr(store, "_places", lambda root: [] if root in store.OURS else places(root))

    def found():
        store._stamps.clear()
        for cache in caches:
            cache.cache_clear()
        from spoilt.claims import mine

        return store.code_of(mine.claims[0])

    yield found
    for cache in caches:
        cache.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "spoilt"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", [*FILES, "inner/other.txt", "inner/fast.compiled"])
def test_every_file_that_can_be_reached_counts_and_no_other(package, code_of, name):
    before, counts = code_of(), name not in ("unused.py", "inner/fast.compiled")
    path = package / name
    path.write_text((path.read_text() if path.exists() else "") + "\n")
    assert (code_of() != before) == counts
    assert not store.code_has_changed()
    path.write_text(path.read_text() + "\n\n")
    assert store.code_has_changed() == counts


def test_data_that_a_module_outside_of_packages_names_count(tmp_path, monkeypatch):
    (tmp_path / "alone_with_data.py").write_text("DATA = 'numbers.json'\n")
    monkeypatch.syspath_prepend(tmp_path)
    digests = set()
    for number in range(2):
        (tmp_path / "numbers.json").write_text(f"{number}\n")
        digests.add(store._digest.__wrapped__("alone_with_data"))
    assert len(digests) == 2


def test_versions_and_values_of_closures_count(code_of, monkeypatch):
    def claim(value):
        source = Source(Paper("mine", "Myself 2025"))

        @source.claim("Theorem 1", direction=Direction.UPPER, formula="n")
        def measured(length: int = param("n", 4)) -> Finding:
            """It is so."""
            return Finding(measured=value, checked=length)

        return source.claims[0]

    assert store.code_of(claim(1)) == store.code_of(claim(1)) != store.code_of(claim(2))
    before = code_of()
    monkeypatch.setattr("ccsim.claims.store.sys.version", "4.0")
    assert code_of() != before


def files_of(names):
    return {str(path) for name in names for path in store._files(name.partition(".")[0])[name]}


def executed(claim):
    """The files of ccsim and ``protocols`` of which a function is called."""
    found = set()
    sys.setprofile(lambda frame, *_: found.add(frame.f_code.co_filename))
    try:
        check_claim(claim, claim.settings()[0])
    finally:
        sys.setprofile(None)
    return {name for name in found if Path(name).is_relative_to(ROOT) and "tests" not in Path(name).parts}


FEW = (
    "trivial-equality",
    "communication-index-one-way",
    "peng2024-theorem-1",
    "nowak2024-regular",
    "ccsim-parity-heads",
)


@pytest.mark.parametrize("names", [FEW, pytest.param(None, marks=pytest.mark.slow)])
def test_no_claim_runs_a_file_that_its_hash_leaves_out(names):
    for name, claim in registered_claims().items():
        if names is None or name in names:
            reached = files_of(store.modules_of(cloudpickle.dumps(claim)))
            assert executed(claim) - reached == set(), name


def test_a_paper_depends_on_no_other_paper():
    reached = store.modules_of(cloudpickle.dumps(registered_claims()["peng2024-theorem-1"]))
    assert "protocols.papers.peng2024" in reached
    assert not {"protocols.papers.svete2024", "ccsim.cli.app"} & set(reached)


def test_hashes_are_those_of_another_process():
    code = (
        "import json; from ccsim.claims import registered_claims; from ccsim.claims.store import code_of; "
        "print(json.dumps({name: code_of(claim) for name, claim in registered_claims().items()}))"
    )
    one, other = (
        json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in "12"
    )
    assert one == other
