"""Versions of the program itself: having them, going back, publishing them."""
