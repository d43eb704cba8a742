"""Providers: kept without their keys, reached as their settings say, counted by month."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from lime_desktop.app_server.execution.embedded import engine as embedded_engine
from lime_desktop.app_server.providers.offers import offered_models
from lime_desktop.app_server.providers.presets import PRESETS
from lime_desktop.app_server.providers.routing import AvailableModels
from lime_desktop.app_server.providers.rows import RoundUsage
from lime_desktop.app_server.providers.service import ProviderService
from lime_desktop.app_server.providers.store import ProviderStore
from lime_desktop.protocol.calls.model_providers import (
    ConnectionTestParams,
    CreateKeyParams,
    CreateProviderParams,
    FetchModelsParams,
    ListProvidersParams,
    ModelProvider,
    ProviderParams,
    ProviderSettings,
    ProviderUsage,
    UpdateProviderParams,
)
from lime_desktop.protocol.calls.models import ListModelsParams, ModelChoice, PreferModelParams
from lime_desktop.protocol.errors import Conflict, InvalidInput
from lime_desktop.protocol.task_events import TokenUsage
from tests.app_server.model_server import Answer, ModelServer, Reply, failure, model_list
from tests.app_server.providers.certificates import self_signed, serving
from tests.app_server.providers.kept import SECRET, open_store, settings
from tests.app_server.runtime_core.runtime import CONTEXT

Scenario = Callable[[ProviderService, ProviderStore], Awaitable[None]]


def serve(folder: Path, scenario: Scenario) -> None:
    async def whole() -> None:
        async with open_store(folder) as store:

            async def supply() -> AvailableModels:
                found = [m for p in await store.list() for m in offered_models(p, "model")]
                return AvailableModels(tuple(found), await store.preferred())

            await scenario(ProviderService(store, supply), store)

    asyncio.run(whole())


async def create(service: ProviderService, **more: Any) -> ModelProvider:
    params = CreateProviderParams(provider_id="p1", settings=settings(**more))
    return (await service.create(params, CONTEXT)).provider


def test_a_provider_is_set_up_changed_listed_and_forgotten(tmp_path: Path) -> None:
    """The issue: the settings plane of models."""

    async def scenario(service: ProviderService, _store: ProviderStore) -> None:
        made = await create(service)
        assert made.settings == settings()
        with pytest.raises(Conflict):
            await create(service)
        changed = UpdateProviderParams(provider_id="p1", settings=settings(title="Renamed"))
        assert (await service.update(changed, CONTEXT)).provider.settings.title == "Renamed"
        listed = await service.list(ListProvidersParams(), CONTEXT)
        assert [p.provider_id for p in listed.providers] == ["p1"]
        assert listed.presets == PRESETS
        named = ProviderParams(provider_id="p1")
        assert (await service.delete(named, CONTEXT)).was_set_up
        assert not (await service.delete(named, CONTEXT)).was_set_up
        assert (await service.list(ListProvidersParams(), CONTEXT)).providers == ()

    serve(tmp_path, scenario)


def test_a_preset_needs_nothing_but_a_key(tmp_path: Path) -> None:
    """Ours: setting up a known provider is a choice and a key."""

    async def scenario(service: ProviderService, _store: ProviderStore) -> None:
        params = CreateProviderParams(provider_id="mine", preset_id="anthropic")
        made = (await service.create(params, CONTEXT)).provider
        assert made.settings.protocol == "anthropic-compatible"
        assert made.obstacle
        assert made.obstacle.reason_code == "key_missing"
        unknown = CreateProviderParams(provider_id="other", preset_id="no-such")
        with pytest.raises(InvalidInput):
            await service.create(unknown, CONTEXT)

    serve(tmp_path, scenario)


@pytest.mark.requirement("RT-46")
def test_a_key_goes_in_and_never_comes_out(tmp_path: Path) -> None:
    """The standard: the provider store alone holds keys; no answer, file of ours or repr shows one."""

    async def scenario(service: ProviderService, store: ProviderStore) -> None:
        await create(service, needsKey=True)
        params = CreateKeyParams(provider_id="p1", key=SecretStr(SECRET))
        assert SECRET not in repr(params)
        assert SECRET in params.to_json()  # the host must be able to send it
        answer = await service.update_key(params, CONTEXT)
        assert answer.provider.has_key
        assert answer.provider.obstacle is None
        listed = await service.list(ListProvidersParams(), CONTEXT)
        assert SECRET not in listed.to_json() + repr(listed) + answer.to_json()
        opened = await store.open_key("p1")
        assert opened
        assert opened.get_secret_value() == SECRET
        assert SECRET not in repr(opened)

    serve(tmp_path, scenario)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert all(SECRET.encode() not in path.read_bytes() for path in files)


def test_a_key_is_not_sent_to_another_address(tmp_path: Path) -> None:
    """Ours: who changes the address must enter the key again."""

    async def scenario(service: ProviderService, store: ProviderStore) -> None:
        await create(service, needsKey=True)
        await store.put_key("p1", SecretStr(SECRET))
        await store.record_answer("p1")
        moved = settings("http://127.0.0.1:10/v1", needsKey=True)
        params = UpdateProviderParams(provider_id="p1", settings=moved)
        changed = (await service.update(params, CONTEXT)).provider
        assert not changed.has_key
        assert changed.answered_at is None
        await store.put_key("p1", SecretStr(SECRET))
        renamed = UpdateProviderParams(
            provider_id="p1", settings=moved.model_copy(update={"title": "x"})
        )
        assert (await service.update(renamed, CONTEXT)).provider.has_key
        await service.delete(ProviderParams(provider_id="p1"), CONTEXT)
        assert await store.open_key("p1") is None

    serve(tmp_path, scenario)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("baseUrl", "http://models.example.com/v1"),
        ("baseUrl", "https://me:secret@models.example.com"),
        ("baseUrl", "file:///etc/passwd"),
        ("baseUrl", "https://models.example.com/v1?key=1"),
        ("network", {"proxyUrl": "http://me:secret@proxy"}),
        ("network", {"proxyUrl": "socks5://proxy"}),
    ],
)
def test_addresses_that_would_leak_or_mislead_are_refused(field: str, value: object) -> None:
    """Ours: no credentials in addresses, no key over plain http to the world."""
    with pytest.raises(ValidationError):
        ProviderSettings.model_validate({**settings().to_wire(), field: value})


@pytest.mark.parametrize(
    "address", ["http://localhost:11434/v1", "http://192.168.1.4/v1", "https://example.com"]
)
def test_near_addresses_may_be_plain(address: str) -> None:
    """Ours: local model servers have no certificates."""
    assert settings(address).base_url == address


def test_use_is_counted_and_a_reached_limit_stops_the_provider(tmp_path: Path) -> None:
    """The issue: monthly cost limits are facts with honest states."""

    async def scenario(service: ProviderService, store: ProviderStore) -> None:
        await create(service, limits={"monthlyCost": {"amount": 0.5}})
        tokens = TokenUsage(input_tokens=100, output_tokens=10, total_tokens=110)
        await store.record(RoundUsage("p1", "test-model", tokens, 0.3))
        await store.record(RoundUsage("p1", "test-model", tokens, None))
        month = (await store.read("p1")).month
        assert (month.requests, month.unpriced_requests) == (2, 1)
        assert month.cost.amount == pytest.approx(0.3)
        assert month.usage.total_tokens == 220
        month = await store.record(RoundUsage("p1", "other", tokens, 0.2))
        assert month.cost.amount == pytest.approx(0.5)
        obstacle = (await store.read("p1")).obstacle
        assert obstacle
        assert obstacle.reason_code == "budget_reached"
        models = await service.list_models(ListModelsParams(), CONTEXT)
        assert models.default_model is None
        assert [m.obstacle for m in models.models] == [obstacle]
        usable = ListModelsParams(include_unavailable=False)
        assert (await service.list_models(usable, CONTEXT)).models == ()

    serve(tmp_path, scenario)


def test_the_preferred_model_comes_first_until_it_is_forgotten(tmp_path: Path) -> None:
    """The issue: a person picks in settings who answers; what names nothing gets that one."""

    async def scenario(service: ProviderService, store: ProviderStore) -> None:
        await create(service, models=[{"modelId": "first"}, {"modelId": "second"}])
        second = ModelChoice(provider_id="p1", model_id="second")
        chosen = await service.prefer_model(PreferModelParams(model=second), CONTEXT)
        assert chosen.preferred_model == second
        assert chosen.default_model
        assert second.means(chosen.default_model)
        assert await store.preferred() == second
        nobody = PreferModelParams(model=ModelChoice(provider_id="p1", model_id="third"))
        with pytest.raises(InvalidInput):
            await service.prefer_model(nobody, CONTEXT)
        left = await service.prefer_model(PreferModelParams(), CONTEXT)
        assert left.preferred_model is None
        assert [m.model_id for m in left.models] == ["first", "second"]

    serve(tmp_path, scenario)


def test_two_processes_may_keep_the_same_providers(tmp_path: Path) -> None:
    """Ours: the command line adds a provider while the App Server runs."""

    async def whole() -> None:
        async with open_store(tmp_path) as one, open_store(tmp_path) as other:
            await one.create("p1", settings())
            assert [p.provider_id for p in await other.list()] == ["p1"]
            await other.delete("p1")
            assert await one.list() == ()

    asyncio.run(whole())


def test_the_models_of_a_provider_are_fetched_and_kept(tmp_path: Path) -> None:
    """The issue: a provider is asked which models it has."""

    async def scenario(service: ProviderService, _store: ProviderStore) -> None:
        with ModelServer([model_list("a", "b", "b"), model_list("b", "test-model")]) as server:
            made = await create(
                service, base_url=server.url, models=[{"modelId": "b", "title": "Bee"}]
            )
            assert made.answered_at is None
            looked = await service.fetch_models(FetchModelsParams(provider_id="p1"), CONTEXT)
            assert looked.model_ids == ("a", "b")
            assert [m.model_id for m in looked.provider.settings.models] == ["b"]
            save = FetchModelsParams(provider_id="p1", save=True)
            kept = (await service.fetch_models(save, CONTEXT)).provider.settings.models
            assert [(m.model_id, m.title) for m in kept] == [("b", "Bee"), ("test-model", None)]

    serve(tmp_path, scenario)


@pytest.mark.parametrize(
    ("replies", "status", "reason"),
    [
        ([model_list("test-model")], "ok", None),
        ([model_list("other")], "failed", "model_unknown"),
        ([Reply(status=404), failure(400)], "ok", None),
        ([Reply(status=404), failure(401)], "failed", "key_refused"),
        ([Reply(status=404), Reply(status=404)], "failed", "wrong_address"),
        ([failure(401)], "failed", "key_refused"),
        ([failure(429)], "failed", "rate_limited"),
        ([failure(500)], "failed", "provider_error"),
        ([Reply([b"<html>"])], "failed", "unexpected_answer"),
        ([Reply([b'{"data": [1]}'])], "failed", "unexpected_answer"),
        ([Reply([b"{"], end="cut")], "failed", "connection_failed"),
        ([failure(302, location="http://127.0.0.1:9/")], "failed", "provider_error"),
    ],
    ids=[
        *("ok", "unknown", "no-list", "no-list-no-key", "nothing-there", "key", "limit", "error"),
        *("html", "odd", "cut", "redirect"),
    ],
)
def test_a_connection_is_tested_and_the_outcome_has_a_reason(
    tmp_path: Path, replies: list[Reply | Answer], status: str, reason: str | None
) -> None:
    """The issue: test connection; a failure says what to do. Where no list is kept, an empty question tells."""

    async def scenario(service: ProviderService, store: ProviderStore) -> None:
        with ModelServer(replies) as server:
            await create(service, base_url=server.url, needsKey=True)
            await store.put_key("p1", SecretStr(SECRET))
            params = ConnectionTestParams(provider_id="p1", model_id="test-model")
            result = await service.test_connection(params, CONTEXT)
            assert (result.status, result.reason_code) == (status, reason)
            assert (result.setup_action is None) == (status == "ok")
            assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"
            assert SECRET not in result.to_json()
            is_reached = status == "ok" or reason == "model_unknown"
            assert ((await store.read("p1")).answered_at is not None) is is_reached

    serve(tmp_path, scenario)


def test_a_provider_is_reached_through_its_proxy(tmp_path: Path) -> None:
    """The issue: proxy settings work."""

    async def scenario(service: ProviderService, _store: ProviderStore) -> None:
        with ModelServer([model_list("m")]) as proxy:
            address = "http://models.internal/v1"
            network = {"proxyUrl": f"http://127.0.0.1:{proxy.port}"}
            await create(service, base_url=address, network=network)
            params = ConnectionTestParams(provider_id="p1")
            assert (await service.test_connection(params, CONTEXT)).status == "ok"
            assert proxy.asked[0].target == "http://models.internal/v1/models"

    serve(tmp_path, scenario)


def test_a_custom_authority_is_trusted_where_it_is_named_and_only_there(tmp_path: Path) -> None:
    """The issue: custom CA settings work."""
    certificate = self_signed(tmp_path)
    tls = serving(certificate)

    async def scenario(service: ProviderService, store: ProviderStore) -> None:
        with ModelServer(otherwise=model_list("m"), tls=tls) as server:
            await create(service, base_url=server.url)
            params = ConnectionTestParams(provider_id="p1")
            untrusted = await service.test_connection(params, CONTEXT)
            assert untrusted.reason_code == "certificate_untrusted"
            trusting = settings(server.url, network={"caFile": str(certificate)})
            await store.change("p1", lambda _: trusting)
            assert (await service.test_connection(params, CONTEXT)).status == "ok"
            nowhere = settings(server.url, network={"caFile": str(tmp_path / "none.pem")})
            await store.change("p1", lambda _: nowhere)
            failed = await service.test_connection(params, CONTEXT)
            assert failed.reason_code == "ca_file_unusable"

    serve(tmp_path / "data", scenario)


def test_settings_that_somebody_else_changed_meanwhile_are_not_written_over(tmp_path: Path) -> None:
    """A bug: a form that had stood open put back what the command line had changed."""

    async def scenario(service: ProviderService, store: ProviderStore) -> None:
        await create(service)
        read = (await store.read("p1")).settings
        theirs = read.model_copy(update={"rank": 7})
        await store.change("p1", lambda _: theirs)
        mine = read.model_copy(update={"title": "Mine"})
        params = UpdateProviderParams(provider_id="p1", settings=mine, replaces=read)
        with pytest.raises(Conflict):
            await service.update(params, CONTEXT)
        assert (await store.read("p1")).settings == theirs

    serve(tmp_path, scenario)


def test_whatever_a_person_set_up_comes_before_what_came_along() -> None:
    """Ours: a user's own provider is preferred to the small model, however late in their list it is."""
    stated = settings(rank=500)
    provider = ModelProvider(
        provider_id="p1",
        settings=stated,
        has_key=False,
        month=ProviderUsage(month="2026-11"),
        created_at="2026-11-16T00:00:00Z",
        updated_at="2026-11-16T00:00:00Z",
    )
    assert offered_models(provider, "model")[0].rank < embedded_engine._LAST_RANK - 400
