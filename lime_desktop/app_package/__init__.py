"""What is in this package? Reads, merges, checks, hashes, packs and verifies; runs nothing of it."""
