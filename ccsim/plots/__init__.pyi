from .attention import attention_picture, attention_weights, weights_picture
from .automata import automaton_picture, collision_picture, learned_picture
from .brackets import bracket_picture
from .lines import Line, Plot, bits_plot, contrast_picture, plot_picture, separations
from .matrix import cell_weights_picture, cover_picture, fooling_picture, leaves_picture, matrix_picture
from .protocols import sequence_picture, tree_over_matrix, tree_picture
from .svg import PALETTE, Picture, gathered

__all__ = [
    "PALETTE",
    "Line",
    "Picture",
    "Plot",
    "attention_picture",
    "attention_weights",
    "automaton_picture",
    "bits_plot",
    "bracket_picture",
    "cell_weights_picture",
    "collision_picture",
    "contrast_picture",
    "cover_picture",
    "fooling_picture",
    "gathered",
    "learned_picture",
    "leaves_picture",
    "matrix_picture",
    "plot_picture",
    "separations",
    "sequence_picture",
    "tree_over_matrix",
    "tree_picture",
    "weights_picture",
]
