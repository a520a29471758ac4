from .attention import attention_picture, attention_weights, weights_picture
from .automata import automaton_picture, learned_picture
from .brackets import bracket_picture
from .collisions import collision_picture
from .contrast import contrast_picture, separations
from .lines import bits_plot, plot_picture
from .matrix import cover_picture, fooling_picture, leaves_picture, matrix_picture
from .series import Line, Plot
from .svg import PALETTE, Picture, gathered
from .talk import sequence_picture
from .trees import tree_over_matrix, tree_picture
from .weights import cell_weights_picture

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
