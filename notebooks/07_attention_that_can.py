# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 7. Attention that can, and attention that cannot
# So far we proved what attention cannot do. Now we build models: their weights are written down, not trained, their
# width grows like $\log N$, and they are right on every word. At the end is a task at which one layer must fail.

# %%
import numpy as np

import ccsim as cc
from ccsim.exercises import check_model, check_number, check_that
from ccsim.plots import Line, Plot, attention_picture, attention_weights, gathered, matrix_picture, weights_picture
from ccsim.problems import Partition, equality_of_halves, index_lookup, match2, match3
from protocols.constructions import (
    equality_of_parts,
    equality_transformer,
    index_lookup_transformer,
    match2_unit,
    smallest_sign_vectors,
    sparse_averaging_unit,
)
from protocols.reductions import match3_to_disjointness

# %% [markdown]
# ## Addresses
# Give each position a vector of signs, such that any two are nearly orthogonal. A query that is the address of position
# $p$ then has its largest product with key $p$. For $N$ positions a multiple of $\log N$ signs is enough.

# %%
addresses = smallest_sign_vectors(16)
signs = addresses.rows(np.arange(1, 17))
products = np.abs(signs @ signs.T) / signs.shape[1]
gathered(
    [
        matrix_picture(signs, written=False),
        weights_picture(products, title="products, without their signs"),
    ],
    2,
    f"16 addresses of {signs.shape[1]} signs, and their products",
)

# %% [markdown]
# ## Index lookup in one layer
# The last symbol is a number $p$. Its query is the address of $p$, times a factor that makes softmax sharp. The value
# is the symbol at that place.

# %%
lookup = index_lookup_transformer(8)
gathered([attention_picture(lookup, (*"01101001", place)) for place in (1, 4, 8)], 1, "three lookups")

# %%
check_model(lookup, index_lookup(8))

# %% [markdown]
# Its width and precision, as $N$ grows; a recurrent model needs $N$ bits of state.

# %%
for length in (8, 32, 128):
    model = index_lookup_transformer(length)
    print(f"N = {length}: width {model.width}, {model.precision.bits} bits per number")

# %% [markdown]
# ## Equality in two layers
# One small layer cannot do it (it would be a cheap protocol for equality). Two can: in the first, each position of the
# second half copies the bit of its partner and compares; the second averages the differences and compares the mean with
# zero.

# %%
equal = equality_transformer(8)
attention_picture(equal, "01100111")

# %%
check_model(equal, equality_of_halves(8))

# %% [markdown]
# **Exercise 7.1.** The positions can be renumbered, so that it compares Alice's positions with Bob's for any partition.
# In the model for odd and even positions, to which position does position 6 attend?

# %%
place = ...
renumbered = equality_transformer(8, partition=Partition.odd_even(8))
assert renumbered.is_right(equality_of_parts(Partition.odd_even(8)))
check_number(place, lambda: int(np.argmax(attention_weights(renumbered, "00000000")[0][0][5])) + 1)

# %% [markdown]
# This is why lecture 5 refused two layers: whatever the partition, a small model of two layers computes equality
# between Alice and Bob, which costs $N/2 + 1$ bits.
#
# ## Averaging over a few
# Each row names $q$ rows out of $N$, and asks for the average of their values. A single unit with a width of order
# $q \log N$ does it: the query is a vector whose product is 1 with the keys that are named and at most 1/2 with others.

# %%
averaging = sparse_averaging_unit(16, 3)
subsets = [(1, 2, 3), (2, 9, 16), (5, 7, 11)]
print("largest error", max(averaging.worst_errors(subsets)), "of", averaging.error, "allowed; width", averaging.width)
weights = averaging.weights(np.array(subsets)) / averaging.precision.scale
weights_picture(weights, title="weights", rows=[*map(str, subsets)], columns=[str(row) for row in range(1, 17)])

