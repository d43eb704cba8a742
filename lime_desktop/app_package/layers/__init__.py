"""From layered files to one typed manifest, each value with its place."""
