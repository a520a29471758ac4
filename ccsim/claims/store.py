"""The store of results: verdicts in a file, each under the hash of everything on which it depends.

:func:`code_of` is that hash: of a claim, of the files of every module that it can reach, of the versions of Python and
of what is installed. A result is used again only where it is the same. What is not seen: modules and files whose names
are put together while a claim runs, and code that has no file (``--fresh`` measures anew).
"""

from __future__ import annotations

import hashlib
import json
import os
import pickletools
import platform
import re
import secrets
import socket
import sqlite3
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from ccsim import lazy
from ccsim.claims.claim import Claim
from ccsim.claims.verdict import Verdict, Word
from ccsim.errors import InputError

cloudpickle = lazy.load("cloudpickle")

Key = tuple[str, str]  # the name of a claim, and its setting as text

OURS = "ccsim", "protocols"
GROUPS = "ccsim.problems", "ccsim.protocols", "ccsim.claims"
IMPORT = re.compile(r"(?:\bfrom\s+([.\w]+)\s+)?\bimport\s+(\([^)]*\)|[^\n]*)")
QUOTED = re.compile(r"[\"']([A-Za-z_]\w*(?:\.\w+)+)[\"':]")
LOOKED_UP = re.compile(r"\b(registered_|find_protocol|protocols_for|find_claims|import_module|__import__|entry_points)")
INSTALLED = "site-packages", "dist-packages"
DISTRIBUTIONS = ".dist-info", ".egg-info"  # folders whose names are those of packages with their versions
SOURCE = ".py", ".pyi"
COMPILED = ".compiled"  # made of what is beside it, in each installation


@cache
def code_of(claim: Claim) -> str:
    """The hash of what measuring a claim depends on, but for the setting; another each time if that cannot be known."""
    try:
        pickled = cloudpickle.dumps(claim)  # by value what is not to be imported, by name what is
    except Exception:  # whatever a claim is made of
        return secrets.token_hex()
    found = hashlib.sha256(pickled + _surroundings())
    for name in modules_of(pickled):
        found.update(f"{name} {_digest(name)}\n".encode())
    return found.hexdigest()


def modules_of(pickled: bytes) -> list[str]:
    """The modules that what is pickled can reach, of those that are not installed with a version; and their packages.

    A module reaches what it imports, at the top or in a function, or names in quotes; a package also what its stub
    offers; and one outside of ccsim that looks up others by name, all. What the packages of a module import besides is
    not reached: it runs, but what it declares is not used.
    """
    texts = {text for _, text, _ in pickletools.genops(pickled) if isinstance(text, str)}
    looking_up = any(map(LOOKED_UP.match, texts))
    return _reached(frozenset(text for text in texts if _is_module(text)) | _plugins(looking_up))


@cache
def _reached(named: frozenset[str]) -> list[str]:
    waiting, reached = set(named), set[str]()
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= _imports(name) - reached
    packages = {name[:place] for name in reached for place, sign in enumerate(name) if sign == "."}
    return sorted(reached | set(filter(_is_module, packages)))


def code_has_changed() -> bool:
    """Whether a file on which a hash rests is another one now: what is measured from then on may be of either."""
    return any(_stamp(path) != stamp for path, stamp in _stamps.items())


_stamps: dict[Path, tuple[int, int] | None] = {}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@cache
def _surroundings() -> bytes:
    folders = [folder for folder in map(Path, sys.path) if folder.is_dir()]
    packages = {path.name for folder in folders for path in folder.iterdir() if path.suffix in DISTRIBUTIONS}
    return "\n".join([sys.version, sys.platform, platform.machine(), *sorted(packages)]).encode()


@cache
def _plugins(ours: bool) -> set[str]:
    named = {point.module for group in GROUPS for point in entry_points(group=group)}
    return {name for name in named if (name.partition(".")[0] in OURS) <= ours and _is_module(name)}


def _is_module(name: str) -> bool:
    return name in _files(name.partition(".")[0])


@cache
def _digest(name: str) -> str:
    digest = hashlib.sha256()
    files = _files(name.partition(".")[0])[name]
    named = {path.parent / text for path in files if path.suffix in SOURCE for text in _texts(path)}
    for path in [*files, *sorted(path for path in named.difference(files) if path.is_file())]:
        _stamps[path] = _stamp(path)
        data = path.read_bytes()
        digest.update(f"{path.name} {len(data)}\n".encode() + data)
    return digest.hexdigest()


def _texts(path: Path) -> list[str]:
    """What may be the name of a file of data beside a module."""
    names = re.findall(r"""["']([\w-][\w./-]{0,200}\.\w+)["']""", path.read_text("utf-8", "replace"))
    return [name for name in names if not name.endswith(COMPILED)]


