"""Whose rules hold here besides the person's own: join by a file or an address, read what it says, leave."""

from collections.abc import Iterator

from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.organisation import Organisation
from lime_desktop.host.app_center.packages.fetching import place_name
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.policy.policy_file import PolicyFile
from lime_desktop.policy.rules import Effect
from lime_desktop.shell.dialogs.file_dialogs import choose_file
from lime_desktop.shell.dialogs.questions import Question, ask, ask_about_link
from lime_desktop.shell.settings.section import (
    PLACE_WIDTH,
    SectionContext,
    group,
    refill,
    setting,
)
from lime_desktop.shell.widgets.amounts import time_in_words
from lime_desktop.shell.widgets.parts import (
    Tone,
    button,
    card,
    column,
    icon_label,
    label,
    pill,
    row,
)

_TONES: dict[Effect, Tone] = {
    "deny": "danger",
    "ask": "warning",
    "audit": "info",
    "allow": "ok",
}


def rules_group(title: str, policy: PolicyFile, texts: Texts) -> QWidget:
    """A card with every rule and what holds for everything else, or with a word that there is none."""
    rest = texts("settings.organisation.rule.rest")
    lines = [
        *(_line(rule.ref.text, rule.effect, texts) for rule in policy.rules),
        *(_line(rest, default.effect, texts) for default in policy.defaults),
    ]
    none = label(texts("settings.organisation.rules.none"), "muted")
    return group(title, *(lines or [none]))


def _line(words: str, effect: Effect, texts: Texts) -> QWidget:
    state = pill(texts(f"settings.organisation.rule.{effect}"), _TONES[effect])
    return row(label(words), state, stretch_at=0)


def build(context: SectionContext, center: AppCenter) -> QWidget:
    """The organisation this computer belongs to, or the way into one."""
    return _Organisation(context, center).shown


def _amounts(found: Organisation, texts: Texts) -> str:
    amounts = {
        "rules": len(found.policy.rules),
        "locks": len(found.locks),
        "blocked": len(found.blocked),
        "catalogs": len(found.catalogs),
    }
    return listed(texts, (texts(f"counted.{kind}", count=n) for kind, n in amounts.items()))


