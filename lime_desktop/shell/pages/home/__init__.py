"""Home: what to go on with, what waits for the person, and the apps."""
