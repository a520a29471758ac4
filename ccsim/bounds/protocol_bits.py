"""Bits that recurrent and transformer protocols send, sizes of models that exist, and ranges of sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import SupportsIndex

from ccsim.arithmetic import Precision
from ccsim.errors import InputError, require_integer

MOST_DIGITS = 1 << 14  # powers of more bits are not written out


def hypotheses(kind: str, scale: int | None = None) -> str:
    if kind == "recurrent":
        return "one pass from left to right, in which nothing but the state of all layers is handed on"
    steps = "2^-(p-2)" if scale is None else f"1/{scale}"
    return (
        f"one layer only, nothing follows for a stack of layers; fixed-point numbers in steps of {steps}, exact sums, "
        "the answer read at the last position"
    )


def recurrent_bits(width: int, precision: int) -> int:
    """Bits of a state of ``width`` numbers: what one message carries (Bhattamishra and others 2024, Theorem 2)."""
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

    L(symbols) for the last symbol; places among k symbols logits for the maxima of k positions; k scale + 1 values for
    each sum of k exponentials; for each coordinate of a head the scale (values' range) + 1 values of a sum with weights
    at most 1; the answer back. Heads that share a key and a value still have a maximum, a sum of exponentials and
    weighted sums each, as their queries differ; rotary positions, ALiBi and soft caps change neither how many logits
    there are nor the order of what is exchanged (see :func:`protocols.reductions.max_logit_softmax`).

    Args:
        scale: the steps in 1, 2^(precision - 2) by default.
        window: only so many last positions count.
        held: of the positions that are seen, how many Alice holds; half of them by default.

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
    """:func:`softmax_bits` for an even length and two answers, in N, H, p, v (head width), s (symbols).

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
    """ceiling(exponent * log2(base)), without writing out a large power."""
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


FARTHEST = 1 << 80  # lengths and sizes beyond are not looked at
MOST_PRECISION = 1 << 12
KINDS = ("recurrent", "transformer")


@dataclass(frozen=True)
class Size:
    kind: str
    width: int
    bits: int
    scale: int | None
    heads: int
    own_width: int
    window: int | None
    symbols: Callable[[int], int]
    halves: bool = False

    def cost(self, numbers: int, length: int) -> int:
        """The bits of the protocol, at most, if heads, or states, had so many numbers.

        A window shows unequal numbers of positions of two halves. Its fields have no more values in all then, but are
        rounded up otherwise, which costs at most a bit for the maxima and one for the sums.
        """
        if self.kind == "recurrent":
            return recurrent_bits(numbers, self.bits)
        sizes = {"head_width": numbers, "heads": self.heads, "precision": self.bits, "symbols": self.symbols(length)}
        rounding = 2 if self.halves and self.window is not None and length > self.window else 0
        return softmax_bits(**sizes, length=length, scale=self.scale, window=self.window) + rounding

    def own_cost(self, length: int) -> int:
        return self.cost(self.own_width, length)

    @property
    def hypotheses(self) -> str:
        return hypotheses(self.kind, self.scale)

    def numbers(self) -> dict[str, int]:
        numbers = {"width": self.width, "precision": self.bits}
        if self.kind == "transformer":
            numbers |= {"heads": self.heads, "head_width": self.own_width}
        return numbers if self.window is None else numbers | {"window": self.window}


def read_size(
    kind: str,
    width: int,
    precision: int | Precision,
    heads: int,
    head_width: int | None,
    window: int | None,
    symbols: Callable[[int], int],
    *,
    halves: bool,
) -> Size:
    if kind not in KINDS:
        raise InputError("kind", kind, f"one of {KINDS}")
    if kind != "transformer":
        for name, value in (("heads", None if heads == 1 else heads), ("head_width", head_width), ("window", window)):
            if value is not None:
                raise InputError(name, value, "none, as only transformers have it")
    width = require_integer("width", width, low=1, high=FARTHEST)
    own_width = width if head_width is None else require_integer("head_width", head_width, low=1, high=FARTHEST)
    heads = require_integer("heads", heads, low=1, high=FARTHEST)
    window = None if window is None else require_integer("window", window, low=1, high=FARTHEST)
    return Size(kind, width, *_precision(precision), heads, own_width, window, symbols, halves)


def _precision(precision: int | Precision) -> tuple[int, int | None]:
    if isinstance(precision, Precision):
        if precision.bits < 1:
            raise InputError("precision", str(precision), "a format of at least one bit")
        return precision.bits, precision.scale
    if isinstance(precision, bool) or not isinstance(precision, SupportsIndex):
        raise InputError("precision", precision, "a number of bits of at least 3, or a Precision")
    return require_integer("precision", precision, low=3, high=MOST_PRECISION), None


@dataclass(frozen=True)
class Preset:
    """The size of a public model.

    Attributes:
        kind: ``transformer`` (then of *one* of its layers) or ``recurrent`` (then of the state of all its layers).
        width: the transformer's width, or the numbers of state.
        name: the model, with its paper.
        source: the model's repository at huggingface.co, whose ``config.json`` has the numbers, or a paper.
        heads, head_width: of a transformer; heads that share keys count in full.
        layers: of a transformer, of which one is asked about; 1 of recurrent models, whose state is that of all layers.
        note: what else there is to its heads, or how the numbers of state come about.
        window: of a transformer whose heads see so many last positions in some layers: then of one of these.
        precision: bits of a number by default: those of half precision and of bfloat16.
    """

    kind: str
    width: int
    name: str
    source: str
    heads: int = 1
    head_width: int | None = None
    layers: int = 1
    note: str = ""
    window: int | None = None
    precision: int = 16

    @property
    def about(self) -> str:
        """The model, and how its numbers come about."""
        heads = f"{self.heads} heads of {self.head_width}" if self.kind == "transformer" else ""
        return f"{self.name}: {', '.join(filter(None, [heads, self.note]))}"


