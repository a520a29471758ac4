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
# # 9. Your own function, your own protocol, your own model
# Each part shows in a few lines how something new is made, and leaves the next one to you.

# %%
import numpy as np

import ccsim as cc
from ccsim.bounds import one_way
from ccsim.exercises import check_deterministic, check_model, check_protocol, check_that
from ccsim.models import TransitionTable
from ccsim.plots import matrix_picture, sequence_picture
from ccsim.problems import Integers, Partition, SequenceTask, TwoPartyFunction, Words
from protocols.reductions import confusion, max_logit_softmax, recurrent_prefix, state_bound

# %% [markdown]
# ## Your own function
# The inputs of each party, the possible answers, and a rule on arrays. Example: Alice and Bob each have a time of day
# from 0 to 7, and want to meet. Are they at most two hours apart?

# %%
meeting = TwoPartyFunction(
    "meeting", (Integers(8), Integers(8)), (0, 1), lambda x, y: (abs(x - y) <= 2).astype(np.int8)
)
matrix_picture(meeting)

# %% [markdown]
# A table that you already have may also be used, also from a file: `cc.CommunicationMatrix.from_array(rows)` or
# `.load(path)`.
#
# What does it cost? The best bound of each measure:

# %%
cc.bounds.summary(meeting, seconds=60)

# %% [markdown]
# And the leaves of a best protocol:

# %%
D = cc.bounds.deterministic(meeting)
matrix_picture(meeting, rectangles=[(leaf.sets["alice"], leaf.sets["bob"]) for leaf in D.protocol_tree.leaves])

# %% [markdown]
# ## Your own protocol
# Two generators. Alice sends her number, Bob answers.


# %%
def alice(x):
    yield cc.Send(cc.Bits.unsigned(x, 3), "my time")
    return (yield cc.Receive(width=1))[0]


def bob(y):
    x = (yield cc.Receive(width=3)).to_unsigned()
    near = abs(x - y) <= 2
    yield cc.Send(cc.Bits([near]), "near enough?")
    return int(near)


mine = cc.Protocol("say it", meeting, {"alice": alice, "bob": bob})
print(mine.explore())
sequence_picture(mine.run(3, 6))

# %% [markdown]
# **Exercise 9.1.** They want to know who is earlier, or whether it is the same time: three answers. `order` is that
# function for times 0 to 3. What is its $D$, and which protocol has it?

# %%
order = TwoPartyFunction(
    "order", (Integers(4), Integers(4)), ("alice", "same", "bob"), lambda x, y: (1 + np.sign(x - y)).astype(np.int8)
)
matrix_picture(order)

# %%
bits = ...
check_deterministic(bits, order)

# %%
protocol = ...
check_protocol(protocol, order, most_bits=cc.bounds.deterministic(order).upper)

# %% [markdown]
# **Exercise 9.2.** One message from Alice to Bob can cost much more than several in both directions. Invent a matrix of
# 0 and 1, as a list of rows, for which one message from Alice costs at least two bits more than $D$ (both know) does.

# %%
rows = ...
check_that(
    rows,
    lambda table: (
        one_way(cc.CommunicationMatrix.from_array(table)).lower
        >= cc.bounds.deterministic(cc.CommunicationMatrix.from_array(table), seconds=10).upper + 2
    ),
    "one message costs two bits more than a conversation",
)

# %% [markdown]
# ## Your own task on words
# Words of a length over an alphabet, answers, and a rule on arrays of ranks (here `a` is 0 and `b` is 1). Example: no
# two `a` side by side, going round from the end to the beginning.


# %%
def apart_of(length):
    def rule(word):
        both = (word == 0) & (np.roll(word, 1, axis=-1) == 0)
        return (~both.any(axis=-1)).astype(np.int8)

    return SequenceTask(f"apart({length})", Words.over("ab", length), (0, 1), rule)


length = 8
apart = apart_of(length)
print(apart("abababab"), apart("abbbbbba"))

# %% [markdown]
# Under a partition of the positions, it is a function again. How hard is it, for whom?

# %%
for n in (4, 6, 8, 10, 12):
    task = apart_of(n)
    halves, odd_even = (
        cc.bounds.deterministic(task.split(partition), seconds=5)
        for partition in (Partition.prefix(n, n // 2), Partition.odd_even(n))
    )
    states = max(state_bound(task).classes)
    print(f"N = {n}: halves {halves.lower} bits, odd and even {odd_even.lower} or more, {states} states")

# %% [markdown]
# From left to right five states suffice at every length; with odd and even positions the number of bits grows. So a
# small layer of attention fails on long words, and a small recurrent model does not. This is the separation of lecture
# 8, for a task of your own.
#
# ## Your own model
# The simplest recurrent model is a table: from a state and a symbol to the next state, and an answer for each state.
# This one forgets the beginning of the word, and looks at neighbours only:

# %%
BEGIN, LAST_A, LAST_B, SPOILT = range(4)
forgetful = TransitionTable(
    "ab", (0, 1), [[[LAST_A, LAST_B], [SPOILT, LAST_B], [LAST_A, LAST_B], [SPOILT, SPOILT]]], [1, 1, 1, 0]
)
check_model(forgetful, apart)

# %% [markdown]
# It is wrong, and so is every table that forgets the beginning: two prefixes lead to one state, though some suffix
# distinguishes them.

# %%
print(confusion(forgetful, apart))

# %% [markdown]
# **Exercise 9.3.** Mend it: a `TransitionTable` with at most 3 bits of state that is right on all words of length 8.
# (What must be remembered of the beginning?)

# %%
table = ...
check_model(table, apart, most_state_bits=3)

# %% [markdown]
# ## Audit a model
# `audit` reports how many bits the task needs, how many the model has, and whether it is right on all words; if not, on
# which word it is wrong, and why.

# %%
print(cc.audit(forgetful, apart))

# %% [markdown]
# The same for a network, and for attention. Their weights here are drawn at random: put in your own, with
# `from_arrays`, or from a file by `ccsim.models.files.load_model`.

# %%
lstm = cc.models.LSTM.random("ab", width=2, precision=6, seed=0)
attention = cc.models.OneLayerTransformer.random("ab", length=length, width=4, heads=1, precision=8, seed=0)
print(cc.audit(lstm, apart))
print(cc.audit(attention, apart))

# %% [markdown]
# Both are also protocols, which are checked on all words:

# %%
print(recurrent_prefix(lstm, 4, length=length).explore())
print(max_logit_softmax(attention, Partition.odd_even(length), variant="compact").explore())

# %% [markdown]
# **Exercise 9.4.** Make a model of any kind, and a task of your own with at least two answers that occur, such that the
# model is right: give `(model, task)`.

# %%
pair = ...
check_that(
    pair,
    lambda model, task: model.is_right(task) and len(set(task.codes().tolist()) - {-1}) > 1,
    "the model is right on all words, and the task is not constant",
)

# %% [markdown]
# ## Where to go from here
# * `ccsim list all` names all problems, protocols and claims; `ccsim certify` measures them against the papers.
# * `docs/registering_claims.md` explains how to register a claim of your own, so that it is measured and reported like
#   the others.
# * `bracket.certificate.save("mine.json")` writes what you found, for others to check.
