"""What left this machine: what the host sends, and per app what its pages and its agents sent; and what uninstalled apps left here."""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.proxy.destination import Verdict
from lime_desktop.host.proxy.ledger import HostTotal
from lime_desktop.host.wording.joining import listed
from lime_desktop.protocol.calls.agent_tasks import (
    READ_AGENT_TRAFFIC,
    PlaceTraffic,
    ReadAgentTrafficParams,
    ReadAgentTrafficResult,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.settings.section import SectionContext, app_cards, group
from lime_desktop.shell.settings.storage import kept_cards
from lime_desktop.shell.widgets.amounts import size_in_words
from lime_desktop.shell.widgets.parts import card, column, icon_label, label, pill, row

_SHOWN_HOSTS = 20


def build(context: SectionContext) -> QWidget:
    """What the host itself sends, and what each app sent and fetched."""
    texts = context.look.texts
    apps = context.services.registry.apps
    cards = app_cards(context, apps, lambda app: _AppTraffic(context, app).card)
    left = kept_cards(context)
    none = [] if apps else [label(texts("settings.privacy.none"), "muted")]
    return column(
        group(texts("settings.privacy.host"), label(texts("settings.privacy.host.text"))),
        group(texts("settings.privacy.apps"), *none, about=texts("settings.privacy.apps.about")),
        cards,
        *((group(texts("settings.privacy.left"), *left),) if left else ()),
        spacing=12,
    )


class _AppTraffic:
    """What one app sent: its pages by the ledger, its agents by the App Server. Zero is said as plainly as any other number."""

    def __init__(self, context: SectionContext, app: RegisteredApp) -> None:
        self._context = context
        self._texts = context.look.texts
        self._app_id = app.app_id
        self._sum = pill(self._texts("settings.storage.counting"), "plain")
        name = label(app.title(self._texts.locale), "strong")
        icon = icon_label(context.look.appearance.icon_of(app), 28)
        self._hosts = QVBoxLayout()
        self.card = card(row(icon, name, self._sum, stretch_at=1))
        layout = self.card.layout()
        if isinstance(layout, QVBoxLayout):
            layout.addLayout(self._hosts)
        context.work.start(self._read())

    async def _read(self) -> None:
        ledger = self._context.services.network_ledger()
        # Where there is no proxy, pages have no way out, and there is nothing to count.
        totals = () if ledger is None else await ledger.totals(self._app_id)
        self._show(totals, await self._by_agents())

    async def _by_agents(self) -> ReadAgentTrafficResult | None:
        asked = ReadAgentTrafficParams(app_id=AppId(self._app_id))
        try:
            return await self._context.call(READ_AGENT_TRAFFIC, asked)
        except AppError:
            return None

    def _show(self, totals: Sequence[HostTotal], agents: ReadAgentTrafficResult | None) -> None:
        places = agents.places if agents else ()
        sent = sum(each.bytes_sent for each in (*totals, *places))
        key = "settings.privacy.sent" if agents else "settings.privacy.sent.pages"
        self._sum.setText(self._texts(key, size=size_in_words(sent, self._texts)))
        self._sum.setProperty("tone", "info" if sent else "plain" if agents is None else "ok")
        self._sum.style().polish(self._sum)
        for each in totals[:_SHOWN_HOSTS]:
            self._hosts.addWidget(self._by_pages(each))
        for each in places[:_SHOWN_HOSTS]:
            by = pill(self._texts("settings.privacy.agents"), "info")
            self._hosts.addWidget(
                self._host("settings.privacy.agents.amounts", each, each.requests, by)
            )
        if agents is None:
            self._say(self._texts("settings.privacy.agents.unknown"))
        elif agents.programs:
            names = listed(self._texts, agents.programs)
            self._say(self._texts("settings.privacy.agents.uncounted", names=names))

    def _by_pages(self, each: HostTotal) -> QWidget:
        is_carried = each.verdict is Verdict.CARRIED
        key = "settings.privacy.carried" if is_carried else "settings.privacy.stopped"
        state = pill(self._texts(key), "plain" if is_carried else "warning")
        return self._host("settings.privacy.amounts", each, each.connections, state)

    def _host(
        self, key: str, each: HostTotal | PlaceTraffic, count: int, state: QWidget
    ) -> QWidget:
        amounts = self._texts(
            key,
            sent=size_in_words(each.bytes_sent, self._texts),
            received=size_in_words(each.bytes_received, self._texts),
            count=count,
        )
        words = column(label(each.host), label(amounts, "small"), spacing=0)
        return row(words, state, stretch_at=0)

    def _say(self, words: str) -> None:
        self._hosts.addWidget(label(words, "muted"))
