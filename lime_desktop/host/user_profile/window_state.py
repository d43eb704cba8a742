"""How the window stands: its place, and what is open in it, as the next start finds it."""

from pydantic import Field

from lime_desktop.protocol.wire import WireModel


class OpenEntry(WireModel):
    """One entry that was open."""

    app_id: str
    entry_key: str
    is_beside: bool = False
    """Whether it stood in the second half of a split window."""
    is_current: bool = False


class WindowState(WireModel):
    """Kept beside the settings. Holds nothing of an app's content."""

    geometry: str = ""
    """Qt's own notation of size and place, in base64."""
    entries: tuple[OpenEntry, ...] = Field(default=(), max_length=50)
