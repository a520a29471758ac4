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
# # 3. Exact complexity, and how to trust it
# For a small matrix we need no theory to know $D(f)$: a search finds the best protocol, and proves that there is no
# better one. The proof can be checked by somebody who trusts neither us nor our program. In this lecture that is you.

# %%
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import ccsim as cc
from ccsim.certificates import verify
from ccsim.exercises import check_deterministic, check_gap, check_one_way, check_protocol
from ccsim.plots import matrix_picture, tree_over_matrix
from ccsim.problems import TwoPartyFunction, equality, greater_than, index

# %% [markdown]
# ## The best protocol
# Index: Alice holds 4 bits, Bob a place, and both want the bit there. In a single message Alice would have to send all
# her bits. The search finds a better protocol, and its lower and upper bounds are equal.

# %%
f = index(4)
D = cc.bounds.deterministic(f)
print(D)

# %% [markdown]
# The upper side *is* a protocol, as a tree: who sends which bit, and what follows. Bob sends his place, two bits, and
# Alice answers.

# %%
print(D.protocol_tree.draw())

# %% [markdown]
# ## The tree over the matrix
# Each message splits a rectangle of the matrix: its rows if Alice sends it, its columns if Bob does. A best protocol
# for equality of two bits, and its leaves:

# %%
tree = cc.bounds.deterministic(equality(2)).protocol_tree
tree_over_matrix(tree)

# %% [markdown]
# It runs, and is explored, like any other protocol.

# %%
print(cc.Protocol.of_tree(tree).explore())

# %% [markdown]
# **Exercise 3.1.** What does this 4 × 4 matrix cost, when both are to know the answer? Find a protocol and a bound in
# your head before you type.

# %%
stairs = cc.CommunicationMatrix.from_array([[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]])
matrix_picture(stairs)

# %%
bits = ...
check_deterministic(bits, stairs)

# %% [markdown]
# **Exercise 3.2.** Alice and Bob each hold a number from 0 to 3 and want to know whether they are neighbours on a
# circle (0 is next to 3). The trivial protocol sends 3 bits. Write one with 2, as a `cc.Protocol` for `ring`; the
# inputs are integers.

# %%
near = [[int((x - y) % 4 in (1, 3)) for y in range(4)] for x in range(4)]
ring = TwoPartyFunction.from_matrix(cc.CommunicationMatrix.from_array(near), "ring")
matrix_picture(ring)

# %%
mine = ...
check_protocol(mine, ring, most_bits=2)

# %% [markdown]
# ## The lower side
# "There is no protocol with 2 bits" is a statement about all protocols. Often there is a short reason: leaf rank, or a
# fooling set. If not, the witness is a *refutation*: for each relevant rectangle and each way of splitting it, a part
# that needs too many bits. This matrix is such a case: by rank 3 bits could suffice, but they do not.

# %%
stubborn = cc.CommunicationMatrix.from_array(np.random.default_rng(13).integers(0, 2, (5, 5)))
print(cc.bounds.deterministic(stubborn), "|", check_gap(stubborn.codes.tolist()))
matrix_picture(stubborn)

# %% [markdown]
# **Exercise 3.3.** Find another such matrix: a list of rows of 0 and 1, with $D$ above the leaf-rank bound. (Try random
# matrices in a loop, or add rows or columns to this one.)

# %%
rows = ...
check_gap(rows)

# %% [markdown]
# ## A certificate
# Both sides with their witnesses go into a file. Look at the beginning of it:

# %%
certificate = cc.bounds.deterministic(greater_than(2)).certificate
print(certificate.text()[:300], "...")

# %% [markdown]
# The checker is a folder of Python that needs only the standard library. Here it runs as a program that can import
# nothing else (`-I -S`).

# %%
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "gt2.json"
    certificate.save(path)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(Path(verify.__file__).parent), path],
        capture_output=True,
        text=True,
        check=True,
    )
print(done.stdout.replace(folder + "/", ""))

# %% [markdown]
# ## A lie is found out
# Claim one bit more than is true, or one bit less, in the file: the checker derives the number from the witness and
# refuses.

# %%
for side, change in (("lower", +1), ("upper", -1)):
    forged = json.loads(certificate.text())
    proof = next(proof for proof in forged["proofs"] if proof["side"] == side)
    proof["value"] += change
    try:
        verify.verify_text(json.dumps(forged))
    except verify.Refused as refused:
        print(f"{side} {proof['value']}: {refused}")

# %% [markdown]
# ## One by hand
# A fooling set is the certificate that a human checks most easily. Here it is with no library at all: for each two
# cells, look at the two other corners.

# %%
cover = cc.bounds.brackets_of(equality(3), "fooling")[1]
cells = cover.lower_witness["cells"]
table = equality(3).codes.tolist()
print(cover, cells)


def exclude_each_other(one, other):
    (row, column), (other_row, other_column) = one, other
    return table[row][other_column] != table[row][column] or table[other_row][column] != table[row][column]


print(all(exclude_each_other(one, other) for one in cells for other in cells if one != other))

# %% [markdown]
# 8 cells with the answer 1 need 8 leaves, a 0 needs a ninth, and 3 bits give at most 8 leaves. So equality of three
# bits costs four bits, and you have checked it yourself.
#
# **Exercise 3.4.** Suppose that only Bob is to know the answer, and that there is one message, from Alice to him. How
# many bits does `index(4)` cost now?

# %%
bits = ...
check_one_way(bits, f)

# %% [markdown]
# **What to take along.** "Exact" means two witnesses that meet: a protocol above and a refutation below. A certificate
# carries both, and its checker is short enough to be read.
