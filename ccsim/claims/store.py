"""Results in one sqlite3 file, written as they come: what is in it is never measured again.

A row is one claim at one setting under one version of ccsim. Whoever measures a row leases it first; a lease ends when
the result is there, when it is not renewed in time, or at once when its process (on this machine) is gone. So any
number of runs may share a store, and a run that is killed loses only what it was at.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ccsim.claims.verdict import Verdict
from ccsim.errors import InputError

__all__ = ["Key", "Store"]

Key = tuple[str, str]
"""The name of a claim, and its setting as text."""

SCHEMA = 3
APPLICATION = 0x6363736D  # "ccsm", so that no other file is taken for a store
LEASE = 30.0  # seconds for which a lease lasts if it is not renewed

RESULTS = """
CREATE TABLE results (
    claim TEXT NOT NULL,
    parameters TEXT NOT NULL,
    version TEXT NOT NULL,
    holder TEXT,       -- whose process measures it now, and until when its lease lasts
    until REAL,
    budget REAL,       -- how many seconds it was given, if it ran out of time
    verdict TEXT,
    attachments TEXT,
    PRIMARY KEY (claim, parameters, version)
) WITHOUT ROWID
"""
WANTED = "CREATE TEMP TABLE wanted (place INTEGER PRIMARY KEY, claim TEXT, parameters TEXT, UNIQUE (claim, parameters))"
TO_DO = """
FROM wanted JOIN results USING (claim, parameters)
WHERE version = :version AND (verdict IS NULL OR budget < :seconds)
"""
ROW = "WHERE claim = :claim AND parameters = :parameters AND version = :version"


class Store:
    """A file of verdicts, or one in memory without a path; see :meth:`add` for those that a run wants.

    Args:
        path: the file; made if it is not there.
        lease: seconds for which a lease lasts.

    Raises :class:`~ccsim.errors.InputError` for a file that is no store, or one with another schema.
    """

    def __init__(self, path: str | Path | None = None, lease: float = LEASE) -> None:
        self.path, self.lease = path, lease
        self.version = version("ccsim")
        self.holder = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise InputError("store", str(path), "a file in a folder that exists")
        try:
            self._connection = sqlite3.connect(":memory:" if path is None else path, timeout=60, isolation_level=None)
            self._connection.create_function("held", 2, _held)
            with self._transaction():
                self._prepare()
            self._connection.execute(WANTED)
        except sqlite3.Error as error:
            raise InputError("store", str(path), f"a store of ccsim results ({error})") from error

    def _prepare(self) -> None:
        application, schema = self._pragma("application_id"), self._pragma("user_version")
        empty = self._one("SELECT count(*) FROM sqlite_master")[0] == 0
        if empty and schema == application == 0:
            self._connection.execute(RESULTS)
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {SCHEMA}")
        elif application != APPLICATION:
            raise InputError("store", str(self.path), "a store of ccsim results, not another program's file")
        elif schema != SCHEMA:
            raise InputError("store", str(self.path), f"a store of schema {SCHEMA}, not {schema}: begin a new one")

    def _pragma(self, name: str) -> int:
        return int(self._one(f"PRAGMA {name}")[0])

    def _one(self, query: str, **values: Any) -> Any:
        return self._connection.execute(query, {"version": self.version, "holder": self.holder, **values}).fetchone()

    @contextmanager
    def _transaction(self) -> Generator[None, None, None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back what is leased, and close the file."""
        with self._transaction():
            self._one("UPDATE results SET holder = NULL, until = NULL WHERE holder = :holder")
        self._connection.close()

    def add(self, keys: Iterable[Key]) -> None:
        """Want these: they get rows, if they have none, and are what the other methods are about."""
        rows = [{"claim": claim, "parameters": parameters, "version": self.version} for claim, parameters in keys]
        with self._transaction():
            self._connection.executemany(
                "INSERT OR IGNORE INTO results (claim, parameters, version) VALUES (:claim, :parameters, :version)",
                rows,
            )
            self._connection.executemany(
                "INSERT OR IGNORE INTO wanted (claim, parameters) VALUES (:claim, :parameters)", rows
            )

    def take(self, seconds: float | None = None) -> Key | None:
        """Lease the first that nobody has measured or is measuring; None if there is none.

        What ran out of time is measured again if there are more ``seconds`` than then.
        """
        with self._transaction():
            found = self._one(
                f"SELECT claim, parameters {TO_DO} AND NOT held(holder, until) ORDER BY place LIMIT 1",
                seconds=_seconds(seconds),
            )
            if found is None:
                return None
            until = time.time() + self.lease
            self._one(
                f"UPDATE results SET holder = :holder, until = :until {ROW}",
                claim=found[0],
                parameters=found[1],
                until=until,
            )
        return found[0], found[1]

    def renew(self) -> None:
        """Keep what is leased for as long again."""
        with self._transaction():
            self._one("UPDATE results SET until = :until WHERE holder = :holder", until=time.time() + self.lease)

    def save(self, key: Key, verdict: Verdict, budget: float | None = None) -> None:
        """Write a result. The first one stays, unless it ran out of time: ``budget`` says that this one did."""
        with self._transaction():
            self._one(
                "UPDATE results SET verdict = :verdict, attachments = :attachments, budget = :budget, holder = NULL, "
                f"until = NULL {ROW} AND (verdict IS NULL OR budget IS NOT NULL)",
                claim=key[0],
                parameters=key[1],
                verdict=json.dumps(verdict.to_json()),
                attachments=json.dumps(dict(verdict.attachments)),
                budget=budget,
            )

    def unfinished(self, seconds: float | None = None) -> int:
        """How many are still to be measured, by whomever."""
        return int(self._one(f"SELECT count(*) {TO_DO}", seconds=_seconds(seconds))[0])

    def verdicts(self) -> list[Verdict]:
        """The results that there are, in the order in which they were added."""
        rows = self._connection.execute(
            "SELECT verdict, attachments FROM wanted JOIN results USING (claim, parameters) "
            "WHERE version = ? AND verdict IS NOT NULL ORDER BY place",
            (self.version,),
        )
        return [Verdict.from_json(json.loads(verdict), json.loads(attached)) for verdict, attached in rows]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        """Every result of every version as plain data, in order of the names, without how long it took."""
        rows = self._connection.execute(
            "SELECT version, verdict FROM results WHERE verdict IS NOT NULL ORDER BY claim, parameters, version"
        )
        for used, verdict in rows:
            yield {**json.loads(verdict), "version": used, "seconds": None}


def _seconds(given: float | None) -> float:
    return float("inf") if given is None else given


def _held(holder: str | None, until: float | None) -> bool:
    """Whether a lease is in force: not run out, and its process alive as far as one can tell from here."""
    if holder is None or until is None or until < time.time():
        return False
    host, process, _ = holder.rsplit(":", 2)
    if host != socket.gethostname():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is there, but not ours
        return True
    return True
