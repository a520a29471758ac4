"""Spoilings of what the main source claims about recurrent models and automata."""

from dataclasses import replace

import numpy as np

from tests.claims.spoilings.changes import TABLES, carried, first_two_exchanged, moved, task_on, values_exchanged
from tests.claims.spoilings.spoiling import Spoiling, answers, instead

SOURCE, KINDS = "bhattamishra2024", "ccsim.models.recurrent"
CHECKS, RETRIEVAL = "protocols.papers.checks", "protocols.reductions.task_reductions.retrieval"
REDUCTION = "protocols.reductions.task_reductions.reduction:Reduction"
AUTOMATA, COMPARE = "ccsim.models.automata", "ccsim.models.recurrent.compare"
AUTOMATON = "ccsim.models.automata.automaton:Automaton"


def silent(original):
    """A state that is never sent: zeros in its place."""
    return lambda *given: original(*given[:-1], lambda *known: given[-1](*known) * 0)


def of_half(original):
    """A function of half the argument, such as exp(x/2) for exp."""
    return lambda name, *given, **options: original(name, given[0], given[1] // 2, *given[2:], **options)


def rounded_up(original):
    """Rounding that gives the next step, and not the one below."""
    return lambda self, numerators, scale=None: original(self, np.asarray(numerators) + self.scale - 1, scale)


def forgetting(original):
    """A step after which the last number that is carried is 0."""

    def step(self, states, inputs):
        after, outputs = original(self, states, inputs)
        return np.concatenate([after[:, :-1], 0 * after[:, -1:]], axis=1), outputs

    return step


def timeless(original):
    """Transitions of the first position everywhere."""
    return lambda self, states, symbols, position: original(self, states, symbols, 1)


def fewer(original):
    """A state that counts one number less than it has."""
    return property(lambda self: original.fget(self)[:-1])


def kind(name, module, layer, attribute, wrap, said):
    """A spoiling of one kind of layer, looked at where that kind is."""
    given = {"kind": name, "length": 3}
    return Spoiling(f"{name}: {said}", f"{KINDS}.{module}:{layer}", attribute, wrap, given)


def block(name, layer, wrap, said):
    """The same of a kind of block."""
    given = {"kind": name, "length": 3}
    return Spoiling(f"{name}: {said}", f"ccsim.models.blocks.models:{layer}", "step", wrap, given)


def applied(name, module, said="functions of half the argument"):
    return Spoiling(f"{name}: {said}", f"{KINDS}.{module}", "apply", of_half, {"kind": name, "length": 3})


MODELS = (
    Spoiling("zeros for the state", "protocols.reductions.recurrent", "Field", silent),
    kind("elman", "elman", "ElmanLayer", "step", forgetting, "a unit forgotten"),
    kind("lstm", "lstm", "LSTMLayer", "step", forgetting, "the memory cell forgotten"),
    kind("lstm", "lstm", "LSTMLayer", "state_precisions", fewer, "a unit not counted"),
    kind("gru", "gru", "GRULayer", "step", forgetting, "a unit forgotten"),
    kind("linear-attention", "linear_attention", "LinearAttentionLayer", "step", forgetting, "a normaliser forgotten"),
    kind("retnet", "retention", "RetentionLayer", "step", forgetting, "an entry forgotten"),
    kind("diagonal", "diagonal", "DiagonalLayer", "step", forgetting, "an imaginary part forgotten"),
    kind("selective", "selective", "SelectiveLayer", "step", forgetting, "a number forgotten"),
    kind("rwkv", "rwkv", "RWKVLayer", "step", forgetting, "a sum of weights forgotten"),
    kind("rg-lru", "rg_lru", "RGLRULayer", "step", forgetting, "a number forgotten"),
    kind("gated-delta", "delta", "GatedDeltaLayer", "step", forgetting, "an entry forgotten"),
    kind("mlstm", "mlstm", "MLSTMLayer", "step", forgetting, "a normaliser forgotten"),
    block("mamba2", "Mamba2Layer", forgetting, "an entry forgotten"),
    block("rwkv5", "RWKV5Layer", forgetting, "an entry forgotten"),
    block("rwkv6", "RWKV6Layer", forgetting, "an entry forgotten"),
    block("rwkv7", "RWKV7Layer", forgetting, "an entry forgotten"),
    block("slstm", "SLSTMLayer", forgetting, "a maximum forgotten"),
    Spoiling(
        "table: the first table everywhere", f"{KINDS}.table:TransitionTable", "step", timeless, {"kind": "table"}
    ),
    *(
        applied(name, module)
        for name, module in (
            ("lstm", "lstm"),
            ("gru", "gru"),
            ("linear-attention", "linear_attention"),
            ("rwkv", "rwkv"),
        )
    ),
    Spoiling(
        "rounding up", "ccsim.arithmetic.precision:Precision", "round_down", rounded_up, {"kind": "lstm", "length": 3}
    ),
)


def reduced(builder, change=first_two_exchanged, setting=None):
    """What is tried on every reduction, besides its bound."""
    given = setting or {"length": 4}
    return (
        Spoiling("one bit more than is proved", CHECKS, "one_way_bits", moved(1, 1), given),
        Spoiling("a lower side that is one too low", CHECKS, "one_way_bits", moved(-1, 0), given),
        Spoiling("another task", RETRIEVAL, builder, task_on(change), given),
        Spoiling("answers that are not read", REDUCTION, "read", instead(1), given),
        Spoiling("a check that finds nothing", REDUCTION, "check", instead(None), given),
    )


def to_length_two(original):
    """Only words of two symbols are compared, whatever is asked."""
    return lambda left, right, length, **options: original(_any_length(left), right, 2, **options)


def _any_length(model):
    """The model at words of two symbols, by its first transitions."""
    return model if model.length is None else replace(model, tables=model.tables[:2], length=2)


def deeper(original):
    return lambda brackets=2, depth=2: original(brackets, depth + 1)


def of_other_kinds(original):
    return lambda brackets=2, depth=2: original(2 if brackets != 2 else 3, depth)


SHALLOW = Spoiling("a language that is deeper by one", AUTOMATA, "dyck_automaton", deeper)
BRACKETS = (
    Spoiling("compared at length 2 only", COMPARE, "first_difference", to_length_two),
    Spoiling("never a difference", COMPARE, "first_difference", instead(None), {"length": 400}),
    SHALLOW,
    Spoiling("a bit more than it has", AUTOMATON, "state_bits", lambda _: property(lambda self: 4)),
    Spoiling(
        "a language of one kind", AUTOMATA, "from_regular_expression", lambda build: lambda _, s: build(r"(\(\))*", s)
    ),
)
STATES = (
    SHALLOW,
    Spoiling("states that are not merged", AUTOMATON, "states", lambda _: property(lambda self: 9)),
)
GROWTH = (
    Spoiling("other kinds of brackets", AUTOMATA, "dyck_automaton", of_other_kinds),
    SHALLOW,
    Spoiling("machines not made least", AUTOMATON, "minimise", lambda _: with_one_more),
)


def with_one_more(machine):
    """A machine with a state more, which no word leads to."""
    return type(machine).of(machine.alphabet, [*machine.table, machine.table[0]], [*machine.outputs, 0], machine.first)


def first_state(machine):
    """A machine of one state."""
    return type(machine).of(machine.alphabet, machine.table[:1] * 0, machine.outputs[:1])


def one_class_less(original):
    def found(task, **options):
        bound = original(task, **options)
        return replace(bound, classes=tuple(max(1, number - 1) for number in bound.classes))

    return found


def not_there(original):
    """The other answer on words of three symbols."""
    return lambda self, word: 1 - original(self, word) if len(word) == 3 else original(self, word)


MINIMAL = (
    Spoiling("machines not made least", AUTOMATON, "minimise", lambda _: lambda self: self, {"states": 2}),
    Spoiling("a class too few", AUTOMATON, "minimise", lambda _: first_state, {"states": 2}),
    Spoiling("one bit more than is proved", "ccsim.bounds.one_message.messages", "one_way", moved(1, 1), {"states": 2}),
    Spoiling(
        "five bits more", "protocols.reductions.automaton", "automaton_bits", answers(lambda b: b + 5), {"states": 2}
    ),
    Spoiling("a unit forgotten", f"{KINDS}.gru:GRULayer", "step", forgetting, {"states": 2}),
    Spoiling(
        "a small machine not confused", "protocols.reductions.automaton", "confusion", instead(None), {"states": 4}
    ),
)
OF_MODELS = (
    Spoiling("machines not made least", AUTOMATON, "minimise", lambda _: with_one_more),
    Spoiling("a class too few", AUTOMATON, "minimise", lambda _: first_state),
    Spoiling("one bit more than is proved", "ccsim.bounds.one_message.messages", "one_way", moved(1, 1)),
    Spoiling("a unit forgotten", f"{KINDS}.elman:ElmanLayer", "step", forgetting),
    Spoiling(
        "a state of one bit", "protocols.papers.plain.recurrent:PlainModel", "bits", lambda _: property(lambda self: 1)
    ),
    Spoiling("an answer exchanged", "protocols.papers.plain.recurrent:PlainModel", "answer", not_there),
)
NOT_MINIMAL = (
    Spoiling("a bit more than it has", AUTOMATON, "state_bits", lambda _: property(lambda self: 2)),
    Spoiling("machines not made least", AUTOMATON, "minimise", lambda _: with_one_more),
)
HALVES = (
    Spoiling("one bit more than is proved", CHECKS, "one_way_bits", moved(1, 1)),
    Spoiling("a lower side that is one too low", CHECKS, "one_way_bits", moved(-1, 0)),
    Spoiling("other halves", "ccsim.problems", "inequality_of_halves", task_on(first_two_exchanged)),
)
CLASSES = (
    Spoiling("one message more than is proved", CHECKS, "one_way_messages", moved(1, 1)),
    Spoiling("one message less", CHECKS, "one_way_messages", moved(-1, 0)),
    Spoiling("one class less", "protocols.reductions.automaton", "state_bound", one_class_less),
    Spoiling("other halves", "ccsim.problems", "inequality_of_halves", task_on(first_two_exchanged)),
)


SPOILINGS = {
    f"{SOURCE}-theorem-2": MODELS,
    f"{SOURCE}-theorem-3": reduced("index_lookup"),
    f"{SOURCE}-proposition-9": reduced("associative_recall", values_exchanged),
    f"{SOURCE}-proposition-9-last-sentence": carried(TABLES, "recall_table")[:4],
    f"{SOURCE}-theorem-8": reduced("nearest_neighbour", values_exchanged),
    f"{SOURCE}-theorem-8-multi-query-associative-recall": reduced("multi_query_associative_recall", values_exchanged),
    f"{SOURCE}-section-4-1-dyck-by-a-recurrent-model": BRACKETS,
    f"{SOURCE}-section-4-1-states-of-dyck": STATES,
    f"{SOURCE}-section-4-1-states-by-depth": GROWTH,
    f"{SOURCE}-lemma-4": MINIMAL,
    f"{SOURCE}-lemma-4-automata-of-models": OF_MODELS,
    f"{SOURCE}-lemma-4-any-automaton": NOT_MINIMAL,
    f"{SOURCE}-theorem-11": HALVES,
    f"{SOURCE}-theorem-11-states": CLASSES,
}
