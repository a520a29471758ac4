"""One-layer transformers to test with: some that are right, and random ones whose answers vary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.models import Affine
from ccsim.models.transformer import OneLayerTransformer


def reader(
    alphabet: tuple[Any, ...],
    length: int,
    answers: tuple[Any, ...],
    codes: Callable[[np.ndarray], np.ndarray],
    bits: int = 12,
) -> OneLayerTransformer:
    """A model that gives these answer codes: head h puts all its weight on position h.

    So the last position sees the ranks of all symbols, and its token-wise part, which may be any function, answers.
    """
    precision = Precision.of(bits)
    unit = 1 / precision.scale
    heads, width = length - 1, 2 * length + 1
    tokens = np.zeros((len(alphabet), width))
    tokens[:, 0] = np.arange(len(alphabet)) * unit
    positions = np.zeros((length, width))
    positions[:, 1 : length + 1] = np.eye(length)
    query = np.zeros((heads, width, 1))
    query[:, length, 0] = 1
    key = np.zeros((heads, width, 1))
    key[np.arange(heads), 1 + np.arange(heads), 0] = 7
    value = np.zeros((heads, width, 1))
    value[:, 0, 0] = 1
    output = np.zeros((heads, width))
    output[np.arange(heads), length + 1 + np.arange(heads)] = 1

    def know(vectors: np.ndarray) -> np.ndarray:
        word = np.concatenate([vectors[..., length + 1 : 2 * length], vectors[..., :1]], axis=-1)
        result = np.zeros_like(vectors)
        result[..., 2 * length] = codes(word) * precision.scale
        return result

    numbers = np.arange(len(answers))  # code * number - number^2 / 2 is largest for the code itself
    read_out = np.zeros((width, len(answers)))
    read_out[2 * length] = numbers
    return OneLayerTransformer.from_arrays(
        alphabet,
        precision=precision,
        token_embedding=tokens,
        position_embedding=positions,
        query=query,
        key=key,
        value=value,
        output=output,
        tokenwise=know,
        residual=True,
        read_out=read_out,
        read_out_bias=-(numbers**2) / 2,
        answers=answers,
        name=f"reader of {length} symbols",
    )


def even_answers(model: OneLayerTransformer, words: np.ndarray) -> OneLayerTransformer:
    """A random model with more weight on what the heads say, and about equally frequent answers on these words.

    Random models mostly give one answer, or look at the last token alone; this one is decided by small differences.
    """
    precision, block = model.precision, model.block
    louder = np.clip(6 * block.output.weights, precision.low, precision.high)
    attention = replace(block.attention, output=Affine(precision, louder, block.output.bias))
    model = replace(model, blocks=(replace(block, attention=attention),))
    outputs = model.outputs(words)
    middle = np.median(outputs - outputs.mean(axis=1, keepdims=True), axis=0).astype(np.int64)
    bias = np.clip(model.read_out.bias - middle, precision.low, precision.high)
    return replace(model, read_out=Affine(precision, model.read_out.weights, bias))
