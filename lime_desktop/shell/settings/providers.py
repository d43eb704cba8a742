"""Model providers: who else than this computer may think for an agent. A key goes in here and never comes out."""

from pydantic import SecretStr
from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QWidget

from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    DELETE_PROVIDER,
    FETCH_MODELS,
    LIST_PROVIDERS,
    TEST_CONNECTION,
    UPDATE_PROVIDER_KEY,
    ConnectionTestParams,
    CreateKeyParams,
    CreateProviderParams,
    FetchModelsParams,
    ListProvidersParams,
    ModelProvider,
    ProviderParams,
    ProviderPreset,
)
from lime_desktop.shell.parts import button, card, column, empty_state, label, pill, row
from lime_desktop.shell.settings.section import SectionContext, group, refill, setting

_ASKING_S = 60.0


def build(context: SectionContext) -> QWidget:
    """The providers there are, and a choice of those that could be."""
    providers = _Providers(context)
    context.work.start(providers.read())
    return column(providers.listing, providers.choosing, spacing=16)


class _Providers:
    def __init__(self, context: SectionContext) -> None:
        self._context = context
        self._key = QLineEdit()
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._choice = QComboBox()
        self._presets: dict[str, ProviderPreset] = {}
        self._about = label("", "small")
        self._choice.currentIndexChanged.connect(self._tell_about)
        self.listing = column(label(context.around.texts("settings.reading"), "muted"), spacing=12)
        self.choosing = self._form()

    async def read(self) -> None:
        """Show everything as it is now."""
        listed = await self._context.call(LIST_PROVIDERS, ListProvidersParams())
        shown = [self._provider(each) for each in listed.providers]
        refill(self.listing, *(shown or [self._none()]))
        taken = {each.provider_id for each in listed.providers}
        self._presets = {each.preset_id: each for each in listed.presets}
        self._choice.clear()
        for preset_id, preset in self._presets.items():
            if preset_id not in taken:
                self._choice.addItem(preset.settings.title, preset_id)

    def _form(self) -> QFrame:
        texts = self._context.around.texts
        return group(
            texts("settings.providers.add"),
            setting(
                texts("settings.providers.which"),
                texts("settings.providers.which.about"),
                self._choice,
            ),
            self._about,
            setting(
                texts("settings.providers.key"), texts("settings.providers.key.about"), self._key
            ),
            row(button(texts("settings.providers.add.do"), self._add, "primary")),
        )

    def _tell_about(self) -> None:
        preset = self._presets.get(str(self._choice.currentData()))
        words = [preset.about, preset.key_page or ""] if preset else []
        self._about.setText("\n".join(word for word in words if word))

    def _none(self) -> QWidget:
        around = self._context.around
        return empty_state(
            around.signs.picture("model", side=32),
            around.texts("settings.providers.none"),
            around.texts("settings.providers.none.about"),
        )

    def _provider(self, provider: ModelProvider) -> QFrame:
        texts, settings = self._context.around.texts, provider.settings
        obstacle = provider.obstacle
        state = pill(
            texts("settings.providers.ready") if obstacle is None else obstacle.message,
            "ok" if obstacle is None else "warning",
        )
        trying = button(texts("settings.providers.try"), lambda: self._try(provider.provider_id))
        removing = button(
            texts("settings.providers.remove"), lambda: self._remove(provider.provider_id), "danger"
        )
        for each in (trying, removing):
            each.setAccessibleName(f"{each.text()}: {settings.title}")
        models = ", ".join(model.model_id for model in settings.models[:6])
        month = texts(
            "settings.providers.month",
            count=provider.month.requests,
            cost=f"{provider.month.cost.amount:.2f}",
        )
        return card(
            row(label(settings.title, "strong"), state, trying, removing, stretch_at=0),
            label(settings.base_url, "mono"),
            label(models or texts("settings.providers.models.none"), "small"),
            label(month, "small"),
        )

    def _add(self) -> None:
        preset_id = self._choice.currentData()
        if not isinstance(preset_id, str):
            return
        key = SecretStr(self._key.text().strip())
        self._key.clear()

        async def add() -> None:
            created = CreateProviderParams(provider_id=preset_id, preset_id=preset_id)
            await self._context.call(CREATE_PROVIDER, created)
            if key.get_secret_value():
                asked = CreateKeyParams(provider_id=preset_id, key=key)
                await self._context.call(UPDATE_PROVIDER_KEY, asked)
            await self.read()
            self._try(preset_id)

        self._context.work.start(add())

    def _try(self, provider_id: str) -> None:
        async def attempt() -> None:
            asked = ConnectionTestParams(provider_id=provider_id)
            found = await self._context.call(TEST_CONNECTION, asked, timeout_s=_ASKING_S)
            if found.status == "ok":
                fetch = FetchModelsParams(provider_id=provider_id, save=True)
                await self._context.call(FETCH_MODELS, fetch, timeout_s=_ASKING_S)
            self._context.say(found.message, "success" if found.status == "ok" else "warning")
            await self.read()

        self._context.work.start(attempt())

    def _remove(self, provider_id: str) -> None:
        async def remove() -> None:
            await self._context.call(DELETE_PROVIDER, ProviderParams(provider_id=provider_id))
            await self.read()

        self._context.work.start(remove())
