"""Holds one model and serves it on a port of this machine, behind a key. A program of its own, started by its path.

The first line of standard input says what to load and which key to ask for: arguments and environment can be read by
others. The first line of standard output is the address. It ends when standard input does. A crash of the native code
ends this process and no other.
"""

import json
import os
import sys
from importlib import import_module
from typing import Any

# By name: the library has no types, and only this process may load it.
llama: Any = import_module("xllamacpp")


def main() -> None:
    """Load, say where, stay until nobody listens."""
    order: dict[str, Any] = json.loads(sys.stdin.readline())
    # Native code prints as it likes: only the address may reach whoever started us.
    voice = os.dup(1)
    os.dup2(2, 1)
    server = llama.Server(_parameters(order))
    line = json.dumps({"address": server.listening_address})
    os.write(voice, line.encode() + b"\n")
    while sys.stdin.read(4096):
        pass
    # Not the ordinary way: native threads may be in the middle of an answer nobody waits for.
    os._exit(0)


def _parameters(order: dict[str, Any]) -> Any:
    chosen = llama.CommonParams()
    chosen.model.path = order["path"]
    chosen.api_keys = [order["key"]]
    chosen.n_ctx = order["contextTokens"]
    chosen.cpuparams.n_threads = order["threads"]
    chosen.cpuparams_batch.n_threads = order["threads"]
    chosen.n_parallel = 1
    chosen.port = 0
    chosen.hostnames = ["127.0.0.1"]
    # It answers questions of ours and does nothing else: no page, no fetching, no look inside.
    chosen.ui = False
    chosen.offline = True
    chosen.endpoint_slots = False
    chosen.cors_origins = ""
    # Earlier conversations are not kept in memory beside the running one.
    chosen.cache_ram_mib = 0
    chosen.verbosity = 0
    return chosen


if __name__ == "__main__":
    main()
