"""The method tables are complete and consistent."""

from collections import Counter

import pytest
from pydantic import ValidationError

from lime_desktop.protocol.calls.actions import RespondActionParams
from lime_desktop.protocol.calls.handshake import ClientCapabilities
from lime_desktop.protocol.methods import METHODS, NOTIFICATIONS
from lime_desktop.protocol.runtime.payload_rules import is_key_like

NAMED_BY_THE_PROFILE = {
    "initialize",
    "agentSession/start",
    "agentSession/read",
    "agentSession/turn/start",
    "agentSession/turn/cancel",
    "agentSession/action/respond",
    "capability/list",
    "artifact/read",
    "evidence/export",
}


def test_every_method_the_profile_names_is_there() -> None:
    """The standard: these are the current boundary."""
    assert {method.name for method in METHODS} >= NAMED_BY_THE_PROFILE


def test_no_name_is_used_twice() -> None:
    """Ours: routing is by name."""
    names = Counter(row.name for row in (*METHODS, *NOTIFICATIONS))
    assert max(names.values()) == 1


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_wire_types_end_in_what_they_are(method: object) -> None:
    """Ours: the ending says which side sends it."""
    row = next(row for row in METHODS if row is method)
    assert row.params.__name__.endswith(("Params", "Empty"))
    assert row.result.__name__.endswith(("Result", "Empty"))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_no_parameter_could_hold_a_key(method: object) -> None:
    """The standard: only the provider store holds keys."""
    row = next(row for row in METHODS if row is method)
    assert not [name for name in row.params.model_fields if is_key_like(name)]


@pytest.mark.parametrize("name", ["requestId", "actionId"])
def test_an_action_is_answered_under_either_of_its_names(name: str) -> None:
    """Ours: the specifications use both for the same id."""
    params = RespondActionParams.model_validate(
        {"sessionId": "s", name: "a", "actionType": "tool_confirmation", "decision": "allow_once"}
    )
    assert params.action_id == "a"
    assert params.to_wire()["requestId"] == "a"


@pytest.mark.parametrize("name", ["experimental", "experimentalApi"])
def test_experimental_is_asked_for_under_either_of_its_names(name: str) -> None:
    """Ours: the draft and the shipped protocol spell it differently."""
    assert ClientCapabilities.model_validate({name: True}).experimental


def test_an_unknown_decision_is_refused() -> None:
    """Ours: a decision we do not know can never count as a yes."""
    with pytest.raises(ValidationError):
        RespondActionParams.model_validate(
            {"sessionId": "s", "requestId": "a", "actionType": "permission", "decision": "maybe"}
        )
