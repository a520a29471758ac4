"""An oracle: transformers one number at a time, with Python integers and exp from the decimal library."""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache
from math import floor, isqrt

from ccsim.models import HardMaximum


@cache
def exponential(difference, scale):
    """floor(scale * exp(difference / scale)) for a difference of at most 0."""
    with localcontext(prec=60):
        return floor((Decimal(difference) / scale).exp() * scale) if difference else scale


@cache
def silu(number, scale):
    """floor(scale * x / (1 + exp(-x))) at x = number / scale."""
    with localcontext(prec=60):
        x = Decimal(number) / scale
        return floor(x / (1 + (-x).exp()) * scale)


class Oracle:
    """Evaluates a model of ccsim.models.transformer from its attributes."""

    def __init__(self, model):
        self.model = model
        self.low, self.high, self.scale = model.precision.low, model.precision.high, model.precision.scale

    def clip(self, number):
        return min(max(number, self.low), self.high)

    def affine(self, affine, vector):
        weights, bias = affine.weights.tolist(), affine.bias.tolist()
        sums = [sum(x * row[j] for x, row in zip(vector, weights, strict=True)) for j in range(len(bias))]
        return [self.clip(total // self.scale + b) for total, b in zip(sums, bias, strict=True)]

    def norm(self, norm, vector):
        if norm is None:
            return vector
        mean = sum(vector) // len(vector)
        centred = [x - mean for x in vector]
        variance = sum(c * c for c in centred) // len(vector) + floor(norm.epsilon * self.scale**2)
        unit = [self.clip(c * self.scale // max(1, isqrt(variance))) for c in centred]
        rows = zip(unit, norm.gain.tolist(), norm.bias.tolist(), strict=True)
        return [self.clip(u * g // self.scale + b) for u, g, b in rows]

    def weights(self, rule, logits):
        if isinstance(rule, HardMaximum):
            places = [i for i, logit in enumerate(logits) if logit == max(logits)]
            if rule.ties != "average":
                places = places[:1] if rule.ties == "first" else places[-1:]
            return [self.scale // len(places) if i in places else 0 for i in range(len(logits))]
        terms = [exponential(logit - max(logits), self.scale) for logit in logits]
        return [term * self.scale // sum(terms) for term in terms]

    def head(self, unit, row, rows):
        query, logits, values = self.affine(unit.query, row), [], []
        for other in rows:
            product = sum(a * b for a, b in zip(query, self.affine(unit.key, other), strict=True))
            logits.append(self.clip(floor(product * unit.logit_scale / self.scale)))
            values.append(self.affine(unit.value, other))
        weights = self.weights(unit.weighting, logits)
        sums = [sum(w * v[j] for w, v in zip(weights, values, strict=True)) for j in range(len(values[0]))]
        return [self.clip(total // self.scale) for total in sums]

    def joined(self, block, row, part):
        return [self.clip(a + b) for a, b in zip(row, part, strict=True)] if block.residual else part

    def tokenwise(self, part, vector):
        for layer in part.layers:
            vector = self.dense(layer, vector)
        return vector

    def dense(self, layer, vector):
        vector = self.affine(layer.affine, vector)
        if layer.activation == "silu":
            return [self.clip(silu(x, self.scale)) for x in vector]
        assert layer.activation in ("relu", "identity")
        return [max(0, x) for x in vector] if layer.activation == "relu" else vector

    def block(self, block, rows, causal):
        norms = block.norms
        inner = [self.norm(norms.before_attention, row) for row in rows]
        result = []
        for i, row in enumerate(rows):
            seen = inner[: i + 1] if causal else inner
            heads = [number for unit in block.attention.units for number in self.head(unit, inner[i], seen)]
            row = self.norm(norms.after_attention, self.joined(block, row, self.affine(block.output, heads)))
            if block.tokenwise is not None:
                part = self.tokenwise(block.tokenwise, self.norm(norms.before_tokenwise, row))
                row = self.joined(block, row, part)
            result.append(self.norm(norms.last, self.norm(norms.after_tokenwise, row)))
        return result

    def outputs(self, word):
        tokens, positions = self.model.token_embedding.tolist(), self.model.position_embedding.tolist()
        rows = [
            [self.clip(a + b) for a, b in zip(tokens[symbol], position, strict=True)]
            for symbol, position in zip(word, positions, strict=True)
        ]
        for block in self.model.blocks:
            rows = self.block(block, rows, self.model.causal)
        return self.affine(self.model.read_out, rows[-1])
