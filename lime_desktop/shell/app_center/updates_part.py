"""How one app is updated, on its page: what is on offer, what the person chose, and what came of it lately."""

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.changes.outcome_words import is_news, outcome_words
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.settings.section import setting
from lime_desktop.shell.settings.update_policy import forced_words, policy_choice
from lime_desktop.shell.widgets.parts import button, label, row
from lime_desktop.shell.widgets.work import Work


def updates_part(
    texts: Texts,
    center: AppCenter,
    app: InstalledApp,
    review_update: Callable[[str], None],
    work: Work,
) -> Iterator[QWidget]:
    """The rows of it; none for an app that nothing offers updates for."""
    if center.catalog.choice(app.app_id).before is None:
        return
    newer = center.updates.newest_version(app)
    if newer is not None:
        update = button(texts("auto-update.to", version=newer), lambda: review_update(app.app_id))
        yield row(update, label(texts("auto-update.to.text"), "muted"), stretch_at=1)
    outcome = center.update_policies.outcome(app.app_id)
    if outcome is not None and is_news(app, outcome):
        yield label(outcome_words(app.title, outcome, texts), "muted")
    about = forced_words(texts, center) or texts("auto-update.about")
    yield setting(texts("auto-update.title"), about, policy_choice(texts, center, app.app_id, work))
