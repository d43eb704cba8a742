"""What the person chose: language, theme, text size, folders with apps. One small file, written whole or not at all."""

import json
import os
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

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
    package_paths: tuple[str, ...] = ()
    """Packages that were opened from their place on disk."""


def read_settings(path: Path) -> HostSettings:
    """Read the choices; a file that cannot be read counts as none made, and is kept aside."""
    try:
        return HostSettings.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return HostSettings()
    except (ValidationError, OSError):
        path.replace(path.with_suffix(".unreadable"))
        return HostSettings()


def write_settings(path: Path, settings: HostSettings) -> None:
    """Replace the file in one step: a crash leaves the old choices or the new ones."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(settings.to_wire(), file, ensure_ascii=False, indent=2)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
