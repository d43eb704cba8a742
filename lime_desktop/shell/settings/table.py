"""The sections of the settings, in the order they are listed. Each is loaded when it is first shown."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.product import Product
from lime_desktop.shell.settings.section import Section, SectionContext, once_open


def _of(module: str, function: str) -> Callable[..., Any]:
    """A function of a section's module. The palette and the list name every section at the start; few are opened."""

    def call(*given: object) -> Any:
        section = import_module(f"lime_desktop.shell.settings.{module}")
        return getattr(section, function)(*given)

    return call


def _build(module: str) -> Callable[[SectionContext], QWidget]:
    return _of(module, "build")


def _shows(module: str) -> Callable[[AppRegistry], object]:
    return _of(module, "shows")


SECTIONS: tuple[Section, ...] = (
    Section("general", "sun", _build("general")),
    Section("models", "model", _build("models")),
    Section("providers", "globe", _build("providers")),
    Section("agents", "sparkle", _build("agents")),
    Section("tools", "tool", _build("tools")),
    Section("grants", "shield", _build("grants"), _shows("grants")),
    Section("sources", "package", once_open(_of("sources", "build"))),
    Section("organisation", "user", once_open(_of("organisation", "build"))),
    Section("workspace", "folder", once_open(_of("workspace", "build")), _shows("workspace")),
    Section("privacy", "evidence", _build("privacy"), _shows("storage")),
    Section("storage", "database", _build("storage"), _shows("storage")),
    Section("developer", "code", _build("developer")),
    Section("about", "info", _build("about")),
)
_OF_MANY_APPS = frozenset({"sources", "developer"})
"""What has no place in a product of its own: where other apps come from, and opening packages that one works on."""


def sections_of(product: Product) -> tuple[Section, ...]:
    """The sections that a product has."""
    if not product.is_branded:
        return SECTIONS
    return tuple(each for each in SECTIONS if each.key not in _OF_MANY_APPS)
