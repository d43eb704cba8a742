"""Can the app reach what is outside of it: services, connections, and the operations they carry?"""

from collections.abc import Iterator

from lime_desktop.app_package.backends import is_backend, words_of
from lime_desktop.app_package.manifest import Integration, Service
from lime_desktop.projection.projection import Projection
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.findings import PASSED, Finding, Tier, Verdict, failed
from lime_desktop.readiness.judges import judge_capability
from lime_desktop.readiness.scope import entries_of

_NO_PROGRAMS = "programs of its kind can't be started here."
_ANY_CONNECTOR = "lime.connectors"
"""Says that something is connected, and not by what."""


def check_services(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """A required service concerns the entries that name it, or all if none does."""
    for service in projection.manifest.services:
        users = frozenset(e.key for e in projection.entries if e.declared.service == service.key)
        yield Finding(
            kind="service",
            key=service.key,
            tier=Tier.REQUIRED if service.required else None,
            verdict=judge_service(service, projection, facts),
            entries=users or entries_of(projection, service),
        )


def check_integrations(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Each connection says for itself what its absence means."""
    for integration in projection.manifest.integrations:
        yield Finding(
            kind="integration",
            key=integration.key,
            tier=_tier(integration),
            verdict=judge_integration(integration, facts),
            is_blocker=_missing(integration) == "blocked",
            entries=entries_of(projection, integration),
            message=_stated(integration, "message"),
            remediation=_stated(integration, "remediation"),
        )


def check_operations(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """An operation is as available as the connection it goes through."""
    for operation in projection.manifest.operations:
        if operation.integration is not None:
            yield Finding(
                kind="operation",
                key=operation.key,
                tier=Tier.REQUIRED if operation.required else None,
                verdict=_judge_operation(projection, operation.integration, facts),
                entries=entries_of(projection, operation),
            )


def judge_service(service: Service, projection: Projection, facts: ReadinessFacts) -> Verdict:
    """A schedule must be one that can be kept; of a program this host must speak the protocol, or be server-assisted."""
    if service.key not in projection.schedules:
        verdict = _judge_program(service, facts)
        if not verdict.is_passed:
            return verdict
    for name in service.required_capabilities:
        if not judge_capability(name, "current", facts).is_passed:
            return failed(Code.SERVICE_REQUIRED, reason=name)
    return PASSED


def _judge_program(service: Service, facts: ReadinessFacts) -> Verdict:
    if service.kind == "scheduler":
        return failed(Code.SERVICE_REQUIRED, reason="schedule")
    if service.execution_plane == "cloud-remote":
        is_reached = "server-assisted" in facts.host.runtime_targets
        return PASSED if is_reached else failed(Code.SERVICE_REQUIRED, reason="cloud-remote")
    if not is_backend(service) or service.protocol not in facts.host.service_protocols:
        # Not its protocol: what an author calls it says nothing to who wants to use the app.
        return failed(Code.SERVICE_REQUIRED, reason=_NO_PROGRAMS)
    if facts.command_sandbox_absence is not None and not facts.runs_unconfined:
        return failed(Code.COMMAND_SANDBOX_REQUIRED, reason=facts.command_sandbox_absence)
    if service.key not in facts.available_services:
        program = next(iter(words_of(service)), service.key)
        return failed(Code.SERVICE_PROGRAM_REQUIRED, program=program)
    return PASSED


def judge_integration(integration: Integration, facts: ReadinessFacts) -> Verdict:
    """It must be connected; a host without the capability behind it can never connect it."""
    is_cli = integration.adapter is not None and integration.adapter.kind == "cli"
    if is_cli and facts.command_sandbox_absence is not None and not facts.runs_unconfined:
        # No wall, no program, be it installed or not.
        return failed(Code.COMMAND_SANDBOX_REQUIRED, reason=facts.command_sandbox_absence)
    if integration.key in facts.available_integrations:
        return PASSED
    return _judge_unconnected(integration, facts)


def _judge_unconnected(integration: Integration, facts: ReadinessFacts) -> Verdict:
    """Why it is not there, and so what would bring it."""
    behind = integration.host_capability
    if behind is not None and behind not in facts.host.capabilities:
        return failed(Code.INTEGRATION_BLOCKED, reason=behind)
    if integration.adapter is None and behind not in {None, _ANY_CONNECTOR}:
        # Nothing to connect: it is what the host itself does, such as letting a person choose files.
        return PASSED
    kind = (integration.adapter.kind if integration.adapter else None) or "connector"
    if kind == "cli" or _stated(integration, "setupAction") == "install_cli_adapter":
        return failed(Code.INTEGRATION_ADAPTER_REQUIRED)
    if kind not in facts.host.adapter_kinds:
        return failed(Code.INTEGRATION_UNSUPPORTED, reason=kind)
    if _is_undescribed(integration):
        return failed(Code.INTEGRATION_UNDESCRIBED)
    server = integration.adapter.server if integration.adapter else None
    return failed(Code.TOOL_SERVER_REQUIRED, server=server) if server else _NOT_CONNECTED


def _is_undescribed(integration: Integration) -> bool:
    """Whether an interface is not connected for want of a description: with one, a person could only sign in to it."""
    adapter = integration.adapter
    if adapter is None or adapter.kind != "api":
        return False
    return adapter.document is None or adapter.oauth is None


_NOT_TO_BE_CONNECTED = frozenset({Code.INTEGRATION_UNSUPPORTED, Code.INTEGRATION_UNDESCRIBED})
_NOT_CONNECTED = failed(Code.INTEGRATION_REQUIRED)


def judge_integration_named(projection: Projection, named: str, facts: ReadinessFacts) -> Verdict:
    """The same by the key that the manifest gives it; one that it does not declare is there or not."""
    for integration in projection.manifest.integrations:
        if integration.key == named:
            return judge_integration(integration, facts)
    return PASSED if named in facts.available_integrations else _NOT_CONNECTED


def _judge_operation(projection: Projection, integration: str, facts: ReadinessFacts) -> Verdict:
    verdict = judge_integration_named(projection, integration, facts)
    if verdict.is_passed or verdict.code in _NOT_TO_BE_CONNECTED:
        return verdict
    return failed(Code.OPERATION_UNAVAILABLE, integration=integration)


def _tier(integration: Integration) -> Tier | None:
    is_missed = _missing(integration) in {"blocked", "needs-setup"}
    if is_missed:
        # What can be done without is worth setting up, and keeps nobody from the app.
        return Tier.RECOMMENDED if integration.required is False else Tier.REQUIRED
    is_required = integration.required and _missing(integration) != "optional"
    return Tier.REQUIRED if is_required else None


def _missing(integration: Integration) -> str | None:
    return _stated(integration, "missing")


def _stated(integration: Integration, name: str) -> str | None:
    value = (integration.readiness or {}).get(name)
    return value if isinstance(value, str) else None
