"""The texts that an app brings in other languages (`app.i18n.yaml`): what the host calls its entries and other parts."""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import cast

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.manifest.identity import I18n

MOST_BYTES = 1024 * 1024
"""Of one file: more texts than any host shows titles of."""


class Translations:
    """One package's texts; a file is read when its language is first asked for."""

    def __init__(self, tree: PackageTree, declared: I18n | None) -> None:
        self._tree = tree
        self._declared = declared
        self._read: dict[str, Mapping[str, object]] = {}

    def title(self, locale: str, *path: str) -> str | None:
        """What a part is called, such as `entries`, `dashboard`; None where no language of the chain says it."""
        for wanted in self._chain(locale):
            texts = self._texts(wanted)
            if found := _find(texts, (*path, "title")) or _find(texts, path):
                return found
        return None

    def text(self, locale: str, *path: str) -> str | None:
        """The text at a path, such as `errors`, `APP_E101`, `userAction`; None where no language of the chain says it."""
        found = (_find(self._texts(wanted), path) for wanted in self._chain(locale))
        return next((each for each in found if each), None)

    @cached_property
    def _locales(self) -> tuple[str, ...]:
        return tuple(self._declared.translations) if self._declared else ()

    def _chain(self, locale: str) -> Iterator[str]:
        """The language itself, those the author puts in its place, another form of it, the app's usual one."""
        if self._declared is None or not self._locales:
            return
        named = dict.fromkeys(self._fallbacks(locale))
        language = locale.partition("-")[0]
        near = [each for each in self._locales if each.partition("-")[0] == language]
        # Another form stands in with what the author puts in its place: `en` for `en-GB` for `en-US`.
        named |= dict.fromkeys(each for form in near for each in self._fallbacks(form))
        usual = self._declared.default_locale or next(iter(self._declared.supported_locales), None)
        yield from dict.fromkeys((*named, *((usual,) if usual else ())))

    def _fallbacks(self, locale: str) -> Iterator[str]:
        seen: set[str] = set()
        following: str | None = locale
        fallback = self._declared.fallback if self._declared else {}
        while following is not None and following not in seen:
            seen.add(following)
            yield following
            following = fallback.get(following)

    def _texts(self, locale: str) -> Mapping[str, object]:
        if locale not in self._read:
            self._read[locale] = self._load(locale)
        return self._read[locale]

    def _load(self, locale: str) -> Mapping[str, object]:
        written = self._declared.translations.get(locale, "") if self._declared else ""
        path = normalised(written) or ""
        entry = self._tree.files.get(path)
        if entry is None or entry.size > MOST_BYTES:
            return {}
        try:
            texts: object = json.loads(self._tree.read(path).decode("utf-8-sig"))
        except (OSError, ValueError, RecursionError):
            # A file that cannot be read is a problem of the package, and told as one.
            return {}
        return cast("Mapping[str, object]", texts) if isinstance(texts, dict) else {}


def _find(texts: Mapping[str, object], path: tuple[str, ...]) -> str | None:
    """A text by its path, nested or as one flat key."""
    found: object = texts
    for part in path:
        found = cast("Mapping[str, object]", found).get(part) if isinstance(found, dict) else None
    flat = texts.get(".".join(path))
    return next((each for each in (found, flat) if isinstance(each, str) and each), None)
