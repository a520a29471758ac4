"""What communication bounds say about the size of models."""
