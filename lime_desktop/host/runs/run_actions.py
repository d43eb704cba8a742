"""What a person may do with a run beside reading it: stop it, and read what it made."""

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.view.shown_artifact import ShownArtifact, shown_artifact
from lime_desktop.protocol.calls.artifacts import READ_ARTIFACT, ReadArtifactParams
from lime_desktop.protocol.calls.turns import CANCEL_TURN, CancelTurnParams
from lime_desktop.protocol.ids import AppId, ArtifactId, SessionId, TurnId

_TIMEOUT_S = 30.0


async def stop_run(call: CallServer, session_id: str, turn_id: str) -> None:
    """Stop what the agent is doing."""
    asked = CancelTurnParams(session_id=SessionId(session_id), turn_id=TurnId(turn_id))
    await call(CANCEL_TURN, asked, timeout_s=_TIMEOUT_S)


async def read_result(call: CallServer, app_id: str, artifact_id: str) -> ShownArtifact:
    """Something that a run made, to be read."""
    asked = ReadArtifactParams(app_id=AppId(app_id), artifact_id=ArtifactId(artifact_id))
    found = await call(READ_ARTIFACT, asked, timeout_s=_TIMEOUT_S)
    return shown_artifact(found.artifact, call)
