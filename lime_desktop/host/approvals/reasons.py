"""Why a person is asked, what would leave the machine and what else could be done: the host's own words, in their language.

Found by the rule's stable name, or by the shape of a sentence that policy words. What an author or whoever governs
wrote stays as they wrote it.
"""

import re
from collections.abc import Mapping

from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.host.approvals.question import Reason
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.policy.question import LEAVES_MACHINE, SUGGESTIONS, UNNAMED_SYSTEM
from lime_desktop.readiness.naming import plain_words

_NAMED = (
    (re.compile(r"host\.(?P<kind>[a-z.-]+)"), "rule.host.{kind}"),
    (
        re.compile(r"operation\.(?P<name>.+)\.(?P<kind>approval|no-auto-execute)"),
        "rule.operation.{kind}",
    ),
    (re.compile(r"permission\.(?P<name>.+)\.(?P<kind>unnamed)"), "rule.permission.{kind}"),
    (re.compile(r"boundary\.(?P<kind>.+)"), "rule.boundary.{kind}"),
    (re.compile(r"(?P<kind>organisation|workspace)\.default"), "rule.default.{kind}"),
    (re.compile(r"overlay\.budget\.(?P<kind>monthly|perTask)"), "rule.budget.{kind}"),
)
"""How the names of rules that the host words lead to a text; `name` is filled into it."""


def reason_words(reason: Reason, app: RegisteredApp | None, texts: Texts) -> str:
    """Why somebody is asked; empty where nothing is known but a rule's name."""
    return (
        _host_words(reason.rule_id, app, texts)
        or _authors_words(reason.rule_id, app, texts)
        or reason.text
        or _governors_words(reason.rule_id, app)
    )


def leaving_words(line: str, texts: Texts) -> str:
    """What would leave the machine."""
    return _shaped(line, LEAVES_MACHINE, "asking.leaves", texts)


def changed_system(line: str, app: RegisteredApp | None, texts: Texts) -> str:
    """The system that a line says is changed, by its name in the person's language; empty where it says something else."""
    name = _name_in(line, LEAVES_MACHINE["system"])
    if name == UNNAMED_SYSTEM:
        return texts("asking.changes.unnamed")
    systems = () if app is None else app.package.manifest.integrations
    found = next((each for each in systems if each.provider == name), None)
    return (in_language(found.provider_i18n, texts.locale) if found else None) or name


def suggestion_words(line: str, texts: Texts) -> str:
    """A safer way."""
    return _shaped(line, SUGGESTIONS, "approval.suggestion", texts)


def _host_words(rule_id: str, app: RegisteredApp | None, texts: Texts) -> str | None:
    for pattern, shape in _NAMED:
        if found := pattern.fullmatch(rule_id):
            key = shape.format(**found.groupdict())
            named = found.groupdict()
            if rule_id.startswith("operation."):
                title = app.operation_title(named["name"], texts.locale) if app else ""
                named["name"] = title or plain_words(named["name"])
            words = texts(key, **named)
            return None if words == key else words
    return None


def _authors_words(rule_id: str, app: RegisteredApp | None, texts: Texts) -> str | None:
    """The reason that the author gives for a permission, in the person's language where there is one."""
    asked = () if app is None else app.package.manifest.permissions
    wanted = next((each for each in asked if f"permission.{each.key}" == rule_id), None)
    if wanted is None:
        return None
    told = in_language(wanted.reason_i18n, texts.locale) or wanted.reason
    return told or texts("rule.permission.asks", scope=texts(f"scope.{wanted.scope}"))


def _governors_words(rule_id: str, app: RegisteredApp | None) -> str:
    rules = () if app is None else app.rules
    return next((rule.ref.text for rule in rules if rule.ref.id == rule_id), "")


def _shaped(line: str, shapes: Mapping[str, str], key: str, texts: Texts) -> str:
    for kind, shape in shapes.items():
        if line == shape:
            return texts(f"{key}.{kind}")
        if name := _name_in(line, shape):
            return texts(f"{key}.{kind}", name=name)
    return line


def _name_in(line: str, shape: str) -> str:
    before, hole, after = shape.partition("{name}")
    is_shaped = hole and line.startswith(before) and line.endswith(after)
    return line[len(before) : len(line) - len(after)] if is_shaped else ""
