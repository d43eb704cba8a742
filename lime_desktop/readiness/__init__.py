"""Can this entry run now? Pure: projection and facts in, findings with their fixes out."""
