"""A JSON-RPC peer over lines of JSON. Knows nothing of Lime.

``messages`` reads lines, ``peer`` keeps the conversation, ``receiver`` is who answers, ``outbox`` holds what leaves,
``ending`` ends it; ``stdio`` and ``sockets`` carry it.
"""
