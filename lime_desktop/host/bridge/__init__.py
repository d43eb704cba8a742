"""One app view's conversation with the host: text in, text out, and the edge where errors become answers."""
