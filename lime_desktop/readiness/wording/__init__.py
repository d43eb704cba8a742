"""The words of every finding, in each language the host speaks."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from lime_desktop.readiness.codes import Code


class Words(NamedTuple):
    """What a person reads: what was found, and the title of the step that sets it right."""

    message: str
    step: str


class Language(NamedTuple):
    """All words of one language. ``{key}`` and its like are filled in from the finding."""

    passed: str
    ran: str
    """Of what passed when it was run: when that was."""
    superseded: str
    not_superseded: str
    quoted: str
    """How a name is set off from the sentence it stands in."""
    checks: Mapping[str, str]
    """What a check without a subject of its own looks at."""
    scopes: Mapping[str, str]
    """What a permission of a scope lets an app do."""
    findings: Mapping[Code, Words]
    reasons: Mapping[str, str] = MappingProxyType({})
    """Sentences of the App Server that stand inside a finding, in this language."""
