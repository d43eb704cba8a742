"""What a new version changes, in words: the same on a page and in a terminal."""

from collections.abc import Iterator

from lime_desktop.host.app_center.review.changes import Change, UpdateDiff, data_key
from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.wording.joining import named
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line


def changes_title(changes: UpdateDiff, texts: Texts) -> str:
    """From which version to which."""
    return texts("update.changes", from_version=changes.from_version, to_version=changes.to_version)


def change_line(change: Change, review: InstallReview, texts: Texts) -> str:
    """One thing that has changed, behind the name of its kind."""
    return named(texts, texts(f"update.area.{change.area}"), _change_name(change, review, texts))


def migration_lines(changes: UpdateDiff, texts: Texts) -> Iterator[str]:
    """What happens to the app's data, and whether it can be undone."""
    for step in changes.migrations:
        way = "reversible" if step.is_reversible else "irreversible"
        risk = plain_line(step.risk or "") or texts(f"update.migration.{way}")
        yield texts("update.migration", step=step.id, risk=risk)


def _change_name(change: Change, review: InstallReview, texts: Texts) -> str:
    """What has changed, by the name a person knows; what is gone is known by its key alone."""
    asks = {ask.key: ask.words.words(texts) for ask in review.asks}
    entries = {each.key: each.called(texts.locale) for each in review.adds if each.kind == "entry"}
    data = {data_key(said): said.words(texts) for said in review.data}
    added = {each.key: each.called(texts.locale) for each in review.adds if each.kind != "entry"}
    names = {"permission": asks, "entry": entries, "data": data}.get(change.area)
    if names is None:
        named_things = {"secret", "tool", "workflow", "skill", "event"}
        names = added if change.area in named_things else {}
    return plain_line(names.get(change.key, change.key))
