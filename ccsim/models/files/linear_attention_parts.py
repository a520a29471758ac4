"""Models from files that carry a matrix of sums: linear attention."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.parts import RecurrentParts, embedding_of, scores_of
from ccsim.models.files.tensors import Tensors


def linear_attention_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """The layers, each behind its prefix, named as in :class:`~ccsim.models.recurrent.LinearAttentionLayer`.

    Those are ``queries``, ``keys`` (keys, inputs), ``values`` (values, inputs) and ``output`` (outputs, values), each
    perhaps with its ``_bias``.
    """
    layers = [_layer(tensors, description.prefix + prefix) for prefix in description.layers]
    for place, (before, layer) in enumerate(itertools.pairwise(layers), start=1):
        found, wanted = layer["queries"].shape[1], len(before["output"])
        if found != wanted:
            raise InputError(f"queries of layer {place}", found, f"{wanted} columns, the outputs of the layer before")
    embedding = embedding_of(description, tensors, "embedding.weight", layers[0]["queries"].shape[1])
    scores, bias = scores_of(description, tensors, len(layers[-1]["output"]))
    kind, feature = description.architecture, description.activation or "elu_plus_one"
    return RecurrentParts(kind, embedding, tuple(layers), scores, bias, feature, description.residual)


def _layer(tensors: Tensors, prefix: str) -> Mapping[str, Array]:
    queries = tensors.take(f"{prefix}queries", None, None)
    keys, inputs = queries.shape
    values = tensors.take(f"{prefix}values", None, inputs)
    layer = {
        "queries": queries,
        "keys": tensors.take(f"{prefix}keys", keys, inputs),
        "values": values,
        "output": tensors.take(f"{prefix}output", None, len(values)),
    }
    biases = {f"{name}_bias": tensors.bias(f"{prefix}{name}_bias", len(layer[name])) for name in layer}
    return {**layer, **biases}
