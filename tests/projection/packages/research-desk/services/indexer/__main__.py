"""Answers JSON-RPC on standard input."""
