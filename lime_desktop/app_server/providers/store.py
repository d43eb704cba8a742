"""The one owner of provider settings and keys. Settings in a database, keys where secrets lie, use counted by month.

Another process may change the same file, as ``lime-desktop providers`` does: nothing is remembered between reads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from lime_desktop.app_server.providers.rows import (
    PROVIDERS,
    RoundUsage,
    StoredProvider,
    add_usage,
    all_providers,
    answered,
    find_preferred,
    find_provider,
    forget_answer,
    remove_provider,
    usage_in,
    write_answer,
    write_preferred,
    write_provider,
)
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, open_database
from lime_desktop.protocol.calls.model_providers import (
    ModelProvider,
    ProviderSettings,
    ProviderUsage,
)
from lime_desktop.protocol.calls.models import ModelChoice, ModelObstacle
from lime_desktop.protocol.errors import Conflict, InvalidInput, SecretRequired

_KEY_SLOT = "key"
BUDGET_REACHED = "budget_reached"
"""The reason for which a model that could be used may not be."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is known of the providers from having used them."""

    used: dict[str, ProviderUsage]
    answered: dict[str, str]


class ProviderStore:
    """Made by `open_provider_store`."""

    def __init__(self, database: Database, secrets: SecretStore):
        self._database = database
        self._secrets = secrets

    async def list(self) -> tuple[ModelProvider, ...]:
        """Every provider, in the user's order, with what is in its way."""
        found, seen = await self._database.read(
            lambda connection: (all_providers(connection), _seen(connection))
        )
        return tuple([await self._described(each, seen) for each in found])

    async def read(self, provider_id: str) -> ModelProvider:
        """One provider.

        Raises:
            InvalidInput: there is none of this id.
        """

        def look(connection: Connection) -> tuple[StoredProvider, _Seen]:
            return _required(connection, provider_id), _seen(connection)

        return await self._described(*await self._database.read(look))

    async def create(self, provider_id: str, settings: ProviderSettings) -> ModelProvider:
        """Set a provider up.

        Raises:
            Conflict: the id is taken.
        """

        def write(connection: Connection) -> None:
            if find_provider(connection, provider_id):
                raise Conflict("A provider of this id is set up already.")
            at = now()
            write_provider(connection, StoredProvider(provider_id, settings, at, at))

        await self._database.write(write)
        return await self.read(provider_id)

    async def change(
        self, provider_id: str, change: Callable[[ProviderSettings], ProviderSettings]
    ) -> ModelProvider:
        """Make new settings of those that hold now; nobody else changes them in between, in whatever process.

        A key was given for one address and is not sent to another.
        """

        def write(connection: Connection) -> bool:
            before = _required(connection, provider_id)
            settings = change(before.settings)
            after = StoredProvider(provider_id, settings, before.created_at, now())
            write_provider(connection, after)
            is_moved = before.settings.base_url != settings.base_url
            if is_moved:
                forget_answer(connection, provider_id)
            return is_moved

        if await self._database.write(write):
            await self.remove_key(provider_id)
        return await self.read(provider_id)

    async def delete(self, provider_id: str) -> bool:
        """Forget a provider and its key, and say whether there was one."""
        await self.remove_key(provider_id)
        return await self._database.write(
            lambda connection: remove_provider(connection, provider_id)
        )

    async def put_key(self, provider_id: str, key: SecretStr) -> ModelProvider:
        """Keep the key."""
        await self._database.read(lambda connection: _required(connection, provider_id))
        await self._secrets.put(_owner(provider_id), _KEY_SLOT, key)
        await self.forget_answer(provider_id)
        return await self.read(provider_id)

    async def remove_key(self, provider_id: str) -> None:
        """Forget the key; there may be none."""
        await self._secrets.remove(_owner(provider_id), _KEY_SLOT)

    async def open_key(self, provider_id: str) -> SecretStr | None:
        """The key, for the one request that needs it."""
        owner = _owner(provider_id)
        record = await self._secrets.find(owner, _KEY_SLOT)
        if record is None:
            return None
        try:
            return await self._secrets.open(record.ref, owner)
        except SecretRequired:
            return None

    async def preferred(self) -> ModelChoice | None:
        """The model that the person wants where a turn names none."""
        return await self._database.read(find_preferred)

    async def prefer(self, choice: ModelChoice | None) -> None:
        """Keep the person's choice, or that they leave it to the order of the providers."""
        await self._database.write(lambda connection: write_preferred(connection, choice))

    async def without_models(self) -> tuple[ModelProvider, ...]:
        """Providers that are set up and still have no model to offer."""
        return tuple(each for each in await self.list() if not each.settings.models)

    async def record_answer(self, provider_id: str) -> None:
        """Keep that it was reached, with its key, and answered."""
        await self._database.write(lambda connection: write_answer(connection, provider_id, now()))

    async def forget_answer(self, provider_id: str) -> None:
        """Keep that it does not answer any more."""
        await self._database.write(lambda connection: forget_answer(connection, provider_id))

    async def record(self, used: RoundUsage) -> ProviderUsage:
        """Count a round, which is an answer; returns the provider's month so far."""
        month = this_month()

        def write(connection: Connection) -> ProviderUsage:
            add_usage(connection, month, used)
            write_answer(connection, used.provider_id, now())
            return usage_in(connection, month)[used.provider_id]

        return await self._database.write(write)

    def close(self) -> None:
        """Close the file. The secrets are their owner's to close."""
        self._database.close()

    async def _described(self, stored: StoredProvider, seen: _Seen) -> ModelProvider:
        record = await self._secrets.find(_owner(stored.provider_id), _KEY_SLOT)
        month = seen.used.get(stored.provider_id) or ProviderUsage(month=this_month())
        return ModelProvider(
            provider_id=stored.provider_id,
            settings=stored.settings,
            has_key=record is not None,
            key_place=record.place if record else None,
            obstacle=_obstacle(stored.settings, month, has_key=record is not None),
            answered_at=seen.answered.get(stored.provider_id),
            month=month,
            created_at=stored.created_at,
            updated_at=stored.updated_at,
        )


