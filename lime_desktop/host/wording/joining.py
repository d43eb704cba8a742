"""Words put together as a language puts them: its commas, its colon, its space between sentences, or none."""

from collections.abc import Iterable
from functools import partial, reduce

from lime_desktop.host.wording.texts import Texts


def listed(texts: Texts, names: Iterable[str]) -> str:
    """Several things in a row."""
    return texts("list.comma").join(names)


def named(texts: Texts, name: str, what: str) -> str:
    """A thing behind the name of its kind."""
    return texts("list.named", name=name, what=what)


def sentences(texts: Texts, *said: str) -> str:
    """Sentences one after another; what is empty was not said."""
    found = [each for each in said if each]
    return reduce(partial(_joined, texts), found) if found else ""


def _joined(texts: Texts, first: str, second: str) -> str:
    return texts("list.sentences", first=first, second=second)


def part_name(app: str, part: str) -> str:
    """A part of an app by a name that says whose it is: "Editor" alone is anybody's."""
    return part if app.casefold() in part.casefold() else f"{app} · {part}"