LLAMA_3, MISTRAL = "meta-llama/Meta-Llama-3-8B", "mistralai/Mistral-7B-v0.1"
LLAMA_2 = "philschmid/Llama-2-7b-hf, an open copy of meta-llama/Llama-2-7b-hf"
RWKV_7 = "github.com/aierwiki/rwkvtune, rwkvtune/configs/models/rwkv7-2.9b.json"

NOTES = {
    "llama-3-8b": "8 keys among them",
    "mistral-7b": "8 keys among them, a window of 4096",
    "gemma-2-2b": "4 keys among them, a window of 4096 in every second layer",
    "bloom-7b1": "ALiBi",
    "mpt-7b": "ALiBi",
    "mamba-130m": "24 layers of 1536 channels with 16 numbers of state and the last 3 inputs",
    "mamba-2.8b": "64 layers of 5120 channels with 16 numbers of state and the last 3 inputs",
    "rwkv-4-169m": "12 layers of 5 vectors of 768 numbers",
    "mamba2-130m": "24 layers of 1536 channels of 128 numbers, and 3 inputs of 1792",
    "mamba2-2.7b": "64 layers of 5120 channels of 128 numbers, and 3 inputs of 5376",
    "rwkv-6-1.6b": "24 layers of 32 matrices of 64 x 64 and 2 vectors of 2048 numbers",
    "rwkv-7-2.9b": "32 layers of 40 matrices of 64 x 64 and 2 vectors of 2560 numbers",
    "xlstm-7b": "32 layers of 8 matrices of 256 x 512, with a vector of 256 and a maximum each",
}
"""What else there is to the heads of a model, or how its numbers of state come about."""


def _transformer(name: str, source: str, sizes: tuple[int, int, int, int], window: int | None = None) -> Preset:
    """Of a width, so many heads of so many numbers, and layers."""
    width, heads, head_width, layers = sizes
    return Preset("transformer", width, name, source, heads, head_width, layers, window=window)


_recurrent = partial(Preset, "recurrent")
_PRESETS = {
    "gpt2": _transformer("GPT-2 small (Radford et al. 2019)", "openai-community/gpt2", (768, 12, 64, 12)),
    "gpt2-xl": _transformer("GPT-2 XL (Radford et al. 2019)", "openai-community/gpt2-xl", (1600, 25, 64, 48)),
    "llama-2-7b": _transformer("Llama 2 7B (Touvron et al. 2023)", LLAMA_2, (4096, 32, 128, 32)),
    "llama-3-8b": _transformer("Llama 3 8B (Grattafiori et al. 2024)", LLAMA_3, (4096, 32, 128, 32)),
    "mistral-7b": _transformer("Mistral 7B, first version (Jiang et al. 2023)", MISTRAL, (4096, 32, 128, 32), 4096),
    "gemma-2-2b": _transformer("Gemma 2 2B (Gemma Team 2024)", "google/gemma-2-2b", (2304, 8, 256, 26), 4096),
    "bloom-7b1": _transformer("BLOOM 7B1 (BigScience 2022)", "bigscience/bloom-7b1", (4096, 32, 128, 30)),
    "mpt-7b": _transformer("MPT 7B (MosaicML 2023)", "mosaicml/mpt-7b", (4096, 32, 128, 32)),
    "mamba-130m": _recurrent(24 * 1536 * (16 + 3), "Mamba 130M (Gu and Dao 2023)", "state-spaces/mamba-130m"),
    "mamba-2.8b": _recurrent(64 * 5120 * (16 + 3), "Mamba 2.8B (Gu and Dao 2023)", "state-spaces/mamba-2.8b"),
    "rwkv-4-169m": _recurrent(12 * 768 * 5, "RWKV-4 169M (Peng et al. 2023)", "RWKV/rwkv-4-169m-pile"),
    "mamba2-130m": _recurrent(
        24 * (1536 * 128 + (1536 + 2 * 128) * 3), "Mamba-2 130M (Dao and Gu 2024)", "state-spaces/mamba2-130m"
    ),
    "mamba2-2.7b": _recurrent(
        64 * (5120 * 128 + (5120 + 2 * 128) * 3), "Mamba-2 2.7B (Dao and Gu 2024)", "state-spaces/mamba2-2.7b"
    ),
    "rwkv-6-1.6b": _recurrent(
        24 * (2048 * 64 + 2 * 2048), "RWKV-6 World 1.6B (Peng et al. 2024)", "RWKV/rwkv-6-world-1b6"
    ),
    "rwkv-7-2.9b": _recurrent(32 * (2560 * 64 + 2 * 2560), "RWKV-7 World 2.9B (Peng et al. 2025)", RWKV_7),
    "xlstm-7b": _recurrent(32 * 8 * (256 * 512 + 256 + 1), "xLSTM 7B (Beck et al. 2025)", "NX-AI/xLSTM-7b"),
}
PRESETS: Mapping[str, Preset] = {name: replace(it, note=NOTES.get(name, "")) for name, it in _PRESETS.items()}
"""By name. The transformers' heads are taken to add up in fixed-point numbers of that precision. Of a convolution over
4 positions the last 3 inputs are carried, though libraries keep a place for the fourth."""
