"""One locked view per app: its own origin, profile and process, and one way out, the bridge."""
