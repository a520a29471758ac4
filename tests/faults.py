"""Planted faults: sixty changes of the code, each with the tests of its package that have to find it.

``python tests/faults.py`` plants each in a process of its own and runs its tests, for minutes; ``python tests/faults.py
NUMBER ...`` only those. A fault that nobody finds is a hole in the tests: the exit code is 1 then.
"""

import subprocess
import sys
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

TESTS = Path(__file__).parent
FOUND, MISSED = 1, 0  # what pytest says of tests that fail, and of tests that pass


class Fault(NamedTuple):
    """A module, or ``module:Class``, an attribute of it, what is made of that, and the test that must fail then."""

    owner: str
    attribute: str
    change: Callable[[Any], Any]
    tests: str

    def found(self) -> tuple[Any, Any]:
        """The module or class, and what stands there; a missing one is an error in one line."""
        module, _, name = self.owner.partition(":")
        try:
            owner = import_module(module)
            owner = getattr(owner, name) if name else owner
            return owner, vars(owner)[self.attribute]
        except (ImportError, AttributeError, KeyError):
            raise SystemExit(f"{self.owner} has no {self.attribute}: the table of faults names it") from None

    def plant(self) -> None:
        """Put the fault in its place, and wherever that was imported."""
        owner, original = self.found()
        faulty = self.change(original)
        setattr(owner, self.attribute, faulty)
        for name, module in list(sys.modules.items()):
            if name.startswith(("ccsim", "protocols")) and vars(module).get(self.attribute) is original:
                setattr(module, self.attribute, faulty)


