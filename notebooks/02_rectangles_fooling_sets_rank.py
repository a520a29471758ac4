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
# # 2. Rectangles, fooling sets, rank
# A clever protocol shows that few bits *suffice*. How does one show that few bits do *not* suffice, whatever the
# protocol? Our example is disjointness: Alice and Bob each hold a set of numbers from 1 to $n$, as $n$ bits. Do the
# sets have nothing in common?

# %%
import numpy as np

import ccsim as cc
from ccsim.bounds import leaf_rank
from ccsim.exercises import check_fooling_set, check_number, check_rectangle
from ccsim.plots import fooling_picture, gathered, leaves_picture, matrix_picture
from ccsim.problems import disjointness, greater_than, inner_product
from protocols.classical import trivial

f = disjointness(4)
matrix_picture(f)

# %% [markdown]
# ## Rectangles
# A *rectangle* is some rows times some columns; they need not be neighbours. If $(x, y)$ and $(x', y')$ have the same
# transcript, so has $(x, y')$: neither Alice nor Bob can notice the difference. So the inputs of a leaf are a
# rectangle, and it is monochromatic. Here are all leaves of the trivial protocol for two elements:

# %%
leaves_picture(trivial(disjointness(2)).explore().tree)

# %% [markdown]
# A protocol of $c$ bits has at most $2^c$ leaves. **If the matrix cannot be partitioned into $2^c$ monochromatic
# rectangles, $c$ bits are not enough.** All lower bounds below follow from this sentence.

# %% [markdown]
# **Exercise 2.1.** Find a rectangle of `disjointness(4)` whose 16 cells are all 1: a list of rows and a list of
# columns, as texts. (Which sets are surely disjoint from which?)

# %%
rows, columns = ..., ...
check_rectangle(f, rows, columns, 1, at_least=16)

# %% [markdown]
# ## Fooling sets
# Choose entries with the answer 1, no two of which are in one monochromatic rectangle. Then each needs a leaf of its
# own.
#
# Two such entries $(x, y)$ and $(x', y')$ exclude each other if $(x, y')$ or $(x', y)$ is 0. For disjointness take each
# set with its complement:

# %%
complements = [(x, cc.Bits([1 - bit for bit in x])) for x in f.alice]
fooling_picture(f, [(f.alice.index(x), f.bob.index(y)) for x, y in complements])

# %% [markdown]
# Why does it work? If $x \ne x'$, one of them, say $x$, has an element that the other has not; the complement of $x'$
# has it too; so $(x, \overline{x'})$ is 0. The program checks all pairs.

# %%
check_fooling_set(f, complements, size=16)

# %% [markdown]
# So $2^n$ leaves have the answer 1. The answer 0 also occurs and needs at least one more leaf. More than $2^n$
# leaves need more than $n$ bits: **disjointness needs $n + 1$ bits**, and the trivial protocol has exactly that.
#
# **Exercise 2.2.** `greater_than(3)` is 1 iff $x > y$ as numbers. Find a fooling set of 8 pairs, as a list of pairs of
# texts.

# %%
matrix_picture(greater_than(3))

# %%
pairs = ...
check_fooling_set(greater_than(3), pairs, size=8)

# %% [markdown]
# ## Rank
# The second method is mechanical. Write the leaves with the answer 1 as matrices: each is 1 on its rectangle and 0
# elsewhere, so it has rank 1. Their sum is the matrix $M$. So there are at least $\mathrm{rank}(M)$ leaves with the
# answer 1, and in the same way at least $\mathrm{rank}(J - M)$ with the answer 0, with $J$ all ones:
#
# $$D(f) \ \ge\ \log_2\bigl(\mathrm{rank}(M) + \mathrm{rank}(J - M)\bigr).$$
#
# We call this the *leaf-rank* bound. For one element the disjointness matrix is this one, of rank 2:

# %%
small = disjointness(1).codes
print(small, "rank", np.linalg.matrix_rank(small))

# %% [markdown]
# One more element, and the matrix is made of four such blocks: a Kronecker product. Ranks multiply, so the rank for $n$
# elements is $2^n$: full.

# %%
assert (np.kron(small, small) == disjointness(2).codes).all()
growing = [matrix_picture(disjointness(n), side=120 / 2**n, written=False) for n in range(1, 7)]
gathered(growing, 3, "disjointness of 1 to 6 elements")

# %% [markdown]
# In exact arithmetic, for both answers, beside the cost of the trivial protocol:

# %%
print("n  rank M  rank J-M  bits needed  bits sent")
for n in range(1, 8):
    found = leaf_rank(disjointness(n).matrix)
    print(f"{n}{found.ranks[1]:8}{found.ranks[0]:10}{found.bits:13}{trivial(disjointness(n)).cost.bits:11}")

# %% [markdown]
# **Exercise 2.3.** `inner_product(4)` is $\langle x, y \rangle$ modulo 2. What is the rank of its matrix over the
# rational numbers? (Look at the picture: is there a row that adds nothing?)

# %%
matrix_picture(inner_product(4), written=False)

# %%
rank = ...
check_number(rank, lambda: np.linalg.matrix_rank(inner_product(4).codes))

# %% [markdown]
# ## The two compared
# For the inner product fooling sets soon give less than ranks. (Both count leaves of both answers.) Each of these
# numbers has a witness, the subject of lecture 3.

# %%
for n in (2, 3, 4):
    fooling = cc.bounds.brackets_of(inner_product(n), "fooling")[-1]
    print(f"n = {n}: {fooling.lower} cells in a largest fooling set, ranks {leaf_rank(inner_product(n).matrix).leaves}")

# %% [markdown]
# ## Everything at once
# All lower and upper bounds on one function:

# %%
cc.bounds.summary(disjointness(2))

# %% [markdown]
# **Exercise 2.4.** Cells of different answers never share a leaf, so a fooling set may mix them. Find one of 6 cells in
# `disjointness(2)`: more than the 4 that the ones alone have.

# %%
pairs = ...
check_fooling_set(disjointness(2), pairs, size=6)

# %% [markdown]
# **What to take along.** Leaves are monochromatic rectangles. Count them by entries that exclude each other, or by
# rank. Add the leaves of *both* answers: this gives the "+ 1" of $n + 1$.
