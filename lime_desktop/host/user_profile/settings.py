"""What the person chose: language, theme, text size, folders with apps. One small file, written whole or not at all."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from lime_desktop.host.user_profile.choice_file import read_kept, write_kept
from lime_desktop.protocol.wire import WireModel


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
