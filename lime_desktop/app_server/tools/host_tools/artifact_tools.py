"""The app's deliverables, for its agent: made in the kinds that the manifest declares, and read again."""

import msgspec

from lime_desktop.app_server.artifacts.facts import artifact_changed
from lime_desktop.app_server.artifacts.service import AppArtifacts
from lime_desktop.app_server.tools.catalogue import PolicyAsk
from lime_desktop.app_server.tools.host_tools.schemas import NAME, object_schema
from lime_desktop.app_server.tools.host_tools.service_tool import (
    Said,
    ServiceToolKind,
    by_call,
    host_row,
)
from lime_desktop.policy.call import Target
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.artifacts import StoredArtifact
from lime_desktop.protocol.capability_calls.artifacts import (
    CREATE_ARTIFACT,
    LIST_ARTIFACTS,
    ListArtifactsParams,
    ListArtifactsResult,
)
from lime_desktop.protocol.ids import JsonObject

_KEYWORDS = ("artifact", "deliverable", "report", "产物", "报告")


def _create_ask(arguments: JsonObject) -> PolicyAsk:
    kind = arguments.get("kind")
    return PolicyAsk(
        capability="lime.artifacts",
        method="create",
        access="write",
        side_effect="artifact_create",
        targets=(Target("artifact", kind),) if isinstance(kind, str) else (),
    )


def _say_created(made: StoredArtifact) -> Said:
    return Said(
        f"Made {made.artifact_id}, version {made.version}.",
        (made.artifact_id, made.content_ref),
        (artifact_changed(made),),
    )


def _say_content(found: StoredArtifact) -> Said:
    text = f"A file of {found.size_bytes} bytes ({found.media_type})."
    if found.content is not None:
        text = msgspec.json.encode(found.content).decode()
    return Said(text, (found.artifact_id, found.content_ref))


def _say_list(_: ListArtifactsParams, result: ListArtifactsResult) -> Said:
    lines = [
        f"{each.id}: {each.title} ({each.kind}, version {each.version})" for each in result.root
    ]
    return Said("\n".join(lines) or "There is none.")


def artifact_tools(artifacts: AppArtifacts) -> tuple[ServiceToolKind, ...]:
    """Making, reading and listing."""

    async def create(arguments: JsonObject, caller: AppCaller) -> Said:
        params = CREATE_ARTIFACT.check_params(arguments)
        return _say_created(await artifacts.keep(params, caller.provenance))

    async def read(arguments: JsonObject, caller: AppCaller) -> Said:
        return _say_content(await artifacts.find(caller.app_id, str(arguments["artifactId"])))

    return (
        ServiceToolKind(
            host_row(
                name="artifact_create",
                title="Make a deliverable",
                description="Keep a deliverable of one of the app's declared kinds, or a new version of one.",
                input_schema=object_schema(
                    {"kind": NAME, "title": NAME, "content": {}, "artifactId": NAME},
                    "kind",
                    "content",
                ),
                keywords=_KEYWORDS,
            ),
            _create_ask,
            create,
        ),
        ServiceToolKind(
            host_row(
                name="artifact_read",
                title="Read a deliverable",
                description="Read the newest version of one of the app's deliverables.",
                input_schema=object_schema({"artifactId": NAME}, "artifactId"),
                keywords=_KEYWORDS,
                is_read_only=True,
            ),
            lambda _arguments: PolicyAsk(capability="lime.artifacts", method="get"),
            read,
        ),
        ServiceToolKind(
            host_row(
                name="artifact_list",
                title="List deliverables",
                description="List the app's deliverables, newest first.",
                input_schema=object_schema({"kind": NAME}),
                keywords=_KEYWORDS,
                is_read_only=True,
            ),
            lambda _arguments: PolicyAsk(capability="lime.artifacts", method="list"),
            by_call(LIST_ARTIFACTS, artifacts.list, _say_list),
        ),
    )
