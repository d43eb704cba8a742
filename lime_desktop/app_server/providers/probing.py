"""Ask a provider which models it has: shows that it can be reached, that its key is taken, and what it offers."""

import asyncio
from dataclasses import dataclass

import httpx2
from pydantic import JsonValue, SecretStr

from lime_desktop.app_server.providers.connection_failures import unreachable, why_unreachable
from lime_desktop.app_server.providers.listed_models import ListedModel, read_listed
from lime_desktop.app_server.providers.network import open_http_client
from lime_desktop.protocol.calls.model_providers import ProviderProtocol, ProviderSettings
from lime_desktop.protocol.errors import AppError, ProviderFailed, ProviderNotReady

MAX_MODELS = 1_000
_MAX_BYTES = 8 * 1024 * 1024
_PROBE_S = 20.0


@dataclass(frozen=True, slots=True)
class _Dialect:
    path: str
    headers: dict[str, str]
    key_header: str
    key_prefix: str
    list_field: str
    id_field: str
    ask_path: str | None = None
    """Where questions go; for whoever may keep no list of models."""


_DIALECTS: dict[ProviderProtocol, _Dialect] = {
    "openai-compatible": _Dialect(
        "/models", {}, "Authorization", "Bearer ", "data", "id", "/chat/completions"
    ),
    "anthropic-compatible": _Dialect(
        "/v1/models?limit=1000",
        {"anthropic-version": "2023-06-01"},
        "x-api-key",
        "",
        "data",
        "id",
        "/v1/messages",
    ),
    "gemini-native": _Dialect(
        "/v1beta/models?pageSize=1000", {}, "x-goog-api-key", "", "models", "name"
    ),
}


async def list_models(settings: ProviderSettings, key: SecretStr | None) -> tuple[ListedModel, ...]:
    """The models that the provider names; none where it keeps no such list.

    Raises:
        ProviderNotReady: the key is missing or refused, or an address is wrong.
        ProviderFailed: the provider could not be reached, or answered with an error.
    """
    dialect = _DIALECTS[settings.protocol]
    headers = dict(dialect.headers)
    if key is not None:
        headers[dialect.key_header] = f"{dialect.key_prefix}{key.get_secret_value()}"
    async with open_http_client(settings) as client:
        try:
            response = await client.get(
                f"{settings.base_url}{dialect.path}", headers=headers, timeout=_PROBE_S
            )
            if response.status_code == 404:
                await _require_protocol(client, settings, dialect, headers)
                return ()
        except httpx2.HTTPError as error:
            raise unreachable(why_unreachable(error)) from None
    if not response.is_success:
        raise refused(response.status_code)
    return _models(response, dialect)


async def list_quietly(
    settings: ProviderSettings, timeout_s: float
) -> tuple[ListedModel, ...] | None:
    """The models that a server names which nobody set up; None where none is there. One short question, without a key."""
    dialect = _DIALECTS[settings.protocol]
    async with open_http_client(settings) as client:
        try:
            async with asyncio.timeout(timeout_s):
                response = await client.get(f"{settings.base_url}{dialect.path}")
            return _models(response, dialect) if response.is_success else None
        except (httpx2.HTTPError, AppError, TimeoutError):
            return None


async def _require_protocol(
    client: httpx2.AsyncClient,
    settings: ProviderSettings,
    dialect: _Dialect,
    headers: dict[str, str],
) -> None:
    """No list of models may mean that none is kept, or that nothing of the kind is there: an empty question tells.

    It asks no model for anything, so that it costs nothing; whoever speaks the protocol finds fault with it.
    """
    status = 404
    if dialect.ask_path:
        address = f"{settings.base_url}{dialect.ask_path}"
        answer = await client.post(address, headers=headers, json={}, timeout=_PROBE_S)
        status = answer.status_code
    if status in {401, 403}:
        raise refused(status)
    if status in {404, 405}:
        raise ProviderNotReady(
            "At this address nothing answers as this kind of provider does.",
            details={
                "reasonCode": "wrong_address",
                "setupAction": "Check the address and the protocol; many addresses end in /v1",
            },
        )


def refused(status: int) -> AppError:
    """What an answer with this status means."""
    if status in {401, 403}:
        return ProviderNotReady(
            "The provider refused the key.",
            details={
                "reasonCode": "key_refused",
                "setupAction": "Enter the provider's key again",
            },
        )
    return ProviderFailed(
        f"The provider answered with status {status}.",
        details={"reasonCode": "rate_limited" if status == 429 else "provider_error"},
    )


def _models(response: httpx2.Response, dialect: _Dialect) -> tuple[ListedModel, ...]:
    if len(response.content) > _MAX_BYTES:
        raise _no_list()
    try:
        # A server that holds no model yet says null.
        entries: list[dict[str, JsonValue]] = response.json()[dialect.list_field] or []
        listed = [read_listed(entry, dialect.id_field) for entry in entries]
    except (ValueError, KeyError, TypeError):
        raise _no_list() from None
    by_id = {each.model_id: each for each in listed if each is not None}
    return tuple(by_id.values())[:MAX_MODELS]


def _no_list() -> AppError:
    return ProviderFailed(
        "The provider's answer is no list of models; its address may be wrong.",
        details={"reasonCode": "unexpected_answer"},
    )
