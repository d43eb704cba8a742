"""What a call reaches for, read from its arguments: the names that policy holds against the manifest and the rules."""

from collections.abc import Iterator

from lime_desktop.policy.call import Target
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


def targets_of(params: object) -> tuple[Target, ...]:
    """Name the tools, sites, secrets and so on that these arguments lead to."""
    found = _targets_of_task(params) if isinstance(params, StartTaskParams) else _targets(params)
    return tuple(found)


def _targets(params: object) -> Iterator[Target]:
    match params:
        case OpenExternalPayload(url=url):
            yield Target("domain", url)
        case InvokeToolParams(key=key):
            yield Target("tool", key)
        case SecretKeyParams(key=key):
            yield Target("secret", key)
        case KnowledgeKeyParams(key=key) | KnowledgeSearchParams(template=str(key)):
            yield Target("knowledge", key)
        case StartWorkflowParams(key=key):
            yield Target("workflow", key)
        case CreateArtifactParams(kind=kind):
            yield Target("artifact", kind)
        case EmitParams(topic=topic) | SubscribeTopicParams(topic=topic):
            yield Target("event", topic)
        case _:
            return


def _targets_of_task(params: StartTaskParams) -> Iterator[Target]:
    """What a task may use is what its app may use."""
    yield from (Target("knowledge", each.key) for each in params.knowledge)
    yield from (Target("tool", each.key) for each in params.tools)
    yield from (Target("secret", key) for key in params.secrets)
    expected = params.expected_output
    if expected is not None and expected.artifact_kind is not None:
        yield Target("artifact", expected.artifact_kind)
