"""App back ends: what each execution plane needs."""

import re
from collections.abc import Iterator

from lime_desktop.app_package.backends import KINDS, PROTOCOL
from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.schedules import SCHEDULED_KINDS
from lime_desktop.app_package.text.located import LocatedMap, ValuePath
from lime_desktop.network.hosts import is_here

_LOCAL_PROTOCOLS = {"stdio-jsonrpc", "local-http", "local-socket", "wasm"}
_REMOTE_TERMS = ("auth", "tenantPolicy", "audit", "dataPolicy", "fallback")
_EVERY_INTERFACE = re.compile(r"(?<![\d.])0\.0\.0\.0(?![\d.])|\[::\]")
"""What a program is told so that it listens to the whole network."""
_UNSAID = (None, "", False)
"""Values that state nothing."""


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check each service against the plane it runs on."""
    for at, service in facts.items("services"):
        plane = service.get("executionPlane")
        yield from _unstarted(facts, at, service)
        if plane == "client-local":
            yield from _local(facts, at, service)
        elif plane == "cloud-remote":
            yield from _remote(facts, at, service)
        elif plane is None and service.get("kind") == "app-backend":
            message = "The back end does not say where it runs."
            yield rules.SERVICE_PLANE_MISSING.found(message, facts.place(*at, "executionPlane"))


def _unstarted(facts: PackageFacts, at: ValuePath, service: LocatedMap) -> Iterator[Problem]:
    """Say which services nobody would start, so that an author does not find out by waiting."""
    kind, plane, protocol = (_text(service, n) for n in ("kind", "executionPlane", "protocol"))
    if kind in SCHEDULED_KINDS and "schedule" in service:
        return
    if kind in KINDS and plane in {None, "client-local"} and protocol == PROTOCOL:
        return
    how = f"over {protocol}" if protocol else "that names no protocol"
    words = ("This host starts no", plane, kind or "service", how)
    message = f"{' '.join(each for each in words if each)}."
    yield rules.SERVICE_NOT_STARTED.found(message, facts.place(*at))


def _text(service: LocatedMap, name: str) -> str | None:
    value = service.get(name)
    return value[:64] if isinstance(value, str) else None


def _local(facts: PackageFacts, at: ValuePath, service: LocatedMap) -> Iterator[Problem]:
    protocol = service.get("protocol")
    if isinstance(protocol, str) and protocol not in _LOCAL_PROTOCOLS:
        message = "A local service cannot use this protocol."
        yield rules.SERVICE_PROTOCOL_MISMATCH.found(message, facts.place(*at, "protocol"))
    can_start = any(service.get(name) for name in ("command", "binary", "path"))
    if protocol != "wasm" and not can_start:
        message = "A local service needs `command`, `binary` or `path`."
        yield rules.SERVICE_INCOMPLETE.found(message, facts.place(*at))
    yield from _local_addresses(facts, at, service)


def _local_addresses(facts: PackageFacts, at: ValuePath, service: LocatedMap) -> Iterator[Problem]:
    """A local service is reached from this computer alone; the host chooses where it listens."""
    endpoint, command = service.get("endpoint"), service.get("command")
    if isinstance(endpoint, str) and not is_here(endpoint):
        message = "A local service has an address that is not on this computer."
        yield rules.SERVICE_ADDRESS_PUBLIC.found(message, facts.place(*at, "endpoint"))
    if isinstance(command, str) and _EVERY_INTERFACE.search(command):
        message = "A local service would listen to the whole network."
        yield rules.SERVICE_ADDRESS_PUBLIC.found(message, facts.place(*at, "command"))


def _remote(facts: PackageFacts, at: ValuePath, service: LocatedMap) -> Iterator[Problem]:
    protocol = service.get("protocol")
    if protocol is not None and protocol != "remote-http":
        message = "A remote service can only use remote-http."
        yield rules.SERVICE_PROTOCOL_MISMATCH.found(message, facts.place(*at, "protocol"))
    targets = {target for _, target in facts.texts("runtimeTargets")}
    if "server-assisted" not in targets:
        message = "A remote service needs `server-assisted` among the runtime targets."
        fix = "Add `server-assisted` to `runtimeTargets`."
        yield rules.SERVICE_INCOMPLETE.found(message, facts.place(*at, "executionPlane"), fix=fix)
    endpoint = service.get("endpoint")
    if not isinstance(endpoint, str) or not endpoint.startswith("https://"):
        message = "A remote service needs an https `endpoint`."
        fix = "Add `endpoint: https://…`."
        yield rules.SERVICE_INCOMPLETE.found(message, facts.place(*at, "endpoint"), fix=fix)
    missing = [term for term in _REMOTE_TERMS if service.get(term) in _UNSAID]
    if missing:
        message = f"The remote service does not state: {', '.join(missing)}."
        yield rules.SERVICE_TERMS_MISSING.found(message, facts.place(*at))
