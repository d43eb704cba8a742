"""What the shell says, in the person's language. Tables of texts; knows no widget.

A key is missing in no table that ships (a test sees to it); should one be missing after all, English stands in, and
the key itself as the last resort: a strange word on a button is better than a window that does not open.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from lime_desktop.product import LIME, Product

DEFAULT_LOCALE = "en"
PRODUCT_NAME = LIME.name
"""What the tables call the product; a brand reads its own name there."""
_ALONE = ".alone"
"""Ends the key of what a product of one app says instead: it has no home, and no other apps."""
_NAME = re.compile(r"( ?)(?<![A-Za-z])Lime( Desktop)?(?![A-Za-z])( ?)")
_PLACE = re.compile(r"( ?)\{(\w+)\}( ?)")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_OR_SIGN = re.compile(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef“”‘’…]")
_LETTER_OR_DIGIT = re.compile(r"[A-Za-z0-9]")


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


def read_texts(folder: Path, wanted: Iterable[str], product: Product = LIME) -> TextTable:
    """Read the tables for the best of the wanted languages, as a product says them."""
    available = [path.stem for path in sorted(folder.glob("*.json"))]
    locale = best_locale(wanted, available)
    own, english = (_read_table(folder, each) for each in (locale, DEFAULT_LOCALE))
    if product.is_branded:
        own, english = (_said_by(product, each) for each in (own, english))
    return TextTable(locale, own, english)


def _said_by(product: Product, table: Mapping[str, str]) -> Mapping[str, str]:
    """The table in the name of a product of one app."""
    # What stands in braces is a place to fill: a name must not open one.
    name, short = (
        each.replace("{", "(").replace("}", ")") for each in (product.name, product.brand_name)
    )

    def say(text: str) -> str:
        return _put(_NAME, text, lambda place: name if place[2] else short)

    return {
        key: say(table.get(f"{key}{_ALONE}", text))
        for key, text in table.items()
        if not key.endswith(_ALONE)
    }


def _read_table(folder: Path, locale: str) -> Mapping[str, str]:
    """One language's texts, and what it says of problems with packages: in English their catalogue says that."""
    files = (folder / f"{locale}.json", folder.parent / "package_problems" / f"{locale}.json")
    said: dict[str, str] = {}
    for file in files:
        if file is files[0] or file.exists():
            said |= cast("dict[str, str]", json.loads(file.read_text(encoding="utf-8")))
    return said


def fill(text: str, values: Mapping[str, object]) -> str:
    """The text with its places filled, with the space that Chinese writes between its characters and other letters or digits.

    What is filled in may be of either script (an app is called Notes or 笔记), so the text alone cannot have the space
    right: it is there or not by what stands on both sides of the seam. Only seams with Chinese in the text are touched.
    """
    if _HAN.search(text) is None:
        return text.format_map(values)
    return _put(_PLACE, text, lambda place: str(values[place[2]]))


def _put(places: re.Pattern[str], text: str, value_of: Callable[[re.Match[str]], str]) -> str:
    """The text with something in its places; each pattern begins and ends with the space that is written there."""

    def put(place: re.Match[str]) -> str:
        before, after = text[: place.start()][-1:], text[place.end() :][:1]
        value = value_of(place)
        head = _space(before, value[:1], is_written=bool(place[1]))
        tail = _space(after, value[-1:], is_written=bool(place[3]))
        return f"{head}{value}{tail}"

    return places.sub(put, text)


def _space(of_text: str, of_value: str, *, is_written: bool) -> str:
    if _HAN.match(of_text):
        if _HAN_OR_SIGN.match(of_value):
            return ""
        if _LETTER_OR_DIGIT.match(of_value):
            return " "
    return " " if is_written else ""
