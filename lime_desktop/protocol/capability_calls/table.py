"""Every capability call in one table. Policy, the SDK and the reference are built from it."""

import logging
from typing import Any, TypeAlias

from lime_desktop.protocol.capability_calls import (
    agent,
    app_updates,
    artifacts,
    cloud_session,
    connectors,
    discovery,
    documents,
    events,
    evidence,
    files,
    knowledge,
    models,
    policy,
    refused,
    review,
    search,
    secrets,
    settings,
    skills,
    storage,
    tasks,
    tools,
    ui,
    usage,
    workflow,
    workspace,
)
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.errors import AppError
from lime_desktop.unique_names import unique_table

AnyCall: TypeAlias = Call[Any, Any]

CALLS: tuple[AnyCall, ...] = (
    *ui.CALLS,
    *storage.CALLS,
    *files.CALLS,
    *agent.CALLS,
    *knowledge.CALLS,
    *tools.CALLS,
    *artifacts.CALLS,
    *workflow.CALLS,
    *policy.CALLS,
    *secrets.CALLS,
    *evidence.CALLS,
    *events.CALLS,
    *cloud_session.CALLS,
    *models.SETTINGS_CALLS,
    *ui.BRANDING_CALLS,
    *cloud_session.BILLING_CALLS,
    *app_updates.CALLS,
    *discovery.CALLS,
    *connectors.CALLS,
    *tools.TERMINAL_CALLS,
    *workspace.CALLS,
    *settings.CALLS,
    *models.CALLS,
    *usage.CALLS,
    *skills.CALLS,
    *tasks.CALLS,
    *connectors.MCP_CALLS,
    *search.CALLS,
    *documents.CALLS,
    *review.CALLS,
    *refused.CALLS,
)
"""In the catalogue's order."""

_BY_NAME = unique_table((((call.capability, call.method), call) for call in CALLS), of="call")


def call_named(capability: str, method: str) -> AnyCall | None:
    """The row of a call; None where the capability has no such method."""
    return _BY_NAME.get((capability, method))


def call_of(name: str) -> AnyCall | None:
    """The row of a call by its whole name, such as `lime.storage.set`."""
    capability, _, method = name.rpartition(".")
    return call_named(capability, method)


log = logging.getLogger(__name__)


def note_failure(call: AnyCall, error: AppError) -> None:
    """Log a failure that is not declared for this call: the fault is ours, never the app's, which gets its answer all the same.

    Every test fails in which this is logged.
    """
    if not call.may_answer(error):
        log.error(
            "a call failed with a code that is not declared for it",
            extra={"call": call.name, "code": error.code},
        )


def note_failure_of(name: str, error: AppError) -> None:
    """The same for a call by its name; what is no call of any capability has nothing declared."""
    call = call_of(name)
    if call is not None:
        note_failure(call, error)
