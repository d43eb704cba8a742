"""What a package shows of itself: its name, one line about it, its icon; in the person's language where there is one."""

from collections.abc import Mapping

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.appearance.picture_cache import MOST_PICTURE_BYTES
from lime_desktop.protocol.plain_text import plain_line, plain_name


def title_of(manifest: Manifest, locale: str) -> str:
    """The name to show."""
    return plain_name(in_language(manifest.display_name_i18n, locale) or manifest.title)


def tagline_of(manifest: Manifest, locale: str) -> str:
    """One line about the app."""
    translated = in_language(manifest.short_description_i18n, locale)
    return plain_line(translated or manifest.short_description or manifest.description)


def package_icon(package: AppPackage) -> bytes | None:
    """The bytes of the icon, if the package has one that is really there."""
    named = (package.manifest.presentation or {}).get("icon")
    path = named.removeprefix("./") if isinstance(named, str) else "assets/icon.svg"
    try:
        entry = package.tree.files.get(path)
        is_there = entry is not None and entry.size <= MOST_PICTURE_BYTES
        return package.tree.read(path) if is_there else None
    except OSError:
        return None


def in_language(names: Mapping[str, str] | None, locale: str) -> str | None:
    """The text for a language: exactly, or another form of the same one."""
    if not names:
        return None
    language = locale.partition("-")[0]
    near = (name for tag, name in names.items() if tag.partition("-")[0] == language)
    return names.get(locale) or next(near, None)
