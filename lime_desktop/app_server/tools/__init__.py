"""What can an agent do here? One catalogue of tools from three sources, and one way to each: through policy.

`catalogue` says what a tool is. `host_tools`, `commands` and `mcp` are the sources. `broker` joins them for a turn,
`toolset` judges and runs. No tool judges itself, and no source knows another.
"""
