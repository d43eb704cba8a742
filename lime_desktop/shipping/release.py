"""What a channel offers just now, and whether this installation is among those it is offered to. Pure."""

import hashlib
import platform
import re
import sys
from collections.abc import Mapping

import msgspec

from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.versions import parse_version

FORMAT = 1
MAX_RELEASE_BYTES = 256 * 1024
MAX_NOTES_CHARS = 32_000
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,40}")


class Release(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The content of a channel's `latest.json`."""

    format: int
    product: str
    platform: str
    channel: str
    version: str
    rollout: int
    """Of a hundred installations, how many are offered it."""
    paused: bool
    minimum_version: str
    """Older ones are withdrawn: they do not wait for their turn, and nobody goes back to one by hand."""
    notes: Mapping[str, str]
    """What is new, by language."""

    def to_bytes(self) -> bytes:
        """As it is published."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"

    def notes_in(self, locale: str) -> str:
        """What is new, in a language or the next best."""
        language = locale.partition("-")[0]
        near = next((text for name, text in self.notes.items() if name.startswith(language)), None)
        return self.notes.get(locale) or near or self.notes.get("en") or ""


def latest_path(channel: str, for_platform: str) -> str:
    """Where a channel's release lies among the targets."""
    return f"channels/{check_name(channel)}/{check_name(for_platform)}/latest.json"


def manifest_path(version: str, for_platform: str) -> str:
    """Where a version's manifest lies among the targets."""
    return f"versions/{version}/{check_name(for_platform)}/manifest.json"


def blob_path(sha256: str) -> str:
    """Where a piece lies, beside the targets: its name says what is in it."""
    return f"blobs/{sha256[:2]}/{sha256}.z"


def check_name(name: str) -> str:
    """A name of a channel, a product or a platform.

    Raises:
        UpdateRefused: it is none.
    """
    if not _NAME.fullmatch(name):
        raise UpdateRefused(
            UpdateCode.MALFORMED, f"{name[:60]!r} is no name: use a-z, 0-9, - and _"
        )
    return name


def this_platform() -> str:
    """The kind of computer that this program was built for."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    machine = platform.machine().lower()
    return f"{system}-{ {'amd64': 'x86_64', 'aarch64': 'arm64'}.get(machine, machine) or 'any' }"


def parse_release(data: bytes, *, product: str, channel: str, for_platform: str) -> Release:
    """Read a release that is to be of this product, channel and platform.

    Raises:
        UpdateRefused: it cannot be understood, or is of another.
    """
    try:
        release = msgspec.json.decode(data, type=Release)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UpdateRefused(UpdateCode.MALFORMED, f"the release cannot be read: {error}") from error
    check_release(release)
    if release.channel != channel:
        raise UpdateRefused(UpdateCode.WRONG_CHANNEL, f"this is a release of {release.channel}")
    if (release.product, release.platform) != (product, for_platform):
        found = f"{release.product} for {release.platform}"
        raise UpdateRefused(UpdateCode.WRONG_PRODUCT, f"this is a release of {found}")
    return release


def check_release(release: Release) -> None:
    """Judge what a release says of itself.

    Raises:
        UpdateRefused: it makes no sense.
    """
    if release.format != FORMAT:
        raise UpdateRefused(UpdateCode.MALFORMED, f"the release has format {release.format}")
    for name in (release.product, release.platform, release.channel):
        check_name(name)
    if parse_version(release.minimum_version) > parse_version(release.version):
        raise UpdateRefused(UpdateCode.MALFORMED, "the release is older than the minimum it names")
    if not 0 <= release.rollout <= 100:
        raise UpdateRefused(UpdateCode.MALFORMED, "a rollout is between 0 and 100 percent")
    if sum(map(len, release.notes.values())) > MAX_NOTES_CHARS:
        raise UpdateRefused(UpdateCode.MALFORMED, "the notes are too long")


def is_in_rollout(release: Release, install_id: str) -> bool:
    """Whether this installation's turn has come. Other versions begin with other installations."""
    digest = hashlib.sha256(f"{install_id}:{release.version}".encode()).digest()
    return int.from_bytes(digest[:8]) % 100 < release.rollout
