"""Bring an older package up to the current manifest version, without disturbing how its author wrote it.

Files are never parsed and written anew. A rule finds the value by its position in the text and changes just those characters, so
that comments, order, quotes, indentation and line ends stay as they are, and the guide in APP.md stays byte for byte.
"""
