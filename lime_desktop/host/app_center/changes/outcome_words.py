"""What came of updates that were to be installed by themselves, in sentences: the same in a notice, on a page and in a terminal."""

from collections.abc import Iterable

from lime_desktop.host.app_center.catalog.search import is_newer
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.records.update_records import UpdateOutcome
from lime_desktop.host.wording.joining import listed, named, sentences
from lime_desktop.host.wording.problems import tell
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import ALL_ERRORS, AppError, HostActionFailed
from lime_desktop.protocol.plain_text import plain_line


def is_news(app: InstalledApp, outcome: UpdateOutcome) -> bool:
    """Whether what came of a version still holds: what is installed may have overtaken it."""
    if outcome.kind == "installed":
        return app.version == outcome.version
    return is_newer(outcome.version, app.version)


def outcome_words(title: str, outcome: UpdateOutcome, texts: Texts) -> str:
    """What came of a version, in sentences."""
    version = outcome.version
    if outcome.kind == "asked":
        why = reasons_in_words(outcome.reasons, texts)
        return texts("auto-update.asked", app=title, version=version, reasons=why)
    if outcome.kind == "failed":
        key = "auto-update.given-up" if outcome.is_given_up else "auto-update.failed"
        said = texts(key, app=title, version=version)
        return sentences(texts, said, tell(_error(outcome.error), texts).title)
    before = outcome.from_version
    done = texts("auto-update.installed", app=title, version=version, from_version=before)
    return sentences(texts, done, _changes_in_words(outcome, texts))


def reasons_in_words(reasons: Iterable[str], texts: Texts) -> str:
    """Why a person is asked; the codes are those of `review.growth`."""
    return listed(texts, (texts(f"auto-update.reason.{each}") for each in reasons))


def _changes_in_words(outcome: UpdateOutcome, texts: Texts) -> str:
    if not outcome.changes:
        return texts("update.none")
    changed = (
        texts(
            "auto-update.change",
            what=named(texts, texts(f"update.area.{each.area}"), plain_line(each.key)),
            how=texts(f"update.{each.kind}"),
        )
        for each in outcome.changes
    )
    return texts("auto-update.changes", changes=listed(texts, changed))


def _error(code: str | None) -> AppError:
    kind = next((each for each in ALL_ERRORS if each.code == code), HostActionFailed)
    return kind("")
