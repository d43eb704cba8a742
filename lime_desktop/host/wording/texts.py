"""What the shell says, in the person's language. Tables of texts; knows no widget.

A key is missing in no table that ships (a test sees to it); should one be missing after all, English stands in, and
the key itself as the last resort: a strange word on a button is better than a window that does not open.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from lime_desktop.host.wording.filling import fill

DEFAULT_LOCALE = "en"


class Texts(Protocol):
    """The texts of one language: a table, or whatever looks them up in the language of the moment."""

    @property
    def locale(self) -> str:
        """The language."""
        ...

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its values filled in."""
        ...

    def find_own(self, key: str) -> str | None:
        """What this language itself says, without English standing in."""
        ...


@dataclass(frozen=True, slots=True)
class TextTable:
    """The texts of one language as they were read."""

    locale: str
    table: Mapping[str, str]
    fallback: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its values filled in; an entry ending in `.one` serves the number one."""
        if values.get("count") == 1 and (single := self._find(f"{key}.one")) is not None:
            return fill(single, values)
        found = self._find(key)
        return key if found is None else fill(found, values) if values else found

    def find_own(self, key: str) -> str | None:
        """What this language itself says, without English standing in."""
        return self.table.get(key)

    def _find(self, key: str) -> str | None:
        return self.table.get(key, self.fallback.get(key))


def best_locale(wanted: Iterable[str], available: Iterable[str]) -> str:
    """The first wanted language that there is: exactly, or another form of the same language."""
    names = list(available)
    by_language = {name.partition("-")[0].lower(): name for name in names}
    for locale in wanted:
        spelled = locale.replace("_", "-").partition(".")[0]
        exact = next((name for name in names if name.lower() == spelled.lower()), None)
        if exact is not None:
            return exact
        if (near := by_language.get(spelled.partition("-")[0].lower())) is not None:
            return near
    return DEFAULT_LOCALE


def read_texts(folder: Path, wanted: Iterable[str]) -> TextTable:
    """Read the tables for the best of the wanted languages."""
    available = [path.stem for path in sorted(folder.glob("*.json"))]
    locale = best_locale(wanted, available)
    return TextTable(locale, _read_table(folder, locale), _read_table(folder, DEFAULT_LOCALE))


def _read_table(folder: Path, locale: str) -> Mapping[str, str]:
    """One language's texts, and what it says of problems with packages: in English their catalogue says that."""
    files = (folder / f"{locale}.json", folder.parent / "package_problems" / f"{locale}.json")
    said: dict[str, str] = {}
    for file in files:
        if file is files[0] or file.exists():
            said |= cast("dict[str, str]", json.loads(file.read_text(encoding="utf-8")))
    return said
