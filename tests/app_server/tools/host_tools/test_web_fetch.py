"""An agent reads pages of granted domains, and no others; all of it is in the host's ledger."""

from pathlib import Path

import pytest

from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.host_tools.web_fetch import WebFetch, WebTools
from lime_desktop.app_server.tools.proxied_http import MAX_BODY_BYTES
from lime_desktop.app_server.tools.tooling import ToolCall
from lime_desktop.app_server.tools.toolset import TurnToolset
from lime_desktop.host.proxy.destination import Verdict
from lime_desktop.policy.decision import NeedsApproval
from lime_desktop.protocol.errors import PermissionDenied
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.tools.carried import HOST, URL, CarriedSite, a_site, page
from tests.app_server.tools.turns import NO_SECRETS, known_apps, outcome_of, turn_of

TOOLS = '{ "lime.tools": "^0.10.0" }'


def network(*domains: str) -> str:
    listed = ", ".join(f'"{domain}"' for domain in domains)
    return (
        "agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }\n"
        "permissions:\n  - { key: web, scope: network, access: read, reason: To read., "
        f"required: false, domains: [{listed}] }}\n"
    )


async def box_of(
    tmp_path: Path, site: CarriedSite | None, *domains: str, grants: tuple[str, ...] = ("web",)
) -> TurnToolset:
    package = write_app(tmp_path, capabilities=TOOLS, more=network(*domains))
    told = registration(package, grants=grants)
    if site is not None:
        told = told.model_copy(update={"network": site.network(*domains)})
    return ToolBroker(await known_apps(told), [WebTools(NO_SECRETS)]).toolset_for(turn_of())


def test_a_page_is_read_as_text_and_counted_in_the_apps_name(tmp_path: Path) -> None:
    html = "<head><title>T</title></head><p>Hello <b>world</b></p><script>evil()</script><p>你好"

    async def scene() -> None:
        async with a_site({"/": page(html.encode(), "text/html; charset=utf-8")}) as site:
            toolset = await box_of(tmp_path, site, HOST)
            outcome = await outcome_of(toolset, "web_fetch", {"url": f"{URL}/"})
            assert outcome.text == "Hello world\n\n你好"
            assert outcome.refs == (f"{URL}/",)
            row = await site.carried.get()
            assert (row.app_id, row.host, row.verdict) == ("notes", HOST, Verdict.CARRIED)
            assert row.bytes_sent > 0
            assert row.bytes_received == len(site.answers["/"])

    run(scene())


def test_without_a_way_to_the_hosts_proxy_nothing_is_fetched(tmp_path: Path) -> None:
    """Ours: what the person's ledger would not show must not happen."""

    async def scene() -> None:
        toolset = await box_of(tmp_path, None, HOST)
        assert await toolset.offers() == ()
        outcome = await outcome_of(toolset, "web_fetch", {"url": f"{URL}/"})
        assert (outcome.is_error, outcome.category) == (True, "tool_unavailable")

    run(scene())


def test_a_domain_that_is_not_declared_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_site({"/": page(b"x")}) as site:
            toolset = await box_of(tmp_path, site, "example.com")
            outcome = await outcome_of(toolset, "web_fetch", {"url": f"{URL}/"})
            assert outcome.category == "permission_denied"
            assert (site.asked, site.carried.empty()) == ([], True)

    run(scene())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_proxy_refuses_and_records_a_host_that_is_not_the_apps(scheme: str) -> None:
    """Ours: were policy ever passed by, the host's own proxy still stands in the way."""

    async def scene() -> None:
        async with a_site({"/": page(b"x")}) as site:
            tool = WebFetch(site.network("other.example.com"))
            call = ToolCall("c", "web_fetch", {"url": f"{scheme}://{HOST}/"})
            with pytest.raises(PermissionDenied):
                _ = [each async for each in tool.run(call, AnswerMailbox())]
            row = await site.carried.get()
            assert (row.app_id, row.host, row.verdict) == ("notes", HOST, Verdict.NOT_GRANTED)
            assert (row.bytes_sent, row.bytes_received, site.asked) == (0, 0, [])

    run(scene())


def test_a_public_name_that_leads_into_the_own_machine_is_refused(tmp_path: Path) -> None:
    """Ours: a name server of a stranger's must not open the own network."""

    async def scene() -> None:
        async with a_site({"/": page(b"x")}) as site:
            site.addresses = {"rebound.example.com": ["127.0.0.1"]}
            toolset = await box_of(tmp_path, site, "*.example.com")
            outcome = await outcome_of(toolset, "web_fetch", {"url": "http://rebound.example.com/"})
            assert outcome.is_error
            assert "own machine" in outcome.text
            assert site.asked == []

    run(scene())


def test_a_permission_that_was_not_granted_is_asked_about(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_site({}) as site:
            toolset = await box_of(tmp_path, site, "example.com", grants=())
            asked = await toolset.judge(ToolCall("c", "web_fetch", {"url": "https://example.com/"}))
            assert isinstance(asked, NeedsApproval)
            assert [rule.id for rule in asked.question.reasons] == ["permission.web"]

    run(scene())


def test_a_redirect_is_followed_on_the_same_host_and_told_for_another(tmp_path: Path) -> None:
    async def scene() -> None:
        answers = {
            "/here": page(b"", status="302 Found", more="Location: /there\r\n"),
            "/there": page(b"arrived", "text/plain"),
            "/away": page(b"", status="302 Found", more="Location: http://localhost:1/x\r\n"),
            "/round": page(b"", status="302 Found", more="Location: /round\r\n"),
        }
        async with a_site(answers) as site:
            toolset = await box_of(tmp_path, site, HOST)
            assert (
                await outcome_of(toolset, "web_fetch", {"url": f"{URL}/here"})
            ).text == "arrived"
            away = await outcome_of(toolset, "web_fetch", {"url": f"{URL}/away"})
            assert "http://localhost:1/x" in away.text
            assert site.asked == ["/here", "/there", "/away"]
            assert (await outcome_of(toolset, "web_fetch", {"url": f"{URL}/round"})).is_error

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
        async with a_site({"/": answer}) as site:
            toolset = await box_of(tmp_path, site, HOST)
            assert (await outcome_of(toolset, "web_fetch", {"url": f"{URL}/"})).is_error

    run(scene())


def test_a_page_without_end_is_cut(tmp_path: Path) -> None:
    async def scene() -> None:
        body = b"x" * (MAX_BODY_BYTES + 1_000_000)
        async with a_site({"/": page(body, "text/plain")}) as site:
            toolset = await box_of(tmp_path, site, HOST)
            outcome = await outcome_of(toolset, "web_fetch", {"url": f"{URL}/"})
            assert outcome.text.endswith("too long.)")
            assert len(outcome.text) < MAX_BODY_BYTES + 100

    run(scene())
