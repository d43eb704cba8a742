"""Reads a page for an agent: only from the domains that the app declared and a person granted, through the host's proxy.

The proxy counts every byte in the app's name; where the host gave no way to it, nothing is fetched. No cookie is sent,
and no credential but the app's own secrets to the very hosts that its manifest names for them. A redirect to another host is not followed but told: the agent may ask for that
address, and policy is asked with it.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urljoin

from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.secrets.opened_values import NOTHING_HIDDEN, OpenedValues
from lime_desktop.app_server.secrets.tool_secrets import AppToolSecrets, ToolSecrets
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.host_tools.page_text import text_of_page
from lime_desktop.app_server.tools.proxied_http import (
    NO_WAY_OUT,
    HttpAnswer,
    HttpRequest,
    ProxiedHttp,
    proxied_http,
)
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.network.hosts import may_carry_secrets, parse_host
from lime_desktop.policy.call import Target
from lime_desktop.protocol.calls.apps import RegisteredNetwork
from lime_desktop.protocol.errors import (
    SecretRequired,
    ToolCallFailed,
)
from lime_desktop.protocol.ids import JsonObject

MAX_REDIRECTS = 5
_READABLE = ("text/", "application/json", "application/xml", "application/xhtml+xml")
_ACCEPT = "text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.1"

_ROW = ToolRow(
    name="web_fetch",
    title="Read a web page",
    description="Fetch a web page or document by its address and give its text. Only domains granted to the app work.",
    input_schema={
        "type": "object",
        "properties": {"url": {"type": "string", "pattern": "^https?://", "maxLength": 4_000}},
        "required": ["url"],
        "additionalProperties": False,
    },
    keywords=("web", "http", "page", "download", "网页", "网站"),
    is_read_only=True,
    is_declared=False,
)


class WebFetch:
    """The tool in the hands of one app."""

    def __init__(
        self, network: RegisteredNetwork | None, sites: Mapping[str, ToolSecrets] | None = None
    ) -> None:
        """Fetch through the host's proxy; `sites` are the hosts that are shown secrets."""
        self._network = network
        self._sites = sites or {}
        self.row = _ROW if network else replace(_ROW, unavailable_reason=NO_WAY_OUT)

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """The right to invoke tools, and the domain."""
        url = arguments.get("url")
        targets = (Target("domain", url),) if isinstance(url, str) else ()
        shown = self._sites.get(parse_host(url) or "") if isinstance(url, str) else None
        targets += shown.targets if shown else ()
        return PolicyAsk(capability="lime.tools", method="invoke", targets=targets)

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        """Fetch, follow redirects on the same host, and give the text."""
        del mailbox
        url = str(call.arguments["url"])
        shown = await self._shown_to(url)
        async with proxied_http(self._network, shown) as http:
            outcome = await self._fetch(http, call.call_id, url, shown)
        yield replace(outcome, text=shown.hide(outcome.text))

    async def _shown_to(self, url: str) -> OpenedValues:
        """What the host of an address is shown.

        Raises:
            SecretRequired: something that it must be shown is missing.
        """
        secrets = self._sites.get(parse_host(url) or "")
        if secrets is None:
            return NOTHING_HIDDEN
        if (missing := secrets.unavailable[0]) is not None:
            raise SecretRequired(missing)
        return await secrets.open()

    async def _fetch(
        self, http: ProxiedHttp, call_id: str, url: str, shown: OpenedValues
    ) -> ToolOutcome:
        for _ in range(MAX_REDIRECTS):
            # Asked for each address: a redirect may lead from https to http.
            sent = shown if may_carry_secrets(url) else NOTHING_HIDDEN
            headers = {"Accept": _ACCEPT, **sent.plain_headers()}
            answer = await http.send(HttpRequest("GET", url, headers))
            if not 300 <= answer.status < 400 or "location" not in answer.headers:
                # A long page takes a while to be read, and others have questions too.
                return await asyncio.to_thread(_outcome, call_id, url, answer)
            following = _redirect(url, answer.headers["location"])
            if parse_host(following) != parse_host(url):
                text = f"{url} leads to {following}, on another host. Fetch that address if it is wanted."
                return ToolOutcome(call_id, text, refs=(url,))
            url = following
        return _failed(call_id, "The page leads from one address to the next without end.")


def _redirect(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise ToolCallFailed("The page leads to something that is no address.") from None


def _outcome(call_id: str, url: str, answer: HttpAnswer) -> ToolOutcome:
    kind = answer.media_type
    if answer.status >= 400:
        return _failed(call_id, f"The server answered with status {answer.status}.")
    if not kind.startswith(_READABLE):
        return _failed(call_id, f"The address holds {kind}, which is no text.")
    text = answer.text()
    if "html" in kind:
        text = text_of_page(text)
    if answer.is_cut:
        text += "\n(The rest was left out: the page is too long.)"
    return ToolOutcome(call_id, text, refs=(url,))


def _failed(call_id: str, text: str) -> ToolOutcome:
    return ToolOutcome(call_id, text, is_error=True)


class WebTools:
    """Gives the tool to apps that declare a network permission."""

    def __init__(self, secrets: AppToolSecrets) -> None:
        self._secrets = secrets

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One tool, or none."""
        if not any(permission.scope == "network" for permission in app.declared.permissions):
            return []
        uses = (use for slot in app.package.manifest.secrets for use in slot.use)
        hosts = {host for use in uses for host in use.domains}
        sites = {host: await self._secrets.for_site(app, request, host) for host in hosts}
        return [WebFetch(app.registration.network, sites)]
