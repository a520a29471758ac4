"""Check certificates of bounds on communication: ``python -m verify FILE...`` prints one line for each file.

This folder needs the standard library only and nothing else of ccsim: copy it and read it. It takes nothing on trust.
For each proof in a certificate it derives, from the matrix and the witness alone, the bound that the witness
proves, and accepts if that is at least (lower bounds) or at most (upper bounds) the value that is claimed. At each
checker stands which claims its kind of witness proves, and why; its arguments after the first are the witness's fields.

A matrix is a list of rows of codes: the place of the answer among the labels, or -1 where the answer is free (outside
the promise). Rows are Alice's inputs, columns Bob's. A set of lines is hexadecimal text (bit i is line i) or a list.
A *leaf* is where a protocol ends: a rectangle (some rows times some columns) with one answer if both parties must
know it; if only Alice must, each of its rows has one answer; if only Bob must, each column. A protocol of c bits has
at most 2^c leaves, and they divide the matrix.

The chapters, in the order in which they lean on each other::

    data          data that nobody vouches for
    matrices      tables of codes, and what may be spent on them
    claims        measures, their parameters, and the table of checkers
    combined      parts, submatrix, bits-of
    trees         protocol-tree, protocol-mixture, hard-distribution
    ranks         pivots, elimination
    norms         gamma2-dual, gamma2-gram
    factors       lines, factors, minor, support, forster, plane, vc, signs
    fooling       fooling-set, fooling-search, fooling-orbits
    fooling_rows  fooling-rows
    few_bits      whether three or four bits are enough, and all ways to split
    refutations   refutation
    rectangles    rectangles, cover-weights, crown
    lrat          lrat
    branch_and_cut  branch-and-cut
    one_message   distinct-lines, message-classes, branching, shattered, all-patterns, vc-listing, hard-for-messages,
                  message-mixture
    weights       biased-rectangle, all-sets, diagonals, distribution, weighted-rectangles, cell-weights
    leaves        leaf-rank, khrapchenko, all-rectangles

    families      every length at once: functions for every n, and claims about them
    pair_words    sets of pairs of words, and how many there are of each length
    regular_sets  regular-fooling-set, triangular-set, triangular-complement
    tensors       tensor-power, tensor-shifts, substitution
    finite_state  regular-distinct-lines, regular-message-classes, finite-state-parties
    counts        what a count says, in closed form where its roots are integers

    wording       parameters for people
    reading       matrices, headers and JSON
    every_length  certificates for every length, and what they prove in words
    certificates  whether a certificate proves what it claims
    reports       what it proves, as plain data and in a line
"""

from . import (
    branch_and_cut,
    certificates,
    claims,
    combined,
    counts,
    data,
    every_length,
    factors,
    families,
    few_bits,
    finite_state,
    fooling,
    fooling_rows,
    leaves,
    lrat,
    matrices,
    norms,
    one_message,
    pair_words,
    ranks,
    reading,
    rectangles,
    refutations,
    regular_sets,
    reports,
    tensors,
    trees,
    weights,
    wording,
)
from .certificates import check, verify, verify_text
from .data import Refused, TooLarge
from .reading import load, read_matrix
from .reports import check_file, main, report, report_file, summary

__all__ = [
    "Refused",
    "TooLarge",
    "check",
    "check_file",
    "load",
    "main",
    "read_matrix",
    "report",
    "report_file",
    "summary",
    "verify",
    "verify_text",
]

CHAPTERS = (
    data,
    matrices,
    claims,
    combined,
    trees,
    ranks,
    norms,
    factors,
    fooling,
    fooling_rows,
    few_bits,
    refutations,
    rectangles,
    lrat,
    branch_and_cut,
    one_message,
    weights,
    leaves,
    families,
    pair_words,
    regular_sets,
    tensors,
    finite_state,
    counts,
    wording,
    reading,
    every_length,
    certificates,
    reports,
)
"""In the order above; those with kinds of witnesses enter their checkers in the tables as they are imported."""
