"""What left this machine: what the host sends, and per app what its ledger says."""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.host.proxy.destination import Verdict
from lime_desktop.host.proxy.ledger import HostTotal, NetworkLedger
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.shell.parts import card, column, icon_label, label, pill, row
from lime_desktop.shell.settings.section import SectionContext, group, size_of

_SHOWN_HOSTS = 20


def build(context: SectionContext) -> QWidget:
    """What the host itself sends, and what each app sent and fetched."""
    texts = context.around.texts
    apps = context.around.shelf.apps
    cards = [_AppTraffic(context, app).card for app in apps]
    none = [] if apps else [label(texts("settings.privacy.none"), "muted")]
    return column(
        group(texts("settings.privacy.host"), label(texts("settings.privacy.host.text"))),
        group(texts("settings.privacy.apps"), *none, about=texts("settings.privacy.apps.about")),
        *cards,
        spacing=12,
    )


class _AppTraffic:
    """One app's ledger. Zero is said as plainly as any other number."""

    def __init__(self, context: SectionContext, app: ShelfApp) -> None:
        self._texts = context.around.texts
        self._app_id = app.app_id
        self._sum = pill(self._texts("settings.storage.counting"), "plain")
        name = label(app.title(self._texts.locale), "strong")
        icon = icon_label(context.around.icon_of(app), 28)
        self._hosts = QVBoxLayout()
        self.card = card(row(icon, name, self._sum, stretch_at=1))
        layout = self.card.layout()
        if isinstance(layout, QVBoxLayout):
            layout.addLayout(self._hosts)
        ledger = context.around.network_ledger
        if ledger is None:
            # There is no proxy, hence no way out and nothing to count.
            self._show(())
        else:
            context.work.start(self._read(ledger))

    async def _read(self, ledger: NetworkLedger) -> None:
        self._show(await ledger.totals(self._app_id))

    def _show(self, totals: Sequence[HostTotal]) -> None:
        sent = sum(each.bytes_sent for each in totals)
        self._sum.setText(self._texts("settings.privacy.sent", size=size_of(sent)))
        self._sum.setProperty("tone", "info" if sent else "ok")
        self._sum.style().polish(self._sum)
        for each in totals[:_SHOWN_HOSTS]:
            self._hosts.addWidget(self._host(each))

    def _host(self, each: HostTotal) -> QWidget:
        amounts = self._texts(
            "settings.privacy.amounts",
            sent=size_of(each.bytes_sent),
            received=size_of(each.bytes_received),
            count=each.connections,
        )
        is_carried = each.verdict is Verdict.CARRIED
        key = "settings.privacy.carried" if is_carried else "settings.privacy.stopped"
        state = pill(self._texts(key), "plain" if is_carried else "warning")
        return row(label(each.host), label(amounts, "small"), state, stretch_at=0)
