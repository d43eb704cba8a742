"""Who would answer is known before anything is asked, and follows what a real App Server is set up with (ours)."""

import asyncio
import sys
from pathlib import Path

import pytest

from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.models.model_status import ModelStatus, summary_of
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.protocol.bridge.snapshot import ModelSummary
from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    DELETE_PROVIDER,
    CreateProviderParams,
    ProviderModel,
    ProviderParams,
    ProviderSettings,
)
from lime_desktop.protocol.calls.models import ListModelsResult, ModelDescription, ModelQuality
from tests.app_server.bounded import run

LOCALES = Path(__file__).parents[3] / "resources/locales"
ENGLISH: Texts = read_texts(LOCALES, ["en"])
CHINESE: Texts = read_texts(LOCALES, ["zh-CN"])


def listed(quality: ModelQuality) -> ListModelsResult:
    model = ModelDescription(
        engine="e", provider_id="p", model_id="m", title="Model", quality=quality, is_local=True
    )
    return ListModelsResult(models=(model,), default_model=model)


def test_nothing_is_claimed_before_a_server_has_spoken() -> None:
    assert ModelStatus().summary(ENGLISH) == ModelSummary(status="unknown")


def test_an_able_model_is_told_apart_from_a_demo_that_somebody_chose() -> None:
    assert summary_of(listed("small"), ENGLISH) == ModelSummary(
        status="ready", quality="small", label="Model", is_local=True
    )
    assert summary_of(listed("demo"), ENGLISH).status == "demo"


@pytest.mark.system
def test_the_summary_follows_what_is_set_up(tmp_path: Path) -> None:
    async def scenario() -> None:
        standing, changed = ModelStatus(again_s=0.2, still_s=0.2), asyncio.Event()
        standing.watch(changed.set)
        sidecar = await Sidecar.start(app_server_command(tmp_path / "data"))
        call = sidecar.connection.call

        async def next_summary(texts: Texts = ENGLISH) -> ModelSummary:
            await changed.wait()
            changed.clear()
            return standing.summary(texts)

        standing.introduce(sidecar.connection)
        first = await next_summary()
        assert (first.status, first.reason_code) == ("none", "weights_missing")
        assert first.message == ENGLISH("model.obstacle.weights_missing")
        assert standing.summary(CHINESE).message == CHINESE("model.obstacle.weights_missing")
        settings = ProviderSettings(
            title="Near",
            protocol="openai-compatible",
            base_url="http://127.0.0.1:9/v1",
            needs_key=False,
            models=(ProviderModel(model_id="house"),),
        )
        await call(CREATE_PROVIDER, CreateProviderParams(provider_id="near", settings=settings))
        assert await next_summary() == ModelSummary(
            status="ready", quality="standard", label="house", is_local=True
        )
        await call(DELETE_PROVIDER, ProviderParams(provider_id="near"))
        assert (await next_summary()).status == "none"

        async def in_terminal(*words: str) -> None:
            terminal = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "lime_desktop", "providers", *words),
                *("--data-dir", str(tmp_path / "data")),
                stdout=asyncio.subprocess.DEVNULL,
            )
            await terminal.wait()

        way = ("--base-url", "http://127.0.0.1:9/v1", "--without-key", "--model", "house")
        await in_terminal("add", "near", *way)
        assert (await next_summary()).status == "ready", (
            "set up in a terminal, without a word to us"
        )
        await in_terminal("remove", "near")
        assert (await next_summary()).status == "none", "and removed as silently"
        await standing.close()
        await sidecar.stop()

    run(scenario())
