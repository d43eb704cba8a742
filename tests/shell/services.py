"""What the window's parts are given, made as the program makes it. Shared by tests."""

from pathlib import Path
from typing import Any

from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.shell.developer.services import DeveloperServices
from lime_desktop.shell.settings.section import SettingsServices
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders

_RESOURCES = Path(__file__).parents[2] / "resources"


def make_services(data: Path, **choices: Any) -> Composition:
    """Everything over an empty folder, in English and in the light unless chosen otherwise."""
    folders = Folders(_RESOURCES, data, data / "settings.json")
    usual = {"locale": "en", "theme_mode": "light"}
    return Composition(folders, HostSettings.model_validate({**usual, **choices}))


def for_developer(services: Composition) -> DeveloperServices:
    """What the developer's loop stands on."""
    return DeveloperServices(
        services.look.texts,
        services.folders.resources,
        services.registry,
        services.setup,
        services.opened_tabs,
    )


def for_settings(services: Composition) -> SettingsServices:
    """What the sections of the settings show and change."""
    return SettingsServices(
        services.settings,
        services.brand,
        services.folders,
        services.registry,
        services.setup,
        services.models,
        services.unkept,
        lambda: None,
        services.updates,
    )
