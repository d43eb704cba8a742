"""What a person may do with a run beside reading it: stop it, read what it made, take its evidence along."""

import asyncio
import shutil
from pathlib import Path

from lime_desktop.file_names import shown_name
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.user_profile.user_paths import app_server_folder
from lime_desktop.host.view.shown_artifact import ShownArtifact, shown_artifact
from lime_desktop.protocol.calls.artifacts import READ_ARTIFACT, ReadArtifactParams
from lime_desktop.protocol.calls.evidence import EXPORT_EVIDENCE, ExportEvidenceParams
from lime_desktop.protocol.calls.turns import CANCEL_TURN, CancelTurnParams
from lime_desktop.protocol.errors import HostActionFailed, InternalError
from lime_desktop.protocol.ids import AppId, ArtifactId, SessionId, TurnId

_TIMEOUT_S = 30.0
_LONGEST_S = 600.0
"""Writing a pack takes as long as the run was."""


async def stop_run(call: CallServer, session_id: str, turn_id: str) -> None:
    """Stop what the agent is doing."""
    asked = CancelTurnParams(session_id=SessionId(session_id), turn_id=TurnId(turn_id))
    await call(CANCEL_TURN, asked, timeout_s=_TIMEOUT_S)


async def read_result(call: CallServer, app_id: str, artifact_id: str) -> ShownArtifact:
    """Something that a run made, to be read."""
    asked = ReadArtifactParams(app_id=AppId(app_id), artifact_id=ArtifactId(artifact_id))
    found = await call(READ_ARTIFACT, asked, timeout_s=_TIMEOUT_S)
    return shown_artifact(found.artifact, call)


async def export_evidence(call: CallServer, session_id: str, data: Path, into: Path) -> Path:
    """Write what is known of a run into a folder of its own, which `lime-desktop evidence verify` can check.

    The App Server writes it among its own data; it never says where those lie, so the host has to know.

    Raises:
        HostActionFailed: it could not be written there.
    """
    asked = ExportEvidenceParams(session_id=SessionId(session_id), include_evidence_pack=True)
    written = (await call(EXPORT_EVIDENCE, asked, timeout_s=_LONGEST_S)).evidence_pack
    if written is None:
        raise InternalError("The App Server wrote no evidence")
    own = app_server_folder(data).resolve()
    source = (own / written.pack_relative_root).resolve()
    if not source.is_relative_to(own):
        raise InternalError("The App Server named a place that is not its own")
    target = into / shown_name(f"evidence-{written.evidence_id}")
    try:
        await asyncio.to_thread(shutil.copytree, source, target)
    except OSError as error:
        raise HostActionFailed(f"The evidence could not be written: {error.strerror}") from None
    return target
