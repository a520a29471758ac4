"""Decoders of today in floating point, one number at a time in exact fractions, rounded as their class says."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from ccsim.models.files import load_model
from tests.arithmetic import float_oracle
from tests.models.hugging_face_samples import WORDS, saved
from tests.models.test_float_models import PlainTransformer


class PlainDecoder(PlainTransformer):
    """A one-layer decoder; what it does not say is as in other transformers."""

    def norm(self, place, row):
        norm = self.layer.norms.get(place)
        if norm is None or norm.bias is not None:
            return super().norm(place, row)
        inner, gain = self.sums, float_oracle.fractions(norm.gain)
        squares = self.total([self.near(x * x, inner) for x in row])
        mean = self.near(squares / len(row), inner)
        root = np.sqrt(np.float32(float(self.near(mean + self.near(Fraction(self.parts.epsilon), inner), inner))))
        over = self.near(1 / self.near(Fraction(float(root)), inner), inner)
        unit = [self.near(x * over, inner) for x in row]
        if norm.offset:
            gains = [self.near(Fraction(norm.offset) + g, inner) for g in gain]
            return [self.near(self.near(x * g, inner)) for x, g in zip(unit, gains, strict=True)]
        return [self.near(self.near(x) * g) for x, g in zip(unit, gain, strict=True)]

    def turned(self, vector, place):
        waves, half = self.layer.scoring.waves, len(vector) // 2
        if waves is None:
            return vector
        turned = list(vector)
        for pair in range(half):
            with mpmath.workdps(60):
                share, stretch = waves.shares[pair] if waves.shares else 1, float(waves.stretch)
                angle = place * float(share) * mpmath.mpf(float(waves.base)) ** (mpmath.mpf(-pair) / half)
                turns = [stretch * f(angle) for f in (mpmath.cos, mpmath.sin)]
                ends = [Fraction(int(mpmath.nint(turn * 2**150)), 2**150) for turn in turns]
            cosine, sine = map(self.near, ends)
            x, y = vector[pair], vector[half + pair]
            turned[pair] = self.near(self.near(x * cosine) + self.near(-y * sine))
            turned[half + pair] = self.near(self.near(y * cosine) + self.near(x * sine))
        return turned

    def capped(self, value, cap):
        quotient = self.near(value / self.near(Fraction(cap)))
        return self.near(float_oracle.function("tanh", quotient, self.format) * self.near(Fraction(cap)))

    def logit(self, head, query, key, place, length):
        scoring = self.layer.scoring
        logit = self.near(self.dot(query, key) * self.near(Fraction(self.layer.scale)))
        if scoring.soft_cap is not None:
            logit = self.capped(logit, scoring.soft_cap)
        if scoring.slopes is None:
            return logit
        slope = self.near(Fraction(float(scoring.slopes[head])), self.sums)
        far = place if scoring.from_start else place - (length - 1)
        return self.near(logit + self.near(self.near(slope * far, self.sums)))

    def head(self, head, rows):
        layer, length = self.layer, len(rows)
        group, window = head // layer.group, layer.scoring.window or length
        places = range(max(0, length - window), length)
        query = self.turned(self.linear(rows[-1], layer.query[head], layer.query_bias[head]), length - 1)
        keys = {at: self.turned(self.linear(rows[at], layer.key[group], layer.key_bias[group]), at) for at in places}
        values = [self.linear(rows[at], layer.value[group], layer.value_bias[group]) for at in places]
        logits = [self.logit(head, query, keys[at], at, length) for at in places]
        inner = self.sums
        powers = [float_oracle.function("exp", self.near(logit - max(logits), inner), inner) for logit in logits]
        weights = [self.near(self.near(power / self.total(powers), inner)) for power in powers]
        return [self.dot(weights, column) for column in zip(*values, strict=True)]

    def inner(self, row):
        hidden = row
        for place, (weight, bias, activation) in enumerate(self.layer.inner):
            hidden = self.linear(hidden, weight, bias)
            if activation != "identity":
                hidden = [float_oracle.function(activation, x, self.format) for x in hidden]
            if self.layer.up is not None and not place:
                ups = self.linear(row, *self.layer.up)
                hidden = [self.near(x * y) for x, y in zip(hidden, ups, strict=True)]
        return hidden

    def scores(self, word):
        tokens = float_oracle.fractions(self.parts.tokens)
        stream = [self.norm("first", list(tokens[symbol])) for symbol in word]
        rows = [self.norm("before_attention", row) for row in stream]
        heads = [number for head in range(len(self.layer.query)) for number in self.head(head, rows)]
        added = self.norm("of_attention", self.linear(heads, self.layer.output, self.layer.output_bias))
        last = [self.near(x + y) for x, y in zip(stream[-1], added, strict=True)]
        part = self.norm("of_tokenwise", self.inner(self.norm("before_tokenwise", last)))
        last = self.norm("last", [self.near(x + y) for x, y in zip(last, part, strict=True)])
        outputs, cap = self.linear(last, self.parts.scores, self.parts.bias), self.parts.output_cap
        return outputs if cap is None else [self.capped(x, cap) for x in outputs]


CASES = [
    (name, kind) for name in ("llama", "gemma2", "bloom", "mpt", "mistral") for kind in ("bf16", "fp16-only", "fp32")
]
QUICK = ("gemma2", "bf16"), ("llama", "bf16"), ("bloom", "bf16")


@pytest.mark.parametrize(
    ("name", "arithmetic"), [pytest.param(*case, marks=[] if case in QUICK else pytest.mark.slow) for case in CASES]
)
def test_a_decoder_is_rounded_as_it_is_said(tmp_path, name, arithmetic):
    model = load_model(saved(tmp_path, name), arithmetic=arithmetic, length=6).model
    oracle = PlainDecoder(model)
    for word, scores in zip(WORDS[[0, 3]], model.outputs(WORDS[[0, 3]]), strict=True):
        assert [Fraction(float(value)) for value in scores] == oracle.scores(word.tolist())
