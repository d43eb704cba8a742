"""Who owns work that nobody waits for, and what ends it? Nothing that fails there is lost. Knows nothing of Lime."""
