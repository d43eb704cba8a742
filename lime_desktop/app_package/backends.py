"""Which services of an app are programs that this host starts, and what runs for each? Starts nothing, and looks at no disk.

The standard leaves open how `command`, `binary` and `path` go together. Here `command` is the whole command line, `binary` a
program of the package, and `path` a script of the package, run by the interpreter that its ending names.
"""

import shlex
from pathlib import PurePosixPath

from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.app_package.manifest.services import Service

PROTOCOL = "stdio-jsonrpc"
KINDS = frozenset({"app-backend", "tool-adapter", "worker"})
"""The kinds that are asked something and answer; the others begin by themselves."""
NETWORKS = frozenset({None, "deny-by-default", "loopback-only", "host-mediated"})
"""What a backend on this computer can be given of a network; with none of its own it has its own loopback all the same."""
_INTERPRETERS = {".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node"}


def is_backend(service: Service) -> bool:
    """Whether this host starts it when it is called."""
    is_local = service.execution_plane in {None, "client-local"}
    return service.kind in KINDS and is_local and service.protocol == PROTOCOL


def backends_of(manifest: Manifest) -> tuple[Service, ...]:
    """The services that are such programs; of two of one key, the first."""
    found: dict[str, Service] = {}
    for service in filter(is_backend, manifest.services):
        found.setdefault(service.key, service)
    return tuple(found.values())


def words_of(service: Service) -> tuple[str, ...]:
    """The program and its words, as the author wrote them; empty where nobody can read them."""
    if service.command:
        words = _split(service.command)
        # `command: python3` beside `path: services/main.py` is one command line in two fields.
        is_bare = len(words) == 1 and service.path
        return (*words, service.path or "") if is_bare else words
    if service.binary:
        return (service.binary,)
    interpreter = _INTERPRETERS.get(PurePosixPath(service.path or "").suffix)
    return (interpreter, service.path or "") if interpreter else ()


def _split(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError:
        return ()
