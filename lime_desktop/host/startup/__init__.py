"""What is decided before anything else runs: who is first, what stands in the way, which link was followed."""
