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
# # 6. Bounded Dyck
# Brackets of two kinds, balanced, nested at most two deep: `([])[]` is right, `([)]` is not. For a recurrent model this
# is easy: three bits. For a single layer of attention it is hard: under the worst partition of the positions two
# parties need $N + 1$ bits.

# %%
import ccsim as cc
from ccsim.bounds import leaf_rank
from ccsim.exercises import check_deterministic, check_fooling_set, check_number, check_that
from ccsim.models import dyck_automaton
from ccsim.plots import contrast_picture, matrix_picture
from ccsim.problems import Partition, dyck
from protocols.reductions import recurrent_prefix

task = dyck(6)
print([(word, task(word)) for word in ("([])[]", "([)]()", "([()])")])

# %% [markdown]
# ## Odd and even
# Alice holds positions 1, 3, 5, …, Bob positions 2, 4, 6, …. Together they want to know whether the word is good. For
# $N = 4$ each has $4^2 = 16$ inputs:

# %%
f = dyck(4).split(Partition.odd_even(4))
matrix_picture(f, written=False)

# %% [markdown]
# There are few ones, and no two in one row or column. Is this always so? Order Alice's and Bob's inputs by the good
# words that they belong to: the matrix becomes a diagonal of ones with zeros elsewhere.

# %%
good = [f.split(word) for word in dyck(4).accepted()]
rows = [f.alice.index(x) for x, _ in good]
columns = [f.bob.index(y) for _, y in good]
order = [row + [place for place in range(16) if place not in row] for row in (rows, columns)]
print(len(good), "good words")
matrix_picture(f.matrix.restrict(*order), written=False)

# %% [markdown]
# ## Why each half determines the other
# Before an odd position the depth is even: 0 or 2. At depth 0 Alice's bracket must open, at depth 2 it must close. So
# her *next* bracket determines Bob's bracket before it: if she opens, he closed what was open; if she closes a bracket
# of some kind, he has just opened one of this kind. The odd half determines the even one, and Alice's brackets are free
# from the second on. Count the good words:

# %%
for length in (2, 4, 6, 8):
    words = list(dyck(length).accepted())
    odd = {word[::2] for word in words}
    print(f"N = {length}: {len(words)} good words, {len(odd)} different odd halves, 2^(N-1) = {2 ** (length - 1)}")

# %% [markdown]
# **Exercise 6.1.** How many good words of length 10 are there?

# %%
count = ...
check_number(count, lambda: sum(1 for _ in dyck(10).accepted()))

# %% [markdown]
# ## The fooling set
# Take all good words. Exchange the odd half of one with that of another: the result is never good. This is a fooling
# set of $2^{N-1}$ entries, and it gives the $N - 1$ bits of the paper.

# %%
f = dyck(6).split(Partition.odd_even(6))
check_fooling_set(f, [f.split(word) for word in dyck(6).accepted()], size=32)

# %% [markdown]
# **Exercise 6.2.** The ones alone give 8 cells for $N = 4$. Cells with the answer 0 may join them. Make a fooling set
# of 10 cells: `starting + [(x, y), (x, y)]`, the good ones and two pairs more. (Which rows and columns of ones do not
# exclude a zero? Look for zeros that exclude each other.)

# %%
f = dyck(4).split(Partition.odd_even(4))
starting = [f.split(word) for word in dyck(4).accepted()]
cells = ...
check_fooling_set(f, cells, size=10)

# %% [markdown]
# ## N − 1 against N + 1
# Now by rank. The ones are a permutation matrix of size $2^{N-1}$: rank $2^{N-1}$. The complement has a row of all ones
# (an input that belongs to no good word), and rank $2^{N-1} + 1$. Together these are more than $2^N$ leaves, so **at
# least $N + 1$ bits**: two more than printed. The trivial protocol, with a number for each odd half of a good word and
# one message for all others, has exactly so many.

# %%
print("N   rank M  rank J-M  by fooling set  by leaf rank")
for length in (2, 4, 6, 8):
    found = leaf_rank(dyck(length).split(Partition.odd_even(length)).matrix)
    print(f"{length}{found.ranks[1]:9}{found.ranks[0]:10}{length - 1:13}{found.bits:15}")

# %% [markdown]
# The search agrees, and gives the protocol:

# %%
D = cc.bounds.deterministic(dyck(4).split(Partition.odd_even(4)))
print(D)
matrix_picture(f, rectangles=[(leaf.sets["alice"], leaf.sets["bob"]) for leaf in D.protocol_tree.leaves], written=False)

# %% [markdown]
# **Exercise 6.3.** What do odd and even positions cost for $N = 6$?

# %%
bits = ...
check_deterministic(bits, dyck(6).split(Partition.odd_even(6)))

# %% [markdown]
# ## Contiguous halves are easy
# If Alice holds the first half and Bob the second, she sends which brackets are open: at most two. This is the
# recurrent model of lecture 4, as a protocol.

# %%
for length in (4, 6, 8, 10):
    halves = recurrent_prefix(dyck_automaton(2, 2), length // 2, length=length)
    print(f"N = {length}: {halves.explore().worst_bits} bits, and 1 more if Alice is to know too")

# %% [markdown]
# ## All partitions
# For $N = 6$ and three positions each, what does every partition cost, exactly?

# %%
balanced = [partition for partition in Partition.all(6) if len(partition.alice) == 3 and partition.owners[0] == "A"]
costs = {str(partition): cc.bounds.deterministic(task.split(partition)).lower for partition in balanced}
contrast_picture("D of each partition", {name: {"D": costs[name]} for name in sorted(costs, key=costs.get)})

# %% [markdown]
# Roughly, the cost grows with the number of changes between Alice and Bob along the word. The protocol of lecture 5
# works for *every* partition, so the lower bound may use the worst.
#
# **Exercise 6.4.** For $N = 8$, find a partition with four positions each for which $D$ is at most 5 and neither
# party has a contiguous block. Write it like `"AABBAABB"`.

# %%
owners = ...
check_that(
    owners,
    lambda text: (
        text.count("A") == text.count("B") == 4
        and "AAAA" not in text
        and "BBBB" not in text
        and cc.bounds.deterministic(dyck(8).split(Partition(text)), seconds=10).upper <= 5
    ),
    "both hold four scattered positions, and 5 bits are enough",
)

# %% [markdown]
# ## What follows for one layer
# A one-layer transformer is a protocol under this partition (lecture 5). So it must send at least $N + 1$ bits.

# %%
print(cc.bounds.model("transformer", width=8, precision=16, task="dyck", length=512))

# %% [markdown]
# **What to take along.** The cost of a task depends on the partition. Recurrent models correspond to prefixes;
# attention to every partition, also the worst. (Bhattamishra, Hahn, Blunsom and Kanade 2024, lemma 1 and theorem 5; the
# two extra bits are proved in `docs/proofs/dyck_odd_even.md`.)
