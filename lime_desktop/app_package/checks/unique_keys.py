"""Each item of a keyed list has a key of its own."""

from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds.rules import KEY_NOT_UNIQUE
from lime_desktop.app_package.problems import Problem

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


def check(facts: PackageFacts) -> Iterator[Problem]:
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
