"""An agent reads pages of granted domains, and no others."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.tooling import ToolCall
from lime_desktop.app_server.tools.box import TurnToolBox
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.host_tools.web_fetch import MAX_BODY_BYTES, WebTools
from lime_desktop.policy.decision import NeedsApproval
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.tools.turns import known_apps, outcome_of, turn_of

TOOLS = '{ "lime.tools": "^0.10.0" }'


def network(*domains: str) -> str:
    listed = ", ".join(f'"{domain}"' for domain in domains)
    return (
        "agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }\n"
        "permissions:\n  - { key: web, scope: network, access: read, reason: To read., "
        f"required: false, domains: [{listed}] }}\n"
    )


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


async def box_of(tmp_path: Path, *domains: str, grants: tuple[str, ...] = ("web",)) -> TurnToolBox:
    package = write_app(tmp_path, capabilities=TOOLS, more=network(*domains))
    apps = await known_apps(registration(package, grants=grants))
    return ToolBroker(apps, [WebTools()]).box_for(turn_of())


@asynccontextmanager
async def a_site(answers: dict[str, bytes]) -> AsyncGenerator[tuple[str, list[str]]]:
    """A web server on this machine; gives its address and the paths it was asked for."""
    asked: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1].decode()
        asked.append(path)
        writer.write(answers[path])
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}", asked


def page(body: bytes, kind: str = "text/html", status: str = "200 OK", more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def test_a_page_is_read_as_text(tmp_path: Path) -> None:
    html = "<head><title>T</title></head><p>Hello <b>world</b></p><script>evil()</script><p>你好"

    async def scene() -> None:
        box = await box_of(tmp_path, "127.0.0.1")
        async with a_site({"/": page(html.encode(), "text/html; charset=utf-8")}) as (url, _):
            outcome = await outcome_of(box, "web_fetch", {"url": f"{url}/"})
            assert outcome.text == "Hello world\n\n你好"
            assert outcome.refs == (f"{url}/",)

    run(scene())


def test_a_domain_that_is_not_declared_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    async def scene() -> None:
        box = await box_of(tmp_path, "example.com")
        async with a_site({"/": page(b"x")}) as (url, asked):
            outcome = await outcome_of(box, "web_fetch", {"url": f"{url}/"})
            assert outcome.category == "permission_denied"
            assert asked == []

    run(scene())


def test_a_public_name_that_leads_into_the_own_machine_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a name server of a stranger's must not open the own network."""

    async def lies(*_asked: object, **_more: object) -> list[tuple[object, ...]]:
        return [(2, 1, 6, "", ("127.0.0.1", 80))]

    async def scene() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", lies)
        box = await box_of(tmp_path, "*.example.com")
        outcome = await outcome_of(box, "web_fetch", {"url": "http://rebound.example.com/"})
        assert outcome.is_error
        assert "own machine" in outcome.text

    run(scene())


def test_a_permission_that_was_not_granted_is_asked_about(tmp_path: Path) -> None:
    async def scene() -> None:
        box = await box_of(tmp_path, "example.com", grants=())
        asked = await box.judge(ToolCall("c", "web_fetch", {"url": "https://example.com/"}))
        assert isinstance(asked, NeedsApproval)
        assert [rule.id for rule in asked.question.reasons] == ["permission.web"]

    run(scene())


def test_a_redirect_is_followed_on_the_same_host_and_told_for_another(tmp_path: Path) -> None:
    async def scene() -> None:
        box = await box_of(tmp_path, "127.0.0.1")
        answers = {
            "/here": page(b"", status="302 Found", more="Location: /there\r\n"),
            "/there": page(b"arrived", "text/plain"),
            "/away": page(b"", status="302 Found", more="Location: http://localhost:1/x\r\n"),
            "/round": page(b"", status="302 Found", more="Location: /round\r\n"),
        }
        async with a_site(answers) as (url, asked):
            assert (await outcome_of(box, "web_fetch", {"url": f"{url}/here"})).text == "arrived"
            away = await outcome_of(box, "web_fetch", {"url": f"{url}/away"})
            assert "http://localhost:1/x" in away.text
            assert asked == ["/here", "/there", "/away"]
            assert (await outcome_of(box, "web_fetch", {"url": f"{url}/round"})).is_error

    run(scene())


@pytest.mark.parametrize(
    "answer",
    [
        page(b"\x00\x01", "application/octet-stream"),
        page(b"no", "text/plain", status="404 Not Found"),
        b"not http at all\r\n\r\n",
        b"",
    ],
)
def test_what_is_no_page_fails_the_call(tmp_path: Path, answer: bytes) -> None:
    async def scene() -> None:
        box = await box_of(tmp_path, "127.0.0.1")
        async with a_site({"/": answer}) as (url, _):
            assert (await outcome_of(box, "web_fetch", {"url": f"{url}/"})).is_error

    run(scene())


def test_a_page_without_end_is_cut(tmp_path: Path) -> None:
    async def scene() -> None:
        box = await box_of(tmp_path, "127.0.0.1")
        body = b"x" * (MAX_BODY_BYTES + 1_000_000)
        async with a_site({"/": page(body, "text/plain")}) as (url, _):
            outcome = await outcome_of(box, "web_fetch", {"url": f"{url}/"})
            assert outcome.text.endswith("too long.)")
            assert len(outcome.text) < MAX_BODY_BYTES + 100

    run(scene())