def open_provider_store(folder: Path, secrets: SecretStore) -> ProviderStore:
    """Open the file in an App Server's data folder. Blocks."""
    return ProviderStore(open_database(folder / "providers.db", PROVIDERS), secrets)


def this_month() -> str:
    """The month that use is counted in."""
    return datetime.now(UTC).strftime("%Y-%m")


def _seen(connection: Connection) -> _Seen:
    return _Seen(usage_in(connection, this_month()), answered(connection))


def _obstacle(
    settings: ProviderSettings, month: ProviderUsage, *, has_key: bool
) -> ModelObstacle | None:
    limit = settings.limits.monthly_cost
    if not settings.is_enabled:
        return _obstacle_of("provider_disabled", "The provider is switched off.", "Switch it on")
    if settings.needs_key and not has_key:
        return _obstacle_of("key_missing", "The provider has no key.", "Add its key in Settings")
    if not settings.models:
        return _obstacle_of(
            "model_missing", "The provider has no models.", "Fetch or add its models in Settings"
        )
    if limit and month.cost.amount >= limit.amount:
        return _obstacle_of(
            BUDGET_REACHED,
            "The provider's limit for this month is reached.",
            "Raise the limit in Settings, or wait for the next month",
        )
    return None


def _obstacle_of(reason_code: str, message: str, setup_action: str) -> ModelObstacle:
    return ModelObstacle(reason_code=reason_code, message=message, setup_action=setup_action)


def _owner(provider_id: str) -> str:
    return f"model-provider:{provider_id}"


def _required(connection: Connection, provider_id: str) -> StoredProvider:
    found = find_provider(connection, provider_id)
    if found is None:
        raise InvalidInput.at_fields(
            [("providerId", "unknown_provider")], message="No provider of this name is set up"
        )
    return found