# %% [markdown]
# ## Match2
# Is there a $j$ with $x_1 + x_j = 0$ modulo $M$? Put the numbers on a circle. The product of a query and a mirrored key
# is $\cos\bigl(2\pi (x_1 + x_j)/M\bigr)$, which is largest exactly at a match. Width 3 is enough.

# %%
pairs = match2_unit(4, 7)
print(pairs.precision.bits, "bits per number;", check_model(pairs, match2(4, 7)))
angles = 2 * np.pi * np.arange(7) / 7
logits = [(x, float(np.cos(angles[x] + angles[2]))) for x in range(7)]
match, others = [(x, y) for x, y in logits if (2 + x) % 7 == 0], [(x, y) for x, y in logits if (2 + x) % 7]
lines = Line("a match", tuple(match), measured=True), Line("no match", tuple(others), measured=True)
Plot("x_1 = 2, M = 7", "x_j", "logit / c", lines)

# %% [markdown]
# **Exercise 7.2.** Numbers must be fine enough to tell the match from its neighbours. What is the number of bits $p$
# from 8 to 14 with which `match2_unit(4, 7, precision=p)` is right on all words, but with $p - 1$ is not?


# %%
def right_with(bits):
    return match2_unit(4, 7, precision=bits).is_right(match2(4, 7))


p = ...
check_that(p, lambda bits: right_with(bits) and not right_with(bits - 1), "right with p bits, wrong with one less")

# %% [markdown]
# ## Match3
# Now triples: are there $j, k$ with $x_1 + x_j + x_k = 0$? Attention compares *pairs*. Could some clever weights do it?
#
# **Exercise 7.3.** Find five numbers modulo 7, as a tuple, such that Match2 is 0 and Match3 is 1 at the first.

# %%
word = ...
check_that(
    word,
    lambda *numbers: match2(5, 7)(numbers) == 0 and match3(5, 7)(numbers) == 1,
    "no pair, but a triple",
)

# %% [markdown]
# No. Two parties can write their sets into a word such that Match3 decides whether the sets meet: Alice's element $i$
# becomes $i + 1$, Bob's becomes $M - 2 - i$, and with the shared token 1 the three add up to $M$ exactly if both have
# the same $i$. So a one-layer model of Match3 is a protocol for disjointness. Here for random weights:

# %%
model = cc.models.OneLayerTransformer.random(range(8), length=5, width=2, precision=6, seed=0)
protocol = match3_to_disjointness(model, 2)
print(protocol.cost.bits, "bits |", protocol.explore().violations[0])

# %% [markdown]
# The cost of the protocol depends on the size of the model; disjointness costs $n + 1$. Where the curve of a model is
# below that of disjointness, the model is wrong on some word, whatever its weights.

# %%
sizes, lines = range(1, 400, 7), []
for width in (1, 2, 4):
    bits, heads = 8, 1
    costs = tuple((n, heads * (2 * bits + 2 * (bits + (2 * n).bit_length()) + 4 * width * bits)) for n in sizes)
    lines.append(Line(f"width {width}, 8 bits", costs))
lines.append(Line("disjointness: n + 1", tuple((n, n + 1) for n in sizes)))
Plot("What a model can say, and what it must", "n, elements (N = 2n + 1 numbers)", "bits", tuple(lines))

# %% [markdown]
# **Exercise 7.4.** A model of one head has width 2 and 8 bits per number. From which $n$ on is Match3 on $2n + 1$
# numbers impossible for it, by the printed protocol $H(2p + 2(p + \lceil\log N\rceil) + 4vp)$?

# %%
n = ...
check_number(
    n, lambda: 1 + max(k for k in range(1, 400) if 2 * 8 + 2 * (8 + (2 * k).bit_length()) + 4 * 2 * 8 >= k + 1)
)

# %% [markdown]
# **What to take along.** One layer looks things up, averages and matches pairs, with width of order $\log N$. It cannot
# match triples, unless its size grows with $N$. (Bhattamishra et al. 2024, theorems 1 and 6; Sanford, Hsu and Telgarsky
# 2023.)
