"""Which answers a model can give on sets of vectors at its last position, its last norm looked through.

Whatever a norm divides by, D, it divides all numbers by it. So the order of two outputs is nearly told by a linear
function l of the vector c before the division: with gains g, biases b' and read-out W and b in steps of 1 / s, the
difference of two outputs times s is l / D + sum of (W_1 - W_2) b' + s (b_1 - b_2) but for roundings, l being the sum of
(W_1 - W_2) g c. For this nothing may saturate: where l is large, D is at least 4 by the inequality of Cauchy and
Schwarz, so no c / D exceeds 5/4 of the root of the width, and neither do outputs more than their weights allow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arithmetic import IntArray, Zonotopes, exact_matmul, floor_divide, integer_square_root
from ccsim.arrays import Array
from ccsim.models.transformer import LayerNorm, OneLayerTransformer, RMSNorm
from ccsim.models.transformer.block import Block

__all__ = ["Outranking", "possible_answers"]


def possible_answers(scores: Zonotopes, renamed: Array, answers: int, outranked: Array | None = None) -> Array:
    """Which answers of the task a model can give, shape (batch, answers and one for none of the task's).

    ``outranked`` may say of some outputs (batch, outputs) that another is larger.
    """
    possible = np.zeros((len(scores), answers + 1), dtype=bool)
    for code, name in enumerate(renamed):
        wins = np.ones(len(scores), dtype=bool) if outranked is None else ~outranked[:, code]
        for other in range(len(renamed)):
            if other != code:
                wins &= ~((scores[:, other] - scores[:, code]).low >= (0 if other < code else 1))
        possible[:, name if name >= 0 else answers] |= wins
    return possible


@dataclass(frozen=True)
class Outranking:
    """The end of a model: its block without the last norm, that norm if there is one, and the read-out."""

    model: OneLayerTransformer

    @cached_property
    def norm(self) -> LayerNorm | RMSNorm | None:
        """The last one."""
        norms = self.model.block.norms
        return norms.last or norms.after_tokenwise

    @cached_property
    def before(self) -> Block:
        """The block without it."""
        norms = self.model.block.norms
        removed = {"last": None} if norms.last else {"after_tokenwise": None}
        return replace(self.model.block, norms=replace(norms, **removed))

    def possible(self, stream: IntArray, heads: Any, renamed: Array, answers: int) -> Array:
        """As :func:`possible_answers`, for what the heads give beside the stream (batch, width)."""
        ends = self.before.finish(stream, heads)
        scores = self.model.scores(ends if self.norm is None else self.norm(ends))
        return possible_answers(scores, renamed, answers, self._outranked(ends))  # type: ignore[arg-type]

    def _outranked(self, ends: Any) -> Array | None:
        """For each output whether another one is larger, as far as that can be told."""
        norm, weights, scale = self.norm, self.model.read_out.weights, self.model.precision.scale
        if norm is None or self.model.output_cap is not None or not self._never_saturates:
            return None
        centred, width = ends, self.model.width
        if isinstance(norm, LayerNorm):
            ones = np.ones((width, width), dtype=np.int64)
            centred = ends - floor_divide(exact_matmul(ends, ones), width)
        farthest = np.maximum(np.abs(centred.low), np.abs(centred.high))
        square = floor_divide((farthest * farthest).sum(axis=1), width) + int(norm.epsilon * scale**2)
        longest = np.maximum(integer_square_root(square), 1)
        count = weights.shape[1]
        beaten = np.zeros((len(centred), count), dtype=bool)
        for one in range(count):
            for two in set(range(count)) - {one}:
                across = weights[:, one] - weights[:, two]
                line = across * norm.gain
                least = centred.matmul(line[:, None]).low[:, 0]
                far = least > math.isqrt(25 * width * int((line.astype(object) ** 2).sum())) + 1
                beaten[:, two] |= far & (floor_divide(least, longest) > self._lost(one, two))
        return beaten

    def _lost(self, one: int, two: int) -> int:
        """What l / D has to exceed: what the biases take away, and what may be lost by rounding."""
        assert self.norm is not None
        scale, out, gain = self.model.precision.scale, self.model.read_out, np.abs(self.norm.gain)
        across = out.weights[:, one] - out.weights[:, two]
        fixed = int((across * self._biases).sum()) + scale * int(out.bias[one] - out.bias[two])
        rounding = (np.abs(across) * (gain // scale + 2)).sum() + scale
        return int(rounding) + 1 - fixed

    @property
    def _biases(self) -> IntArray:
        return self.norm.bias if isinstance(self.norm, LayerNorm) else np.zeros_like(self.norm.gain)  # type: ignore[union-attr]

    @cached_property
    def _never_saturates(self) -> bool:
        """Whether no number from the norm on can, if D is at least 4."""
        assert self.norm is not None
        precision, out, gain = self.model.precision, self.model.read_out, np.abs(self.norm.gain.astype(object))
        end, longest = min(precision.high, -precision.low), 5 * (math.isqrt(16 * self.model.width) + 1)  # over 16
        units = longest * precision.scale // 16 + 2
        numbers = gain * units // precision.scale + 2 + np.abs(self._biases)
        weights = np.abs(out.weights.astype(object))
        lengths = np.array([math.isqrt(int(square)) + 1 for square in ((weights * gain[:, None]) ** 2).sum(axis=0)])
        sums = lengths * longest // 16 + (weights * (np.abs(self._biases) + gain // precision.scale + 2)[:, None]).sum(
            axis=0
        )
        outputs = sums // precision.scale + 2 + np.abs(out.bias)
        return units <= end and bool((numbers <= end).all() and (outputs <= end).all())
