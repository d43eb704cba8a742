"""One question to a publisher's revocation service, within bounds of time, size and trust.

Imported only when there is something to ask: a network client costs more to load than most commands.
"""

import time
from typing import Literal
from urllib.parse import urlsplit

import httpx
from pydantic import StrictStr, ValidationError

from lime_desktop.app_package.trust.statement import Statement
from lime_desktop.network.hosts import is_here
from lime_desktop.network.http import open_client
from lime_desktop.protocol.wire import WireModel

MAX_ANSWER_BYTES = 64 * 1024
MAX_WAIT_S = 10.0
"""For the whole answer, however it trickles in."""
SINGLE_WAIT_S = 5.0
"""For a connection, or for the next piece."""
_MAX_REDIRECTS = 3
_MAX_REASON_CHARS = 500


class ServiceAnswer(WireModel):
    """What a service says of one package."""

    package_hash: StrictStr
    status: Literal["good", "revoked"]
    reason: StrictStr = ""


def ask_service(
    url: str, statement: Statement, *, allows_plain_loopback: bool = False
) -> ServiceAnswer | str:
    """Ask; the answer, or in plain words why there is none."""
    if not _is_acceptable(url, allows_plain_loopback=allows_plain_loopback):
        return "The revocation address is not an https:// address."
    question = {
        "name": statement.name,
        "version": statement.version,
        "packageHash": statement.package_hash,
        "publisherId": statement.publisher_id,
    }
    try:
        # The address is the package's word: it never leads into the own network.
        with open_client(SINGLE_WAIT_S, allows_local=allows_plain_loopback) as client:
            data = _fetch(client, httpx.URL(url).copy_merge_params(question))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return "The revocation service could not be reached."
    return data if isinstance(data, str) else _parse(data, statement.package_hash)


def _is_acceptable(url: str, *, allows_plain_loopback: bool) -> bool:
    try:
        parts = urlsplit(url)
        host, is_anonymous = parts.hostname, parts.username is None and parts.password is None
    except ValueError:
        return False
    is_safe = parts.scheme == "https" or (
        allows_plain_loopback and parts.scheme == "http" and is_here(url)
    )
    return is_safe and bool(host) and is_anonymous


def _fetch(client: httpx.Client, url: httpx.URL) -> bytes | str:
    deadline = time.monotonic() + MAX_WAIT_S
    for _ in range(_MAX_REDIRECTS + 1):
        with client.stream("GET", url, headers={"accept": "application/json"}) as response:
            if not response.has_redirect_location:
                return _body(response, deadline)
            target = url.join(response.headers["location"])
        if (target.scheme, target.host, target.port) != (url.scheme, url.host, url.port):
            return "The revocation service redirects to another host."
        url = target
    return "The revocation service redirects too often."


def _body(response: httpx.Response, deadline: float) -> bytes | str:
    if response.status_code != 200:
        return f"The revocation service answered with status {response.status_code}."
    body = b""
    for piece in response.iter_bytes():
        body += piece
        if len(body) > MAX_ANSWER_BYTES:
            return "The revocation service's answer is too long."
        if time.monotonic() > deadline:
            return "The revocation service takes too long to answer."
    return body


def _parse(data: bytes, package_hash: str) -> ServiceAnswer | str:
    try:
        answer = ServiceAnswer.model_validate_json(data)
    except ValidationError:
        return "The revocation service's answer is not in the expected form."
    if answer.package_hash != package_hash:
        return "The revocation service answered for another package."
    return answer.model_copy(update={"reason": answer.reason[:_MAX_REASON_CHARS]})
