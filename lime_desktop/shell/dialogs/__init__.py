"""What the shell asks in a window of its own, and the guard that takes only deliberate answers."""
