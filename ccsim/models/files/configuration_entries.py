"""The entries of a ``config.json``, each asked for with its kind; one that nobody knows is an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from ccsim.arguments import require_integer
from ccsim.errors import InputError

__all__ = ["MOST_SIZE", "Entries"]

MOST_SIZE = 1 << 24
MOST_SHOWN = 120
LARGEST = 1e30

HARMLESS = frozenset(
    [
        "_attn_implementation",
        "_attn_implementation_autoset",
        "_commit_hash",
        "_name_or_path",
        "architectures",
        "attention_dropout",
        "attn_implementation",
        "attn_pdrop",
        "auto_map",
        "bos_token_id",
        "cache_implementation",
        "chunk_size_feed_forward",
        "decoder_start_token_id",
        "dtype",
        "embd_pdrop",
        "embedding_fraction",
        "emb_pdrop",
        "eos_token_id",
        "finetuning_task",
        "gradient_checkpointing",
        "hidden_dropout",
        "id2label",
        "init_device",
        "initializer_range",
        "keys_to_ignore_at_inference",
        "label2id",
        "masked_softmax_fusion",
        "max_position_embeddings",
        "max_seq_len",
        "model_type",
        "n_ctx",
        "n_positions",
        "num_labels",
        "offset_alibi",
        "output_attentions",
        "output_hidden_states",
        "pad_token_id",
        "pretraining_tp",
        "problem_type",
        "resid_pdrop",
        "return_dict",
        "seq_length",
        "sep_token_id",
        "skip_bias_add",
        "skip_bias_add_qkv",
        "summary_activation",
        "summary_first_dropout",
        "summary_proj_to_labels",
        "summary_type",
        "summary_use_proj",
        "task_specific_params",
        "tokenizer_class",
        "torch_dtype",
        "transformers_version",
        "unk_token_id",
        "use_cache",
        "verbose",
        "vocab_size",
        "learned_pos_emb",
        "attn_impl",
        "attn_uses_sequence_id",
        "norm_type",
        "slow_but_exact",
        "is_encoder_decoder",
        "reorder_and_upcast_attn",
        "attention_softmax_in_fp32",
        "bias_dropout_fusion",
    ]
)
"""Entries that change nothing of what a trained model answers, or that are asked for elsewhere."""


class Entries:
    """A table of entries, which remembers what was asked for.

    Attributes:
        where: in front of the names of entries in messages, such as "config.".
    """

    def __init__(self, data: Any, where: str = "config.") -> None:
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            raise InputError(where.rstrip("."), type(data).__name__, "a table of entries")
        self._data, self.where = dict(data), where
        self._asked: set[str] = set()

    def given(self, *names: str) -> Any:
        """The entry of the first of these names that is there and not null, or None; all of them count as asked for."""
        self._asked |= set(names)
        return next((self._data[name] for name in names if self._data.get(name) is not None), None)

    def integer(self, *names: str, usual: int | None = None, high: int = MOST_SIZE) -> int:
        """A whole number of at least 1; an error if it is missing and there is no usual one."""
        found = self.given(*names)
        if found is None and usual is not None:
            return usual
        return require_integer(self.where + names[0], found, low=1, high=high)

    def number(self, *names: str, usual: float | None = None, low: float = 0.0) -> float:
        """A finite number above ``low``."""
        found = self.given(*names)
        found = usual if found is None else found
        if isinstance(found, bool) or not isinstance(found, int | float) or not low < found <= LARGEST:
            raise InputError(self.where + names[0], found, f"a number above {low:g}")
        return float(found)

    def maybe(self, *names: str) -> float | None:
        """A finite number above 0, or None where the entry is missing or null."""
        return None if self.given(*names) is None else self.number(*names)

    def flag(self, name: str, usual: bool = False) -> bool:
        """True or false."""
        found = self.given(name)
        if found is not None and not isinstance(found, bool):
            raise InputError(self.where + name, found, "true or false")
        return usual if found is None else found

    def choice(self, *names: str, among: Mapping[str, str], usual: str | None = None) -> str:
        """What one of these names means."""
        found = self.given(*names)
        if found is None and usual is not None:
            found = usual
        if not isinstance(found, str) or found not in among:
            raise InputError(self.where + names[0], found, f"one of {', '.join(among)}: others are not supported")
        return among[found]

    def only(self, name: str, *values: Any) -> None:
        """Raises :class:`~ccsim.errors.InputError` if the entry is there with another value than these."""
        found = self.given(name)
        if found is not None and not any(type(found) is type(value) and found == value for value in values):
            expected = " or ".join(map(repr, values)) or "null"
            raise InputError(self.where + name, found, f"{expected}: nothing else is supported")

    def refuse_quantised(self) -> None:
        """Raises :class:`~ccsim.errors.InputError` if weights are kept in a quantised form, whichever it is."""
        found = self.given("quantization_config")
        if found is not None:
            kind = found.get("quant_method", "") if isinstance(found, Mapping) else found
            expected = (
                "none: quantised weights are not read; save the model after model.dequantize(), and let it run in"
            )
            raise InputError(f"{self.where}quantization_config", kind, f"{expected} --arithmetic int8, for example")

    def table(self, name: str) -> Any:
        """The entry of this name, of any kind."""
        return self.given(name)

    def require_known(self, ignored: Iterable[str] = ()) -> None:
        """Raises :class:`~ccsim.errors.InputError` for an entry that nobody knows, unless it switches nothing on."""
        patterns = list(ignored)
        for name in sorted(set(self._data) - self._asked - HARMLESS):
            value = self._data[name]
            full = self.where + name
            if value is None or value is False or any(fnmatchcase(full, pattern) for pattern in patterns):
                continue
            expected = (
                "an entry that is supported; if it changes nothing of what is computed, put its name under ignore"
            )
            raise InputError(f"entry {full!r}"[:MOST_SHOWN], value, expected)
