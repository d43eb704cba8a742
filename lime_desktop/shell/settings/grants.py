"""What every app may do for good, what it did with that, and how to take it back."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.permissions import PermissionStore
from lime_desktop.host.app_center.records.records import GrantUse, StoredApproval, StoredRefusal
from lime_desktop.host.app_center.review.asked_permissions import in_words
from lime_desktop.host.apps.app_access import usage_by_grant
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.wording.actions import doing_words
from lime_desktop.protocol.calls.approvals import (
    FORGET_APPROVAL,
    LIST_APPROVALS,
    AgentApproval,
    ForgetApprovalParams,
    ListApprovalsParams,
)
from lime_desktop.protocol.errors import AppServerUnavailable, StorageError
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.settings.section import SectionContext, app_cards, refill
from lime_desktop.shell.widgets.amounts import time_in_words
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    icon_label,
    label,
    name_button,
    pill,
    row,
)

_MOST_ACTIONS = 8


Agents = Mapping[str, tuple[AgentApproval, ...]]
"""What people agreed to for the agents of each app."""


def build(context: SectionContext) -> QWidget:
    """One card for each app that was ever allowed anything, or refused it for good."""
    shown = column(*_cards(context, {}), spacing=12)
    context.work.start(_add_agents(context, shown))
    return shown


async def _add_agents(context: SectionContext, shown: QWidget) -> None:
    """Show as well what the App Server keeps; where there is none, nothing of it holds."""
    agents: dict[str, tuple[AgentApproval, ...]] = {}
    for app in context.services.registry.apps:
        try:
            asked = ListApprovalsParams(app_id=AppId(app.app_id))
            agents[app.app_id] = (await context.call(LIST_APPROVALS, asked)).approvals
        except AppServerUnavailable:
            return
    if any(agents.values()):
        refill(shown, *_cards(context, agents))


def _cards(context: SectionContext, agents: Agents) -> list[QWidget]:
    registry = context.services.registry
    allowed = [
        app
        for app in registry.apps
        if app.granted
        or _kept(context, app)
        or registry.refusals(app.app_id)
        or agents.get(app.app_id)
        or _is_unconfined(app)
    ]
    if allowed:
        return [
            app_cards(
                context,
                allowed,
                lambda app: _AppGrants(context, app, agents.get(app.app_id, ())).card,
            )
        ]
    return [context.empty("shield", "settings.grants.none")]


def shows(registry: AppRegistry) -> object:
    """What every app may do, and may not."""
    return tuple(
        (
            app.app_id,
            app.granted,
            registry.approvals(app.app_id),
            registry.refusals(app.app_id),
            _is_unconfined(app),
        )
        for app in registry.apps
    )


class _AppGrants:
    """One app's card. What it did is filled in when it has been read."""

    def __init__(
        self, context: SectionContext, app: RegisteredApp, agents: tuple[AgentApproval, ...]
    ) -> None:
        self._context = context
        self._app = app
        self._agents = agents
        self._usage: dict[str | None, QWidget] = {}
        self.card = card(self._head(), *self._allowed(), self._usage_under(None))
        if (center := context.services.registry.center) is not None:
            context.work.start(self._read_uses(center))

    def _head(self) -> QWidget:
        look, app = self._context.look, self._app
        title = label(app.title(look.texts.locale), "strong")
        details = button(
            look.texts("settings.grants.details"), lambda: self._context.show_app(app.app_id)
        )
        name_button(details, look.texts, title.text())
        return row(icon_label(look.appearance.icon_of(app), 28), title, details, stretch_at=1)

    def _allowed(self) -> Iterator[QWidget]:
        for permission in self._app.package.manifest.permissions:
            if permission.key in self._app.granted:
                yield self._permission(permission)
                yield self._usage_under(permission.key)
        for approval in _kept(self._context, self._app):
            yield self._approval(approval)
            yield self._usage_under(approval.approval_id)
        for agreed in self._agents:
            yield self._agent_approval(agreed)
        if _is_unconfined(self._app):
            yield self._unconfined()
        for refusal in self._context.services.registry.refusals(self._app.app_id):
            yield self._refusal(refusal)

    def _usage_under(self, grant: str | None) -> QWidget:
        made = self._usage[grant] = column(spacing=2)
        made.hide()
        return made

    def _permission(self, permission: Permission) -> QWidget:
        texts, registry = self._context.look.texts, self._context.services.registry
        words = in_words(permission).words(texts)
        take_back = button(
            texts("settings.grants.revoke"),
            lambda: self._gone(
                line,
                lambda: registry.revoke(self._app.app_id, permission.key),
                lambda: registry.grant(self._app.app_id, permission.key),
            ),
        )
        name_button(take_back, texts, words)
        refuse = button(
            texts("settings.grants.never"),
            lambda: self._refused(line, lambda: registry.refuse(self._app.app_id, permission.key)),
        )
        name_button(refuse, texts, words)
        line = row(label(words), take_back, refuse, stretch_at=0)
        return line

    def _refusal(self, refusal: StoredRefusal) -> QWidget:
        texts, registry = self._context.look.texts, self._context.services.registry
        words = texts("settings.grants.refused", action=doing_words(refusal.action, texts))
        forget = button(
            texts("settings.grants.ask-again"),
            lambda: self._gone(
                line,
                lambda: registry.forget_refusal(refusal.refusal_id),
                said="settings.grants.asked-again",
            ),
        )
        name_button(forget, texts, words)
        line = row(
            label(words), pill(texts("settings.grants.never.pill"), "danger"), forget, stretch_at=0
        )
        return line

    def _approval(self, approval: StoredApproval) -> QWidget:
        texts, permissions = self._context.look.texts, self._permissions()
        words = texts("settings.grants.always", action=doing_words(approval.action, texts))
        take_back = button(texts("settings.grants.revoke"), lambda: self._gone(line, forget))
        name_button(take_back, texts, words)
        line = row(label(words), take_back, stretch_at=0)

        def forget() -> None:
            self._context.work.start(permissions.forget_approval(approval.approval_id))

        return line

    def _agent_approval(self, approval: AgentApproval) -> QWidget:
        texts, context = self._context.look.texts, self._context
        told = [doing_words(approval.call, texts), *approval.targets]
        action = " ".join([*told, f"({approval.exactly})"] if approval.exactly else told)
        words = texts(f"settings.grants.agent.{approval.scope}", action=action)
        asked = ForgetApprovalParams(
            app_id=AppId(self._app.app_id), approval_id=approval.approval_id
        )

        async def forget() -> None:
            try:
                await context.call(FORGET_APPROVAL, asked)
            except StorageError as error:
                # Its line stays: it can be tried again.
                context.services.unkept.notify(asked.app_id, "forget-yes", error)
            else:
                self._gone(line, lambda: None)

        take_back = button(texts("settings.grants.revoke"), lambda: context.work.start(forget()))
        name_button(take_back, texts, words)
        line = row(label(words), take_back, stretch_at=0)
        return line

    def _permissions(self) -> PermissionStore:
        """What was decided for good; only what is installed has any of it."""
        return self._context.services.registry.require_center().permissions

    def _unconfined(self) -> QWidget:
        texts, permissions = self._context.look.texts, self._permissions()
        words = texts("unconfined.title")

        def stop() -> None:
            self._context.work.start(permissions.stop_running_unconfined(self._app.app_id))

        take_back = button(
            texts("settings.grants.revoke"),
            lambda: self._gone(line, stop, said="settings.grants.confined"),
        )
        name_button(take_back, texts, words)
        mark = pill(texts("unconfined.allowed"), "danger")
        line = row(label(words), mark, take_back, stretch_at=0)
        return line

    def _gone(
        self,
        line: QWidget,
        take_back: Callable[[], None],
        give_again: Callable[[], None] | None = None,
        *,
        said: str = "settings.grants.revoked",
    ) -> None:
        """Take something back at once, and say so; what can be given again by one call can be undone."""
        take_back()
        line.hide()
        words = self._context.look.texts(said)
        if give_again is None:
            self._context.say(words, "success")
            return

        def undo() -> None:
            give_again()
            if isValid(line):
                line.show()

        self._context.offer_undo(words, undo)

    def _refused(self, line: QWidget, refuse: Callable[[], None]) -> None:
        refuse()
        line.hide()
        self._context.say(self._context.look.texts("settings.grants.refused.said"), "success")

    async def _read_uses(self, center: AppCenter) -> None:
        mine = [use for use in await center.permissions.uses() if use.app_id == self._app.app_id]
        granted = [
            each for each in self._app.package.manifest.permissions if each.key in self._app.granted
        ]
        for grant, uses in usage_by_grant(mine, granted, _kept(self._context, self._app)).items():
            did = label(self._context.look.texts("settings.grants.did"), "muted")
            lines = [label(each, "small") for each in self._deed_words(uses)]
            refill(self._usage[grant], *(lines if grant else [did, *lines]))
            self._usage[grant].show()

    def _deed_words(self, uses: tuple[GrantUse, ...]) -> Iterator[str]:
        texts = self._context.look.texts
        counts = Counter[str]()
        latest: dict[str, int] = {}
        for use in uses:
            words = doing_words(use.action, texts)
            counts[words] += use.count
            latest[words] = max(latest.get(words, 0), use.last_at_ms)
        for action, count in counts.most_common(_MOST_ACTIONS):
            when = time_in_words(latest[action], texts)
            yield texts("settings.grants.deed", action=action, count=count, when=when)


def _kept(context: SectionContext, app: RegisteredApp) -> tuple[StoredApproval, ...]:
    return context.services.registry.approvals(app.app_id)


def _is_unconfined(app: RegisteredApp) -> bool:
    return app.installed is not None and app.installed.runs_unconfined
