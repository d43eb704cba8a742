"""The sections of the settings, in the order they are listed."""

from lime_desktop.shell.settings import (
    about,
    agents,
    developer,
    general,
    grants,
    models,
    organisation,
    privacy,
    providers,
    sources,
    storage,
    tools,
    workspace,
)
from lime_desktop.shell.settings.section import Section, once_open

SECTIONS: tuple[Section, ...] = (
    Section("general", "sun", general.build),
    Section("models", "model", models.build),
    Section("providers", "globe", providers.build),
    Section("agents", "sparkle", agents.build),
    Section("tools", "tool", tools.build),
    Section("grants", "shield", grants.build, grants.shows),
    Section("sources", "package", once_open(sources.build)),
    Section("organisation", "user", once_open(organisation.build)),
    Section("workspace", "folder", once_open(workspace.build), workspace.shows),
    Section("privacy", "evidence", privacy.build),
    Section("storage", "database", storage.build),
    Section("developer", "code", developer.build),
    Section("about", "info", about.build),
)
