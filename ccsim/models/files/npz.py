"""npz archives, without pickles: every header is checked against the size of its member before it is read."""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.tensors import MOST_BYTES, Deferred

MOST_MEMBERS = 1 << 14
MOST_HEADER = 1 << 14
MOST_AXES = 8
MOST_RATIO = 1 << 10  # no compression of one honest member is better, such as of a mask
MOST_RATIO_IN_ALL = 1 << 4  # nor of all weights together, beyond
SMALL = 1 << 26  # so many bytes, which any archive may unpack to


def read_npz(path: Path) -> dict[str, Deferred]:
    """The arrays of an archive, by name, each read when it is asked for.

    Raises :class:`~ccsim.errors.InputError` for arrays of objects (which would be pickles), members that are no
    arrays, shapes that do not fit the member's size, archives that would unpack to more than a GiB, and damage.
    """
    with _whole(path), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > MOST_BYTES:
            raise _wrong(path, f"at most {MOST_MEMBERS} members and {MOST_BYTES} bytes when unpacked")
        _require_honest(path, sum(member.file_size for member in members))
        if len({member.filename for member in members}) != len(members):
            raise _wrong(path, "every name once")
        return {_name(path, member): _deferred(path, archive, member) for member in members}


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """What goes wrong with a damaged archive is an error of the file."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,
        UnicodeDecodeError,
    ) as error:
        raise _wrong(path, f"whole members ({type(error).__name__})") from error


def _require_honest(path: Path, unpacked: int) -> None:
    packed = path.stat().st_size
    if unpacked > max(SMALL, MOST_RATIO_IN_ALL * packed):
        raise _wrong(path, f"members not to unpack to {unpacked} bytes from {packed}")


def _name(path: Path, member: zipfile.ZipInfo) -> str:
    if not member.filename.endswith(".npy"):
        raise _wrong(path, f"members that are .npy arrays, not {member.filename!r}")
    return member.filename.removesuffix(".npy")


def _deferred(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Deferred:
    """An array whose header was checked and whose numbers are not read yet."""
    if member.file_size > MOST_RATIO * max(member.compress_size, 1 << 10):
        raise _wrong(path, f"{member.filename!r} not to unpack to {member.file_size} bytes from {member.compress_size}")
    with archive.open(member) as file:
        shape, fortran, kind = _header(path, member, file)
        start, needed = file.tell(), math.prod(shape) * kind.itemsize

    def load(rows: Sequence[int] | None) -> Array:
        with _whole(path), zipfile.ZipFile(path) as again, again.open(member) as file:
            data = file.read(start + needed)[start:]
        if len(data) != needed:
            raise _wrong(path, f"all of {member.filename!r}")
        array = np.frombuffer(data, dtype=kind).reshape(shape, order="F" if fortran else "C")
        return array if rows is None else array[list(rows)]

    return Deferred(shape, kind, load)


def _header(path: Path, member: zipfile.ZipInfo, file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type, which must fit the size of the member."""
    try:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            read: Any = np.lib.format.read_array_header_1_0
        elif version == (2, 0):
            read = np.lib.format.read_array_header_2_0
        else:
            raise _wrong(path, f"{member.filename!r} in version 1.0 or 2.0 of the format, not {version}")
        shape, fortran, kind = read(file, max_header_size=MOST_HEADER)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise _wrong(path, f"{member.filename!r} with the header of an array") from error
    if kind.hasobject or kind.kind not in "fiub":
        raise InputError(f"tensor {member.filename!r}", str(kind), "numbers; objects would be pickles")
    sizes_fit = len(shape) <= MOST_AXES and all(type(size) is int and 0 <= size < 1 << 48 for size in shape)
    needed = math.prod(shape) * kind.itemsize if sizes_fit else -1
    rest = member.file_size - file.tell()
    if needed != rest:
        raise InputError(f"tensor {member.filename!r}", shape, f"a shape that fills {rest} bytes of {kind}")
    return shape, fortran, kind


def _wrong(path: Path, expected: str) -> InputError:
    return InputError("file", path.name, f"an npz archive with {expected}")
