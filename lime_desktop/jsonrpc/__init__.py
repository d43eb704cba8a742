"""A JSON-RPC peer over lines of JSON. Knows nothing of Lime.

``lines`` cuts bytes, ``messages`` gives them meaning, ``peer`` keeps the conversation, ``memory``,
``stdio`` and ``sockets`` carry it.
"""
