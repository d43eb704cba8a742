"""Outside systems as tools: described by an OpenAPI document in the package, called through the host's proxy.

`requests` makes a request of a call's arguments, `tools` a tool of each operation.
"""
