"""Model servers on this machine are found at their usual places, quickly, and nobody else is asked (ours)."""

import asyncio
import json
import socket
import time
from typing import Any

import pytest

from lime_desktop.app_server.providers.found_servers import PROBE_S, find_servers
from lime_desktop.app_server.providers.presets import PRESETS
from lime_desktop.network.hosts import is_here
from lime_desktop.protocol.calls.model_providers import FoundServer, ProviderPreset
from tests.app_server.model_server import ModelServer, Reply
from tests.app_server.providers.kept import settings


def preset(address: str, **more: Any) -> ProviderPreset:
    return ProviderPreset(preset_id="near", settings=settings(address, models=[], **more), about="")


def listing(*model_ids: str) -> Reply:
    body = json.dumps({"data": [{"id": each} for each in model_ids]}).encode()
    return Reply([body], media_type="application/json")


def look(*presets: ProviderPreset, taken: tuple[str, ...] = ()) -> tuple[FoundServer, ...]:
    return asyncio.run(find_servers(taken, presets))


def test_a_server_is_found_with_the_models_one_can_talk_with() -> None:
    with ModelServer([listing("nomic-embed-text", "toy-135m", "llama3.2:3b")]) as server:
        [found] = look(preset(server.url))
    assert (found.base_url, found.is_set_up) == (server.url, False)
    assert found.model_ids == ("llama3.2:3b", "toy-135m")
    [asked] = server.asked
    assert (asked.method, asked.target) == ("GET", "/v1/models")
    assert "authorization" not in {name.lower() for name in asked.headers}


def test_a_server_that_is_set_up_says_so() -> None:
    with ModelServer([listing("a")]) as server:
        [found] = look(preset(server.url), taken=(server.url,))
    assert found.is_set_up


@pytest.mark.parametrize(
    "reply",
    [
        Reply([b'{"object": "list", "data": null}'], media_type="application/json"),
        Reply([b'{"object": "list", "data": []}'], media_type="application/json"),
    ],
)
def test_one_that_holds_no_model_yet_is_found_all_the_same(reply: Reply) -> None:
    with ModelServer([reply]) as server:
        [found] = look(preset(server.url))
    assert found.model_ids == ()


@pytest.mark.parametrize(
    "reply",
    [
        Reply([b"<html>Some other program</html>"], media_type="text/html"),
        Reply([b"{}"], media_type="application/json"),
        Reply([b"no"], status=404),
        Reply([b"no"], status=401),
        Reply(status=302, headers=(("Location", "http://127.0.0.1:9/v1/models"),)),
        Reply(end="cut"),
    ],
    ids=["page", "object", "404", "401", "redirect", "cut"],
)
def test_what_is_no_model_server_is_left_alone(reply: Reply) -> None:
    """One question and no second: what else listens there is none of our business."""
    with ModelServer([reply]) as server:
        assert look(preset(server.url)) == ()
    assert len(server.asked) == 1


def test_nobody_there_and_somebody_who_never_answers_cost_no_more_than_the_bound() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = preset(f"http://127.0.0.1:{free.getsockname()[1]}/v1")
        with ModelServer([Reply(end="hang")] * 2) as silent:
            began = time.monotonic()
            assert look(nobody, preset(silent.url), preset(silent.url)) == ()
            # All at once and not one after the other; the rest is for a busy machine.
            assert time.monotonic() - began < PROBE_S * 2 + 10


def test_only_this_machine_is_asked_and_never_with_a_key() -> None:
    far = preset("https://models.example/v1")
    keyed = preset("http://127.0.0.1:9/v1", needs_key=True)
    assert look(far, keyed) == ()
    near = [each for each in PRESETS if not each.settings.needs_key]
    assert {each.preset_id for each in near} == {"ollama", "lm-studio", "llama-cpp"}
    assert all(is_here(each.settings.base_url) for each in near)
