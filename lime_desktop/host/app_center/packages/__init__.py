"""Packages on their way in: fetched, staged, checked, kept by their hash."""
