"""What a package shows of itself: its name, one line about it, its icon; in the person's language where there is one."""

from collections.abc import Mapping
from typing import cast

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.appearance.picture_cache import MOST_PICTURE_BYTES
from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.readiness.naming import plain_words

_FARTHEST = 9_999
"""The largest number that an app's place may have."""
UNORDERED = _FARTHEST + 1
"""The place of an app whose author names none."""


def title_of(manifest: Manifest, locale: str) -> str:
    """The name to show."""
    return plain_name(in_language(manifest.display_name_i18n, locale) or manifest.title)


def tagline_of(manifest: Manifest, locale: str) -> str:
    """One line about the app."""
    translated = in_language(manifest.short_description_i18n, locale)
    return plain_line(translated or manifest.short_description or manifest.description)


def home_text_of(manifest: Manifest, locale: str) -> str:
    """What stands on its tile: the author's text for Home, else the line about the app."""
    return plain_line(
        text_of(manifest.presentation or {}, "summary", locale) or tagline_of(manifest, locale)
    )


def category_of(manifest: Manifest, locale: str) -> str | None:
    """The shelf that the author puts it on, in words."""
    written = text_of(manifest.presentation or {}, "category", locale)
    return plain_name(plain_words(written).capitalize()) if written else None


def order_of(manifest: Manifest) -> int:
    """Its place among the apps, the lowest number first; after all others where the author names none."""
    hint: object = (manifest.presentation or {}).get("order")
    if not isinstance(hint, int) or isinstance(hint, bool):
        return UNORDERED
    return min(max(hint, -_FARTHEST), _FARTHEST)


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


def text_of(written: Mapping[str, object], name: str, locale: str) -> str | None:
    """A text of an object whose keys the standard leaves open: `titleI18n` before `title`, None where neither is one."""
    translated = written.get(f"{name}I18n")
    names = cast("Mapping[str, object]", translated if isinstance(translated, dict) else {})
    words = {tag: text for tag, text in names.items() if isinstance(text, str)}
    found = in_language(words, locale) or written.get(name)
    return found if isinstance(found, str) and found.strip() else None
