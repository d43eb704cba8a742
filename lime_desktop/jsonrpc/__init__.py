"""A JSON-RPC peer over lines of JSON. Knows nothing of Lime.

``messages`` reads lines, ``peer`` keeps the conversation, ``outbox`` holds what leaves; ``stdio`` and ``sockets``
carry it.
"""
