"""The words of every finding, in each language the host speaks."""

from collections.abc import Mapping
from typing import NamedTuple

from lime_desktop.readiness.codes import Code


class Words(NamedTuple):
    """What a person reads: what was found, and the title of the step that sets it right."""

    message: str
    step: str


class Language(NamedTuple):
    """All words of one language. ``{key}`` and its like are filled in from the finding."""

    passed: str
    superseded: str
    not_superseded: str
    findings: Mapping[Code, Words]
