"""Sessions of a view, written to a file and played again in a real one."""
