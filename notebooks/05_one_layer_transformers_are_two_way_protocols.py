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
# # 5. One-layer transformers are two-way protocols
# A transformer has no state; its last position attends to all others at once. Yet two parties can compute one layer
# together, and this time *under every partition of the positions*: softmax attention consists of a maximum, a sum and a
# weighted sum, and each of these can be combined from two parts.

# %%
import numpy as np

import ccsim as cc
from ccsim.exercises import check_cost, check_number, check_that
from ccsim.plots import Line, Plot, attention_picture, contrast_picture, sequence_picture
from ccsim.problems import Partition
from protocols.reductions import max_logit_softmax, softmax_costs

# %% [markdown]
# ## The model
# Six positions, width 4, two heads, numbers of 8 bits. All arithmetic is in integers, so "the same answer" will mean
# the same bits.

# %%
model = cc.models.OneLayerTransformer.random("ab", length=6, width=4, heads=2, precision=8, seed=2)
word = "abbaba"
model(word)

# %% [markdown]
# What the last position does, in the first head: a logit for each position, an exponential, a weight. (Integers, in
# steps of 1/32.) The picture has both heads: the area of a square is its weight.

# %%
ranks = np.array([model.alphabet.index(symbol) for symbol in word])
logits = model.logit_table[0, ranks[-1], np.arange(6), ranks]
exponentials = model.exponentials(logits - logits.max())
weights = model.weights(exponentials, exponentials.sum())
print("logits      ", logits, "\nexponentials", exponentials, "sum", exponentials.sum(), "\nweights     ", weights)
attention_picture(model, word)

# %% [markdown]
# ## Two parties compute it
# Alice holds the odd positions, Bob the even ones, and so the last. What must they send?

# %%
protocol = max_logit_softmax(model, Partition.odd_even(6))
run = protocol.run("abb", "baa")  # the same word, split
sequence_picture(run)

# %% [markdown]
# Message by message, for both heads together:
#
# 1. **The last symbol.** Bob sends its embedded vector: $m p$ bits. Now both can compute the query.
# 2. **The largest logit.** Each has the logits of its own positions. They exchange maxima; the greater is $M$: $2p$
#    bits for each head.
# 3. **The normaliser.** Each adds up $\exp(A_i - M)$ over its own positions, and they exchange the sums. A sum of up to
#    $N$ numbers needs $p + \lceil\log N\rceil$ bits. Sums are exact integers, so the partition does not matter.
# 4. **The weighted values.** Each adds up weight times value over its own positions, exactly, in $2p$ bits for each of
#    $m$ coordinates.
#
# The rest (rounding, output map, feed-forward part) needs only the last position and these sums, so each party computes
# it alone.
#
# As a picture, who sends how much:

# %%
sent = {
    f"{number}. {message.label}": {f"from {message.sender.title()}": len(message.bits)}
    for number, message in enumerate(run.transcript, start=1)
}
contrast_picture("bits of each message", sent)

# %% [markdown]
# ## Is it the model?
# On all words, bit for bit, and with exactly the bits that the formula says:

# %%
proof = cc.certify(protocol, model)
print(proof.verdict, proof.claimed, proof.measured, "on", proof.checked, "words")

# %% [markdown]
# And for every partition of the positions, all $2^4$ for a model of four positions:

# %%
short = cc.models.OneLayerTransformer.random("ab", length=4, width=3, heads=1, precision=6, seed=0)
for partition in Partition.all(4):
    assert max_logit_softmax(short, partition).explore().correct
costs = {str(partition): max_logit_softmax(short, partition).cost.bits for partition in Partition.all(4)}
print(costs)

# %% [markdown]
# **Exercise 5.1.** A model of 8 positions over two symbols has width $m = 3$, one head of width 3, and $p = 6$ bits.
# Alice holds the odd positions. Add up the four steps above: how many bits until both know the answer?

# %%
bits = ...
another = cc.models.OneLayerTransformer.random("ab", length=8, width=3, heads=1, precision=6, seed=0)
check_cost(bits, max_logit_softmax(another, Partition.odd_even(8)))

# %% [markdown]
# ## The printed constant against the count
# The theorem is printed with $3m(p + \log N)H$ bits. The paper's own steps, after which both parties know the answer,
# add up to $mp + H(2p + 2(p + \lceil\log N\rceil) + 4mp)$. This is more if $p$ is large compared with $\log N$; only
# the constant depends on it. If one party gets the sums and returns the answer, the total is mostly below the printed
# one.

# %%
rows = softmax_costs([8], range(4, 41, 2), [1], [256])
names = ("printed", "literal", "one-sided", "compact")
lines = tuple(Line(name, tuple((row["p"], row[name]) for row in rows)) for name in names)
Plot("m = 8, H = 1, N = 256", "p, bits per number", "bits of communication", lines)

# %% [markdown]
# "Compact" is ours: each field has as many bits as it takes to number the values that can occur.

# %%
for variant in ("literal", "one-sided", "compact", "cheapest"):
    print(f"{variant:10}", max_logit_softmax(model, Partition.odd_even(6), variant=variant).explore().worst_bits)

# %% [markdown]
# "Cheapest" may send the symbols themselves: at six positions the bound excludes no model of this size. Lecture 8 asks
# from which length it does.
#
# **Exercise 5.2.** Even the one-sided protocol sometimes exceeds the printed bound. Give a pair $(m, p)$ for
# which it does not, with $H = 1$ and $N = 256$.

# %%
sizes = ...
check_that(
    sizes,
    lambda m, p: not softmax_costs([m], [p], [1], [256])[0]["one-sided within printed"],
    "the one-sided protocol costs more than is printed",
)

# %% [markdown]
# ## Two layers: refused
# In the second layer each position attends to outputs of the first, which depend on *all* positions, so no party can
# compute them alone. This protocol does not exist for two layers, and the code refuses it.

# %%
deep = cc.models.Transformer.random("ab", length=6, width=4, heads=1, layers=2, precision=8, seed=0)
try:
    max_logit_softmax(deep, Partition.odd_even(6))
except cc.InputError as refused:
    print(refused)

# %% [markdown]
# **Exercise 5.3.** Count the other way round. A task needs 500 bits, whatever the protocol, when one party has the odd
# positions. A model has $H = 1$, $p = 8$ and $N = 256$, over two symbols. What is the least $m$ for which the one-sided
# protocol has 500 bits or more?

# %%
width = ...
check_number(
    width, lambda: next(m for m in range(1, 999) if softmax_costs([m], [8], [1], [256])[0]["one-sided"] >= 500)
)

# %% [markdown]
# **What to take along.** One layer of attention is a maximum and two sums, so two parties can compute it with about
# $5 m p H$ bits, under every partition. If a task needs more, no such model computes it. (Bhattamishra, Hahn,
# Blunsom and Kanade 2024, theorem 4.)
