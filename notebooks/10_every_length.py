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
# # 10. Every length at once
# So far a search found bounds at $N = 4, 6, 8$, and a proof on paper extended them to every $N$. Here the machine
# proves this, too: *one finite certificate for all n*. It is possible because a finite automaton reads both parties'
# inputs in parallel.

# %%
import ccsim as cc
from ccsim.exercises import check_number, check_that
from ccsim.families import (
    classify,
    landmark_protocol,
    language,
    lower_bound,
    partitioned,
    read_language,
    transition_monoid,
    with_blank,
)
from ccsim.plots import Line, Plot, matrix_picture
from ccsim.plots.automata import automaton_picture

# %% [markdown]
# ## A language under a partition
# The words of $(ab)^*$, read by three states. A further letter, the blank `_`, may occur anywhere and changes nothing.

# %%
pairs = read_language("(ab)*")
automaton_picture(pairs)

# %% [markdown]
# Alice gets the odd positions, Bob the even ones. For every $n$ this is a function of $n$ symbols each; here for $n =
# 2$.

# %%
family = partitioned(with_blank(pairs, "_"), "AB")
matrix_picture(family.at(2))

# %% [markdown]
# Exact searches at small $n$, as in lecture 3:

# %%
for n in (1, 2, 3):
    print(f"N = {2 * n}: D =", cc.bounds.deterministic(family.at(n), seconds=20).upper)

# %% [markdown]
# ## One certificate
# A *regular* fooling set is a regular set of words, no two of which, of the same length, are in one monochromatic
# rectangle. "For all lengths and any two words" is a question about a product of automata, which the checker decides.
# The number of words of each length satisfies a recurrence.

# %%
certificate = lower_bound(family)
print(certificate.verify())
print([certificate.lower(n) for n in (1, 2, 3, 10, 100, 1000)])

# %% [markdown]
# **Exercise 10.1.** By hand: each pair of positions is either `ab` or two blanks. Prove that these $2^n$
# words are a fooling set. How many bits does that give at $N = 100$, when both must know the answer, and some words
# of that length are not in the language? (The leaves of both answers: at least $2^n + 1$.)

# %%
bits = ...
check_number(bits, lambda: 1 + 100 // 2)

# %% [markdown]
# A one-layer transformer of fixed size is a protocol whose bits grow like $\log N$. So *no* one-layer transformer of
# fixed size recognises this language at every length, though a recurrent model with three states does.
#
# ## Three classes
# Not every language is that hard. The *syntactic monoid* decides: the maps of states that words induce.

# %%
print(transition_monoid(pairs).egg_boxes())

# %% [markdown]
# Tesson and Thérien (2005): with blanks, a regular language costs a constant number of bits if its monoid is
# commutative; a logarithmic one if it is in $\mathbf{DO}$ with Abelian subgroups; and a linear one otherwise.

# %%
for expression in ("(b|ab*a)*", "a*b*", "a*b*a*", "(ab)*", "(a|b)*aa(a|b)*"):
    found = classify(transition_monoid(read_language(expression)))
    print(f"{expression:16} {found.deterministic:13} {found.reason}")

# %% [markdown]
# The logarithmic class has a protocol: both parties send where the next letter is that changes the class of the prefix,
# and likewise from the right. A finite search proves that these *landmarks* determine the answer for words of every
# length.

# %%
sorted_words = read_language("a*b*")
landmarks = landmark_protocol(sorted_words, transition_monoid(sorted_words))
print("at most", landmarks.formula(), "bits")
print(landmarks.protocol(2).explore())

# %% [markdown]
# Long words too, of 400 positions:

# %%
word = "a_" * 100 + "_b" * 100
run = landmarks.protocol(200).run(tuple(word[0::2]), tuple(word[1::2]))
print(run.answers, run.transcript.bits, "bits, at most", landmarks.bits(200))

# %% [markdown]
# **Exercise 10.2.** A regular expression over `a` and `b`, as a text, of the logarithmic class, whose monoid has at
# least eight elements.

# %%
expression = ...
check_that(
    expression,
    lambda given: (
        classify(transition_monoid(read_language(given, "ab"))).deterministic == "Theta(log n)"
        and transition_monoid(read_language(given, "ab")).size >= 8
    ),
    "logarithmic, with eight elements or more",
)

# %% [markdown]
# ## Everything about a language
# `language` (on the command line `ccsim language`) tries all partitions of a short period and keeps the best bound
# that it finds. The bounds of three languages, one of each class, to $N = 60$:

# %%
lines = []
for expression in ("(b|ab*a)*", "a*b*", "(ab)*"):
    best = language(read_language(expression), name=expression, blank="_", longest=2).best
    points = tuple((length, best.lower(length)) for length in range(2, 61, 2))
    lines.append(Line(f"{expression} with blanks", points))
Plot("Three languages under their best partitions", "N", "bits, at least", tuple(lines))

# %% [markdown]
# **Exercise 10.3.** The three curves are constant, logarithmic and linear. A colleague claims that her one-layer
# transformer, trained on lengths up to 20, recognises $(ab)^*$ with blanks at every length. How many bits must its
# protocol send at $N = 1000$, by the certificate above?

# %%
bits = ...
check_number(bits, lambda: certificate.lower(500))

# %% [markdown]
# The table of 26 languages that papers use is in the documentation, on the page *Regular languages at every length*.
# Yours: `ccsim language "(your|own)*" --blank _`.
