"""What the runs of an app produced: found over all its sessions, read by reference."""

from dataclasses import dataclass

from lime_desktop.file_names import shown_name
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.acceptance import AcceptanceStatus
from lime_desktop.protocol.calls.artifacts import READ_ARTIFACTS, ReadArtifactsParams
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS, ListSessionsParams
from lime_desktop.protocol.ids import AppId, SessionId

_TIMEOUT_S = 30.0
_SESSIONS = 50


@dataclass(frozen=True, slots=True)
class Produced:
    """One artifact at its latest version."""

    session_id: str
    ref: str
    title: str
    kind: str
    artifact_id: str | None = None
    acceptance: AcceptanceStatus | None = None
    """Whether its latest version is accepted, where quality gates judged it."""

    @property
    def file_name(self) -> str:
        """A name for a file: the title, without what a file system could take amiss."""
        return shown_name(self.title, "" if "." in self.title else ".md", otherwise="artifact")


async def list_produced(
    call: CallServer, app_id: str, kinds: frozenset[str]
) -> tuple[Produced, ...]:
    """The artifacts of an app, newest session first; of these kinds only, where any are named."""
    asked = ListSessionsParams(app_id=AppId(app_id), limit=_SESSIONS)
    sessions = (await call(LIST_SESSIONS, asked, timeout_s=_TIMEOUT_S)).sessions
    found: list[Produced] = []
    for session in sessions:
        page = await call(
            READ_ARTIFACTS,
            ReadArtifactsParams(session_id=session.session_id),
            timeout_s=_TIMEOUT_S,
        )
        found += [
            Produced(
                session.session_id,
                each.artifact_ref,
                each.title or each.artifact_ref,
                each.kind or "",
                each.artifact_id,
                each.acceptance,
            )
            for each in page.artifacts
            if not kinds or each.kind in kinds
        ]
    return tuple(found)


async def read_produced(call: CallServer, artifact: Produced) -> str | None:
    """The text of an artifact, or None where it is no longer there."""
    asked = ReadArtifactsParams(
        session_id=SessionId(artifact.session_id), artifact_ref=artifact.ref, include_content=True
    )
    page = await call(READ_ARTIFACTS, asked, timeout_s=_TIMEOUT_S)
    return page.artifacts[0].content if page.artifacts else None