@cache
def _imports(name: str) -> set[str]:
    found: set[str] = set()
    for path in _files(name.partition(".")[0])[name]:
        if path.suffix not in SOURCE:
            continue
        text = re.sub(r"#.*|\\\n", " ", path.read_text("utf-8", "replace"))
        inside = name.split(".") if path.stem == "__init__" else name.split(".")[:-1]
        for start, names in IMPORT.findall(text):
            dots = len(start) - len(start.lstrip("."))
            base = ".".join([*inside[: len(inside) - dots + 1], start[dots:]]).strip(".") if dots else start
            for part in re.findall(r"[\w.]+", names) or [""]:
                whole = f"{base}.{part}" if base else part
                found |= {whole} if base and _is_module(whole) else {base, whole, whole.partition(".")[0]}
        found.update(QUOTED.findall(text))
        if not name.startswith("ccsim.") and LOOKED_UP.search(text):
            found |= _plugins(ours=True)
    return {name for name in found if _is_module(name)}


@cache
def _files(root: str) -> Mapping[str, list[Path]]:
    """The modules below a name with their files, a package with its data; none of Python and of what is installed."""
    found: dict[str, list[Path]] = {}
    for place in _places(root):
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if not path.is_file() or "__pycache__" in path.parts or path.suffix == COMPILED:
                continue
            inside = path.relative_to(place).parent
            while path.suffix not in SOURCE and inside.parts and not (place / inside / "__init__.py").exists():
                inside = inside.parent
            own = path.stem if path.suffix in SOURCE and path != place and path.stem != "__init__" else ""
            found.setdefault(".".join(filter(None, [root, *inside.parts, own])), []).append(path)
    return found


def _places(root: str) -> list[Path]:
    """The folder of a package, or the file of a module; several for a namespace."""
    if root == "__main__":
        return [Path(file) for file in [getattr(sys.modules[root], "__file__", None)] if file]
    if root in sys.stdlib_module_names or not root.isidentifier():
        return []
    spec = next(filter(None, (finder.find_spec(root, None) for finder in sys.meta_path)), None)
    if spec is None:
        return []
    file = [spec.origin] if spec.has_location and spec.origin else []
    places = map(Path, spec.submodule_search_locations or file)
    return [place for place in places if root in OURS or not any(part in place.parts for part in INSTALLED)]


SCHEMA = 6
APPLICATION = 0x6363736D  # "ccsm", so that no other file is taken for a store
LEASE = 30.0  # seconds for which a lease lasts if it is not renewed
PASSING = Word.BROKEN, Word.NOT_MEASURED  # a process may have died, or had too little memory
DAY = 86400.0  # seconds for which a result stays once another has taken its place
# holder: whose process measures it now, and until when its lease lasts; budget: its seconds, if it ran out of time;
# lasting: whether a later run may use it
RESULTS = """
CREATE TABLE results (
    claim TEXT NOT NULL, parameters TEXT NOT NULL, code TEXT NOT NULL,
    holder TEXT, until REAL, budget REAL, verdict TEXT, attachments TEXT, lasting INTEGER, made REAL,
    PRIMARY KEY (claim, parameters, code)
) WITHOUT ROWID
"""
COLUMNS = re.findall(r"(\w+) (?:TEXT|REAL|INTEGER)", RESULTS)
WANTED = """
CREATE TEMP TABLE wanted (
    place INTEGER PRIMARY KEY, claim TEXT, parameters TEXT, code TEXT, UNIQUE (claim, parameters)
)
"""
FROM = "FROM wanted JOIN results USING (claim, parameters, code) WHERE"
TO_DO = f"{FROM} (verdict IS NULL OR budget < coalesce(:seconds, 9e999))"
ROW = (
    "WHERE claim = :claim AND parameters = :parameters AND "
    "code = (SELECT code FROM wanted WHERE claim = :claim AND parameters = :parameters)"
)
AGAIN = """
UPDATE results SET verdict = NULL, budget = NULL WHERE (:again OR NOT lasting) AND holder IS NULL
    AND (claim, parameters, code) IN (SELECT claim, parameters, code FROM wanted)
"""
REPLACED = """
DELETE FROM results WHERE made < :time AND (claim, parameters) IN (SELECT claim, parameters FROM wanted)
    AND (claim, parameters, code) NOT IN (SELECT claim, parameters, code FROM wanted)
"""


def usual_store() -> Path | None:
    """The store of whoever runs this, in the folder of caches; None if nothing can be written there."""
    with suppress(OSError, RuntimeError):
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ccsim"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"results-{SCHEMA}.sqlite3" if os.access(folder, os.W_OK) else None
    return None


