"""The app's deliverables, for its agent: made in the kinds that the manifest declares, and read again."""

import msgspec

from lime_desktop.app_server.tools.catalogue import PolicyAsk
from lime_desktop.app_server.tools.host_tools.provenance import provenance_of
from lime_desktop.app_server.tools.host_tools.schemas import NAME, object_schema
from lime_desktop.app_server.tools.host_tools.service_tool import (
    Caller,
    Said,
    ServiceToolKind,
    host_row,
)
from lime_desktop.policy.call import Target
from lime_desktop.protocol.calls.app_artifacts import (
    CREATE_ARTIFACT,
    LIST_ARTIFACTS,
    READ_ARTIFACT,
    CreateArtifactParams,
    CreateArtifactResult,
    ListArtifactsParams,
    ListArtifactsResult,
    ReadArtifactParams,
    ReadArtifactResult,
)
from lime_desktop.protocol.ids import ArtifactId, JsonObject

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


def _create_params(arguments: JsonObject, caller: Caller) -> CreateArtifactParams:
    content = msgspec.json.encode(arguments["content"]).decode()
    others = {name: value for name, value in arguments.items() if name != "content"}
    return CreateArtifactParams.model_validate(
        {
            "appId": caller.app.app_id,
            "contentJson": content,
            "provenance": provenance_of(caller),
            **others,
        }
    )


def _say_created(result: CreateArtifactResult) -> Said:
    made = result.artifact
    return Said(
        f"Made {made.artifact_id}, version {made.version}.", (made.artifact_id, made.content_ref)
    )


def _read_params(arguments: JsonObject, caller: Caller) -> ReadArtifactParams:
    return ReadArtifactParams(
        app_id=caller.app.app_id, artifact_id=ArtifactId(str(arguments["artifactId"]))
    )


def _say_content(result: ReadArtifactResult) -> Said:
    found = result.artifact
    text = found.content_json or f"A file of {found.size_bytes} bytes ({found.media_type})."
    return Said(text, (found.artifact_id, found.content_ref))


def _list_params(arguments: JsonObject, caller: Caller) -> ListArtifactsParams:
    return ListArtifactsParams.model_validate({"appId": caller.app.app_id, **arguments})


def _say_list(result: ListArtifactsResult) -> Said:
    lines = [
        f"{each.artifact_id}: {each.title} ({each.kind}, version {each.version})"
        for each in result.artifacts
    ]
    return Said("\n".join(lines) or "There is none.")


ARTIFACT_TOOLS = (
    ServiceToolKind(
        host_row(
            name="artifact_create",
            title="Make a deliverable",
            description="Keep a deliverable of one of the app's declared kinds, or a new version of one.",
            input_schema=object_schema(
                {"kind": NAME, "title": NAME, "content": {}, "artifactId": NAME}, "kind", "content"
            ),
            keywords=_KEYWORDS,
        ),
        _create_ask,
        CREATE_ARTIFACT,
        _create_params,
        _say_created,
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
        READ_ARTIFACT,
        _read_params,
        _say_content,
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
        LIST_ARTIFACTS,
        _list_params,
        _say_list,
    ),
)
