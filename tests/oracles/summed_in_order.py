"""A layer that adds up in registers of its own precision, one position after the other, number by number."""

from tests.models.transformer_oracle import Oracle, exponential


class InOrder(Oracle):
    """Its heads are quotients of two registers; all else is that of the layer."""

    def registers(self, unit, asking, rows):
        """One head: numerators and the normaliser, added up from the first position on."""
        query = self.affine(unit.query, asking)
        found = [0] * (len(self.affine(unit.value, rows[0])) + 1)
        for row in rows:
            dot = sum(a * b for a, b in zip(query, self.affine(unit.key, row), strict=True))
            share = self.share(self.clip(dot // self.scale))
            terms = [share * v // self.scale for v in self.affine(unit.value, row)]
            found = [self.clip(a + b) for a, b in zip(found, [*terms, share], strict=True)]
        return found

    def share(self, logit):
        """The steps in exp(logit / scale), rounded down, and no more than the highest number."""
        if logit >= self.scale * self.high.bit_length():  # e^b is above 2^b
            return self.high
        return min(exponential(logit, self.scale), self.high)

    def quotient(self, registers):
        """What a head gives in the end."""
        *numerators, normaliser = registers
        return [self.clip(a * self.scale // normaliser) if normaliser else 0 for a in numerators]

    def computed(self, word):
        """The registers of each head, its quotients, and the code of the answer."""
        block = self.model.block
        places = zip(word, self.model.position_embedding.tolist(), strict=True)
        tokens = self.model.token_embedding.tolist()
        rows = [[self.clip(a + b) for a, b in zip(tokens[symbol], place, strict=True)] for symbol, place in places]
        registers = [self.registers(unit, rows[-1], rows) for unit in block.attention.units]
        heads = [self.quotient(each) for each in registers]
        row = self.joined(block, rows[-1], self.affine(block.output, [number for head in heads for number in head]))
        outputs = self.affine(self.model.read_out, self.joined(block, row, self.tokenwise(block.tokenwise, row)))
        return registers, heads, outputs.index(max(outputs))
