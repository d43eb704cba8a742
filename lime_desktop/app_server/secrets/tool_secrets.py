"""Which of an app's filled slots a tool is shown, and in which form: by what the manifest says and the task allows.

Values are opened when a call runs and not before, so that one that was taken back is gone with the next call.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import SecretStr

from lime_desktop.app_package.manifest.resources import SecretSlot, SecretUse
from lime_desktop.app_server.apps.agent_settings import AgentSettings
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.secrets.opened_values import NOTHING_HIDDEN, OpenedValues
from lime_desktop.app_server.secrets.service import owner_of
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.task_request import allowed_secrets
from lime_desktop.overlay.credentials import slot_named
from lime_desktop.policy.call import Target
from lime_desktop.protocol.errors import SecretRequired
from lime_desktop.protocol.ids import AppId


@dataclass(frozen=True, slots=True)
class _Wanted:
    slot: SecretSlot
    use: SecretUse
    ref: str | None
    is_allowed: bool

    @property
    def is_shown(self) -> bool:
        return self.ref is not None and self.is_allowed


@dataclass(frozen=True, slots=True)
class ToolSecrets:
    """The slots that one tool of one turn wants. Slots that it can do without may be empty."""

    app_id: AppId
    wanted: tuple[_Wanted, ...]
    store: SecretStore
    refusal: tuple[str, str] | None = None
    """Why the secret that somebody chose for the tool cannot be shown to it, and the same as a stable word."""

    @property
    def unavailable(self) -> tuple[str | None, str]:
        """Why the tool cannot be called, and the same as a stable word: what must be there is missing."""
        if self.refusal is not None:
            return self.refusal
        for each in self.wanted:
            if not each.slot.required or each.is_shown:
                continue
            key = each.slot.key
            if not each.is_allowed:
                text = f"The task may not use the secret {key}: name it in the task's `secrets`."
                return text, "secret_not_allowed"
            return f"The secret {key} is not set. Enter it on the app's page.", "secret_required"
        return None, "tool_unavailable"

    @property
    def has_files(self) -> bool:
        """Whether a program is given one as a file."""
        return any(each.use.placeholder is not None and each.is_shown for each in self.wanted)

    @property
    def targets(self) -> tuple[Target, ...]:
        """What is shown, for policy: a rule may speak of a secret."""
        keys = dict.fromkeys(each.slot.key for each in self.wanted if each.is_shown)
        return tuple(Target("secret", key) for key in keys)

    @property
    def fingerprint(self) -> tuple[str, ...]:
        """Another one for other values: a slot that is filled anew has a new reference."""
        return tuple(each.ref or "" for each in self.wanted if each.is_shown)

    async def open(self) -> OpenedValues:
        """The values.

        Raises:
            SecretRequired: one is gone, or cannot be sent as it is.
        """
        if self.refusal is not None:
            raise SecretRequired(self.refusal[0])
        variables: dict[str, SecretStr] = {}
        headers: dict[str, SecretStr] = {}
        files: dict[str, SecretStr] = {}
        for each in self.wanted:
            if each.ref is None or not each.is_allowed:
                continue
            value = await self.store.open(each.ref, owner_of(self.app_id))
            use = each.use
            if use.variable is not None:
                variables[use.variable] = _fit(value, "\0", each.slot.key)
            elif use.header is not None:
                sent = SecretStr(f"{use.prefix or ''}{value.get_secret_value()}")
                headers[use.header] = _fit(sent, "\r\n\0", each.slot.key)
            elif use.placeholder is not None:
                files[use.placeholder] = value
        return OpenedValues(variables, headers, files) if self.wanted else NOTHING_HIDDEN


def _fit(value: SecretStr, forbidden: str, key: str) -> SecretStr:
    text = value.get_secret_value()
    is_header = "\r" in forbidden
    if set(forbidden) & set(text) or (is_header and not text.isascii()):
        raise SecretRequired(f"The value of {key} can't be sent as it is. Enter it again.")
    return value


_Named = tuple[SecretSlot, SecretUse]


def _named(app: RegisteredApp, is_meant: Callable[[SecretUse], bool]) -> list[_Named]:
    return [
        (slot, use) for slot in app.package.manifest.secrets for use in slot.use if is_meant(use)
    ]


def _refusal(app: RegisteredApp, named: Sequence[_Named], chosen: str) -> tuple[str, str] | None:
    """Why a secret that was chosen is not shown: it would go where nobody read that it goes."""
    change = "Change the tool's secret in the app's settings."
    if not any(slot.key == chosen for slot in app.package.manifest.secrets):
        text = f"The settings name the secret {chosen} for this tool, and the app has none of that name. {change}"
        return text, "credential_unknown"
    if not any(slot.key == chosen for slot, _ in named):
        text = f"The settings name the secret {chosen} for this tool, and the app does not send it there. {change}"
        return text, "credential_unfit"
    return None


def _with_chosen(named: Sequence[_Named], chosen: str) -> list[_Named]:
    """The chosen slot in its own forms, and others in forms that it has not. Without it the tool is not called at all."""
    forms = {_form(use) for slot, use in named if slot.key == chosen}
    return [
        (slot.model_copy(update={"required": True}) if slot.key == chosen else slot, use)
        for slot, use in named
        if slot.key == chosen or _form(use) not in forms
    ]


def _form(use: SecretUse) -> tuple[str | None, ...]:
    header = use.header.lower() if use.header else None
    return use.variable, header, use.placeholder


class AppToolSecrets:
    """What the tools of every app are shown."""

    def __init__(self, store: SecretStore) -> None:
        self._store = store

    async def for_integration(
        self, app: RegisteredApp, request: TurnRequest, key: str
    ) -> ToolSecrets:
        """What a connection of the manifest is shown in a turn; a secret that somebody chose for it goes before others."""
        named = _named(app, lambda use: use.integration == key)
        chosen = AgentSettings(app.registration).credential_of(key)
        if chosen is not None:
            slot = slot_named(chosen.value) or ""
            if refusal := _refusal(app, named, slot):
                return ToolSecrets(app.app_id, (), self._store, refusal)
            named = _with_chosen(named, slot)
        return await self._of(app, request, named)

    async def for_site(self, app: RegisteredApp, request: TurnRequest, host: str) -> ToolSecrets:
        """What a site is shown that is fetched from in a turn."""
        return await self._of(app, request, _named(app, lambda use: host in use.domains))

    async def _of(
        self, app: RegisteredApp, request: TurnRequest, named: Sequence[_Named]
    ) -> ToolSecrets:
        if not named:
            return ToolSecrets(app.app_id, (), self._store)
        filled = {each.slot: each.ref for each in await self._store.list(owner_of(app.app_id))}
        allowed = allowed_secrets(request.options)
        wanted = (
            _Wanted(slot, use, filled.get(slot.key), allowed is None or slot.key in allowed)
            for slot, use in named
        )
        return ToolSecrets(app.app_id, tuple(wanted), self._store)
