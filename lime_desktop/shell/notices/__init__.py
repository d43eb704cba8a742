"""What floats over the window: notices, progress, what can be undone."""
