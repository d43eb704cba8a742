"""The choice of how an app is updated, on its page and for every app: one list, and the word of whoever limits it."""

from typing import cast

from PySide6.QtWidgets import QComboBox

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.update_records import EVERY_APP, UpdatePolicy
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.settings.section import choice
from lime_desktop.shell.widgets.work import Work

POLICIES: tuple[UpdatePolicy, ...] = ("ask", "always", "never")


def policy_choice(texts: Texts, center: AppCenter, app_id: str, work: Work) -> QComboBox:
    """What the person chose; where the organization decides, what holds by its word, and no choice."""
    policies = center.update_policies
    options: list[tuple[object, str]] = [(each, texts(f"auto-update.{each}")) for each in POLICIES]
    if app_id != EVERY_APP:
        usual = texts("auto-update.default", policy=texts(f"auto-update.{policies.default}"))
        options.insert(0, (None, usual))
    chosen = policies.chosen(app_id)
    if app_id == EVERY_APP:
        chosen = policies.default
    if policies.forced is not None:
        chosen = policies.of(app_id)

    def take(value: object) -> None:
        work.start(policies.choose(app_id, cast("UpdatePolicy | None", value)))

    box = choice(options, chosen, take)
    box.setObjectName("update-policy")
    box.setEnabled(policies.forced is None)
    return box


def forced_words(texts: Texts, center: AppCenter) -> str | None:
    """What the organization says of updates, if it does."""
    forced = center.update_policies.forced
    return None if forced is None else texts(f"auto-update.forced.{forced}")
