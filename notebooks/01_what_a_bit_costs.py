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
# # 1. What a bit costs
# Alice holds $x$. Bob holds $y$. They want to know $f(x, y)$, and only communication has a cost: computation and memory
# are free, and each bit that is sent costs one.
#
# How many bits must they send? This is communication complexity, and it is all that these ten lectures count.

# %%
import ccsim as cc
from ccsim.exercises import check_cost, check_error, check_protocol
from ccsim.plots import Line, Plot, matrix_picture, sequence_picture, tree_over_matrix
from ccsim.problems import equality, parity
from protocols.classical import fingerprint_equality, inner_product_equality, trivial

# %% [markdown]
# ## The question as a picture
# Our first question: are two strings of three bits equal? The *communication matrix* has a row for each input of Alice
# and a column for each input of Bob. Alice knows the row, Bob the column, and they want the colour of the cell.

# %%
f = equality(3)
matrix_picture(f)

# %% [markdown]
# ## A first protocol
# The simplest protocol: Alice sends her whole input, and Bob answers. All messages together are the *transcript*.

# %%
protocol = trivial(f)
sequence_picture(protocol.run("011", "010"))

# %% [markdown]
# Four bits: three for the input, one for the answer, since at the end both are to know it.
#
# One run is not enough. The cost of a protocol is that of the *worst case*, and it must be right on every input. So
# explore it on all 64 pairs.

# %%
found = protocol.explore()
print(found)
assert found.correct
assert found.worst_bits == 4

# %% [markdown]
# ## What the bits do to the picture
# Each bit of Alice splits the rows, each bit of Bob the columns. At the end the pairs with one transcript are some rows
# times some columns, a *rectangle*; it belongs to a *leaf* of the protocol. Every leaf must be *monochromatic*: both
# know the answer, and they cannot distinguish the pairs of a leaf. For strings of two bits, so that the picture has
# room:

# %%
tree_over_matrix(trivial(equality(2)).explore().tree)

# %% [markdown]
# ## A protocol of your own
# A party is a generator. It gets its own input, it may `Send` and `Receive`, and it returns the answer. Here they go
# bit by bit and stop at the first difference.


# %%
def alice(x):
    for place in range(len(x)):
        yield cc.Send(x[place : place + 1], f"bit {place + 1} of x")
        if not (yield cc.Receive(width=1))[0]:
            return 0
    return 1


def bob(y):
    for place in range(len(y)):
        same = (yield cc.Receive(width=1))[0] == y[place]
        yield cc.Send(cc.Bits([same]), "same?")
        if not same:
            return 0
    return 1


careful = cc.Protocol("bit by bit", f, {"alice": alice, "bob": bob})
print(careful.explore())

# %% [markdown]
# This is worse in the worst case, 6 bits, and better on average, as most strings differ early. We nearly always ask for
# the worst case.
#
# ## No cheating
# A party that stops too early is wrong on some input, and exploration shows on which.


# %%
def hopeful(y):
    first = (yield cc.Receive(width=1))[0]
    yield cc.Send(cc.Bits([first == y[0]]), "same?")
    return int(first == y[0])


def trusting(x):
    yield cc.Send(x[:1], "bit 1 of x")
    return (yield cc.Receive(width=1))[0]


print(cc.Protocol("first bit only", f, {"alice": trusting, "bob": hopeful}).explore().violations[0])

# %% [markdown]
# **Exercise 1.1.** How many bits does the trivial protocol for `equality(10)` send? (The check runs it on all $2^{20}$
# pairs.)

# %%
answer = ...
check_cost(answer, trivial(equality(10)))

# %% [markdown]
# **Exercise 1.2.** `parity(6)` is 1 if $x$ and $y$, six bits each, have an odd number of ones together. Write a
# protocol with 2 bits: two generators, put into a `cc.Protocol("mine", parity(6), {"alice": ..., "bob": ...})`.

# %%
mine = ...
check_protocol(mine, parity(6), most_bits=2)

# %% [markdown]
# ## Can equality be cheaper?
# Not without coins. The program computes the least worst-case cost of all protocols; the next two lectures explain how.

# %%
print([f"n = {n}: {cc.bounds.deterministic(equality(n)).lower} bits" for n in range(1, 6)])

# %% [markdown]
# ## Coins
# Now let Alice toss coins. She chooses a random prime and sends it with $x$ modulo that prime. Equal strings always
# agree. Different ones agree only if the prime divides their difference, and few primes do.

# %%
fingerprint = fingerprint_equality(8)
fingerprint.run("01100110", "01100111", seed=1)

# %% [markdown]
# This protocol is sometimes wrong. Its error is the worst over the inputs of the probability over the coins: not an
# average over inputs. It is measured exactly, over all coins and all pairs.

# %%
measured = fingerprint_equality(6).measure_error()
print("worst error", measured.worst_error, "on", *measured.worst_input)

# %% [markdown]
# For such short strings coins save nothing. But the number of bits grows like $\log n$ instead of $n$.

# %%
sizes = [1 << exponent for exponent in range(2, 11)]
Plot(
    "What equality costs",
    "n",
    "bits",
    (
        Line("without coins: n + 1", tuple((n, n + 1) for n in sizes)),
        Line("own coins: primes", tuple((n, fingerprint_equality(n).cost.bits) for n in sizes)),
        Line("shared coins: 3", tuple((n, inner_product_equality(n, 2).cost.bits) for n in sizes)),
    ),
    logarithmic=True,
)

# %% [markdown]
# The lowest curve: with public coins, which both see, three bits suffice for every $n$. Alice sends two inner products
# of $x$ with random strings, and Bob compares. Unequal strings pass with probability $1/4$.

# %%
shared = inner_product_equality(3, 2)
print(shared.measure_error().worst_error, shared.cost.bits)

# %% [markdown]
# **Exercise 1.3.** Find two strings of 6 bits, as text, that the fingerprint protocol confuses as often as it confuses
# any two. (By how much must they differ, so that many small primes divide it?)

# %%
pair = ...
check_error(pair, fingerprint_equality(6))

# %% [markdown]
# **What to take along.** A protocol partitions the matrix into monochromatic rectangles; its cost is the depth of its
# tree; for equality coins change everything. Next: how to prove that *no* protocol does better.
