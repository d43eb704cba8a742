"""A JSON-RPC peer over lines of JSON. Knows nothing of Lime."""
