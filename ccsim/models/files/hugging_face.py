"""A folder with Hugging Face's ``config.json`` and the weights beside it: what it describes, as a description."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ccsim.errors import InputError
from ccsim.models.files.configuration_entries import Entries
from ccsim.models.files.configurations import ACTIVATIONS, CONFIGURED, EMBEDDINGS
from ccsim.models.files.recurrent_configurations import RECURRENT, recurrent_entries

__all__ = ["CONFIG", "OWN", "described", "weights_of"]

CONFIG = "config.json"
OWN = "ccsim.toml"
"""What may stand beside it, in the entries of a description: symbols, answers, precision."""

WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "model.npz", "pytorch_model.pt", "model.pt")
ALREADY = ("architecture", "convention", "config", "heads", "epsilon", "activation", "layers", "positions", "options")
MOST_SYMBOLS = 1 << 12
UNTIED = (
    "llama",
    "mistral",
    "qwen2",
    "mamba2",
    "gated_deltanet",
)  # whose read-out is not the embedding, if nothing is said

OWN_FILE = "; the file of its author is read, with a description of its own that says architecture = "
ELSEWHERE = {
    **{name: f'{OWN_FILE}"{name}"' for name in ("rwkv5", "rwkv6", "rwkv7")},
    "xlstm": "; of xLSTM the blocks of NX-AI's xLSTMLMModel are read, with a description of their own",
}


def weights_of(folder: Path, name: str | None) -> Path:
    """The file with the weights in a folder: the one that is named, or that of a usual name."""
    if name is not None:
        if Path(name).name != name:
            raise InputError("tensors", name, "the name of a file in the same folder")
        return folder / name
    for usual in WEIGHTS:
        if (folder / usual).is_file():
            return folder / usual
    bins = any((folder / name).is_file() for name in ("pytorch_model.bin", "pytorch_model.bin.index.json"))
    why = (
        "pytorch_model.bin is a pickle: save_pretrained(..., safe_serialization=True) writes the first" if bins else ""
    )
    raise InputError("folder", folder.name, f"weights beside {CONFIG}, as {', '.join(WEIGHTS)}{why and f'; {why}'}")


def described(config: Any, own: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a description: what ``config.json`` says, and beside it what the owner says.

    Without ``tokens`` the symbols are the ids themselves. Without ``read_out`` it is ``score.weight`` of a classifier,
    whose answers are the labels in ``id2label``, or that of a language model, whose answer is the likeliest next id
    among the symbols (or among the ``answers`` that are given, which must be symbols). A ``read_out`` without a
    ``weight``, such as ``{rows = [5, 6]}``, has the same one.

    Args:
        config: what is in ``config.json``.
        own: entries of a description, such as ``tokens``, ``answers`` and ``precision``.
        names: of the tensors.

    Raises :class:`~ccsim.errors.InputError` for a ``model_type`` that is not supported, and for entries in ``own``
    that ``config.json`` says.
    """
    entries = Entries(config)
    family = entries.given("model_type")
    known = (*CONFIGURED, "gpt2", *RECURRENT)
    if not isinstance(family, str) or family not in known:
        expected = f"one of {', '.join(known)}: others are not supported{ELSEWHERE.get(str(family), '')}"
        raise InputError("config.model_type", family, expected)
    for name in ALREADY:
        if name in own:
            raise InputError(name, own[name], f"nothing in {OWN}, as {CONFIG} says it")
    if family in RECURRENT:
        base = recurrent_entries(entries, names, _ignored(own))
    else:
        base = _gpt2(entries, own) if family == "gpt2" else {"convention": family, "config": dict(config)}
    plain = {"architecture": "transformer", **base, **own}
    plain.setdefault("tokens", _ids(entries))
    given = plain.get("read_out", {})
    if isinstance(given, Mapping) and "weight" not in given:
        plain |= _read_out(family, entries, plain, names, given)
    return plain


def _ids(entries: Entries) -> list[int]:
    """Every id as a symbol."""
    count = entries.integer("vocab_size")
    if count > MOST_SYMBOLS:
        expected = f"tokens in {OWN}: which ids the words are made of, as {count} of them are too many symbols"
        raise InputError("tokens", None, expected)
    return list(range(count))


