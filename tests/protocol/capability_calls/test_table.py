"""The table of calls and the catalogue of capabilities say the same, and every row is whole."""

from typing import cast

import pytest
from pydantic import BaseModel, TypeAdapter

from lime_desktop.protocol.capabilities import CAPABILITIES, capability_named
from lime_desktop.protocol.capability_calls.call import Effect, NoResult
from lime_desktop.protocol.capability_calls.table import CALLS, AnyCall, call_named
from lime_desktop.protocol.wire import Empty

every_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: cast("AnyCall", call).name)


def test_the_catalogue_and_the_table_list_the_same_calls_in_the_same_order() -> None:
    """Ours: adding a call fails until both rows exist."""
    listed = [(each.name, method) for each in CAPABILITIES for method in each.methods]
    assert [(call.capability, call.method) for call in CALLS] == listed


def test_a_call_is_found_by_its_names() -> None:
    """Ours."""
    found = call_named("lime.storage", "set")
    assert found is not None
    assert found.name == "lime.storage.set"
    assert call_named("lime.storage", "drop") is None


@every_call
def test_a_row_is_documented(call: AnyCall) -> None:
    """Ours: the reference and the SDK's comments come from here."""
    assert call.summary.endswith(".")
    for model in (call.params, call.result):
        assert model.__doc__
        assert model.__doc__ != model.__mro__[1].__doc__


@every_call
def test_arguments_are_named_as_arguments(call: AnyCall) -> None:
    """Ours: a reader knows the direction from the name."""
    assert call.params is Empty or call.params.__name__.endswith(("Params", "Payload"))
    assert not call.result.__name__.endswith("Params")


@every_call
def test_a_refused_capability_promises_no_result(call: AnyCall) -> None:
    """The standard: no fake data where nothing is offered."""
    capability = capability_named(call.capability)
    assert capability is not None
    assert (call.result is NoResult) is not capability.is_offered


@every_call
def test_params_and_result_have_a_schema(call: AnyCall) -> None:
    """Ours: both can be exported."""
    params, result = cast("type[BaseModel]", call.params), cast("type[BaseModel]", call.result)
    assert TypeAdapter(params).json_schema(mode="validation")
    assert TypeAdapter(result).json_schema(mode="serialization")


def test_one_name_means_one_type() -> None:
    """Ours: the SDK has one flat space of names."""
    models = {model for call in CALLS for model in (call.params, call.result)}
    assert len({model.__name__ for model in models}) == len(models)


def test_reading_never_needs_more_than_reading() -> None:
    """Ours: a call whose name says it looks must not be able to change things."""
    looking = ("get", "list", "read", "check", "query", "search", "bindStatus", "resolve", "parse")
    exceptions = {
        "lime.appUpdates.check",
        "lime.cloudSession.getAccessToken",
        "lime.workflow.checkpoint",
        "lime.workspace.getPathRef",
    }
    loud = {
        call.name
        for call in CALLS
        if call.method.startswith(looking) and call.effect is not Effect.READ
    }
    assert loud == exceptions
