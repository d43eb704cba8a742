"""How one provider is used: on or off, its order and first model, what it may cost, the way there, another key."""

from collections.abc import Callable

from pydantic import SecretStr
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from lime_desktop.host.models import provider_changes as changing
from lime_desktop.host.wording.joining import listed
from lime_desktop.protocol.calls.model_providers import (
    UPDATE_PROVIDER,
    UPDATE_PROVIDER_KEY,
    CreateKeyParams,
    ModelProvider,
    ProviderSettings,
    UpdateProviderParams,
)
from lime_desktop.protocol.errors import Conflict, InvalidInput
from lime_desktop.protocol.task_events import Cost
from lime_desktop.shell.settings.section import SectionContext, setting
from lime_desktop.shell.widgets.parts import bare_check_box, button, column, combo_box, line, row

_NAMES = {
    changing.ORDER: "order",
    changing.MONTHLY_COST: "month",
    changing.TASK_COST: "task",
    changing.PROXY: "proxy",
    changing.CA_FILE: "ca",
}
"""What each written field is called among the texts `settings.providers.more.…`."""


class ProviderForm:
    """Shows a provider's settings and keeps what was changed; `saved` hears whether the way to it is another now."""

    def __init__(
        self, context: SectionContext, provider: ModelProvider, saved: Callable[[bool], None]
    ) -> None:
        self._context = context
        self._provider = provider
        self._saved = saved
        settings = provider.settings
        self._is_on = bare_check_box()
        self._is_on.setChecked(settings.is_enabled)
        self._first = combo_box()
        self._first.addItems([model.model_id for model in settings.models])
        self._written = {path: QLineEdit(said) for path, said in _written(settings).items()}
        self._key = QLineEdit()
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        for field in (*self._written.values(), self._key):
            field.returnPressed.connect(self.save)
        self.widget = self._build()

    def save(self) -> None:
        """Keep what was changed, or say which value will not do."""
        texts, before = self._context.look.texts, self._provider.settings
        changes: dict[str, str | int | None] = {
            path: field.text().strip() for path, field in self._written.items()
        }
        changes |= {"isEnabled": self._is_on.isChecked()}
        try:
            settings = changing.changed(before, changes)
        except InvalidInput as error:
            names = [_NAMES[path] for path in changing.wrong_fields(error, _NAMES)]
            fields = listed(texts, (texts(f"settings.providers.more.{name}") for name in names))
            self._context.say(texts("settings.providers.more.wrong", fields=fields), "error")
            return
        if self._first.currentText():
            settings = changing.with_first_model(settings, self._first.currentText())
        key = SecretStr(self._key.text().strip())
        self._key.clear()
        self._context.work.start(self._keep(settings, key))

    async def _keep(self, settings: ProviderSettings, key: SecretStr) -> None:
        provider_id, before = self._provider.provider_id, self._provider.settings
        updated = UpdateProviderParams(provider_id=provider_id, settings=settings, replaces=before)
        try:
            await self._context.call(UPDATE_PROVIDER, updated)
        except Conflict:
            # Somebody changed it while the form was open, as the command line may: theirs is shown, not overwritten.
            changed = self._context.look.texts("settings.providers.more.changed")
            self._context.say(changed, "warning")
            self._saved(False)  # noqa: FBT003 - likewise
            return
        if key.get_secret_value():
            given = CreateKeyParams(provider_id=provider_id, key=key)
            await self._context.call(UPDATE_PROVIDER_KEY, given)
        self._context.say(self._context.look.texts("settings.providers.more.saved"), "success")
        self._saved(settings.network != before.network or bool(key.get_secret_value()))

    def _build(self) -> QWidget:
        texts, settings = self._context.look.texts, self._provider.settings
        fields = {
            "on": self._is_on,
            "first": self._first if settings.models else None,
            **{name: self._written[path] for path, name in _NAMES.items()},
            "key": self._key if settings.needs_key else None,
        }
        return column(
            line(),
            *(self._setting(name, field) for name, field in fields.items() if field),
            row(
                button(texts("settings.providers.more.save"), self.save, "primary"),
                button(texts("settings.providers.more.ca.choose"), self._choose_file),
            ),
        )

    def _setting(self, name: str, control: QWidget) -> QWidget:
        key = f"settings.providers.more.{name}"
        return setting(
            self._context.look.texts(key), self._context.look.texts(f"{key}.about"), control
        )

    def _choose_file(self) -> None:
        dialog = QFileDialog(
            self.widget.window(), self._context.look.texts("settings.providers.more.ca")
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._written[changing.CA_FILE].setText)
        dialog.open()


def _written(settings: ProviderSettings) -> dict[str, str]:
    return {
        changing.ORDER: str(settings.rank),
        changing.MONTHLY_COST: _amount(settings.limits.monthly_cost),
        changing.TASK_COST: _amount(settings.limits.task_cost),
        changing.PROXY: settings.network.proxy_url or "",
        changing.CA_FILE: settings.network.ca_file or "",
    }


def _amount(cost: Cost | None) -> str:
    return f"{cost.amount:g}" if cost else ""
