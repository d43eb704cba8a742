"""Markdown as it is read: a small, closed set of forms drawn into a text document. Nothing is loaded, nothing runs."""
