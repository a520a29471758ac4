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
# # 8. Separations in one picture
# We have two kinds of model and, for each, a reason why it must be large. Side by side, these reasons separate the
# models. Then we ask an unpleasant question: what do these bounds mean for models in use?

# %%
import ccsim as cc
from ccsim.exercises import check_number, check_that
from ccsim.models import dyck_automaton
from ccsim.plots import Line, Plot, contrast_picture, separations
from protocols.constructions import growth_table

# %% [markdown]
# ## What the tasks need
# For each task the bits of a single message from left to right, which a recurrent state must hold; and, where it is
# known to be large, the bits of a two-way protocol under the worst partition, which one layer of attention must be able
# to send. Both are theorems, for every $N$; here for $N = 64$.

# %%
contrast_picture("bits that are needed, N = 64", separations(64))

# %% [markdown]
# *Dyck* is easy from left to right and hard in both directions under the worst partition: recurrent models win. *Index
# lookup* is hard from left to right, and has no mark for two-way protocols, as these are cheap: attention wins.
# *Equality* of two halves is hard for both.
#
# ## Index lookup: what is needed against what is built
# Width times precision of the one-layer transformer of lecture 7, beside the $N$ bits that every recurrent state needs.

# %%
rows = growth_table(["index lookup, binary addresses", "equality, binary addresses"], range(4, 13))
lines = []
for name in ("index lookup", "equality"):
    points = [(row["N"], row["width"] * row["precision"]) for row in rows if row["construction"].startswith(name)]
    lines.append(Line(f"transformer for {name}, built", tuple(points), measured=True))
lengths = [row["N"] for row in rows[:9]]
lines.append(Line("recurrent, index lookup: at least N", tuple((length, length) for length in lengths)))
lines.append(Line("recurrent, equality: at least N/2", tuple((length, length / 2) for length in lengths)))
Plot("What is needed and what is built", "N", "width × precision, in bits", tuple(lines), logarithmic=True)

# %% [markdown]
# The curves cross: for short words the recurrent bound is the *smaller* number, and nothing is separated. An asymptotic
# separation holds from a certain length on. Which?
#
# **Exercise 8.1.** Among $N = 16, 32, 64, …, 4096$, which is the first for which the transformer for index lookup is
# smaller, in width times precision, than any recurrent model?

# %%
first = ...
check_number(first, lambda: next(row["N"] for row in rows[:9] if row["width"] * row["precision"] < row["N"]))

# %% [markdown]
# ## Dyck: the other way round
# An automaton of three bits against the least width of one layer of attention, from the count of lecture 5. (One head,
# 16 bits per number.)

# %%
lengths = [1 << exponent for exponent in range(4, 15)]
least = [
    cc.bounds.model("transformer", width=1, precision=16, task="dyck", length=length).smallest_width
    for length in lengths
]
needed = tuple((length, 16 * width) for length, width in zip(lengths, least, strict=True))
enough = tuple((length, dyck_automaton(2, 2).state_bits) for length in lengths)
lines = Line("one layer, at least (width × precision)", needed), Line("automaton: 3 bits, enough", enough)
Plot("Bounded brackets", "N", "bits", lines, logarithmic=True)

# %% [markdown]
# ## Real sizes
# Now some sizes from practice. A bound is *vacuous* at a length if it does not exclude the model there.

# %%
lookup, brackets = "index-lookup", "dyck"
small = {"width": 64, "heads": 4, "head_width": 16, "precision": 16}
usual = {"width": 768, "heads": 12, "head_width": 64, "precision": 16}
MODELS = {
    "LSTM, 2 layers of 650, 32 bits": ("recurrent", {"width": 2 * 2 * 650, "precision": 32}, lookup),
    "state-space, 24 layers of 768 x 16, 16 bits": ("recurrent", {"width": 24 * 768 * 16, "precision": 16}, lookup),
    "any recurrent model of 3 bits or more": ("recurrent", {"width": 1, "precision": 3}, brackets),
    "one layer, width 64, 4 heads, 16 bits": ("transformer", small, brackets),
    "one layer, width 768, 12 heads, 16 bits": ("transformer", usual, brackets),
    "the same on index lookup": ("transformer", usual, lookup),
}
for name, (kind, size, task) in MODELS.items():
    found = cc.bounds.model(kind, task=task, **size)
    even = ", N even" if found.requirement.step == 2 else ""
    since = f"excluded from N = {found.excluded_from} on{even}"
    print(f"{name:45}{task:14}{'says nothing at any N' if found.excluded_from is None else since}")

# %% [markdown]
# What this table does not show:
#
# * A single layer of the width of a common transformer is excluded only for words of tens of thousands of brackets,
#   nested two deep.
# * Transformers in use have *many* layers. For two layers already there is no such bound, since two small layers solve
#   equality for every partition (lecture 7). The table says nothing about them.
# * The state-space model has millions of bits of state. It is excluded, but at a length that few will use.
# * The bounds are about being right on *all* words. A model may be wrong on so few that it does not matter.
#
# They do show what grows with $N$ and what does not.
#
# **Exercise 8.2.** An LSTM of one layer and width 1024 has numbers of 16 bits. From which $N$ on is it excluded on
# index lookup? (What does an LSTM carry?)

# %%
N = ...
check_number(
    N,
    lambda: cc.bounds.model("recurrent", width=2 * 1024, precision=16, task="index-lookup").excluded_from,
)

# %% [markdown]
# **Exercise 8.3.** Choose a one-layer transformer as `(heads, head_width, precision)` with at least 2 heads and at
# least 8 bits that is excluded on Dyck at $N = 512$.

# %%
sizes = ...
check_that(
    sizes,
    lambda heads, head_width, precision: (
        heads >= 2
        and precision >= 8
        and cc.bounds.model(
            "transformer",
            width=heads * head_width,
            heads=heads,
            head_width=head_width,
            precision=precision,
            task="dyck",
            length=512,
        ).excluded
    ),
    "no weights make this one right on all words of 512 brackets",
)

# %% [markdown]
# **Exercise 8.4.** And the least head width that is *not* excluded at $N = 4096$, for 8 heads and 16 bits?

# %%
head_width = ...
check_number(
    head_width,
    lambda: cc.bounds.model("transformer", width=64, heads=8, precision=16, task="dyck", length=4096).smallest_width,
)

# %% [markdown]
# ## A bound as a formula
# All this is one inequality: the bits of the protocol must be at least the bits that the task needs.

# %%
cc.bounds.model("transformer", width=64, heads=4, head_width=16, precision=16, task="dyck").equation

# %% [markdown]
# **What to take along.** Recurrent models pay for memory, single layers of attention pay for composition, and the same
# bound that separates them asymptotically may be vacuous at the size of your model. Always ask: from which $N$ on?
