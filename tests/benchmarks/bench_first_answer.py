"""How long from the first start to the first useful answer? Run by hand: ``python -m tests.benchmarks.bench_first_answer [download]``.

A clean home each time: the App Server starts on an empty folder, a model is chosen as the first screen does it, the
documents of ``answers/`` are indexed, and one question is asked. Without a model the useful answer is the passage that
holds it. ``key``: a provider with a key, played by a server on this machine, so that the figure is what we add to the
provider's own time. ``local``: weights that are installed already, asked cold. ``download`` fetches them first, over
whatever line there is: the figure says more of the line than of us. Needs the weights of the 1.5 B model for ``local``.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import SecretStr

from lime_desktop.app_server.models.catalogue import QWEN_CODER
from lime_desktop.app_server.models.store import PLACE_VARIABLE, ModelStore, default_folder
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.calls.local_models import (
    INSTALL_LOCAL_MODEL,
    LIST_LOCAL_MODELS,
    InstallLocalModelParams,
)
from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    FETCH_MODELS,
    UPDATE_PROVIDER_KEY,
    CreateKeyParams,
    CreateProviderParams,
    FetchModelsParams,
    ProviderSettings,
)
from lime_desktop.protocol.wire import HostOnlyParams
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.knowledge.indexed import bind_and_index
from tests.app_server.model_server import ModelServer, model_list, text
from tests.benchmarks.bench_answers import APP, CAPABILITIES, KEPT, MORE, ask

QUESTION = "When does the ferry leave?"
ANSWER = "08:15"
Choose = Callable[[CallServer], Awaitable[None]]


async def measure(name: str, choose: Choose, place: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ[PLACE_VARIABLE] = str(place)
        os.environ["LIME_DESKTOP_KEYRING"] = "off"
        package = write_app(Path(folder), APP, capabilities=CAPABILITIES, more=MORE)
        began = time.perf_counter()
        sidecar = await Sidecar.start(app_server_command(Path(folder) / "data"))
        call = sidecar.connection.call
        started = time.perf_counter() - began
        await choose(call)
        chosen = time.perf_counter() - began
        await call(REGISTER_APP, registration(package, grants=("ask",)))
        await bind_and_index(call, APP, "folder", KEPT / "documents")
        ended, said, passages = await ask(call, QUESTION)
        whole = time.perf_counter() - began
        is_useful = ANSWER in (said if ended == "success" else " ".join(passages))
        shown = "answer" if ended == "success" else "passages"
        print(f"| {name} | {started:.1f} | {chosen:.1f} | {whole:.1f} | {shown} | {is_useful} |")
        await sidecar.stop()


async def nobody(call: CallServer) -> None:
    del call


async def download(call: CallServer) -> None:
    asked = InstallLocalModelParams(model_id=QWEN_CODER.model_id)
    await call(INSTALL_LOCAL_MODEL, asked)
    while True:
        listed = await call(LIST_LOCAL_MODELS, HostOnlyParams())
        [model] = [each for each in listed.models if each.model_id == QWEN_CODER.model_id]
        if model.state != "installing":
            assert model.state == "installed", model.problem
            return
        await asyncio.sleep(0.2)


def with_key(server: ModelServer) -> Choose:
    async def choose(call: CallServer) -> None:
        settings = ProviderSettings(
            title="Provider", protocol="openai-compatible", base_url=server.url
        )
        await call(CREATE_PROVIDER, CreateProviderParams(provider_id="p", settings=settings))
        key = CreateKeyParams(provider_id="p", key=SecretStr("sk-benchmark"))
        await call(UPDATE_PROVIDER_KEY, key)
        await call(FETCH_MODELS, FetchModelsParams(provider_id="p", save=True))

    return choose


async def whole(arguments: list[str]) -> None:
    here = default_folder()
    with tempfile.TemporaryDirectory() as empty:
        nowhere = Path(empty)
        print("| who answers | server up s | chosen s | first useful answer s | shown | useful |")
        print("|---|---|---|---|---|---|")
        await measure("none", nobody, nowhere)
        replies = [model_list("good"), text("The ferry leaves at ", "08:15 from pier 4 [1].")]
        with ModelServer(list(replies)) as server:
            await measure("key", with_key(server), nowhere)
        if ModelStore(here).find(QWEN_CODER.model_id):
            await measure("local, installed", nobody, here)
        if "download" in arguments:
            await measure("local, downloaded", download, nowhere)


if __name__ == "__main__":
    asyncio.run(whole(sys.argv[1:]))