class _Organisation:
    def __init__(self, context: SectionContext, center: AppCenter) -> None:
        self._context = context
        self._texts = context.look.texts
        self._center = center
        self._place = QLineEdit()
        self._place.setObjectName("place")
        self._place.setPlaceholderText(self._texts("settings.organisation.place.example"))
        self._place.setMinimumWidth(PLACE_WIDTH)
        self._place.returnPressed.connect(self._look)
        self.shown = column(spacing=16)
        self._show()

    def _show(self) -> None:
        organisation = self._center.membership.organisation
        parts = self._outside() if organisation is None else self._inside(organisation)
        refill(self.shown, *parts)

    # Not joined yet.

    def _outside(self) -> Iterator[QWidget]:
        texts = self._texts
        yield self._context.empty("user", "settings.organisation.none")
        choosing = button(texts("settings.organisation.choose"), self._choose)
        looking = button(texts("settings.organisation.look"), self._look, "primary")
        yield group(
            texts("settings.organisation.join"),
            setting(texts("settings.organisation.place"), "", self._place),
            row(looking, choosing),
            about=texts("settings.organisation.join.about"),
        )

    def _choose(self) -> None:
        title = self._texts("settings.organisation.choose")
        choose_file(self.shown.window(), title, self._place.setText)

    def _look(self) -> None:
        if place := self._place.text().strip():
            self._context.work.start(self._ask_to_join(place))

    async def _ask_to_join(self, place: str) -> None:
        texts, found = self._texts, await self._center.membership.look(place)
        question = Question(
            texts("settings.organisation.join"),
            texts("settings.organisation.ask", organisation=found.name),
            texts("settings.organisation.ask.about", what=_amounts(found, texts)),
            yes=texts("settings.organisation.ask.yes"),
            no=texts("action.cancel"),
        )
        ask(self.shown.window(), question, lambda: self._context.work.start(self._join(place)))

    async def _join(self, place: str) -> None:
        found = await self._center.membership.join(place)
        words = self._texts("settings.organisation.joined", organisation=found.name)
        self._context.say(words, "success")
        self._show()

    # Joined.

    def _inside(self, found: Organisation) -> Iterator[QWidget]:
        texts = self._texts
        yield self._head(found)
        yield rules_group(texts("settings.organisation.rules"), found.policy, texts)
        if apps := list(self._apps(found)):
            yield group(texts("settings.organisation.apps"), *apps)
        if found.locks:
            groups = sorted({lock.partition(".")[0] for lock in found.locks})
            words = listed(texts, (texts(f"overlay.group.{each}") for each in groups))
            yield group(texts("settings.organisation.locks"), label(words))

    def _head(self, found: Organisation) -> QWidget:
        texts, membership = self._texts, self._center.membership
        lines = self._brought(found) if membership.is_products else self._joined(found)
        words = column(
            label(found.name, "heading"), *(label(each, "small") for each in lines), spacing=2
        )
        tools = [] if membership.is_products else self._tools(found)
        if url := found.branding.support_url:
            asking = texts("settings.organisation.support")
            tools.append(button(asking, lambda: self._offer_link(found.name, url)))
        appearance = self._context.look.appearance
        own = appearance.logo() if membership.is_products else None
        logo = own or appearance.icon(membership.logo, found.name)
        head = row(icon_label(logo, 40), words, stretch_at=1)
        return card(head, row(*tools)) if tools else card(head)

    def _joined(self, found: Organisation) -> tuple[str, ...]:
        texts, read_at_ms = self._texts, self._center.membership.read_at_ms or 0
        when = time_in_words(read_at_ms, texts)
        return (
            texts("settings.organisation.from", source=found.source),
            texts("settings.organisation.read", when=when),
        )

    def _brought(self, found: Organisation) -> tuple[str, ...]:
        """An organisation's own product: it is not joined or left, and changes with a new version."""
        name = self._context.services.folders.product.name
        said = self._texts("settings.organisation.brought", product=name, organisation=found.name)
        if not found.catalogs:
            return (said,)
        places = listed(self._texts, map(place_name, found.catalogs))
        return (said, self._texts("settings.organisation.catalogs", catalogs=places))

    def _tools(self, found: Organisation) -> list[QPushButton]:
        texts = self._texts
        return [
            button(texts("settings.organisation.refresh"), self._refresh),
            button(texts("settings.organisation.leave"), lambda: self._ask_to_leave(found)),
        ]

    def _offer_link(self, name: str, url: str) -> None:
        ask_about_link(self.shown.window(), self._texts, name, url)

    def _apps(self, found: Organisation) -> Iterator[QWidget]:
        texts = self._texts
        own = self._center.rules.apps
        if own is not None or found.allowed is not None:
            allowed = listed(texts, sorted((own or frozenset()) | (found.allowed or frozenset())))
            yield label(texts("settings.organisation.apps.allowed", apps=allowed))
        if found.blocked:
            blocked = listed(texts, sorted(found.blocked))
            yield label(texts("settings.organisation.apps.blocked", apps=blocked))
        if found.updates:
            yield label(texts(f"auto-update.forced.{found.updates}"))

    def _refresh(self) -> None:
        async def refresh() -> None:
            await self._center.membership.refresh()
            self._context.say(self._texts("settings.organisation.refreshed"), "success")
            self._show()

        self._context.work.start(refresh())

    def _ask_to_leave(self, found: Organisation) -> None:
        texts = self._texts
        question = Question(
            texts("settings.organisation.leave.yes"),
            texts("settings.organisation.leave.ask", organisation=found.name),
            texts("settings.organisation.leave.about"),
            yes=texts("settings.organisation.leave.yes"),
            no=texts("action.cancel"),
        )
        ask(self.shown.window(), question, lambda: self._context.work.start(self._leave()))

    async def _leave(self) -> None:
        await self._center.membership.leave()
        self._context.say(self._texts("settings.organisation.left"), "success")
        self._show()
