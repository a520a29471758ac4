"""Protocols that come with ccsim: classical ones from textbooks."""