def value(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function, or a property, whose value is changed."""

    def wrap(original: Any) -> Any:
        if isinstance(original, property | cached_property):
            read = original.func if isinstance(original, cached_property) else original.fget
            return property(lambda self: change(read(self)))
        return lambda *given, **options: change(original(*given, **options))

    return wrap


def always(result: Any) -> Callable[[Any], Any]:
    """A function that does nothing but to return this."""
    return lambda _: lambda *given, **options: result


def given(change: Callable[[Any], Any], place: int = 0) -> Callable[[Any], Any]:
    """A function one argument of which is changed."""
    return lambda original: (
        lambda *parts, **options: original(*parts[:place], change(parts[place]), *parts[place + 1 :], **options)
    )


def first(pair: Any, change: Callable[[Any], Any]) -> Any:
    """A tuple with another first part."""
    return (change(pair[0]), *pair[1:])


def forget(pair: Any) -> Any:
    """States after a step whose last number is 0."""
    states = np.array(pair[0])
    states[:, -1] = 0
    return (states, *pair[1:])


def more(found: Any) -> Any:
    return found + 1


def half(found: Any) -> Any:
    return found / 2


ENGINE, REDUCTIONS = "ccsim.engine", "protocols.reductions"
BOUNDS, CHECKER = "ccsim.bounds", "ccsim.certificates.verify"
MODELS, AUDITING = "ccsim.models", "ccsim.auditing"

FAULTS = (
    # Engine
    Fault(f"{ENGINE}.schedule:Field", "width", value(more),
          "engine/test_schedules.py::test_wide_fields_are_carried_and_isolated_parties_agree"),
    Fault(f"{ENGINE}.schedule:Field", "outside", value(np.zeros_like),
          "engine/test_schedules.py::test_a_number_that_does_not_fit_is_a_violation"),
    Fault(f"{ENGINE}.schedule:Schedule", "rounds", value(more),
          "engine/test_schedules.py::test_levels_find_what_nodes_and_single_runs_find"),
    Fault(f"{ENGINE}.explore:LeafCheck", "_check_answers", always(None),
          "engine/test_broken_protocols.py::test_wrong_answers_and_disagreements_in_a_relation_are_found"),
    Fault(f"{ENGINE}.schedule:LevelExploration", "_check_pairs", always(True),
          "engine/test_schedules.py::test_a_wrong_answer_is_found_with_its_inputs"),
    Fault(f"{ENGINE}.party:SendBatch", "prefix_clash", always(None),
          "engine/test_broken_protocols.py::test_what_is_no_protocol_has_no_error"),
    Fault(f"{ENGINE}.run", "width_note", always(None),
          "engine/test_models_are_enforced.py::test_a_wrong_width_on_a_channel_is_refused"),
    Fault(f"{ENGINE}.randomised", "clopper_pearson", value(lambda ends: (ends[0], ends[0])),
          "engine/test_randomised_measurement.py::test_clopper_pearson_has_its_tails"),
    Fault(f"{ENGINE}.explore:CylinderIntersection", "inputs_at", value(lambda places: places[::-1]),
          "engine/test_views_and_regions.py::test_a_cylinder_intersection_is_split_into_cylinder_intersections"),
    Fault(f"{ENGINE}.tree", "balanced", lambda _: lambda tree: tree,
          "engine/test_balancing.py::test_a_balanced_random_tree_is_as_shallow_as_the_lemma_says"),
    # Reductions
    Fault(f"{REDUCTIONS}.max_logit:Maxima", "_maximum", value(lambda most: most - 1),
          "reductions/test_max_logit.py::test_every_variant_gives_the_models_answer_on_every_word"),
    Fault(f"{REDUCTIONS}.max_logit:Part", "sums", value(more),
          "reductions/test_max_logit.py::test_every_variant_gives_the_models_answer_on_every_word"),
    Fault(f"{REDUCTIONS}.attention_query", "mantissas", value(lambda steps: steps[:-1]),
          "reductions/test_attention_query.py::test_the_protocol_is_the_unit_bit_for_bit"),
    Fault(f"{REDUCTIONS}.reduction:Reduction", "check", always(None),
          "reductions/test_task_reductions.py::test_a_wrong_encoding_has_a_counterexample"),
    Fault(f"{REDUCTIONS}.task_reductions", "_number", value(more),
          "reductions/test_task_reductions.py::test_every_encoding_is_right_on_every_input"),
    Fault(f"{REDUCTIONS}.one_way_error", "partition_bound", value(lambda table: 2 * table),
          "reductions/test_one_way_error.py::test_the_best_division_by_brute_force"),
    Fault(f"{REDUCTIONS}.one_way_error", "nearest_words", value(lambda words: words ^ 1),
          "reductions/test_one_way_error.py::test_a_hamming_code_reaches_what_counting_allows"),
    Fault(f"{REDUCTIONS}.one_way_error", "error_of_balls", value(half),
          "reductions/test_one_way_error.py::test_a_hamming_code_reaches_what_counting_allows"),
    Fault(f"{REDUCTIONS}.max_logit:Exchange", "_total", value(more),
          "reductions/test_composition_reduction.py::test_one_pass_is_the_model_bit_for_bit"),
    # Bounds
    Fault(f"{BOUNDS}.field_ranks", "rank_modulo", value(more),
          "bounds/test_field_ranks.py::test_eliminations_agree"),
    Fault(f"{BOUNDS}.fooling_sets", "exclusion", value(np.ones_like),
          "bounds/test_measures.py::test_rectangles_and_fooling_sets_of_each_colour"),
    Fault(f"{BOUNDS}.small_depths", "three_bits_suffice", always(False),
          "bounds/test_deterministic.py::test_four_bits_suffice_iff_the_search_finds_a_tree"),
    Fault(f"{BOUNDS}.rectangles", "maximal_rectangles",
          value(lambda found: first(found, lambda all_: all_[:-1])),
          "bounds/test_rectangles.py::test_maximal_rectangles_by_brute_force"),
    Fault(f"{CHECKER}.rectangles", "spanned", value(lambda found: found[:-1]),
          "bounds/test_covers.py::test_one_more_than_the_rank_is_proved_iff_no_partition_has_as_many_rectangles"),
    Fault(f"{BOUNDS}.one_message", "_conflicts", value(np.zeros_like),
          "bounds/test_one_way.py::test_messages_by_brute_force"),
    Fault(f"{BOUNDS}.leaves:Program", "value", value(more),
          "bounds/test_leaves.py::test_all_rectangles_give_what_the_definition_gives"),
    Fault(f"{BOUNDS}.discrepancies", "_all_sets", value(lambda found: first(found, lambda most: most // 2)),
          "bounds/test_discrepancy.py::test_by_brute_force"),
    Fault(f"{BOUNDS}.model_size", "_smallest", value(more),
          "bounds/test_model_size.py::test_known_thresholds"),
    Fault(f"{BOUNDS}.model_size", "_share", value(half),
          "bounds/test_model_size.py::test_index_is_wrong_on_the_share_from_the_length_on"),
    Fault(f"{BOUNDS}.information:LogSum", "enclosure", value(lambda ends: (ends[0], ends[0])),
          "bounds/test_information.py::test_enclosures_of_logarithms"),
    # Checker
    Fault(f"{CHECKER}.fooling", "fooling", lambda _: lambda matrix, answer, listed: matrix.cells(listed),
          "certificates/test_verify.py::test_no_mutation_is_accepted_whose_claim_is_false"),
    Fault(f"{CHECKER}.ranks", "rank", value(more),
          "certificates/test_verify.py::test_every_kind_is_accepted_and_true"),
    Fault(f"{CHECKER}.trees", "leaves", lambda original: lambda matrix, tree, *_: original(matrix, tree),
          "certificates/test_verify.py::test_a_tree_of_more_rounds_than_are_claimed_is_refused"),
    Fault(f"{CHECKER}.trees", "somebody_speaks", always(None),
          "certificates/test_verify.py::test_a_leaf_is_never_refuted"),
    Fault(f"{CHECKER}.one_message", "conflict", always(True),
          "certificates/test_verify.py::test_no_mutation_is_accepted_whose_claim_is_false"),
    Fault(f"{CHECKER}.randomised", "largest_sum", value(lambda found: found // 2),
          "certificates/test_verify.py::test_every_kind_is_accepted_and_true"),
    Fault(f"{CHECKER}.rectangles:CoverClauses", "follow", lambda _: lambda self, lemma, hints: hints,
          "bounds/test_sat_covers.py::test_a_proof_about_partitions_says_nothing_of_covers"),
    Fault(f"{CHECKER}.every_length", "tensor_rank", value(more),
          "certificates/test_every_length.py::test_every_kind_is_accepted_and_true_at_small_n"),
    Fault(f"{CHECKER}.every_length", "fools", always(True),
          "certificates/test_every_length.py::test_what_is_wrong_is_refused"),
    Fault(f"{CHECKER}.claims", "bits_for", value(more),
          "certificates/test_verify.py::test_every_kind_is_accepted_and_true"),
    # Models
    Fault("ccsim.arithmetic.functions:Exponential", "__call__", given(lambda x: np.asarray(x) // 2, 1),
          "arithmetic/test_arithmetic_elementary.py::test_the_whole_table_of_exp_is_rounded_down_exactly"),
    Fault("ccsim.arithmetic.fixed_point:Precision", "round_down", value(more),
          "arithmetic/test_arithmetic_precision.py::test_rounding_down_is_the_floor_and_saturates"),
    Fault(f"{MODELS}.attention", "shares",
          lambda _: lambda exponentials, normalisers, scale: -(-np.asarray(exponentials) * scale // normalisers),
          "models/test_transformer_one_layer.py::test_tables_and_matrices_and_the_oracle_agree"),
    Fault(f"{MODELS}.affine", "floor_divide", given(lambda numbers: np.asarray(numbers) + 1),
          "models/test_transformer_exactness.py::test_affine_maps_in_floats_and_integers"),
    Fault(f"{MODELS}.affine", "saturate", lambda _: lambda precision, values: values,
          "models/test_transformer_one_layer.py::test_tables_and_matrices_and_the_oracle_agree"),
    Fault(f"{MODELS}.recurrent:RecurrentLayer", "step", value(forget),
          "models/test_recurrent_kinds.py::test_layers_follow_their_formulas"),
    Fault(f"{MODELS}.recurrent_cells", "exponential", value(lambda function: lambda x: function(x) // 2),
          "models/test_recurrent_kinds.py::test_layers_follow_their_formulas"),
    Fault(f"{MODELS}.recurrent:RecurrentLayer", "state_precisions", value(lambda parts: parts[:1] * len(parts)),
          "models/test_recurrent_kinds.py::test_a_wider_memory_counts_with_its_own_bits"),
    Fault(f"{MODELS}.recurrent", "apply", given(lambda values: np.asarray(values) // 2, 2),
          "models/test_recurrent_kinds.py::test_layers_follow_their_formulas"),
    Fault(f"{MODELS}.automata", "first_difference", always(None),
          "models/test_recurrent_tables.py::test_differences_are_found_iff_there_are_any"),
    Fault(f"{MODELS}.automata:Automaton", "minimise", lambda _: lambda self: self,
          "models/test_automata.py::test_minimal_automata_are_least_and_equivalent"),
    Fault(f"{MODELS}.block", "causal_mask", value(np.ones_like),
          "models/test_transformer_deep.py::test_against_the_oracle"),
    # Audits
    Fault(f"{AUDITING}.recurrent:Collider", "look", always(None),
          "audit/test_audit_recurrent.py::test_large_states_collide_in_a_structured_family"),
    Fault(f"{AUDITING}.requirements:PrefixClasses", "least_wrong", value(lambda wrong: wrong // 2),
          "audit/test_prefix_classes.py::test_majority"),
    Fault(f"{AUDITING}.result:StateCollision", "holds", always(True),
          "audit/test_audit_certificates.py::test_forged_failures_are_refused"),
    Fault(f"{AUDITING}.result:Accuracy", "at_least", value(half),
          "audit/test_leaderboard.py::test_cells_that_take_no_time_are_found_again"),
    Fault(f"{AUDITING}.state_sets", "answers_by_last_symbol", always(None),
          "audit/test_audit_last_symbol.py::test_of_some_models"),
    Fault(f"{AUDITING}.attention", "sum_of_entries", value(lambda sums: sums.apply(abs)),
          "audit/test_audit_diagrams.py::test_the_diagrams_count_what_brute_force_counts"),
    Fault(f"{AUDITING}.product_reachability", "shortest_mistake", always(None),
          "audit/test_audit_recurrent.py::test_counts_are_those_of_brute_force"),
)  # fmt: skip


def outcome(number: int) -> int:
    """What pytest says of a fault's tests once it is planted in this process."""
    fault = FAULTS[number]
    fault.plant()
    return int(pytest.main(["-q", "-x", "--no-header", "-p", "no:cacheprovider", str(TESTS / fault.tests)]))


def is_found(number: int) -> bool:
    """Whether some test of the fault's own fails once it is planted, in another process."""
    command = [sys.executable, str(Path(__file__)), "--plant", str(number)]
    ended = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    if ended.returncode not in (FOUND, MISSED):
        fault = FAULTS[number]
        raise SystemExit(f"{fault.owner} {fault.attribute}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    return ended.returncode == FOUND


def main(arguments: list[str]) -> int:
    """How many faults are found; those that are not, by name."""
    if arguments[:1] == ["--plant"]:
        return outcome(int(arguments[1]))
    numbers = [int(argument) for argument in arguments] or range(len(FAULTS))
    missed = [FAULTS[number] for number in numbers if not is_found(number)]
    for fault in missed:
        sys.stdout.write(f"not found by {fault.tests}: {fault.owner} {fault.attribute}\n")
    sys.stdout.write(f"{len(numbers) - len(missed)} of {len(numbers)} faults are found\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS.parent))
    sys.exit(main(sys.argv[1:]))
