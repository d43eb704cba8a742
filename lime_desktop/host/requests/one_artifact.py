"""What a view may not reach that was opened to show one artifact: every other one of its app."""

from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.protocol.capability_calls.artifacts import ArtifactParams, CreateArtifactParams
from lime_desktop.protocol.capability_calls.ui import OpenArtifactParams
from lime_desktop.protocol.errors import ArtifactNotFound


def refuse_other_artifacts(asked: AskedCall, only: str) -> None:
    """Refuse a call that names another artifact than the one the view was opened for.

    Raises:
        ArtifactNotFound: it does; for this view there is no such artifact.
    """
    match asked.checked:
        case ArtifactParams(artifact_id=named) | CreateArtifactParams(artifact_id=named):
            pass
        case OpenArtifactParams(id=named):
            pass
        case _:
            return
    if named is not None and named != only:
        raise ArtifactNotFound("This view was opened for one artifact, and sees no other")
