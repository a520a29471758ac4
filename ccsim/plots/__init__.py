"""Pictures as plain SVG, for print and for the colour-blind; as figures of matplotlib in :mod:`ccsim.plots.figures`."""

from ccsim.plots.attention import attention_picture, attention_weights, weights_picture
from ccsim.plots.brackets import bracket_picture
from ccsim.plots.contrast import contrast_picture, separations
from ccsim.plots.lines import bits_plot, plot_picture
from ccsim.plots.matrix import cover_picture, fooling_picture, leaves_picture, matrix_picture
from ccsim.plots.svg import PALETTE, Picture, gathered
from ccsim.plots.talk import sequence_picture
from ccsim.plots.trees import tree_over_matrix, tree_picture

__all__ = [
    "PALETTE",
    "Picture",
    "attention_picture",
    "attention_weights",
    "bits_plot",
    "bracket_picture",
    "contrast_picture",
    "cover_picture",
    "fooling_picture",
    "gathered",
    "leaves_picture",
    "matrix_picture",
    "plot_picture",
    "separations",
    "sequence_picture",
    "tree_over_matrix",
    "tree_picture",
    "weights_picture",
]