def _read_out(
    family: str, entries: Entries, plain: Mapping[str, Any], names: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """The entries read_out and answers, as far as they are not given."""
    ids = _symbol_ids(plain["tokens"])
    if "score.weight" in names:
        padding = entries.given("pad_token_id")
        if padding is not None and padding in ids.values():
            expected = "an id that no symbol has, as a classifier reads out before padding"
            raise InputError("config.pad_token_id", padding, expected)
        answers = plain["answers"] if "answers" in plain else _labels(entries, names)
        return {"read_out": {"weight": "score.weight", **given}, "answers": answers}
    candidates = ["lm_head.weight"]
    if entries.flag("tie_word_embeddings", usual=family not in UNTIED):
        inner = EMBEDDINGS.get(family, "embed_tokens.weight")
        candidates += [plain.get("embedding", f"model.{inner}"), f"transformer.{inner}", inner]
    weight = next((name for name in candidates if name in names), None)
    if weight is None:
        raise InputError("read_out", None, f"score.weight or lm_head.weight among the tensors, or an entry of {OWN}")
    answers = plain.get("answers", list(ids))
    if "rows" in given:
        return {"read_out": {"weight": weight, **given}, "answers": answers}
    if not isinstance(answers, list) or any(not _is_symbol(answer, ids) for answer in answers):
        raise InputError("answers", answers, "symbols, one of which comes next, or read_out with their rows")
    rows = [ids[_plain(answer)] for answer in answers]
    return {"read_out": {"weight": weight, "rows": rows, **given}, "answers": answers}


def _is_symbol(answer: Any, ids: Mapping[Any, Any]) -> bool:
    try:
        return _plain(answer) in ids
    except TypeError:  # a table
        return False


def _symbol_ids(tokens: Any) -> dict[Any, Any]:
    """The id of each symbol."""
    if isinstance(tokens, Mapping):
        return dict(tokens)
    if isinstance(tokens, list):
        try:
            return {_plain(token): place for place, token in enumerate(tokens) if token is not None}
        except TypeError as error:
            raise InputError("tokens", tokens, "texts, integers, and lists of these") from error
    raise InputError("tokens", tokens, "a list of symbols, or a table from symbols to ids")


def _plain(symbol: Any) -> Any:
    """A symbol that can be looked up; a list becomes a tuple."""
    return tuple(map(_plain, symbol)) if isinstance(symbol, list) else symbol


def _labels(entries: Entries, names: Mapping[str, Any]) -> list[Any]:
    """What a classifier answers: its labels, in the order of their numbers; numbers, if there are none."""
    shape: tuple[int, ...] = getattr(names["score.weight"], "shape", ())
    count = shape[0] if len(shape) == 2 else 0
    labels = entries.given("id2label")
    if labels is None:
        return list(range(count))
    if not isinstance(labels, Mapping) or set(labels) != {str(place) for place in range(count)}:
        raise InputError("config.id2label", labels, f"a label for each of the {count} rows of score.weight")
    return [labels[str(place)] for place in range(count)]


def _gpt2(entries: Entries, own: Mapping[str, Any]) -> dict[str, Any]:
    """GPT-2 has a convention of its own, of one layer, which takes these entries."""
    if entries.integer("n_layer", "num_hidden_layers") != 1:
        raise InputError("config.n_layer", entries.given("n_layer"), "1: of GPT-2 one layer is supported")
    entries.only("scale_attn_weights", True)
    for name in ("scale_attn_by_inverse_layer_idx", "add_cross_attention"):
        entries.only(name, False)
    entries.refuse_quantised()
    for name in ("n_embd", "hidden_size", "n_inner", "tie_word_embeddings"):
        entries.given(name)  # the tensors tell
    found = {
        "convention": "huggingface",
        "heads": entries.integer("n_head", "num_attention_heads"),
        "epsilon": entries.number("layer_norm_epsilon", usual=1e-5),
        "activation": entries.choice("activation_function", among=ACTIVATIONS, usual="gelu_new"),
    }
    entries.require_known(_ignored(own))
    return found


def _ignored(own: Mapping[str, Any]) -> tuple[str, ...]:
    """The patterns of what is ignored; what is no list of texts is refused later."""
    given = own.get("ignore")
    return tuple(given) if isinstance(given, list) and all(isinstance(each, str) for each in given) else ()
