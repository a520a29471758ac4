"""Whether brackets are balanced: two layers up to depth 3, three layers at any depth; of a width that does not grow.

What is wrong with a word is wrong somewhere: the depth falls below 0 or is too large after some symbol, or a closing
bracket is not of the kind of its partner. A position sees this when it knows its depth and its partner, and the last
layer averages what the positions say. The depth is one uniform head. The partner of a closing bracket at t is the
latest opening one after which the depth is that after t and one more: that is one more layer, as the depth has to be
known first. Up to depth 2 the parity of the position says it: at odd positions the first level is opened and the second
one closed, at even ones the second opened and the first closed, so the partner is the latest opening bracket at a
position of the other parity. At depth 3 this finds the partners of the second and third level; for the first one, the
codes of all that is open, added up by a third head, must be 0 wherever nothing is open. See
``docs/proofs/dyck_layers.md``.

Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1, say after Yao and others 2021 that two layers can model
bounded Dyck languages, where one layer of Dyck-(2,2) has linear width.
"""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models import Transformer
from ccsim.models.transformer import Block
from protocols.constructions.addressing import answer_codes
from protocols.constructions.dyck.parts import Brackets, Layer
from protocols.constructions.size import ConstructionSize, with_size
from protocols.constructions.weights import affine, block

SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1"


def dyck_transformer(
    length: int,
    brackets: int = 2,
    depth: int = 2,
    *,
    layers: int | None = None,
    precision: int | Precision | None = None,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.dyck`, right on all words of N symbols, and of fewer.

    Args:
        length: N.
        brackets: how many kinds there are.
        depth: how many may be open at once.
        layers: 2, for a depth of at most 3, or 3; the fewest, unless given.
        precision: of everything; unless given, steps of 1/s, s >= N a power of two, and the range that it needs.

    Raises :class:`~ccsim.errors.InputError` for two layers of more depth, and for a precision that is too small.

    >>> model = dyck_transformer(6)
    >>> model("[()]()"), model("[(])()"), model.layers, model.heads, model.width, model.precision.bits
    (1, 0, 2, 2, 11, 10)
    >>> dyck_transformer(8, depth=4)("([[()]])"), dyck_transformer(8, depth=3)("([[()]])")
    (1, 0)
    """
    length, depth = require_integer("length", length, low=1), require_integer("depth", depth, low=1)
    kinds = require_integer("brackets", brackets, low=1)
    layers = require_integer("layers", (2 if depth <= 3 else 3) if layers is None else layers, low=2, high=3)
    if layers == 2 and depth > 3:
        raise InputError("layers", layers, "3 for a depth of more than 3")
    digits = len(answer_codes(kinds)[0])
    open_codes = {"signed": digits, "open": digits} if depth == 3 else {}
    more = {"parity": 1, **open_codes} if layers == 2 else {"at": depth + 1}
    made = Brackets.of(length, kinds, depth, precision, {**more, "wrong": 1, "still": 1, "mean": 1})
    read_out = np.zeros((made.slots.width, 2), dtype=np.int64)
    read_out[made.slots["mean"]] = read_out[made.slots["still"]] = [made.precision.scale, 0]
    model = Transformer(
        name=f"Dyck-({kinds}, {depth}) of {length} symbols by {layers} layers ({made.precision.bits} bits)",
        alphabet=made.symbols,
        answers=(0, 1),
        token_embedding=made.tokens(),
        position_embedding=made.positions(),
        blocks=_two_layers(made) if layers == 2 else _three_layers(made),
        read_out=affine(made.precision, read_out, np.array([0, 1])),  # 1 if nothing is wrong, not by one step
    )
    size = ConstructionSize.measured(
        model, generated=length * model.width, claimed_width="1", claimed_bits="log(N)", source=SOURCE
    )
    return with_size(model, size)


def _two_layers(made: Brackets) -> tuple[Block, ...]:
    slots = made.slots
    partner = made.latest(slots["parity"], slots["parity"], sign=-1)
    heads = [(made.uniform("sign"), slots["depth"]), (partner, slots["found"])]
    if made.depth < 3:
        return block(made.precision, slots.width, heads, _faults(made)), _average(made)
    heads.append((made.uniform("signed"), slots["open"]))
    return block(made.precision, slots.width, heads, _faults_at_depth_3(made)), _average(made)


def _three_layers(made: Brackets) -> tuple[Block, ...]:
    slots, levels = made.slots, made.slots["at"]
    after, before = slice(levels.start, levels.stop - 1), slice(levels.start + 1, levels.stop)
    return (
        block(made.precision, slots.width, [(made.uniform("sign"), slots["depth"])], made.depths()),
        block(made.precision, slots.width, [(made.latest(after, before), slots["found"])], _faults(made)),
        _average(made),
    )


def _average(made: Brackets) -> Block:
    return block(made.precision, made.slots.width, [(made.uniform("wrong"), made.slots["mean"])])


def _faults(made: Brackets) -> list[Layer]:
    """Into ``wrong`` 1 or more if something is wrong here, else 0; into ``still`` what is open, if that is not less.

    The depth, times q, is below 0 or above D; or a bracket closes (its sign is -1) one of another kind.
    """
    scale, slots, digits = made.precision.scale, made.slots, made.slots.size("kind")
    units = np.zeros((slots.width, 3 + 2 * digits), dtype=np.int64)
    units[slots["depth"], :3] = [-scale, scale, scale]
    units[slots["share"], 1] = -made.depth * scale
    units[slots["kind"], 3:] = scale * np.hstack([np.eye(digits), -np.eye(digits)])
    units[slots["found"], 3:] = -units[slots["kind"], 3:]
    units[slots["sign"], 3:] = -scale
    bias = np.array([0, 0, 0] + [-scale] * (2 * digits))
    told = np.zeros((3 + 2 * digits, slots.width), dtype=np.int64)
    told[:, slots["wrong"]] = scale**2  # one step becomes 1
    told[2] = 0
    told[2, slots["still"]] = scale
    return [(units, bias, "relu"), (told, np.zeros(slots.width, dtype=np.int64), "identity")]


def _faults_at_depth_3(made: Brackets) -> list[Layer]:
    """The same, where the kind that is found counts only if something is still open, and the codes of all that is open
    must not add up to more, in magnitude, than so many brackets have: to 0 if nothing is open.
    """
    (units, bias, _), (told, nothing, _) = _faults(made)
    scale, slots, digits = made.precision.scale, made.slots, made.slots.size("kind")
    more = np.zeros((slots.width, 1 + 2 * digits), dtype=np.int64)
    more[slots["depth"], 0] = -(scale**2)  # 1 less the depth, times q steps times s: not above 0 if something is open
    more[slots["depth"], 1:] = -scale
    more[slots["open"], 1:] = scale * np.hstack([np.eye(digits), -np.eye(digits)])
    first = (np.hstack([units, more]), np.concatenate([bias, [scale], np.zeros(2 * digits, dtype=np.int64)]), "relu")
    kinds, none, faults = slice(3, 3 + 2 * digits), 3 + 2 * digits, 4 + 4 * digits
    gates = scale * np.eye(faults, dtype=np.int64)
    gates[none, kinds] = -2 * scale
    gates[none, none] = 0
    last = np.vstack([told, np.zeros((1 + 2 * digits, slots.width), dtype=np.int64)])
    last[none + 1 :, slots["wrong"]] = scale**2
    return [first, (gates, np.zeros(faults, dtype=np.int64), "relu"), (last, nothing, "identity")]
