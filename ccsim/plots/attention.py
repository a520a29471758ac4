"""Attention weights: which positions each position of a word listens to, head by head."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import Array, InputError
from ccsim.models.attention import AttentionUnit
from ccsim.models.block import causal_mask
from ccsim.models.encoded import RowModel
from ccsim.models.transformer import EmbeddedModel, embed
from ccsim.plain_data import counted
from ccsim.plots.matrix import drawn_grid, margin_names
from ccsim.plots.picture import Picture, gathered
from ccsim.plots.scene import GRID, INK, PALETTE, Box, Raster, Shape, Stroke, Text

Floats = npt.NDArray[np.float64]
LARGE = 40  # rows or columns from which on weights are an image


def attention_weights(model: Any, word: Sequence[Hashable]) -> list[Floats]:
    """The weights of a model on a word: for each layer, an array (heads, rows, positions) of numbers from 0 to 1.

    Of a one-layer transformer only the last position is a row, as it alone is read out. The weights are the model's
    own, exact mantissas, as floats. Raises :class:`~ccsim.errors.InputError` for models without softmax attention.

    >>> from protocols.constructions import index_lookup_transformer
    >>> attention_weights(index_lookup_transformer(4), ("0", "1", "1", "0", 3))[0].round(2).tolist()
    [[[0.0, 0.0, 1.0, 0.0, 0.0]]]
    """
    if not isinstance(model, EmbeddedModel | RowModel):
        raise InputError("model", getattr(model, "name", model), "a transformer or a model of rows")
    wanted = getattr(model, "length", None)
    if len(word) < 1 or wanted not in (None, len(word)):
        raise InputError("word", word, f"{wanted or 'one or more'} symbols")
    unknown = [symbol for symbol in word if symbol not in model.alphabet]
    if unknown:
        raise InputError("word", unknown[0], f"symbols of {model.name}")
    ranks = np.array([[model.alphabet.index(symbol) for symbol in word]], dtype=np.int64)
    if isinstance(model, EmbeddedModel):
        return _of_transformer(model, ranks)
    rows, weights = model.rows(ranks), []
    for layer in model.layers:
        weights.append(_of_units(layer.attention, rows, None))
        rows = layer.join(rows, layer.attention(rows))
    return weights


def _of_transformer(model: Any, ranks: Array) -> list[Floats]:
    length = ranks.shape[1]
    given = model.position_embedding
    positions = given(length) if callable(given) else given
    stream = embed(model.precision, model.token_embedding, positions, ranks)
    allowed, weights = causal_mask(length) if model.causal else None, []
    for block in model.blocks:
        weights.append(_of_units(block.attention, block.attended(stream), allowed))
        stream = block(stream, model.causal)
    return [weights[0][:, -1:]] if len(weights) == 1 else weights


def _of_units(attention: Any, rows: Array, allowed: Array | None) -> Floats:
    units = getattr(attention, "units", (attention,))
    if not all(isinstance(unit, AttentionUnit) for unit in units):
        raise InputError("model", type(attention).__name__, "attention of queries to keys")
    heads = [unit.weighting.row(unit.logits(unit.queries(rows), unit.keys(rows)), allowed)[0] for unit in units]
    scale = np.array([unit.precision.scale for unit in units])[:, None, None]
    return np.asarray(np.stack(heads) / scale, dtype=np.float64)


def attention_picture(model: Any, word: Sequence[Hashable]) -> Picture:
    """The weights of a model on a word, a panel for each layer and head.

    >>> from protocols.constructions import index_lookup_transformer
    >>> attention_picture(index_lookup_transformer(4), ("0", "1", "1", "0", 3)).alt
    'attention weights of index_lookup(4, 2 symbols) by one layer (6 bits): 1 layer, 1 head'
    """
    names = [str(symbol) for symbol in word]
    panels, layers = [], attention_weights(model, word)
    for layer, weights in enumerate(layers, start=1):
        for head, table in enumerate(weights, start=1):
            across = [*names, *("blank" for _ in range(table.shape[1] - len(names)))]
            down = across if len(table) > 1 else [names[-1]]
            where = f"layer {layer}, head {head}" if len(layers) > 1 else f"head {head}"
            panels.append(weights_picture(table, title=where, rows=down, columns=across))
    heads = len(layers[0])
    alt = f"attention weights of {model.name}: {counted(len(layers), 'layer')}, {counted(heads, 'head')}"
    columns = 1 if len(layers[0][0]) == 1 else min(heads, 4) if heads > 1 else min(len(panels), 3)
    return gathered(panels, columns, alt, gap=20)


def weights_picture(table: Floats, *, title: str, rows: Sequence[str] = (), columns: Sequence[str] = ()) -> Picture:
    """Weights from 0 to 1: the area of a square is its weight; large tables are an image, dark where it is 1.

    The darkness grows like the root of the weight, as the sides of squares do: equal shares of many can be seen.

    ``table`` has a row for each position that listens and a column for each that is listened to.

    >>> weights_picture(np.eye(2), title="itself", rows="ab", columns="ab").alt
    'itself: 2 x 2 weights'
    """
    table = np.asarray(table, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise InputError("table", table.shape, "rows and columns of weights from 0 to 1")
    height, width = table.shape
    large = max(height, width) > LARGE
    side = 360 / max(height, width) if large else max(14.0, min(34.0, 360 / max(height, width)))
    tall = max(side, 16.0 if height == 1 else 0.0)
    left = 8 + (0 if large else 7.5 * max(map(len, rows), default=0))
    longest = max(map(len, columns), default=0)
    turned = 7.5 * longest > side
    top = 26 if large else 26 + (7.5 * longest + 2 if turned else 16)
    parts: list[Shape] = [Text(2, 14, title, anchor="start", bold=True)]
    if large:
        shades = [(PALETTE[0], place / 255) for place in range(256)]
        image = np.round(np.sqrt(np.clip(table, 0, 1)) * 255).astype(np.uint8)
        parts.append(Raster(left, top, image, shades, (side, tall)))
    else:
        if grid := drawn_grid(table.shape, (side, tall), left, top):
            parts.append(Stroke(tuple(grid), stroke=GRID))
        for row, column in np.argwhere(table > 0).tolist():
            edge = float(np.sqrt(min(table[row, column], 1.0))) * (min(side, tall) - 2)
            x, y = left + (column + 0.5) * side - edge / 2, top + (row + 0.5) * tall - edge / 2
            parts.append(Box(x, y, edge, edge, fill=PALETTE[0]))
        look: Any = {"size": 12, "turned": turned, "aside": 4, "gap": 5}
        parts += margin_names(rows, columns, (left, top), (side, tall), **look)
    parts.append(Box(left, top, width * side, height * tall, stroke=INK))
    room = max(left + width * side + 4, 7.5 * len(title) + 8)
    return Picture(tuple(parts), room, top + height * tall + 4, f"{title}: {height} x {width} weights")
