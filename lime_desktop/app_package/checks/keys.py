"""Keys and ids: each of its own within a list, and a name, never a path, that reads as it is written."""

import re
from collections.abc import Iterator, Sequence

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.files.path_rules import leaves_package, printable
from lime_desktop.app_package.problem_kinds.rules import (
    KEY_NOT_A_NAME,
    KEY_NOT_UNIQUE,
    NAME_NOT_PORTABLE,
)
from lime_desktop.app_package.problems import Problem
from lime_desktop.file_names import is_hidden, is_plain_name

KEYED_LISTS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("entries",), "key"),
    (("permissions",), "key"),
    (("services",), "key"),
    (("workflows",), "key"),
    (("knowledgeTemplates",), "key"),
    (("toolRefs",), "key"),
    (("artifactTypes",), "key"),
    (("evals",), "key"),
    (("events",), "key"),
    (("secrets",), "key"),
    (("overlayTemplates",), "key"),
    (("integrations",), "key"),
    (("operations",), "key"),
    (("skillRefs",), "id"),
    (("skills", "references"), "id"),
    (("skills", "bundled"), "path"),
    (("requirements", "requirements"), "id"),
)
_MAX_CHARACTERS = 200
_WITH_OWNER = frozenset({"skillRefs", "skills"})
_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9-_.]{0,63}")


def check_unique(facts: PackageFacts) -> Iterator[Problem]:
    """Check that no key occurs twice in one list."""
    for path, name in KEYED_LISTS:
        seen: set[str] = set()
        for at, item in facts.items(*path):
            key = item.get(name)
            if not isinstance(key, str):
                continue
            if key in seen:
                message = f"{'.'.join(path)} has two items with this {name}."
                yield KEY_NOT_UNIQUE.found(message, facts.place(*at, name))
            seen.add(key)


def check_names(facts: PackageFacts) -> Iterator[Problem]:
    """Check the app's own name, and the keys of every keyed list."""
    name = facts.text("name")
    # A name that is no identifier at all is told as that.
    if name and _IDENTIFIER.fullmatch(name) and not is_plain_name(name):
        message = f"{printable(name[:64])!r} cannot be the name of a folder on every system."
        yield NAME_NOT_PORTABLE.found(message, facts.place("name"))
    for path, field in KEYED_LISTS:
        # What is written as a path is checked as one.
        for at, item in facts.items(*path) if field != "path" else ():
            key = item.get(field)
            # Skills of elsewhere may carry the name of who keeps them: `acme/seo`. Nothing is opened by that.
            parts = [key] if path[0] not in _WITH_OWNER else str(key).split("/")
            if isinstance(key, str) and (reason := _fault(parts)):
                message = f"{'.'.join(path)}.{field} {reason}: {printable(key[:64])!r}."
                yield KEY_NOT_A_NAME.found(message, facts.place(*at, field))


def _fault(parts: Sequence[object]) -> str | None:
    found = (_fault_of_one(str(part)) for part in parts)
    return next((fault for fault in found if fault), None)


def _fault_of_one(key: str) -> str | None:
    if leaves_package(key) or "/" in key or "\\" in key or key in {"", ".", ".."}:
        return "is a path"
    if any(map(is_hidden, key)) or key != key.strip():
        return "has characters that are not seen"
    return "is too long" if len(key) > _MAX_CHARACTERS else None
