"""Proves a release in clean Debian systems: the system, a screen to see it on, and the steps."""
