"""Where a secret may go: to a declared connection, in a form in which it arrives hidden, under a name that can do nothing else.

The name comes from the app and the value from a person, so a variable may be none that makes a program load or run
something, and a header none that says where a request goes or how long it is.
"""

import re
from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds.rules import REFERENCE_UNKNOWN, SECRET_USE_UNFIT
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, ValuePath
from lime_desktop.network.hosts import parse_host
from lime_desktop.spelling import did_you_mean

_FORMS = ("variable", "header", "placeholder")
_FORMS_OF_KIND = {
    "cli": frozenset({"variable", "placeholder"}),
    "mcp": frozenset({"variable", "header"}),
    "api": frozenset({"header"}),
    # There the header is a sender's, with a signature made by the secret.
    "webhook": frozenset({"header"}),
}
_VARIABLE = re.compile(
    r"[A-Z][A-Z0-9_]{0,100}(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT|CREDENTIALS?)|TOKEN|PASSWORD"
)
"""Named as the secret that it is. `LD_PRELOAD`, `PATH`, `NODE_OPTIONS` and the like are not, and never can be."""
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,63}")
_HEADERS_OF_TRANSPORT = re.compile(
    r"(?i)(content-.*|proxy-.*|sec-.*|connection|cookie|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding"
    r"|upgrade|via|x-forwarded-.*|x-http-method.*)"
)
_PREFIX = re.compile(r"[A-Za-z0-9 =:_-]{1,32}")
_PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_FIT: dict[str, tuple[re.Pattern[str], str]] = {
    "variable": (
        _VARIABLE,
        "The variable must be in capitals and end in KEY, TOKEN, SECRET, PASSWORD, PAT or CREDENTIALS.",
    ),
    "header": (_HEADER, "This is no name of a header."),
    "prefix": (_PREFIX, "Before the value may stand a word such as `Bearer `."),
    "placeholder": (_PLACEHOLDER, "The placeholder must be a name in capitals."),
}


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check every use of every slot."""
    adapters = {
        key: facts.get(*at, "adapter")
        for at, item in facts.items("integrations")
        if isinstance(key := item.get("key"), str)
    }
    for slot, _ in facts.items("secrets"):
        for at, use in facts.items(*slot, "use"):
            is_typed = _kind(adapters.get(str(use.get("integration")))) == "browser"
            for field, message in (*_names(use), *_way(use, is_typed=is_typed), *_to_site(use)):
                yield SECRET_USE_UNFIT.found(message, facts.place(*at, field))
            yield from _to_integration(facts, at, use, adapters)


def _names(use: LocatedMap) -> Iterator[tuple[str, str]]:
    for field, (pattern, message) in _FIT.items():
        value = use.get(field)
        if isinstance(value, str) and not pattern.fullmatch(value):
            yield field, message
    header = use.get("header")
    if isinstance(header, str) and _HEADERS_OF_TRANSPORT.fullmatch(header):
        yield "header", "This header belongs to the transport, and carries no secret."


def _kind(adapter: object) -> object:
    return adapter.get("kind") if isinstance(adapter, LocatedMap) else None


def _way(use: LocatedMap, *, is_typed: bool) -> Iterator[tuple[str, str]]:
    # Into a web page it is typed, by the name of its slot.
    if not is_typed and sum(field in use for field in _FORMS) != 1:
        yield "variable", "A use names one of `variable`, `header` and `placeholder`."
    if ("integration" in use) == bool(use.get("domains")):
        yield "integration", "A use names either an integration or domains."
    if "prefix" in use and "header" not in use:
        yield "prefix", "Only a header has a prefix."


def _to_site(use: LocatedMap) -> Iterator[tuple[str, str]]:
    domains = use.get("domains")
    if not isinstance(domains, LocatedList) or not domains:
        return
    if "header" not in use:
        yield "domains", "Sites are shown a secret in a header alone."
    if any(not isinstance(each, str) or parse_host(each) != each for each in domains):
        yield "domains", "Write each host by its plain name: no star, no scheme, no path."


def _to_integration(
    facts: PackageFacts, at: ValuePath, use: LocatedMap, adapters: dict[str, object]
) -> Iterator[Problem]:
    named = use.get("integration")
    if not isinstance(named, str):
        return
    place = facts.place(*at, "integration")
    if named not in adapters:
        message = f"`integrations` has no such key.{did_you_mean(named, set(adapters))}"
        yield REFERENCE_UNKNOWN.found(message, place)
        return
    adapter = adapters[named]
    kind = adapter.get("kind") if isinstance(adapter, LocatedMap) else None
    fit = _FORMS_OF_KIND.get(kind, frozenset()) if isinstance(kind, str) else frozenset[str]()
    if any(field in use and field not in fit for field in _FORMS):
        forms = " or ".join(sorted(fit)) or "nothing"
        message = f"A connection of the kind {kind} takes {forms}."
        yield SECRET_USE_UNFIT.found(message, place)
    placeholder = use.get("placeholder")
    command = adapter.get("command") if isinstance(adapter, LocatedMap) else None
    if isinstance(placeholder, str) and f"{{{placeholder}}}" not in str(command):
        message = f"The command of {named} has no {{{placeholder}}}."
        yield SECRET_USE_UNFIT.found(message, facts.place(*at, "placeholder"))
