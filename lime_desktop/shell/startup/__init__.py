"""From the program's first moment to its window, and from its window to its end."""
