"""Gets what lies elsewhere: over HTTPS, or plainly from this very machine; bounded in size, time and redirects. Blocks.

What a person typed may be of the own network, if its name says so; what a document names in turn only where the document
is of the own network itself. A list on the Internet cannot make this machine ask its neighbours.
"""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from lime_desktop.network.destinations import PrivateAddress
from lime_desktop.network.hosts import is_here, is_near
from lime_desktop.protocol.errors import UntrustedUrl, UpstreamFailed

if TYPE_CHECKING:
    import httpx

MAX_TEXT_BYTES = 4 * 1024 * 1024
MAX_DOWNLOAD_BYTES = 1024 * 1024 * 1024
_SINGLE_WAIT_S = 15.0
_TEXT_WAIT_S = 30.0
_MAX_REDIRECTS = 5
_INTO_OWN_NETWORK = "The address points to your own computer or network. If it belongs to your organization, add it to LIME_DESKTOP_OWN_NETWORK"


def is_url(location: str) -> bool:
    """Whether this is an address and not a path."""
    return location.startswith(("http://", "https://"))


def place_name(location: str) -> str:
    """A place in short: the site of an address, or the last name of a path."""
    if is_url(location):
        return location.partition("://")[2].partition("/")[0]
    return Path(location).name or location


def beside(document: str, place: str) -> str:
    """What a document at a path or an address means by a place: an address, a whole path, or a name beside it."""
    if is_url(document) or is_url(place):
        return urljoin(document, place)
    return str(PurePosixPath(document.replace("\\", "/")).parent / place)


def check_url(url: str) -> None:
    """Let an address pass that nobody on the way can change.

    Raises:
        UntrustedUrl: it is not https, or carries a name and password.
    """
    try:
        parts = urlsplit(url)
        host, is_anonymous = parts.hostname, parts.username is None and parts.password is None
    except ValueError:
        raise UntrustedUrl("This is not a valid address") from None
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_here(url))
    if not (is_safe and host and is_anonymous):
        raise UntrustedUrl("Use an https:// address without a password")


def fetch_text(url: str) -> str:
    """Fetch a small text.

    Raises:
        UntrustedUrl: the address, or one it leads to, is not safe.
        UpstreamFailed: there is no answer, or one that is too long or slow.
    """
    try:
        return fetch_bytes(url, MAX_TEXT_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise UpstreamFailed("The file at this address is not text") from None


def fetch_bytes(url: str, most: int, named_by: str | None = None) -> bytes:
    """Fetch something of at most so many bytes; `named_by` is the document that named it, if no person did.

    Raises:
        UntrustedUrl: the address, or one it leads to, is not safe.
        UpstreamFailed: there is no answer, or one that is too long or slow.
    """
    deadline = time.monotonic() + _TEXT_WAIT_S
    body = bytearray()
    with _opened(url, named_by) as pieces:
        for piece in pieces:
            body += piece
            if len(body) > most or time.monotonic() > deadline:
                raise UpstreamFailed("The file at this address is too large or takes too long")
    return bytes(body)


def download(
    url: str, target: Path, told: Callable[[int], None], named_by: str | None = None
) -> None:
    """Fetch a file; `told` hears how many bytes there are so far, and stops it by raising.

    Raises:
        UntrustedUrl: the address, or one it leads to, is not safe.
        UpstreamFailed: there is no answer, or one that is too long.
    """
    done = 0
    with _opened(url, named_by) as pieces, target.open("xb") as file:
        for piece in pieces:
            done += len(piece)
            if done > MAX_DOWNLOAD_BYTES:
                raise UpstreamFailed("The package is too large")
            file.write(piece)
            told(done)


def _may_be_local(named_by: str | None) -> bool:
    return named_by is None or not is_url(named_by) or is_near(named_by)


@contextmanager
def _opened(url: str, named_by: str | None) -> Generator[Iterator[bytes]]:
    # A network client costs more to load than most commands: only who fetches pays for it.
    import httpx  # noqa: PLC0415

    try:
        yield from _answer(httpx.URL(url), allows_local=_may_be_local(named_by))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        if isinstance(error.__cause__, PrivateAddress):
            raise UntrustedUrl(_INTO_OWN_NETWORK) from None
        raise UpstreamFailed(f"The download failed: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    import httpx  # noqa: PLC0415

    reasons = {
        httpx.InvalidURL: "the address is not valid",
        httpx.ConnectError: "the server can't be reached",
        httpx.TimeoutException: "the server did not answer in time",
    }
    found = (reason for kind, reason in reasons.items() if isinstance(error, kind))
    return next(found, "the connection was lost")


def _answer(url: "httpx.URL", *, allows_local: bool) -> Generator[Iterator[bytes]]:
    from lime_desktop.network.http import open_client  # noqa: PLC0415

    for _ in range(_MAX_REDIRECTS + 1):
        check_url(str(url))
        with (
            open_client(_SINGLE_WAIT_S, allows_local=allows_local) as client,
            client.stream("GET", url) as response,
        ):
            if not response.has_redirect_location:
                if response.status_code != 200:
                    raise UpstreamFailed(f"The server answered with status {response.status_code}")
                yield response.iter_bytes()
                return
            # Where a redirect leads is the server's word, not the person's.
            allows_local = allows_local and _may_be_local(str(url))
            url = url.join(response.headers["location"])
    raise UpstreamFailed("The server redirects too often")
