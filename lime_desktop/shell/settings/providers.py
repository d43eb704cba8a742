"""Model providers: who else than this computer may think for an agent. A key goes in here and never comes out."""

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.models import obstacle_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.model_providers import (
    DELETE_PROVIDER,
    FETCH_MODELS,
    LIST_PROVIDERS,
    TEST_CONNECTION,
    ConnectionTestParams,
    ConnectionTestResult,
    FetchModelsParams,
    ListProvidersParams,
    ModelProvider,
    ProviderParams,
)
from lime_desktop.shell.settings.provider_adding import AddingForm
from lime_desktop.shell.settings.provider_form import ProviderForm
from lime_desktop.shell.settings.section import SectionContext, refill
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    name_button,
    pill,
    row,
)
from lime_desktop.shell.widgets.work import Newest

_ASKING_S = 60.0
_NAMED_MODELS = 6
_FORM = "more"
"""The form's name among the parts of a provider's card."""


def build(context: SectionContext) -> QWidget:
    """The providers there are, and a choice of those that could be."""
    providers = _Providers(context)
    context.work.start(providers.read())
    context.work.start_whenever(context.services.models.watch, providers.read_unless_edited)
    return column(providers.listing, providers.adding.widget, spacing=16)


class _Providers:
    def __init__(self, context: SectionContext) -> None:
        self._context = context
        self._newest = Newest()
        self.listing = column(label(context.look.texts("settings.reading"), "muted"), spacing=12)
        self.adding = AddingForm(context, self._show_new)

    async def read(self) -> None:
        """Show everything as it is now."""
        removed, is_newest = self._context.removals.watch(), self._newest.ask()
        listed = await self._context.call(LIST_PROVIDERS, ListProvidersParams())
        if not is_newest():
            return
        left = [each for each in listed.providers if not removed(_key(each.provider_id))]
        shown = [self._card(each) for each in left]
        refill(self.listing, *(shown or [self._context.empty("model", "settings.providers.none")]))
        self.adding.offer(listed.presets, {each.provider_id for each in listed.providers})

    async def read_unless_edited(self) -> None:
        """Show what a terminal set up or took away; a form that somebody fills in stays."""
        if not any(form.isVisible() for form in self.listing.findChildren(QWidget, _FORM)):
            await self.read()

    def _card(self, provider: ModelProvider) -> QFrame:
        texts, settings = self._context.look.texts, provider.settings
        buttons = (
            button(texts("settings.providers.try"), lambda: self._try(provider.provider_id)),
            button(texts("settings.providers.more"), lambda: self._open(made, provider)),
            button(
                texts("settings.providers.remove"),
                lambda: self._remove(provider),
                "danger",
            ),
        )
        buttons[1].setObjectName("more-of-provider")
        for each in buttons:
            name_button(each, texts, settings.title)
        made = card(
            row(label(settings.title, "strong"), _state(texts, provider), *buttons, stretch_at=0),
            label(settings.base_url, "mono"),
            label(_models(texts, provider), "small"),
            label(_used(texts, provider), "small"),
        )
        return made

    def _open(self, shown: QFrame, provider: ModelProvider) -> None:
        """Show how it is used, or put that away again."""
        if (form := shown.findChild(QWidget, _FORM)) is not None:
            form.setVisible(not form.isVisible())
            return

        def saved(is_way_new: bool) -> None:  # noqa: FBT001 - the form's own signal
            if is_way_new:
                self._try(provider.provider_id)
            else:
                self._context.work.start(self.read())

        made = ProviderForm(self._context, provider, saved).widget
        made.setObjectName(_FORM)
        layout = shown.layout()
        if isinstance(layout, QVBoxLayout):
            layout.addWidget(made)

    async def _show_new(self, provider_id: str) -> None:
        await self.read()
        self._try(provider_id)

    def _try(self, provider_id: str) -> None:
        async def attempt() -> None:
            asked = ConnectionTestParams(provider_id=provider_id)
            found = await self._context.call(TEST_CONNECTION, asked, timeout_s=_ASKING_S)
            if found.status == "ok":
                fetch = FetchModelsParams(provider_id=provider_id, save=True)
                await self._context.call(FETCH_MODELS, fetch, timeout_s=_ASKING_S)
            words = _outcome(self._context.look.texts, found)
            self._context.say(words, "success" if found.status == "ok" else "warning")
            await self.read()

        self._context.work.start(attempt())

    def _remove(self, provider: ModelProvider) -> None:
        context, asked = self._context, ProviderParams(provider_id=provider.provider_id)

        async def remove() -> None:
            await context.call(DELETE_PROVIDER, asked)

        words = context.look.texts("undo.removed", name=provider.settings.title)
        key = _key(provider.provider_id)
        context.removals.remove(key, words, remove, self.listing, self._show_again)

    def _show_again(self) -> None:
        self._context.work.start(self.read())


def _key(provider_id: str) -> str:
    return f"provider/{provider_id}"


def _state(texts: Texts, provider: ModelProvider) -> QWidget:
    obstacle = provider.obstacle
    if obstacle is not None:
        return pill(obstacle_words(texts, obstacle.reason_code, obstacle.message), "warning")
    if provider.answered_at is None:
        return pill(texts("settings.providers.untested"), "plain")
    return pill(texts("settings.providers.ready"), "ok")


def _models(texts: Texts, provider: ModelProvider) -> str:
    names = [model.model_id for model in provider.settings.models]
    if not names:
        return texts("settings.providers.models.none")
    shown, more = listed(texts, names[:_NAMED_MODELS]), len(names) - _NAMED_MODELS
    return shown if more <= 0 else texts("settings.providers.models.more", models=shown, count=more)


def _used(texts: Texts, provider: ModelProvider) -> str:
    month, limit = provider.month, provider.settings.limits.monthly_cost
    spent = f"{month.cost.amount:.2f}"
    said = texts("settings.providers.month", count=month.requests, cost=spent)
    if limit is None:
        return said
    return f"{said} · {texts('settings.providers.month.limit', limit=f'{limit.amount:g}')}"


def _outcome(texts: Texts, found: ConnectionTestResult) -> str:
    if found.status == "ok":
        return texts("settings.providers.tried", count=len(found.model_ids))
    return obstacle_words(texts, found.reason_code or "", found.message)
