from .next_brackets import next_brackets, next_brackets_transformer
from .recogniser import dyck_transformer

__all__ = ["dyck_transformer", "next_brackets", "next_brackets_transformer"]
