"""A developer's loop as it is drawn: the app opened where it lies, reloaded as it is saved, its problems over it."""
