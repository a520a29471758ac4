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
# # Audits: show the word on which a model fails
# By a lower bound a model that is too small is wrong on some word. An audit finds the word, or proves that the model is
# right on every word, not on a sample.

# %%
import ccsim as cc
from ccsim.problems import dyck, equality_of_halves, index_lookup
from protocols.trained import trained_model, trained_names, trained_task

print(cc.audit(cc.models.dyck_automaton(2, 2), dyck(400)))

# %% [markdown]
# Three bits of state recognise Dyck-(2,2) at every length: all $4^{400}$ words, by 8 pairs of states.
#
# ## Too small
# Looking up one of 12 bits takes 12 bits of state. This LSTM has 10, so two prefixes must end in the same state, and
# some question distinguishes them.

# %%
task = index_lookup(12)
small = cc.models.LSTM.random(task.alphabet, width=1, precision=5, seed=0, answers=task.answers)
found = cc.audit(small, task)
print(found)
assert found.need.excluded
assert found.verify()

# %% [markdown]
# A one-layer transformer is a protocol between the holders of the two halves. If two words of a fooling set have the
# same transcript, they give a third word with this transcript, on which the model is wrong.

# %%
task = equality_of_halves(16)
narrow = cc.models.OneLayerTransformer.random("01", length=16, width=1, heads=1, precision=3, seed=3)
found = cc.audit(narrow, task, words=1 << 10)
print(found.failure.collision)

# %% [markdown]
# ## Trained, and large enough
# Small networks come with the package: trained on looking up one of 8 bits, on brackets, and on equality. None of them
# is excluded by its bound at this length. So if one fails, the reason is its training or its architecture: one layer of
# linear attention without positions depends only on how often each symbol occurs.

# %%
for name in trained_names():
    if name == "dyck-mamba":  # takes a minute, for the tables of its 22-bit functions
        continue
    loaded, task = trained_model(name), trained_task(name)
    found = cc.audit(loaded.model, task)
    sampled = loaded.difference(task, most=1 << 11)
    print(
        f"{name:21} wrong on {found.wrong_words:3} of {found.words} words; of {sampled.compared} tried: {sampled.wrong}"
    )
    assert not found.need.excluded

# %% [markdown]
# The LSTM for brackets is wrong on two of 65,536 words, which a sample is unlikely to contain.

# %%
found = cc.audit(trained_model("dyck-lstm").model, trained_task("dyck-lstm"))
print(found)
assert found.wrong_words == 2

# %% [markdown]
# The page "Leaderboard" of the documentation compares five kinds of models, each trained on six tasks and audited on
# words of 10, 20 and 50 symbols.
#
# ## Sizes of well-known models
# From which length on does the bound exclude a layer as wide as that of GPT-2?

# %%
print(cc.bounds.model("transformer", width=768, heads=12, head_width=64, precision=16, task="dyck"))
print(cc.bounds.model("recurrent", width=256, precision=32, task="index-lookup"))
