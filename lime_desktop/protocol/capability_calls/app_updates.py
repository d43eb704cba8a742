"""lime.appUpdates: newer releases of the calling app."""

from typing import Literal

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.errors import (
    InstallRefused,
    PackageInvalid,
    SourceUnverified,
    UntrustedUrl,
    UpstreamFailed,
)
from lime_desktop.protocol.ids import AppId, NonEmpty, Timestamp
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.appUpdates"


class ReleaseFile(WireModel):
    """The package file of a release."""

    file_name: str
    url: Maybe[str] = None
    """Where it is published; absent for one in a folder of this machine."""
    sha256: Maybe[str] = None
    """What its source promises of it."""


class AppUpdate(WireModel):
    """A release newer than the installed one."""

    app_id: AppId
    current_version: str
    next_version: str
    source_kind: Literal["catalog-url", "catalog-folder"]
    artifact: ReleaseFile


class AppUpdatesSnapshot(WireModel):
    """What is there to install."""

    checked_at: Maybe[Timestamp] = None
    available_updates: tuple[AppUpdate, ...] = ()
    downloaded_updates: tuple[AppUpdate, ...] = ()


class UpdateVersionParams(CallParams):
    """The release meant."""

    version: Maybe[NonEmpty[str]] = None
    """The newest otherwise."""


class UpdateStatus(WireModel):
    """How an update stands. The answer never waits for a person."""

    version: str
    status: Literal["downloading", "downloaded", "pending", "applied", "rolled-back"]
    """`pending`: the person was asked; repeat the call to get the outcome."""


_FETCHED = (UntrustedUrl, SourceUnverified, PackageInvalid, InstallRefused, UpstreamFailed)
"""A release that cannot be fetched, is not what was promised, or may not be installed here."""

CALLS = (
    Call(NAME, "getSnapshot", Empty, AppUpdatesSnapshot, Effect.READ, "What is known."),
    Call(NAME, "check", Empty, AppUpdatesSnapshot, Effect.EXTERNAL, "Look for newer releases."),
    Call(NAME, "download", UpdateVersionParams, UpdateStatus, Effect.EXTERNAL,
         "Fetch and verify a release.",
         errors=_FETCHED),
    Call(NAME, "apply", UpdateVersionParams, UpdateStatus, Effect.ASK,
         "Ask the person to install a fetched release.",
         errors=_FETCHED),
    Call(NAME, "rollback", Empty, UpdateStatus, Effect.ASK,
         "Ask the person to go back to the release before.",
         errors=(InstallRefused,)),
)  # fmt: skip
