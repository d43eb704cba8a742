"""A task's limits hold for whoever works for it (ours: a subagent gets no more than its parent)."""

import pytest

from lime_desktop.app_server.task_request import (
    TaskRequest,
    allowed_knowledge,
    allowed_secrets,
    allowed_tools,
    limits_of_subagents,
)
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance

PROVENANCE = Provenance(
    app_id=AppId("notes"),
    app_name="Notes",
    app_version="1.0.0",
    package_hash="p",
    manifest_hash="m",
    standard_version="0.10.0",
)


@pytest.mark.parametrize(
    ("named", "allowed"),
    [({}, None), ({"secrets": []}, frozenset[str]()), ({"secrets": ["crm"]}, frozenset({"crm"}))],
)
def test_what_a_task_names_limits_its_subagents_too(
    named: dict[str, object], allowed: frozenset[str] | None
) -> None:
    params = StartTaskParams.model_validate({"title": "Read", **named})
    asked = TaskRequest(request=params, provenance=PROVENANCE, idempotency_key="k")
    parent = asked.options(None)
    assert allowed_secrets(parent) == allowed
    child = RuntimeOptions(host_options=limits_of_subagents(parent))
    assert allowed_secrets(child) == allowed


@pytest.mark.parametrize(
    ("named", "tools", "knowledge"),
    [
        ({}, None, None),
        # No tools named is no limit, as the task itself has it; no knowledge is a wish.
        ({"tools": [], "knowledge": []}, None, frozenset[str]()),
        ({"tools": ["crm"], "knowledge": ["faq"]}, frozenset({"crm"}), frozenset({"faq"})),
    ],
)
def test_so_do_its_tools_and_its_knowledge(
    named: dict[str, object], tools: frozenset[str] | None, knowledge: frozenset[str] | None
) -> None:
    params = StartTaskParams.model_validate({"title": "Read", **named})
    parent = TaskRequest(request=params, provenance=PROVENANCE, idempotency_key="k").options(None)
    child = RuntimeOptions(host_options=limits_of_subagents(parent))
    for options in (parent, child):
        assert (allowed_tools(options), allowed_knowledge(options)) == (tools, knowledge)
