"""The sections of the settings, in the order they are listed."""

from lime_desktop.shell.settings import (
    about,
    agents,
    developer,
    general,
    grants,
    models,
    privacy,
    storage,
)
from lime_desktop.shell.settings.section import Section

SECTIONS: tuple[Section, ...] = (
    Section("general", "sun", general.build),
    Section("grants", "shield", grants.build),
    Section("privacy", "globe", privacy.build),
    Section("models", "model", models.build),
    Section("agents", "sparkle", agents.build),
    Section("storage", "database", storage.build),
    Section("developer", "code", developer.build),
    Section("about", "info", about.build),
)
