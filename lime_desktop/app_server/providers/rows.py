"""The tables of ``providers.db``, and how they are read and written. Functions of a connection; no key is here."""

from collections.abc import Iterator
from dataclasses import dataclass

from lime_desktop.database.connection import Connection
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.protocol.calls.model_providers import ProviderSettings, ProviderUsage
from lime_desktop.protocol.calls.models import ModelChoice
from lime_desktop.protocol.task_events import Cost, TokenUsage

PROVIDERS = Schema(
    "providers",
    (
        Migration(
            "providers and their use",
            statements(
                """
                CREATE TABLE provider (
                    provider_id TEXT PRIMARY KEY,
                    settings TEXT NOT NULL,
                    created_at TEXT NOT NULL,
                    updated_at TEXT NOT NULL
                )
                """,
                """
                CREATE TABLE usage (
                    month TEXT NOT NULL,
                    provider_id TEXT NOT NULL,
                    model_id TEXT NOT NULL,
                    requests INTEGER NOT NULL DEFAULT 0,
                    unpriced_requests INTEGER NOT NULL DEFAULT 0,
                    input_tokens INTEGER NOT NULL DEFAULT 0,
                    output_tokens INTEGER NOT NULL DEFAULT 0,
                    cached_input_tokens INTEGER NOT NULL DEFAULT 0,
                    cost_nano_usd INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (month, provider_id, model_id)
                ) WITHOUT ROWID
                """,
            ),
        ),
        Migration(
            "the model that is preferred",
            statements(
                """
                CREATE TABLE preferred_model (
                    provider_id TEXT NOT NULL,
                    model_id TEXT NOT NULL
                )
                """
            ),
        ),
        Migration(
            "when a provider last answered",
            statements(
                """
                CREATE TABLE answered (
                    provider_id TEXT PRIMARY KEY,
                    answered_at TEXT NOT NULL
                ) WITHOUT ROWID
                """
            ),
        ),
    ),
)

_NANO = 1_000_000_000
"""Whole numbers add up exactly; one token may cost less than a millionth of a dollar."""


@dataclass(frozen=True, slots=True)
class StoredProvider:
    """A provider as it is kept."""

    provider_id: str
    settings: ProviderSettings
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class RoundUsage:
    """What one model round used."""

    provider_id: str
    model_id: str
    usage: TokenUsage
    cost_usd: float | None
    """None where nobody knows the price."""


def all_providers(connection: Connection) -> tuple[StoredProvider, ...]:
    """Every provider, in the user's order."""
    rows = connection.execute("SELECT * FROM provider").fetchall()
    found = [_provider(*row) for row in rows]
    return tuple(sorted(found, key=lambda each: (each.settings.rank, each.provider_id)))


def find_provider(connection: Connection, provider_id: str) -> StoredProvider | None:
    """One provider."""
    query = "SELECT * FROM provider WHERE provider_id = ?"
    row = connection.execute(query, (provider_id,)).fetchone()
    return _provider(*row) if row else None


def write_provider(connection: Connection, provider: StoredProvider) -> None:
    """Keep a provider; an earlier one of its id is replaced."""
    connection.execute(
        "INSERT OR REPLACE INTO provider VALUES (?, ?, ?, ?)",
        (
            provider.provider_id,
            provider.settings.to_json(),
            provider.created_at,
            provider.updated_at,
        ),
    )


def remove_provider(connection: Connection, provider_id: str) -> bool:
    """Forget a provider and say whether there was one. What it used this month is remembered."""
    cursor = connection.execute("DELETE FROM provider WHERE provider_id = ?", (provider_id,))
    forget_answer(connection, provider_id)
    return cursor.rowcount > 0


def answered(connection: Connection) -> dict[str, str]:
    """When each provider last answered, as it is set up now."""
    return dict(connection.execute("SELECT provider_id, answered_at FROM answered").fetchall())


def write_answer(connection: Connection, provider_id: str, at: str) -> None:
    """Keep that it answered."""
    connection.execute("INSERT OR REPLACE INTO answered VALUES (?, ?)", (provider_id, at))


def forget_answer(connection: Connection, provider_id: str) -> None:
    """What another address or key answered says nothing about this one."""
    connection.execute("DELETE FROM answered WHERE provider_id = ?", (provider_id,))


def find_preferred(connection: Connection) -> ModelChoice | None:
    """The model that the person chose."""
    row = connection.execute("SELECT provider_id, model_id FROM preferred_model").fetchone()
    return ModelChoice(provider_id=row[0], model_id=row[1]) if row else None


def write_preferred(connection: Connection, choice: ModelChoice | None) -> None:
    """Keep the choice, or that there is none."""
    connection.execute("DELETE FROM preferred_model")
    if choice is not None:
        connection.execute(
            "INSERT INTO preferred_model VALUES (?, ?)", (choice.provider_id, choice.model_id)
        )


def add_usage(connection: Connection, month: str, used: RoundUsage) -> None:
    """Count one round."""
    cost = round((used.cost_usd or 0.0) * _NANO)
    connection.execute(
        """
        INSERT INTO usage VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET
            requests = requests + 1,
            unpriced_requests = unpriced_requests + excluded.unpriced_requests,
            input_tokens = input_tokens + excluded.input_tokens,
            output_tokens = output_tokens + excluded.output_tokens,
            cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens,
            cost_nano_usd = cost_nano_usd + excluded.cost_nano_usd
        """,
        (
            month,
            used.provider_id,
            used.model_id,
            int(used.cost_usd is None),
            used.usage.input_tokens,
            used.usage.output_tokens,
            used.usage.cached_input_tokens,
            cost,
        ),
    )


def usage_in(connection: Connection, month: str) -> dict[str, ProviderUsage]:
    """What each provider was used for in a month."""
    return dict(_usages(connection, month))


def _usages(connection: Connection, month: str) -> Iterator[tuple[str, ProviderUsage]]:
    rows = connection.execute(
        """
        SELECT provider_id, sum(requests), sum(unpriced_requests), sum(input_tokens),
               sum(output_tokens), sum(cached_input_tokens), sum(cost_nano_usd)
        FROM usage WHERE month = ? GROUP BY provider_id
        """,
        (month,),
    )
    for provider_id, requests, unpriced, read, written, cached, cost in rows:
        tokens = TokenUsage(
            input_tokens=read,
            output_tokens=written,
            total_tokens=read + written,
            cached_input_tokens=cached,
        )
        yield (
            provider_id,
            ProviderUsage(
                month=month,
                requests=requests,
                usage=tokens,
                cost=Cost(amount=cost / _NANO),
                unpriced_requests=unpriced,
            ),
        )


def _provider(provider_id: str, settings: str, created_at: str, updated_at: str) -> StoredProvider:
    return StoredProvider(
        provider_id, ProviderSettings.model_validate_json(settings), created_at, updated_at
    )
