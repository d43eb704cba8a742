"""Text of a package to values that know their lines: YAML, JSON, Markdown, HTML; any bytes, bounded time."""
