"""Arguments in every published spelling end in one canonical form, or in a named refusal."""

import json
from contextlib import suppress
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from lime_desktop.protocol.capability_calls.table import CALLS, AnyCall, call_named
from lime_desktop.protocol.errors import InvalidInput


def _call(name: str) -> AnyCall:
    found = call_named(*name.rsplit(".", 1))
    assert found is not None
    return found


def _text(arguments: JsonValue) -> bytes:
    return json.dumps(arguments).encode()


def _read(name: str, arguments: JsonValue) -> dict[str, Any]:
    return cast(
        "dict[str, Any]", _call(name).read_params(_text(arguments)).model_dump(exclude_unset=True)
    )


SPELLINGS: list[tuple[str, list[JsonValue], dict[str, Any]]] = [
    ("lime.storage.get", [{"key": "a"}, ["a"], [{"key": "a"}], "a"], {"key": "a"}),
    ("lime.storage.set", [{"key": "a", "value": {}}, ["a", {}]], {"key": "a", "value": {}}),
    ("lime.storage.list", [None, {}, []], {}),
    ("lime.agent.getTask", [{"taskId": "t"}, ["t"], "t"], {"task_id": "t"}),
    ("lime.files.readRef", [{"ref": "r"}, "r"], {"ref": "r"}),
    ("lime.ui.openArtifact", [{"id": "a"}, {"artifactId": "a"}], {"id": "a"}),
    (
        "lime.knowledge.search",
        [{"template": "p", "query": "q", "topK": 3}, {"template": "p", "query": "q", "limit": 3}],
        {"query": "q", "template": "p", "top_k": 3},
    ),
    (
        "lime.tools.invoke",
        [{"key": "parser", "input": 1}, {"tool": "parser", "input": 1}],
        {"key": "parser", "input": 1},
    ),
    (
        "lime.workflow.start",
        [{"key": "w", "input": 1}, {"workflowKey": "w", "input": 1}],
        {"key": "w", "input": 1},
    ),
    (
        "lime.artifacts.create",
        [{"type": "report", "data": {"a": 1}}, {"kind": "report", "content": {"a": 1}}],
        {"kind": "report", "content": {"a": 1}},
    ),
    (
        "lime.evidence.record",
        [
            {"subject": "artifact-1", "sources": [{"id": "h1"}]},
            {"subject": "artifact-1", "sources": {"query": "q", "records": [{"id": "h1"}]}},
        ],
        {"subject": "artifact-1", "sources": ({"id": "h1"},)},
    ),
    (
        "lime.evidence.record",
        [{"kind": "fact", "message": "Seen", "refs": ["a"]}],
        {"kind": "fact", "message": "Seen", "refs": ("a",)},
    ),
    ("lime.cloudSession.requestLogin", [{"force": True}, [True]], {"force": True}),
    (
        "lime.storage.tableQuery",
        [{"table": "t", "where": {"a": 1}}, {"table": "t", "where": {"a": {"eq": 1}}}],
        {"table": "t", "where": {"a": {"eq": 1}}},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "spellings", "canonical"), SPELLINGS)
def test_published_spellings_mean_the_same(
    name: str, spellings: list[JsonValue], canonical: dict[str, Any]
) -> None:
    """The standard and its published SDK name several arguments differently."""
    assert [_read(name, spelling) for spelling in spellings] == [canonical] * len(spellings)


@pytest.mark.parametrize(
    ("name", "arguments", "path"),
    [
        ("lime.storage.get", None, "key"),
        ("lime.storage.get", {"key": ""}, "key"),
        ("lime.storage.get", ["a", "b"], "args"),
        ("lime.storage.set", {"key": "a"}, "value"),
        ("lime.tools.invoke", {}, "key"),
        ("lime.artifacts.create", {"kind": "report"}, ""),
        ("lime.evidence.record", {"refs": ["a"]}, ""),
        ("lime.agent.startTask", {"input": {}}, ""),
        ("lime.storage.tableQuery", {"table": "t", "where": {"a": {"eqq": 1}}}, "where.a.eqq"),
        ("lime.storage.transaction", {"operations": [{"op": "burn"}]}, "operations.0"),
    ],
)
def test_wrong_arguments_are_refused_by_field(name: str, arguments: JsonValue, path: str) -> None:
    """The standard: stable errors; ours: by field path."""
    with pytest.raises(InvalidInput) as refused:
        _call(name).read_params(_text(arguments))
    fields = cast("list[dict[str, str]]", refused.value.details["fields"])
    assert fields[0]["path"] == path


@given(
    call=st.sampled_from(CALLS),
    arguments=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["key", "taskId", "input", "where", "operations", "ref", "query"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    ),
)
@settings(deadline=None)  # the first use of a model builds it
def test_any_arguments_are_read_or_refused(call: AnyCall, arguments: JsonValue) -> None:
    """Ours: an app may send anything."""
    with suppress(InvalidInput):
        assert isinstance(call.read_params(_text(arguments)), call.params)


def test_a_bare_name_asks_for_knowledge_or_a_tool() -> None:
    """Published apps send names where others send objects."""
    params = _call("lime.agent.startTask").check_params(
        {"title": "Plan", "knowledge": ["brand"], "tools": ["parser", {"key": "web"}]}
    )
    assert [binding.key for binding in params.knowledge] == ["brand"]
    assert [tool.key for tool in params.tools] == ["parser", "web"]


def test_the_standards_own_example_starts_a_task() -> None:
    """The standard's text, word for word."""
    params = _call("lime.agent.startTask").check_params(
        {
            "taskKind": "content_factory.copy.generate",
            "input": {"topic": "spring"},
            "expectedOutput": {
                "artifactKind": "content_batch",
                "outputFormat": {
                    "type": "json_schema",
                    "schemaRef": "./artifacts/content-factory-workspace-patch.schema.json",
                    "maxValidationRetries": 2,
                },
                "materializer": {
                    "kind": "content_factory.workspace_patch",
                    "acceptedKeys": ["contentFactoryWorkspacePatch", "workspacePatch"],
                },
            },
        }
    )
    assert params.expected_output.materializer.accepted_keys == (
        "contentFactoryWorkspacePatch",
        "workspacePatch",
    )


def test_a_field_with_two_names_is_documented_under_both() -> None:
    """Ours: the SDK's types accept what the host accepts."""
    schema = _call("lime.tools.invoke").params.model_json_schema()
    assert schema["properties"]["tool"]["description"] == "The same as `key`."
    assert schema["allOf"] == [{"anyOf": [{"required": ["key"]}, {"required": ["tool"]}]}]
    optional = _call("lime.knowledge.search").params.model_json_schema()
    assert optional["required"] == ["query"]
    assert "limit" in optional["properties"]
