"""Models and their providers, as a person chooses and changes them."""
