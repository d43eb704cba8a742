"""An app and the facts around it, in as few words as a scenario needs."""

from collections.abc import Mapping
from datetime import UTC, datetime

from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.result import Check, Readiness
from tests.projection.stand_in import projection_of

NOW = datetime(2026, 6, 1, tzinfo=UTC)
ALL_SET = {"now": NOW, "package_trust": "verified", "host": THIS_HOST}


def facts_of(**facts: object) -> ReadinessFacts:
    """A verified package on this host, and what is named."""
    return ReadinessFacts.model_validate({**ALL_SET, **facts})


def readiness_of(
    fields: Mapping[str, object] | None = None, files: tuple[str, ...] = (), /, **facts: object
) -> Readiness:
    """Assess a sample app with these manifest fields under these facts."""
    return assess(projection_of(fields, files=files), facts_of(**facts))


def open_checks(readiness: Readiness) -> list[Check]:
    """Everything that did not pass and matters."""
    return [check for check in readiness.checks if check.outcome != "passed" and check.tier]


def codes_of(readiness: Readiness) -> list[str]:
    """The codes of everything that did not pass and matters."""
    return [str(check.code) for check in open_checks(readiness)]
