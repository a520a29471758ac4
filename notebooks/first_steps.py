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
# # First steps: two people who talk
# Alice holds four bits, Bob holds four bits, and they want to know whether their sets are disjoint.
# Every bit that crosses the channel is counted.

# %%
import ccsim as cc
from ccsim.problems import disjointness
from protocols.classical import trivial

f = disjointness(4)
f.matrix

# %% [markdown]
# The picture is the *communication matrix*: a row for each input of Alice, a column for each input of Bob.
# The simplest protocol: Alice sends her whole input, Bob replies with the answer.

# %%
protocol = trivial(f)
run = protocol.run("0110", "0011")
run.transcript

# %% [markdown]
# One run says little. Inputs that lead to the same transcript form a rectangle of the matrix, so all
# 256 pairs can be checked by asking each party once per own input.

# %%
found = protocol.explore()
print(found)
assert found.correct
assert found.worst_bits == 5

# %% [markdown]
# ## Your own protocol
# A party is a generator: it sees its own input and what it receives, nothing else.


# %%
def alice(x):
    yield cc.Send(x, "my set")
    return (yield cc.Receive())[0]


def bob(y):
    x = yield cc.Receive()
    disjoint = not any(a and b for a, b in zip(x, y, strict=True))
    yield cc.Send(cc.Bits([disjoint]), "disjoint?")
    return int(disjoint)


mine = cc.Protocol("mine", f, {"alice": alice, "bob": bob})
print(mine.explore())

# %% [markdown]
# **Exercise.** Change `bob` so that he never replies 1, and explore again: read the violation, and find the
# leaf of the tree on which it happens.
