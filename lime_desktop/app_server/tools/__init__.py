"""What can an agent do here? One catalogue of tools from three sources, and one way to each: through policy.

`catalogue` says what a tool is. `host_tools`, `commands` and `mcp` are the sources. `broker` joins them for a turn,
`toolset` judges and runs. `tool_service` runs a tool for a page;
`connectors` says which outside systems an app has. No tool judges itself, and no source knows another.
"""
