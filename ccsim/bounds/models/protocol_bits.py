"""What models cost as protocols: bits as a formula in their size, exact integers however large."""

from __future__ import annotations

from ccsim.arguments import require_integer

MOST_DIGITS = 1 << 14  # powers of more bits are not written out


def hypotheses(kind: str, scale: int | None = None) -> str:
    """What the bits of a kind of model assume of it, in words."""
    if kind == "recurrent":
        return "one pass from left to right, in which nothing but the state of all layers is handed on"
    steps = "2^-(p-2)" if scale is None else f"1/{scale}"
    return (
        f"one layer only, nothing is said of a stack of layers; fixed-point numbers in steps of {steps}, exact sums, "
        "the answer read at the last position"
    )


def recurrent_bits(width: int, precision: int) -> int:
    """Bits of state of ``width`` numbers of ``precision`` bits: what one message carries.

    Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 2.
    """
    return width * precision


def softmax_bits(
    *,
    head_width: int,
    heads: int,
    precision: int,
    length: int,
    symbols: int,
    answers: int = 2,
    scale: int | None = None,
    window: int | None = None,
    held: int | None = None,
) -> int:
    """The most that the compact max-logit softmax protocol costs, whatever the weights.

    Alice holds ``held`` of the positions that are seen and Bob the others; as near to half of them as can be, if not
    given.

    L(symbols) for the last symbol; places among k symbols logits for the maxima of k positions; k scale + 1 values
    for each sum of k exponentials; for each coordinate of a head the scale (values' range) + 1 values of a sum with
    weights at most 1; the answer back. ``scale`` is the number of steps in 1, at most 2^(precision - 2) if not
    given. With a ``window`` only so many last positions count. Heads that share a key and a value still have a maximum,
    a sum of exponentials and weighted sums each, as their queries differ, so nothing is saved; rotary positions, ALiBi
    and soft caps change logits, but neither how many there are nor the order of what is exchanged. See
    :func:`protocols.reductions.max_logit_softmax` for the protocol itself.

    >>> sizes = {"head_width": 2, "heads": 2, "precision": 9, "length": 64, "symbols": 2}
    >>> softmax_bits(**sizes), softmax_bits(**sizes, held=40), softmax_bits(**sizes, window=8)
    (140, 140, 116)
    """
    seen = length if window is None else min(length, window)
    alice = (seen + 1) // 2 if held is None else require_integer("held", held, low=0, high=seen)
    steps = 1 << (precision - 2) if scale is None else scale
    coordinate = steps * ((1 << precision) - 1) + 1
    per_head = [max(1, k * symbols) for k in (alice, seen - alice)]
    per_head += [k * steps + 1 for k in (alice, seen - alice)]
    spoken = sum(power_bits(values, heads) for values in per_head) + power_bits(coordinate, heads * head_width)
    return (symbols - 1).bit_length() + spoken + (answers - 1).bit_length()


def softmax_formula(scale: int | None = None, window: int | None = None, *, halves: bool = False) -> str:
    """:func:`softmax_bits` for an even length and two answers, in N, H, p, v (the head width) and s (the symbols).

    Where a window shows less than all, parties with ``halves`` see different numbers of positions: 2 bits more at most.

    >>> softmax_formula(4)
    'ceiling(log(s,2)) + 2*ceiling(H*log(N*s/2,2)) + 2*ceiling(H*log(N*4/2+1,2)) + ceiling(H*v*log(4*(2**p-1)+1,2)) + 1'
    """
    steps = "2**(p-2)" if scale is None else str(scale)
    if window is None or window % 2 == 0:
        seen = "N" if window is None else f"Min(N,{window})"
        fields = [f"2*ceiling(H*log({seen}*s/2,2))", f"2*ceiling(H*log({seen}*{steps}/2+1,2))"]
    else:  # an even length is below the window, or one party sees a position more
        both = [f"Min(N,{seen})" for seen in (window + 1, window - 1) if seen]
        fields = [f"ceiling(H*log({seen}*s/2,2))" for seen in both]
        fields += [f"ceiling(H*log({seen}*{steps}/2+1,2))" for seen in both]
    shared = " + ".join(["ceiling(log(s,2))", *fields, f"ceiling(H*v*log({steps}*(2**p-1)+1,2))", "1"])
    return shared if window is None or not halves else f"{shared} + 2*Min(1,Max(0,N-{window}))"


def power_bits(base: int, exponent: int) -> int:
    """The bits that number base^exponent values, ceiling(exponent * log2(base)), without writing out a large power."""
    if base & (base - 1) == 0:
        return exponent * (base.bit_length() - 1)
    if exponent * base.bit_length() <= MOST_DIGITS:
        return int(base**exponent - 1).bit_length()
    digits = 128 + exponent.bit_length()
    while True:  # the power lies strictly between two powers of two, so enough digits tell which
        below, above = (_rounded_power(base, exponent, digits, up) for up in (0, 1))
        if below == above:
            return below
        digits *= 2


def _rounded_power(base: int, exponent: int, digits: int, up: int) -> int:
    """The length in bits of base^exponent, each product cut to so many leading digits, or rounded up to them."""

    def cut(number: int, shift: int) -> tuple[int, int]:
        more = max(0, number.bit_length() - digits)
        return (number >> more) + (up if number & ((1 << more) - 1) else 0), shift + more

    number, shift = 1, 0
    for digit in bin(exponent)[2:]:
        number, shift = cut(number * number, 2 * shift)
        if digit == "1":
            number, shift = cut(number * base, shift)
    return number.bit_length() + shift
