"""What each of the seven provider fixtures must show once it is projected."""

from pathlib import Path

import jsonschema_rs
import pytest

from lime_desktop.runtime_views.session import SessionProjection, project
from lime_desktop.runtime_views.views import SessionViews
from tests.app_server.runtime_core.test_provider_fixtures import FIXTURES
from tests.protocol.published_schemas import read_json
from tests.runtime_views.conftest import Record


def projected(record: Record, name: str) -> SessionViews:
    return project(record(name)[0])


@pytest.mark.parametrize("name", FIXTURES)
def test_every_projection_has_the_published_shape(
    record: Record, upstream_data: Path, name: str
) -> None:
    schema = upstream_data / "agent-ui-contracts" / "schemas"
    validator = jsonschema_rs.Draft202012Validator(
        read_json(schema / "agent-ui-projection-state.v0.1.schema.json")
    )
    events, snapshot = record(name)
    validator.validate(project(events).to_wire())
    validator.validate(project((), snapshot).to_wire())


@pytest.mark.requirement("RT-25", "RT-42")
@pytest.mark.requirement("RT-25")
def test_text_basic_is_one_answer_merged_and_not_appended_twice(record: Record) -> None:
    views = projected(record, "text-basic")
    said = [(p.role, p.text, p.state) for p in views.messages if p.type == "text"]
    assert said == [("user", "text-basic", "final"), ("assistant", "Good day", "final")]
    assert views.runtime.status == "completed"
    assert len(views.timeline) >= 6
    assert views.hydration.status == "live"


@pytest.mark.requirement("RT-18", "RT-42")
def test_tool_success_shows_output_by_reference_only(record: Record) -> None:
    views = projected(record, "tool-success")
    call = views.tool_calls["call_1"]
    assert (call.status, call.tool_name, call.progress, call.total) == ("completed", "search", 1, 2)
    assert call.input_summary == '{"query":"limes"}'
    assert call.output_ref is not None
    assert len(call.output_preview or "") <= 280
    assert [(g.status, g.tool_call_ids) for g in views.tools] == [("completed", ("call_1",))]
    line = next(entry for entry in views.timeline if entry.kind == "tool")
    assert (line.status, call.output_ref in line.refs) == ("completed", True)
    node = next(node for node in views.graph if node.node_id == "call_1")
    assert (node.node_type, node.status, node.parent_id) == ("tool", "completed", "step:call_1")


def test_tool_failure_is_a_diagnostic_with_a_way_out(record: Record) -> None:
    views = projected(record, "tool-failure")
    assert views.runtime.status == "failed"
    found = {diagnostic.code: diagnostic for diagnostic in views.diagnostics}
    assert found["tool.failed"].recovery_hint == "Choose another folder."
    assert views.tool_calls["call_1"].failure_category == "permission_denied"


def test_hitl_action_waits_until_the_resolving_fact(record: Record) -> None:
    events, _ = record("hitl-action")
    asked = next(i for i, event in enumerate(events) if event.type == "action.required")
    waiting = project(events[: asked + 1])
    assert [action.action_id for action in waiting.actions] == ["action_1"]
    assert [option.destructive for option in waiting.actions[0].options] == [False, True]
    assert (waiting.runtime.status, waiting.tools[0].status) == ("waiting", "waiting")
    done = project(events)
    assert (done.runtime.status, done.actions) == ("completed", ())


@pytest.mark.requirement("RT-42")
def test_artifact_and_evidence_are_references_with_their_correlation(record: Record) -> None:
    views = projected(record, "artifact-evidence")
    assert [(a.id, a.turn_id, a.path) for a in views.artifacts] == [
        ("artifact_1", "turn_1", "out/report.md")
    ]
    assert [(e.id, e.refs) for e in views.evidence] == [("evidence_1", ("evidence://pack_1",))]


def test_stream_repair_goes_stale_and_back_without_repeating_text(record: Record) -> None:
    events, snapshot = record("stream-repair")
    lost = next(e.sequence for e in events if e.payload.get("delta") == "two ")
    projection = SessionProjection()
    projection.receive(event for event in events if event.sequence != lost)
    stale = projection.views()
    assert (stale.hydration.status, stale.runtime.status) == ("stale", "stale")
    assert stale.hydration.next_sequence == lost
    assert "sequence_gap" in {diagnostic.code for diagnostic in stale.diagnostics}
    projection.receive(event for event in events if event.sequence >= lost)
    by_events = projection.views()
    projection = SessionProjection()
    projection.receive(event for event in events if event.sequence != lost)
    projection.repair(snapshot)
    for repaired in (by_events, projection.views()):
        assert (repaired.hydration.status, repaired.runtime.status) == ("live", "completed")
        texts = [p.text for p in repaired.messages if p.role == "assistant"]
        assert texts == ["one two three"]


@pytest.mark.requirement("RT-43")
@pytest.mark.requirement("RT-43")
def test_subagent_handoff_has_its_lineage_and_counts(record: Record) -> None:
    views = projected(record, "subagent-handoff")
    parents = {node.node_id: node.parent_id for node in views.graph}
    assert parents["sub_1"] == "task_child"
    assert parents["task_child"] is not None
    agents = views.subagents
    assert agents.has_subagents
    assert len(agents.threads) == 1
    assert [call.action for call in agents.delegation_calls] == ["spawn", "handoff"]
    assert len(agents.activities) == 10
    assert agents.active_thread_ids == ()
    assert agents.completed_thread_ids == ("sub_1",)
    assert agents.failed_thread_ids == ()
    assert [artifact.subagent_id for artifact in views.artifacts] == ["sub_1"]
    assert [found.subagent_id for found in views.evidence] == ["sub_1"]


@pytest.mark.requirement("RT-03", "RT-59")
@pytest.mark.parametrize("name", FIXTURES)
@pytest.mark.requirement("RT-59")
def test_the_snapshot_alone_restores_the_first_screen(record: Record, name: str) -> None:
    events, snapshot = record(name)
    whole, first = project(events), project((), snapshot)
    assert first.runtime == whole.runtime
    assert first.actions == whole.actions
    assert [a.id for a in first.artifacts] == [a.id for a in whole.artifacts]
    assert [e.id for e in first.evidence] == [e.id for e in whole.evidence]
    assert {k: c.status for k, c in first.tool_calls.items()} == {
        k: c.status for k, c in whole.tool_calls.items()
    }
    said = [(p.role, p.text) for p in whole.messages if p.type == "text"]
    assert [(p.role, p.text) for p in first.messages] == said
