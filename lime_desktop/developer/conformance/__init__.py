"""Does an app, and this host, do what the standard demands? Every demand with a verdict and its evidence. No Qt."""
