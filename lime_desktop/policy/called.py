"""What a capability call does and reaches for, as policy hears of it: read from its row and its arguments.

The same for everybody who makes one: a page by way of the host, and a step of a workflow in the App Server.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.policy.call import Target
from lime_desktop.policy.vocabulary import Access, TargetKind
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.bridge.from_app import OpenExternalPayload
from lime_desktop.protocol.capability_calls.artifacts import CreateArtifactParams
from lime_desktop.protocol.capability_calls.call import Call, Effect
from lime_desktop.protocol.capability_calls.events import EmitParams, SubscribeTopicParams
from lime_desktop.protocol.capability_calls.knowledge import (
    KnowledgeKeyParams,
    KnowledgeSearchParams,
)
from lime_desktop.protocol.capability_calls.secrets import SecretKeyParams
from lime_desktop.protocol.capability_calls.tools import InvokeToolParams
from lime_desktop.protocol.capability_calls.workflow import StartWorkflowParams

ACCESS: Mapping[Effect, Access] = {
    Effect.READ: "read",
    Effect.ASK: "read",
    Effect.WRITE: "write",
    Effect.EXECUTE: "execute",
    Effect.EXTERNAL: "execute",
}
_SIDE_EFFECTS: Mapping[str, SideEffect] = {
    "lime.artifacts.create": "artifact_create",
    "lime.documents.export": "artifact_create",
    "lime.ui.download": "local_file_write",
}
"""What is known of a method before its arguments are; what a tool does is judged where tools run."""

Read = Callable[[Any], Iterable[Target]]
"""Reads the targets out of arguments of one kind."""


def side_effect_of(call: Call[Any, Any]) -> SideEffect:
    """What a call does to the world, whatever its arguments are."""
    if call.capability == "lime.storage" and call.effect is Effect.WRITE:
        return "app_storage_write"
    return _SIDE_EFFECTS.get(call.name, "none")


def targets_of(params: object) -> tuple[Target, ...]:
    """Name the tools, sites, secrets and so on that these arguments lead to."""
    read = _reader_of(type(params))
    return () if read is None else tuple(read(params))


def leads_on(kind: type[object]) -> bool:
    """Tell whether arguments of this kind lead to anything that policy goes by."""
    return _reader_of(kind) is not None


@cache
def _reader_of(kind: type[object]) -> Read | None:
    """Looked up once for each of the table's kinds: trying every model on every call takes long."""
    return next((_READERS[each] for each in kind.__mro__ if each in _READERS), None)


def _named(kind: TargetKind, field: str) -> Read:
    def read(params: object) -> Iterator[Target]:
        name = getattr(params, field)
        if name is not None:
            yield Target(kind, name)

    return read


def _targets_of_task(params: StartTaskParams) -> Iterator[Target]:
    """What a task may use is what its app may use."""
    yield from (Target("knowledge", each.key) for each in params.knowledge)
    yield from (Target("tool", each.key) for each in params.tools)
    yield from (Target("secret", key) for key in params.secrets)
    expected = params.expected_output
    if expected is not None and expected.artifact_kind is not None:
        yield Target("artifact", expected.artifact_kind)


_READERS: Mapping[type[object], Read] = {
    StartTaskParams: _targets_of_task,
    OpenExternalPayload: _named("domain", "url"),
    InvokeToolParams: _named("tool", "declared_key"),
    SecretKeyParams: _named("secret", "key"),
    KnowledgeKeyParams: _named("knowledge", "key"),
    KnowledgeSearchParams: _named("knowledge", "template"),
    StartWorkflowParams: _named("workflow", "key"),
    CreateArtifactParams: _named("artifact", "kind"),
    EmitParams: _named("event", "topic"),
    SubscribeTopicParams: _named("event", "topic"),
}
"""Arguments of any other kind lead nowhere."""
