"""Why an update was not done. The codes are stable: scripts and the window's texts go by them."""

from enum import StrEnum


class UpdateCode(StrEnum):
    """What stood in the way."""

    UNREACHABLE = "UPDATE_UNREACHABLE"
    """The server did not answer, or not with what was asked for."""
    EXPIRED = "UPDATE_EXPIRED"
    """What the server shows is signed, and too old to be believed."""
    REPLAYED = "UPDATE_REPLAYED"
    """What the server shows is signed, and older than what was seen before."""
    NOT_SIGNED = "UPDATE_NOT_SIGNED"
    """The signatures are not those of the vendor."""
    TAMPERED = "UPDATE_TAMPERED"
    """A file is not the one that was signed."""
    MALFORMED = "UPDATE_MALFORMED"
    """Signed, and not to be understood, or it names files outside of its folder."""
    TOO_LARGE = "UPDATE_TOO_LARGE"
    """More bytes came than were announced."""
    TOO_SLOW = "UPDATE_TOO_SLOW"
    """The bytes came too slowly to ever end."""
    WRONG_CHANNEL = "UPDATE_WRONG_CHANNEL"
    """The release is of another channel, or there is no such channel."""
    WRONG_PRODUCT = "UPDATE_WRONG_PRODUCT"
    """The release is of another program or another kind of computer."""
    OLDER_VERSION = "UPDATE_OLDER_VERSION"
    """The version is older than one that this channel has offered before."""
    NO_EARLIER = "UPDATE_NO_EARLIER"
    """There is no earlier version to go back to."""
    WITHDRAWN = "UPDATE_WITHDRAWN"
    """The vendor withdrew the version that was to be gone back to."""
    NOTHING_NEW = "UPDATE_NOTHING_NEW"
    """There is nothing to apply."""
    DISK_FULL = "UPDATE_DISK_FULL"
    """There is too little room on the disk."""
    NOT_WRITABLE = "UPDATE_NOT_WRITABLE"
    """The folder of the installation cannot be written."""
    BUSY = "UPDATE_BUSY"
    """Another process is updating."""
    CANCELLED = "UPDATE_CANCELLED"
    """The person stopped it."""
    SYSTEM_PACKAGE = "UPDATE_SYSTEM_PACKAGE"
    """Installed for the whole computer: its package manager updates it."""
    NOT_INSTALLED = "UPDATE_NOT_INSTALLED"
    """Runs from source or from a Python environment, which update in their own way."""
    RUNTIME_BACKED = "UPDATE_RUNTIME_BACKED"
    """A product that runs on an installed Lime Desktop, which is not its to update."""
    NO_SOURCE = "UPDATE_NO_SOURCE"
    """This build names no place that updates come from."""
    FILE_UNREADABLE = "UPDATE_FILE_UNREADABLE"
    """The update file cannot be read."""
    PUBLISHING = "UPDATE_PUBLISHING"
    """What was to be published would not do; the reason says why."""


class UpdateRefused(Exception):
    """Not done, nothing changed; the code says what kind of thing it was, the reason what exactly."""

    def __init__(self, code: UpdateCode, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason
