"""Descriptions of interfaces: what an author gives must be one that its operations can be read from."""

from collections.abc import Iterator

from lime_desktop.app_package.api_description import UnreadableApi, parse_api
from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.problem_kinds.rules import API_UNREADABLE, SIGN_IN_UNFIT
from lime_desktop.app_package.problems import Problem
from lime_desktop.network.hosts import may_carry_secrets, parse_host

_SIGN_IN = ("authorizationUrl", "tokenUrl", "revocationUrl")


def check_sign_in(facts: PackageFacts) -> Iterator[Problem]:
    """A sign-in goes to addresses that are encrypted, and belongs to a described system."""
    for at, _ in facts.items("integrations"):
        oauth = (*at, "adapter", "oauth")
        if facts.get(*oauth) is None:
            continue
        if facts.text(*at, "adapter", "kind") != "api":
            message = "Only a connection of the kind api signs in."
            yield SIGN_IN_UNFIT.found(message, facts.place(*oauth))
        for field in _SIGN_IN:
            url = facts.text(*oauth, field)
            is_address = url is not None and parse_host(url) is not None
            if url is not None and not (is_address and "#" not in url and may_carry_secrets(url)):
                message = "The address must begin with https, and be plain."
                yield SIGN_IN_UNFIT.found(message, facts.place(*oauth, field))


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Read the document of each integration of the kind `api`, and say what of it can't be called."""
    for at, _ in facts.items("integrations"):
        if facts.text(*at, "adapter", "kind") != "api":
            continue
        place = facts.place(*at, "adapter", "document")
        path = normalised(facts.text(*at, "adapter", "document") or "")
        if not path or path not in facts.reader.tree.files:
            # One that is named and missing is told elsewhere.
            if not path:
                yield API_UNREADABLE.found("The integration names no OpenAPI document.", place)
            continue
        body = facts.reader.bytes(path)
        try:
            described = parse_api(body or b"", path, facts.text(*at, "adapter", "baseUrl"))
        except UnreadableApi as error:
            yield API_UNREADABLE.found(str(error), place)
            continue
        for operation in described.operations:
            if operation.problem is not None:
                yield API_UNREADABLE.found(f"{operation.key}: {operation.problem}", place)
