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
# # 4. Recurrent models are one-way protocols
# A recurrent network reads a word from left to right and keeps a state. Cut the word in two: when the network reads the
# second part, all it knows of the first is in the state. So the state is a *message*, and the only one.

# %%
import numpy as np

import ccsim as cc
from ccsim.exercises import check_confusion, check_model, check_number, check_one_way
from ccsim.models import GRU, LSTM, TransitionTable, dyck_automaton
from ccsim.plots import Line, Plot, matrix_picture, sequence_picture
from ccsim.problems import dyck, equality_of_halves, index, index_lookup
from protocols.constructions import shift_register
from protocols.reductions import confusion, recurrent_prefix, state_bound

# %% [markdown]
# ## A network becomes a protocol
# Alice holds the first half of the word, Bob the second. Alice runs the network on her half and sends the state. Bob
# goes on from there. Numbers have $p$ bits, exactly, so the message has (numbers in the state) times $p$ bits, and
# Bob's answer is the network's own, bit for bit.

# %%
lstm = LSTM.random("01", width=3, precision=5, seed=0)
protocol = recurrent_prefix(lstm, 3, length=6)
sequence_picture(protocol.run("011", "001"))

# %% [markdown]
# An LSTM carries two vectors, $h$ and $c$, so here $2 \cdot 3 \cdot 5 = 30$ bits. Is it the network's answer on all
# words?

# %%
print(protocol.explore())

# %% [markdown]
# **Exercise 4.1.** How many bits does an LSTM of width 64 with 3 layers send, in numbers of 16 bits?

# %%
bits = ...
check_number(bits, lambda: LSTM.random("01", width=64, layers=3, precision=16, seed=0).state_bits, "bits")

# %% [markdown]
# ## One message, one matrix
# If there is only one message, from Alice to Bob, then different rows need different messages, as they differ at some
# $y$, and equal rows can share one. So one-way complexity is the logarithm of the number of *different rows*, rounded
# up.
#
# *Index*: Alice holds $n$ bits, Bob a place, and Bob wants the bit at that place. All $2^n$ rows differ.

# %%
matrix_picture(index(4))

# %% [markdown]
# **Exercise 4.2.** How many bits does `index(6)` need in one message from Alice to Bob? And how many if Bob is the one
# who sends, and Alice is to know?

# %%
from_alice, from_bob = ..., ...
print(check_one_way(from_alice, index(6)), "|", check_one_way(from_bob, index(6), "bob-to-alice"))

# %% [markdown]
# ## The same as a task on words
# *Index lookup*: $N$ bits come first, then a position $p$; the answer is bit number $p$. A network for this task is a
# one-way protocol for index. So its state has at least $N$ bits.

# %%
task = index_lookup(8)
print(task((*"01101001", 3)), "| states needed after each symbol:", state_bound(task).classes)

# %% [markdown]
# A shift register, which keeps all bits, attains this bound.

# %%
register = shift_register(8)
print(register.state_bits, "bits of state;", check_model(register, task, most_state_bits=8))

# %% [markdown]
# ## A collision, live
# Now a state that is too small: a GRU with 6 bits, and 256 different prefixes. $2^6 = 64 < 256$: by the pigeonhole
# principle two prefixes lead to one state, *whatever the weights*, trained or not. Here are two:

# %%
small = GRU.random(task.alphabet, width=1, precision=6, seed=16, answers=task.answers)
found = confusion(small, task)
for word, answer in zip(found.words, found.answers, strict=True):
    print(" ".join(map(str, word)), "| right:", answer, "| the GRU:", small(word))

# %% [markdown]
# The state after the first part is the same, the rest of the word is the same, so the network's answer is the same. The
# right answers are different, so it is wrong on one of the words.
#
# All 256 prefixes, by the state that they lead to:

# %%
prefixes = np.array(np.meshgrid(*[[0, 1]] * 8)).reshape(8, -1).T
states, counts = np.unique(small.run(prefixes), axis=0, return_counts=True)
points = tuple(enumerate(sorted(counts.tolist(), reverse=True), start=1))
where = f"{len(states)} states that occur, of {2**small.state_bits}"
Plot("256 prefixes", where, "prefixes", (Line("prefixes that lead to the state", points, measured=True),))

# %% [markdown]
# **Exercise 4.3.** This machine has 4 states, so 2 bits. Find two words of 6 bits that it confuses after 3 symbols
# though exactly one of them has equal halves. (`machine.run` gives states, `machine("010101")` an answer. Do it by
# hand: of 8 prefixes, at least 2 share a state.)

# %%
machine = TransitionTable.random("01", states=4, seed=0)
print(machine.tables[0])

# %%
words = ...
check_confusion(words, machine, equality_of_halves(6), 3)

# %% [markdown]
# ## What recurrent models are good at
# Brackets of two kinds, nested at most two deep: what must one remember? Only which brackets are open now. There are
# seven possibilities, and an eighth state for words that are already wrong: three bits, for *every* length.

# %%
automaton = dyck_automaton(2, 2)
print(state_bound(dyck(10)).classes, "states needed;", automaton.state_bits, "bits in the automaton")
print(cc.audit(automaton, dyck(400)))

# %% [markdown]
# (Why 3 and 6, and not 8? After an odd number of symbols one bracket is open, after an even number none or two: never
# all the possibilities at once.)
#
# The automaton is proved right on all $4^{400}$ words of four hundred symbols: by following all pairs of states.
#
# ## How many bits must a state have?
# The logarithm of the number of prefixes that some suffix distinguishes, by the number of symbols read:

# %%
lines = []
for example in (index_lookup(9), equality_of_halves(10), dyck(10)):
    classes = state_bound(example).classes
    lines.append(Line(example.name, tuple(enumerate(np.log2(classes).tolist(), start=1))))
Plot("What a state must hold", "symbols read", "bits of state needed", tuple(lines))

# %% [markdown]
# ## Sizes
# As the papers state it: width times precision is at least $N$.

# %%
print(cc.bounds.model("recurrent", width=4, precision=8, task="index-lookup", length=64))

# %% [markdown]
# **Exercise 4.4.** A recurrent model has numbers of 16 bits. How many of them must its state have at least, for index
# lookup with $N = 1000$?

# %%
width = ...
check_number(
    width,
    lambda: cc.bounds.model("recurrent", width=1, precision=16, task="index-lookup", length=1000).smallest_width,
)

# %% [markdown]
# **What to take along.** The state is a message. The number of prefixes that suffixes distinguish bounds the state of
# every recurrent model, trained or not. (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorems 2 and 3.)
