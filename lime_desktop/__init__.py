"""Lime Desktop: the reference desktop host for Agent Apps."""

__version__ = "0.1.0"
