"""Error codes in their ranges, locales that add up, translation files that can be read."""

import json
import re
from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.app_package.text.located import LocatedMap

_ERROR_CODE = re.compile(r"APP_E[01239][0-9]{2}")


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check what the app says to people."""
    yield from _error_codes(facts)
    yield from _locales(facts)
    for path in _translation_files(facts):
        yield from _translation_file(facts, path)


def _error_codes(facts: PackageFacts) -> Iterator[Problem]:
    errors = facts.get("errors")
    seen: set[str] = set()
    for name in errors if isinstance(errors, LocatedMap) else ():
        code = facts.text("errors", name, "code")
        if code is None:
            continue
        place = facts.place("errors", name, "code")
        if not _ERROR_CODE.fullmatch(code):
            yield rules.ERROR_CODE_INVALID.found("The code is in none of the ranges.", place)
        elif code in seen:
            yield rules.KEY_NOT_UNIQUE.found("Two errors have the same code.", place)
        seen.add(code)


def _locales(facts: PackageFacts) -> Iterator[Problem]:
    supported = {locale for _, locale in facts.texts("i18n", "supportedLocales")}
    if not supported:
        return
    default = facts.text("i18n", "defaultLocale")
    if default is not None and default not in supported:
        place = facts.place("i18n", "defaultLocale")
        yield rules.LOCALE_MISSING.found("The default locale is not supported.", place)
    translations = facts.get("i18n", "translations")
    translated = set(translations) if isinstance(translations, LocatedMap) else set[str]()
    for path, locale in facts.texts("i18n", "supportedLocales"):
        if translated and locale not in translated:
            message = "The locale has no translation file."
            yield rules.LOCALE_MISSING.found(message, facts.place(*path))
    fallback = facts.get("i18n", "fallback")
    for locale, other in fallback.items() if isinstance(fallback, LocatedMap) else ():
        if isinstance(other, str) and other not in supported:
            message = "The locale to fall back on is not supported."
            yield rules.LOCALE_MISSING.found(message, facts.place("i18n", "fallback", locale))


def _translation_files(facts: PackageFacts) -> list[str]:
    """Files that the manifest names, and those that lie in `locales/` by convention."""
    translations = facts.get("i18n", "translations")
    named = translations.values() if isinstance(translations, LocatedMap) else ()
    paths = [normalised(path) for path in named if isinstance(path, str)]
    paths += [path for path in facts.reader.tree.files if _is_in_locales(path)]
    return [path for path in dict.fromkeys(paths) if path and facts.reader.has(path)]


def _is_in_locales(path: str) -> bool:
    return path.startswith("locales/") and path.endswith(".json")


def _translation_file(facts: PackageFacts, path: str) -> Iterator[Problem]:
    """Read with the standard library: large, plain, and of no interest line by line."""
    data = facts.reader.bytes(path)
    if data is None:
        return
    try:
        texts: object = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        # Ours knows the line.
        facts.reader.json(path)
        return
    if not isinstance(texts, dict):
        message = "The file does not hold an object."
        yield rules.LOCALE_FILE_INVALID.found(message, Place(path, 1))


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