class Store(AbstractContextManager["Store"]):
    """Verdicts in one sqlite3 file, or in memory without a path: what is in it is never measured again.

    A row is one claim at one setting under one hash of :func:`code_of`; :meth:`add` states which a run wants. Whoever
    measures a row leases it. A lease ends with the result, when it is not renewed for ``lease`` seconds, or when its
    process (on this machine) is gone: any number of runs may share a store, and one that is killed loses only what it
    was at. ``before`` is how many results were there before this run.

    Raises :class:`~ccsim.errors.InputError` for a file that is no store, or one with another schema.
    """

    def __init__(self, path: str | Path | None = None, lease: float = LEASE) -> None:
        self.path, self.lease = path, lease
        self.before = 0
        self.holder = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise InputError("store", str(path), "a file in a folder that exists")
        try:
            self._connection = sqlite3.connect(":memory:" if path is None else path, timeout=60, isolation_level=None)
            self._connection.create_function("held", 2, _held)
            self._prepare()
        except sqlite3.Error as error:
            raise InputError(
                "store", str(path), f"a store of ccsim results ({error}); name another, or delete it if it was one"
            ) from error

    def _prepare(self) -> None:
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            application, schema, tables = (
                self._one(query)[0]
                for query in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
            )
            if application == schema == tables == 0:
                for made in (RESULTS, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {SCHEMA}"):
                    self._connection.execute(made)
            elif application != APPLICATION:
                raise InputError("store", str(self.path), "a store of ccsim results, not another program's file")
            elif schema != SCHEMA:
                raise InputError("store", str(self.path), f"a store of schema {SCHEMA}, not {schema}: begin a new one")
            if self._one("PRAGMA quick_check")[0] != "ok":
                raise sqlite3.DatabaseError("it is damaged")
            self._one(f"SELECT {', '.join(COLUMNS)} FROM results")
        self._connection.execute(WANTED)

    def _one(self, query: str, key: Key = ("", ""), **values: Any) -> Any:
        named = {"holder": self.holder, "claim": key[0], "parameters": key[1], **values}
        return self._connection.execute(query, named).fetchone()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back what is leased, and close the file."""
        self._one("UPDATE results SET holder = NULL, until = NULL WHERE holder = :holder")
        self._connection.close()

    def __del__(self) -> None:
        if hasattr(self, "_connection"):  # Python warns of one that is left open, from 3.13 on
            self._connection.close()

    def add(self, keys: Mapping[Key, str], again: bool = False) -> None:
        """Want these, each with the hash of its code: they get rows, if they have none.

        What is broken, could not be measured, or was measured while code was changed is forgotten; ``again``: all are.
        """
        rows = "SELECT claim, parameters, code FROM wanted"
        values = [(*key, code) for key, code in keys.items()]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT OR IGNORE INTO wanted (claim, parameters, code) VALUES (?, ?, ?)", values
            )
            self._one(f"INSERT OR IGNORE INTO results (claim, parameters, code) {rows}")
            self._one(AGAIN, again=again)
            self._one(REPLACED, time=time.time() - DAY)
        self.before = int(self._one(f"SELECT count(*) {FROM} verdict IS NOT NULL")[0])

    def take(self, seconds: float | None = None) -> Key | None:
        """Lease the first that nobody has measured or is measuring; None if there is none.

        What ran out of time is measured again if there are more ``seconds`` than then.
        """
        first = f"SELECT claim, parameters {TO_DO} AND NOT held(holder, until) ORDER BY place LIMIT 1"
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            key: Key | None = self._one(first, seconds=seconds)
            if key is not None:
                until = time.time() + self.lease
                self._one(f"UPDATE results SET holder = :holder, until = :until {ROW}", key, until=until)
        return key

    def renew(self) -> None:
        """Keep what is leased for as long again."""
        self._one("UPDATE results SET until = :until WHERE holder = :holder", until=time.time() + self.lease)

    def save(self, key: Key, verdict: Verdict, seconds: float | None = None) -> None:
        """Write a result. The first one stays, unless it ran out of time: ``seconds`` are what this one had then."""
        self._one(
            "UPDATE results SET verdict = :verdict, attachments = :attachments, budget = :budget, lasting = :lasting, "
            f"made = :time, holder = NULL, until = NULL {ROW} AND (verdict IS NULL OR budget IS NOT NULL)",
            key,
            verdict=json.dumps(verdict.to_json()),
            attachments=json.dumps(dict(verdict.attachments)),
            budget=seconds,
            lasting=(seconds is not None or verdict.word not in PASSING) and not code_has_changed(),
            time=time.time(),
        )

    def unfinished(self, seconds: float | None = None) -> int:
        """How many are still to be measured, by whomever."""
        return int(self._one(f"SELECT count(*) {TO_DO}", seconds=seconds)[0])

    def verdicts(self) -> list[Verdict]:
        """The results that there are, in the order in which they were added."""
        rows = self._connection.execute(f"SELECT verdict, attachments {FROM} verdict IS NOT NULL ORDER BY place")
        try:
            return [Verdict.from_json(json.loads(verdict), json.loads(attached)) for verdict, attached in rows]
        except (ValueError, TypeError, LookupError) as error:
            expected = f"results as ccsim writes them ({error!r}); --fresh measures anew, or name another store"
            raise InputError("store", str(self.path), expected) from error


def _held(holder: str | None, until: float | None) -> bool:
    """Whether a lease is in force: not run out, and its process alive as far as one can tell from here."""
    if holder is None or until is None or until < time.time():
        return False
    host, process, _ = holder.rsplit(":", 2)
    if host != socket.gethostname():
        return True
    try:
        os.kill(int(process), 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)  # it may be there, but not ours
    return True
