"""lime.events between views and apps: heard where both sides declare it, and nowhere else (the standard's own rule)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.view.subscriptions import MAX_SUBSCRIPTIONS, TopicHub
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.triggers import (
    ALLOW_TRIGGER,
    LIST_TRIGGERS,
    AllowTriggerParams,
    ListTriggersParams,
)
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, run, served

EVENTS = "{lime.events: '>=0.3.0'}"


def package(folder: Path, name: str, direction: str, topic: str = "orders.new") -> Path:
    declared = f"events: [{{key: {topic}, direction: {direction}}}]"
    return write_app(folder, name, capabilities=EVENTS, more=declared)


@asynccontextmanager
async def pages(folder: Path, *packages: Path) -> AsyncGenerator[list[Bridged]]:
    """One page for each package, in one host."""
    registry, topics = AppRegistry("en"), TopicHub()
    apps = registry.add(packages)

    def page_of(app: RegisteredApp) -> Bridged:
        return Bridged(lambda: app, connection, topics)

    async with served(folder / "data", registry) as connection:
        shown = [page_of(app) for app in apps]
        yield shown
        for page in shown:
            page.bridge.close()


async def hears(page: Bridged) -> Any:
    return (await page.pushed.get())["payload"]


@pytest.mark.parametrize("way", ["invoke", "subscribe"])
def test_one_app_hears_another_where_both_declare_the_topic(tmp_path: Path, way: str) -> None:
    async def scene() -> None:
        shop = package(tmp_path, "shop", "publish")
        desk = package(tmp_path, "desk", "subscribe")
        async with pages(tmp_path, shop, desk) as (selling, helping):
            if way == "invoke":
                await helping.value("lime.events.subscribe", topic="orders.new")
            else:
                wish = {"capability": "lime.events", "topic": "orders.new", "subscriptionId": "s"}
                assert (await helping.send("capability:subscribe", wish))["subscriptionId"] == "s"
            emitted = await selling.value("lime.events.emit", topic="orders.new", payload={"n": 1})
            assert emitted["delivered"] == 1
            heard = await hears(helping)
            assert (heard["topic"], heard["payload"]) == ("orders.new", {"n": 1})

    run(scene)


@pytest.mark.requirement("APP-20", "APP-52")
def test_who_does_not_declare_a_topic_neither_speaks_nor_hears(tmp_path: Path) -> None:
    async def scene() -> None:
        shop = package(tmp_path, "shop", "publish")
        desk = package(tmp_path, "desk", "subscribe")
        async with pages(tmp_path, shop, desk) as (selling, helping):
            speak = {"topic": "orders.new", "payload": 1}
            assert await helping.code("lime.events.emit", **speak) == "APP_E005"
            assert await selling.code("lime.events.subscribe", topic="orders.new") == "APP_E005"
            wish = {"capability": "lime.events", "topic": "orders.new"}
            refused = await selling.send("capability:subscribe", wish)
            assert refused["details"]["appErrorCode"] == "APP_E005"
            other = await selling.code("lime.events.emit", topic="other", payload=1)
            assert other == "APP_E005"
            assert (await selling.value("lime.events.emit", **speak))["delivered"] == 0

    run(scene)


def test_nothing_is_heard_after_the_end_of_a_subscription_or_of_its_page(tmp_path: Path) -> None:
    async def scene() -> None:
        async with pages(tmp_path, package(tmp_path, "shop", "both")) as [page]:
            first = await page.value("lime.events.subscribe", topic="orders.new")
            ended = {"subscriptionId": first["subscriptionId"]}
            assert (await page.send("capability:unsubscribe", ended))["unsubscribed"] is True
            assert (await page.value("lime.events.unsubscribe", **ended))["unsubscribed"] is False
            await page.value("lime.events.subscribe", topic="orders.new")
            page.bridge.restart()
            emitted = await page.value("lime.events.emit", topic="orders.new")
            assert emitted["delivered"] == 0
            assert page.pushed.empty()

    run(scene)


def test_a_view_holds_so_many_subscriptions_and_no_more(tmp_path: Path) -> None:
    async def scene() -> None:
        async with pages(tmp_path, package(tmp_path, "shop", "both")) as [page]:
            asked = [
                page("lime.events.subscribe", topic="orders.new")
                for _ in range(MAX_SUBSCRIPTIONS + 1)
            ]
            *opened, refused = await asyncio.gather(*asked)
            assert all(each["ok"] for each in opened)
            assert refused["details"]["appErrorCode"] == "APP_E025"

    run(scene)


def test_a_topic_that_nobody_tells_is_refused_and_so_is_an_id_in_use(tmp_path: Path) -> None:
    async def scene() -> None:
        async with pages(tmp_path, package(tmp_path, "shop", "both")) as [page]:
            nobody = {"capability": "lime.capabilities", "topic": "x"}
            refused = await page.send("capability:subscribe", nobody)
            assert refused["details"]["appErrorCode"] in {"APP_E006", "APP_E024"}
            wish = {"capability": "lime.events", "topic": "orders.new", "subscriptionId": "s"}
            assert (await page.send("capability:subscribe", wish))["ok"] is True
            again = await page.send("capability:subscribe", wish)
            assert again["details"]["appErrorCode"] == "APP_E905"

    run(scene)


def with_schema(folder: Path, name: str, direction: str, schema: str) -> Path:
    declared = f"events: [{{key: orders.new, direction: {direction}, schema: ./events/new.json}}]"
    return write_app(
        folder, name, capabilities=EVENTS, more=declared, files={"events/new.json": schema}
    )


def test_what_is_published_and_heard_has_the_form_that_the_manifests_name(tmp_path: Path) -> None:
    """The standard: a topic's schema; the listener's own holds as well (ours)."""
    counted = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'
    small = '{"properties": {"n": {"maximum": 9}}}'

    async def scene() -> None:
        shop = with_schema(tmp_path, "shop", "publish", counted)
        desk = with_schema(tmp_path, "desk", "subscribe", small)
        async with pages(tmp_path, shop, desk) as (selling, helping):
            await helping.value("lime.events.subscribe", topic="orders.new")
            for payload in ({"n": "many"}, {}, None):
                code = await selling.code("lime.events.emit", topic="orders.new", payload=payload)
                assert code == "APP_E014"
            sent = [
                await selling.value("lime.events.emit", topic="orders.new", payload={"n": n})
                for n in (10, 9)
            ]
            assert [each["delivered"] for each in sent] == [0, 1]
            assert (await hears(helping))["payload"] == {"n": 9}

    run(scene)


def test_nothing_is_published_under_a_schema_that_cannot_be_understood(tmp_path: Path) -> None:
    """Ours: what cannot be checked is refused."""

    async def scene() -> None:
        shop = with_schema(tmp_path, "shop", "publish", '{"$ref": "https://elsewhere.test/a.json"}')
        async with pages(tmp_path, shop) as [selling]:
            assert await selling.code("lime.events.emit", topic="orders.new") == "APP_E014"

    run(scene)


def test_what_a_page_tells_starts_the_workflow_that_waits_for_it(tmp_path: Path) -> None:
    """Ours: the page has its yes once the event is kept, and its workflow is started by it once a person allowed that."""
    flow = (
        "key: flow\n"
        "inputs: { type: object }\n"
        "states: [{ key: keep, kind: storage-write, storageKey: seen, value: '${ $.input.payload }' }]\n"
        "recovery: { onError: fail, onTimeout: fail }\n"
        "triggers: [{ key: new, on: topic, topic: orders.new }]\n"
    )
    shop = write_app(
        tmp_path,
        "shop",
        capabilities="{lime.events: '*', lime.workflow: '*', lime.storage: '*'}",
        more="events: [{key: orders.new, direction: publish}, {key: other, direction: publish}]\n"
        "workflows: [{key: flow, path: workflows/flow.yaml}]\nstorage: {namespace: shop}",
        files={"workflows/flow.yaml": flow},
    )
    registry = AppRegistry("en")
    [app] = registry.add([shop])

    async def scene() -> None:
        async with served(tmp_path / "data", registry) as connection:
            page = Bridged(lambda: app, connection, TopicHub())
            asked = ListTriggersParams(app_id=AppId("shop"))
            [trigger] = (await connection.call(LIST_TRIGGERS, asked)).triggers
            allowed = AllowTriggerParams(app_id=AppId("shop"), key=trigger.key, terms=trigger.terms)
            await connection.call(ALLOW_TRIGGER, allowed)
            await page.value("lime.events.emit", topic="other", payload={"n": 1})
            await page.value("lime.events.emit", topic="orders.new", payload={"n": 2})
            while await page.value("lime.storage.get", key="seen") is None:
                pass
            assert await page.value("lime.storage.get", key="seen") == {"n": 2}
            runs = await page.value("lime.workflow.list")
            assert [each["trigger"] for each in runs] == ["event"]
            page.bridge.close()

    run(scene)
