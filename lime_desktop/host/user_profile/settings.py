"""What the person chose (language, theme, text size, folders with apps) and how their window stands.

Small files, read if they can be, written whole or not at all, for their person alone.
"""

import json
import logging
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from lime_desktop.database.private_files import make_private_folder
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.protocol.wire import WireModel

_log = logging.getLogger(__name__)


class HostSettings(WireModel):
    """The choices of the person at this machine. Holds no secret."""

    locale: str | None = None
    """A language of the shell, or None to follow the system."""
    theme_mode: Literal["light", "dark", "system"] = "system"
    is_high_contrast: bool = False
    text_scale: float = Field(default=1.0, ge=0.8, le=2.0)
    has_notifications: bool = True
    """Whether the desktop is told of what waits for the person while the window is away."""
    stays_in_tray: bool = False
    """Whether closing the window leaves the program running behind its tray icon."""
    opens_without_sandbox: bool = False
    """Whether apps open where Chromium's own sandbox cannot be on."""
    link_sites: tuple[str, ...] = ()
    """Sites that an app may open in the browser without asking again, as `app site`."""
    is_welcomed: bool = False
    """Whether the person has been through the welcome."""
    is_model_offer_closed: bool = False
    """Whether the person does not want Home to offer that a model be set up."""
    has_developer_tools: bool = False
    """Whether views of apps can be inspected."""
    page_zoom: dict[str, int] = Field(default_factory=dict[str, int])
    """How large the pages of an app are shown, in percent; apps at their own size are not here."""
    package_paths: tuple[str, ...] = ()
    """Packages that were opened from their place on disk."""
    rail_order: tuple[str, ...] = ()
    """Apps in the order that the person gave them; others stand behind."""


def read_settings(path: Path) -> HostSettings:
    """Read the choices; a file that cannot be read counts as none made, and is kept aside."""
    return read_kept(path, HostSettings)


def write_settings(path: Path, settings: HostSettings) -> None:
    """Replace the file in one step: a crash leaves the old choices or the new ones."""
    write_kept(path, settings)


Kept = TypeVar("Kept", bound=WireModel)


def read_kept(path: Path, model: type[Kept]) -> Kept:
    """Read a file; one that cannot be read counts as nothing chosen, and is kept aside where that is possible."""
    try:
        return model.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return model()
    except (ValidationError, OSError) as problem:
        _log.warning("%s cannot be read: %s", path.name, type(problem).__name__)
        _put_aside(path)
        return model()


def write_kept(path: Path, kept: WireModel) -> None:
    """Replace the file in one step: a crash leaves the old content or the new.

    Raises:
        OSError: there is no room, or no right to write; what was there is as it was.
    """
    make_private_folder(path.parent)
    body = json.dumps(kept.to_wire(), ensure_ascii=False, indent=2).encode()
    write_durably(path, body, is_private=True)


def _put_aside(path: Path) -> None:
    try:
        path.replace(path.with_suffix(".unreadable"))
    except OSError:
        _log.warning("%s cannot be put aside either", path.name)


class OpenEntry(WireModel):
    """One entry that was open."""

    app_id: str
    entry_key: str
    is_beside: bool = False
    """Whether it stood in the second half of a split window."""
    is_current: bool = False
    session_id: str | None = None
    """The conversation that was shown, where the entry is one."""
    run_id: str | None = None
    """The run of a workflow that was shown, where the entry is one."""
    panel_of: str | None = None
    """The entry that it stood beside, where it is a panel."""
    panel_width: int | None = None
    """How wide the person had it there."""


class WindowState(WireModel):
    """Kept beside the settings. Holds nothing of an app's content."""

    geometry: str = ""
    """Qt's own notation of size and place, in base64."""
    entries: tuple[OpenEntry, ...] = Field(default=(), max_length=50)
