"""Answers lime.secrets and secret/*: an app's declared slots, filled by a person through the host."""

from pydantic import SecretStr

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.secrets.index import SecretRecord
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.secrets import (
    BindSecretParams,
    BindSecretResult,
    ListSecretsParams,
    ListSecretsResult,
    SecretBinding,
    UnbindSecretParams,
    UnbindSecretResult,
)
from lime_desktop.protocol.capability_calls.secrets import (
    GET_SECRET_REF,
    GetSecretRefResult,
    SecretKeyParams,
)
from lime_desktop.protocol.errors import SecretRequired, WritebackNotDeclared


def owner_of(app_id: str) -> str:
    """Under whose name an app's secrets lie."""
    return f"app:{app_id}"


class AppSecrets:
    """The slots of every app."""

    def __init__(self, apps: RegisteredApps, store: SecretStore) -> None:
        self._apps = apps
        self._store = store

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of their slots."""
        calls.add(GET_SECRET_REF, self.get_ref)

    async def get_ref(self, params: SecretKeyParams, caller: AppCaller) -> GetSecretRefResult:
        """The reference of a filled slot.

        Raises:
            SecretRequired: nobody has filled it.
        """
        for record in await self._store.list(owner_of(caller.app_id)):
            if record.slot == params.key:
                return GetSecretRefResult(key=params.key, ref=record.ref)
        raise SecretRequired("This secret is not set")

    async def bind(self, params: BindSecretParams, context: CallContext) -> BindSecretResult:
        """Fill a slot.

        Raises:
            WritebackNotDeclared: the manifest has no such slot.
        """
        del context
        if params.slot not in self._apps.get(params.app_id).declared.secrets:
            raise WritebackNotDeclared("The manifest declares no secret of this name")
        record = await self._store.put(
            owner_of(params.app_id), params.slot, SecretStr(params.value)
        )
        return BindSecretResult(binding=_binding(record))

    async def unbind(self, params: UnbindSecretParams, context: CallContext) -> UnbindSecretResult:
        """Empty a slot."""
        del context
        was_bound = await self._store.remove(owner_of(params.app_id), params.slot)
        return UnbindSecretResult(was_bound=was_bound)

    async def list(self, params: ListSecretsParams, context: CallContext) -> ListSecretsResult:
        """Name the filled slots."""
        del context
        records = await self._store.list(owner_of(params.app_id))
        return ListSecretsResult(bindings=tuple(_binding(record) for record in records))


def _binding(record: SecretRecord) -> SecretBinding:
    return SecretBinding(
        slot=record.slot, ref=record.ref, place=record.place, updated_at=record.updated_at
    )
