"""Check certificates of bounds on communication: ``python -m verify FILE...`` prints one line for each file.

This folder needs the standard library only and nothing else of ccsim: copy it and read it. It takes nothing on trust.
For each proof in a certificate it derives, from the matrix and the witness alone, the bound that the witness
proves, and accepts if that is at least (lower bounds) or at most (upper bounds) the value that is claimed. The
decorator of a checker names the claims that its kind of witness proves, and the docstring has the proof; its arguments
after the first are the witness's fields.

A matrix is a list of rows of codes: the place of the answer among the labels, or -1 for an undefined entry (outside
the promise). Rows are Alice's inputs, columns Bob's. A set of rows or columns is hexadecimal text (bit i is the i-th)
or a list.
A *leaf* is where a protocol ends: a rectangle (some rows times some columns), monochromatic if both parties must know
the answer; if only Alice must, each of its rows has one answer; if only Bob must, each column. A protocol of c bits has
at most 2^c leaves, and they divide the matrix.

The chapters, in the order in which they lean on each other::

    claims        parts, submatrix, bits-of
    ranks         pivots, elimination, gamma2-dual, gamma2-gram, lines, factors, minor, support, forster, plane, vc,
                  regular-minor, signs
    fooling       fooling-set, fooling-search, fooling-orbits, fooling-rows
    trees         protocol-tree, refutation, leaf-rank, khrapchenko, all-rectangles
    rectangles    rectangles, cover-weights, crown, branch-and-cut, rank-search, lrat
    randomised    biased-rectangle, all-sets, diagonals, distribution, weighted-rectangles, cell-weights,
                  protocol-mixture, hard-distribution
    one_message   distinct-lines, message-classes, branching, shattered, all-patterns, vc-listing, hard-for-messages,
                  message-mixture

    families      every length at once: functions for every n, claims about them, sets of pairs of words, and counts
    every_length  regular-fooling-set, triangular-complement, tensor-power, tensor-shifts, substitution,
                  regular-distinct-lines, regular-message-classes, finite-state-parties

    certificates  matrices, headers and JSON; whether certificates prove their claims, and what these are in words
"""

# the chapters enter their checkers in the tables of claims
from . import every_length, fooling, one_message, randomised, ranks, rectangles, trees  # noqa: F401
from .certificates import check, check_file, load, main, read_matrix, report, report_file, summary, verify, verify_text
from .claims import Refused, TooLarge

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
