"""The organisation's file as a build takes it: read as joining it would read it, with the line of what is wrong.

More is asked of it than of one that is joined: everybody gets it who gets the product, and what lies beside it here does not.
"""

import re
from collections.abc import Iterator
from typing import cast

from lime_desktop.app_package.credentials import scan
from lime_desktop.app_package.problems import Place, Problem, ProblemKind
from lime_desktop.app_package.text.located import LocatedList, ValuePath, find
from lime_desktop.app_package.text.plain_text import ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.host.app_center.governance.organisation import Organisation, parse_organisation
from lime_desktop.host.app_center.packages.fetching import is_url
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.stamping import build_problems as kinds

_IN_POLICY = re.compile(r"policy: (?P<path>[A-Za-z0-9_.]+): ")


def read_organisation_file(
    body: bytes, name: str
) -> tuple[Organisation | None, tuple[Problem, ...]]:
    """What it says, if it can hold in a product, and everything that keeps it from that."""
    problems = [*secrets_in(body, name)]
    try:
        found = parse_organisation(body.decode("utf-8"), name)
    except UnicodeDecodeError:
        problems.append(kinds.ORGANISATION_INVALID.found("The file is not UTF-8.", Place(name)))
        return None, tuple(problems)
    except InvalidInput as refused:
        return None, (*problems, *_refusals(refused, body, name))
    return found, (*problems, *_local_catalogs(body, name))


def secrets_in(body: bytes, name: str) -> Iterator[Problem]:
    """What looks like a key, wherever it stands: a product is given to everybody."""
    for each in scan("build.yaml", body):
        yield kinds.SECRET.found(each.message, Place(name, each.line))


def _local_catalogs(body: bytes, name: str) -> Iterator[Problem]:
    document = parse_yaml(body, name, ReadingBudget()).value
    listed, _ = find(document, ("catalogs",))
    for at, each in enumerate(listed if isinstance(listed, LocatedList) else ()):
        if not is_url(str(each)):
            yield _at(document, ("catalogs", at), kinds.CATALOG_LOCAL, kinds.CATALOG_LOCAL.meaning)


def _refusals(refused: InvalidInput, body: bytes, name: str) -> Iterator[Problem]:
    """What the organisation's reader refused, each at its line."""
    kind = kinds.ORGANISATION_INVALID
    parsed = parse_yaml(body, name, ReadingBudget())
    for each in parsed.problems:
        yield kind.found(each.message, Place(name, each.line))
    if parsed.problems:
        return
    fields = cast("list[dict[str, str]]", refused.details.get("fields") or [])
    for each in fields:
        words = each["problem"].replace("_", " ")
        yield _at(parsed.value, _path(each["path"]), kind, f"{each['path']}: {words}.")
    if not fields:
        in_policy = _IN_POLICY.match(refused.message)
        path = _path(f"policy.{in_policy['path']}") if in_policy else ()
        yield _at(parsed.value, path, kind, refused.message)


def _path(written: str) -> ValuePath:
    return tuple(int(each) if each.isdigit() else each for each in written.split("."))


def _at(document: object, path: ValuePath, kind: ProblemKind, message: str) -> Problem:
    _, origin = find(document, path)
    shown = ".".join(map(str, path))
    return kind.found(message, Place(*origin, shown) if origin else Place(None, None, shown))
