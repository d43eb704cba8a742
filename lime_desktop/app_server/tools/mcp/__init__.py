"""Tool servers that speak MCP: set up by a person, started when needed, kept running, and their tools for agents.

`store` keeps who is set up. `transport` is one process, `connection` one conversation, `supervised` keeps a server
running, `servers` holds them all. `tools` makes catalogue rows, `calling` carries a call out. The `mcp` package is
loaded when a server is first needed.
"""
