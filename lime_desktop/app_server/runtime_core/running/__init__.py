"""The turns that run: driven by an engine, ended by facts, taken up again after a crash."""
