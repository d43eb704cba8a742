"""What a call reaches for is read from its arguments, by the kind of the arguments (ours)."""

import pytest
from pydantic import BaseModel

from lime_desktop.policy.call import Target
from lime_desktop.policy.called import targets_of
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.bridge.from_app import OpenExternalPayload
from lime_desktop.protocol.capability_calls.artifacts import CreateArtifactParams
from lime_desktop.protocol.capability_calls.events import EmitParams, SubscribeTopicParams
from lime_desktop.protocol.capability_calls.knowledge import (
    KnowledgeKeyParams,
    KnowledgeSearchParams,
)
from lime_desktop.protocol.capability_calls.secrets import SecretKeyParams
from lime_desktop.protocol.capability_calls.tools import InvokeToolParams
from lime_desktop.protocol.capability_calls.workflow import StartWorkflowParams
from lime_desktop.protocol.wire import Empty


class _Narrower(SecretKeyParams):
    """A kind that says more than the one it is made from."""


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        (OpenExternalPayload, {"url": "https://a.example"}, [("domain", "https://a.example")]),
        (InvokeToolParams, {"key": "fetch"}, [("tool", "fetch")]),
        (SecretKeyParams, {"key": "token"}, [("secret", "token")]),
        (_Narrower, {"key": "token"}, [("secret", "token")]),
        (KnowledgeKeyParams, {"key": "handbook"}, [("knowledge", "handbook")]),
        (KnowledgeSearchParams, {"template": "handbook"}, [("knowledge", "handbook")]),
        (KnowledgeSearchParams, {"template": None}, []),
        (StartWorkflowParams, {"key": "review"}, [("workflow", "review")]),
        (CreateArtifactParams, {"kind": "report"}, [("artifact", "report")]),
        (EmitParams, {"topic": "saved"}, [("event", "saved")]),
        (SubscribeTopicParams, {"topic": "saved"}, [("event", "saved")]),
        (StartTaskParams, {"knowledge": (), "tools": (), "secrets": ("token",), "expected_output": None}, [("secret", "token")]),
        (Empty, {}, []),
    ],
)  # fmt: skip
def test_arguments_lead_to_what_they_name(
    kind: type[BaseModel], fields: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    found = targets_of(kind.model_construct(None, **fields))
    assert [(target.kind, target.value) for target in found] == expected
    assert all(isinstance(target, Target) for target in found)
