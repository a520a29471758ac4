"""The smallest precision in which a construction works, found by trying."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision
from ccsim.errors import InputError

Model = TypeVar("Model")


@dataclass(frozen=True)
class PrecisionSearch(Generic[Model]):
    """What was found.

    Attributes:
        precision: one of the formats with the fewest bits that pass.
        model: the model in it.
        failed: every format that was tried before, with the reason; all formats of fewer bits are among them.
    """

    precision: Precision
    model: Model
    failed: tuple[tuple[Precision, str], ...]

    @property
    def bits(self) -> int:
        """The bits of the smallest precision."""
        return self.precision.bits

    @property
    def one_bit_less(self) -> tuple[tuple[Precision, str], ...]:
        """Every format with one bit less, with the reason why it fails."""
        return tuple((precision, reason) for precision, reason in self.failed if precision.bits == self.bits - 1)


def two_complement_formats(bits: int) -> list[Precision]:
    """All signed formats of so many bits: every place of the point.

    >>> [(precision.scale, precision.high) for precision in two_complement_formats(3)]
    [(4, 3), (2, 3), (1, 3)]
    """
    bits = require_integer("bits", bits, low=1, high=62)
    return [Precision.fixed_point(integer_bits, bits - 1 - integer_bits) for integer_bits in range(bits)]


def smallest_precision(
    build: Callable[[Precision], Model],
    check: Callable[[Model], object],
    *,
    most: int = 40,
    formats: Callable[[int], Iterable[Precision]] = two_complement_formats,
) -> PrecisionSearch[Model]:
    """The fewest bits in which ``build(precision)`` makes a model that passes ``check``.

    Bits are tried from 1 upwards, and for each number of bits every format, so one bit less is known to fail in every
    format. ``check`` passes if it returns True; None and anything else count as a failure, and text as its reason.
    Where ``build`` raises :class:`~ccsim.errors.InputError`, the format fails as well.

    Raises :class:`~ccsim.errors.InputError` if ``most`` bits are not enough.

    >>> from ccsim.problems import index_lookup
    >>> from protocols.constructions import index_lookup_transformer
    >>> found = smallest_precision(
    ...     lambda precision: index_lookup_transformer(4, precision=precision, verify=False),
    ...     lambda model: model.is_right(index_lookup(4)),
    ... )
    >>> found.precision, [reason for _, reason in found.one_bit_less]
    (Precision(scale=1, low=-2, high=1), ['wrong'])
    """
    failed: list[tuple[Precision, str]] = []
    for bits in range(1, require_integer("most", most, low=1, high=62) + 1):
        for precision in formats(bits):
            try:
                model = build(precision)
            except InputError as error:
                failed.append((precision, str(error)))
                continue
            verdict = check(model)
            if verdict is True:
                return PrecisionSearch(precision, model, tuple(failed))
            failed.append((precision, verdict if isinstance(verdict, str) else "wrong"))
    raise InputError("most", most, "more bits, as none of so many are enough")
