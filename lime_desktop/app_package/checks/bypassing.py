"""`bypassPermissions` may stand nowhere: not in a manifest, not in a file beside it, at no depth."""

from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds.rules import PERMISSIONS_BYPASSED
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.app_package.text.located import key_path, walk

_FORBIDDEN = "bypasspermissions"


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Look through every file that was read, also where its content was otherwise ignored."""
    for value in facts.reader.values():
        for path, child, origin in walk(value):
            if _is_forbidden(path[-1]) or _is_forbidden(child):
                place = Place(origin.file, origin.line, key_path(path))
                message = "The package asks to bypass permissions."
                yield PERMISSIONS_BYPASSED.found(message, place)


def _is_forbidden(word: object) -> bool:
    return isinstance(word, str) and word.lower().replace("_", "").replace("-", "") == _FORBIDDEN
