"""Hears what outside systems send: at one address of this machine, with words in it that nobody can guess for each app.

Each request is judged as it comes: is the address one of ours, does policy still allow it, is it signed as the manifest
demands, is it what it says it is, is there room. A yes is said once the message is on disk.
"""

import asyncio
import hashlib
import hmac
import logging
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus

import msgspec

from lime_desktop.app_server.secrets.opened_values import NOTHING_HIDDEN, OpenedValues
from lime_desktop.app_server.tools.webhooks.incoming import (
    MOST_HEAD_BYTES,
    Refused,
    RequestHead,
    answer,
    discard,
    read_body,
    read_head,
)
from lime_desktop.app_server.tools.webhooks.queue import Form, Incoming, QueueKey, WebhookQueue
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)

PATH = "/hooks/"
MOST_AT_ONCE = 32
MOST_PER_MINUTE = 120
"""Of one integration."""
_MINUTE_S = 60.0
_SOON_S = 30


@dataclass(frozen=True, slots=True)
class Terms:
    """On which an integration takes messages now."""

    form: Form = "json"
    headers: tuple[str, ...] = ()
    signature_header: str | None = None
    signature_prefix: str = ""
    shown: OpenedValues = NOTHING_HIDDEN
    """What must not be in what is kept."""
    key: bytes = b""


FindTerms = Callable[[QueueKey], Awaitable[Terms]]
"""Raises `Refused` where the app takes nothing."""


@dataclass(slots=True)
class _Rate:
    """When the last ones came."""

    at: deque[float] = field(default_factory=lambda: deque[float](maxlen=MOST_PER_MINUTE))

    def is_over(self) -> bool:
        moment = time.monotonic()
        if len(self.at) == MOST_PER_MINUTE and moment - self.at[0] < _MINUTE_S:
            return True
        self.at.append(moment)
        return False


class WebhookReceiver:
    """One address for all apps, open while any of them is switched on."""

    def __init__(
        self, queue: WebhookQueue, terms: FindTerms, received: Callable[[QueueKey, str, int], None]
    ) -> None:
        self._queue = queue
        self._terms = terms
        self._received = received
        self._known: dict[str, QueueKey] = {}
        self._rates: defaultdict[QueueKey, _Rate] = defaultdict(_Rate)
        self._server: asyncio.Server | None = None
        self._changing = asyncio.Lock()
        self._at_work = 0

    @property
    def port(self) -> int | None:
        """Where it listens, if it does."""
        return self._server.sockets[0].getsockname()[1] if self._server else None

    async def hear(self, known: dict[str, QueueKey]) -> None:
        """Listen for these, by the hash of the words in their address; for none, listen no more.

        Raises:
            OSError: nothing can be listened at here.
        """
        async with self._changing:
            self._known = known
            if known and self._server is None:
                self._server = await self._listen(await self._queue.port())
                await self._queue.keep_port(self.port or 0)
            elif not known:
                self._stop()

    async def close(self) -> None:
        """Hear nothing more."""
        async with self._changing:
            self._known = {}
            self._stop()

    def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _listen(self, port: int) -> asyncio.Server:
        # This machine alone: whoever wants the world to reach it puts a tunnel of their own before it.
        try:
            return await asyncio.start_server(self._serve, "127.0.0.1", port, limit=MOST_HEAD_BYTES)
        except OSError:
            if port == 0:
                raise
            return await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MOST_HEAD_BYTES)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._at_work >= MOST_AT_ONCE:
            writer.close()
            return
        self._at_work += 1
        try:
            writer.write(await self._answer(reader))
            await writer.drain()
            writer.write_eof()
            await discard(reader)
        except OSError:
            pass
        finally:
            self._at_work -= 1
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader) -> bytes:
        try:
            head = await read_head(reader)
            key = self._key_of(head.path)
        except Refused as refused:
            return answer(refused.status, refused.retry_after_s)
        try:
            await self._take(key, head, reader)
        except Refused as refused:
            await self._queue.count_refused(key)
            return answer(refused.status, refused.retry_after_s)
        except AppError as error:
            _log.warning("a webhook was not kept: %s", error.code)
            return answer(HTTPStatus.SERVICE_UNAVAILABLE, _SOON_S)
        return answer(HTTPStatus.ACCEPTED)

    def _key_of(self, path: str) -> QueueKey:
        # Found by its hash: how long the search takes says nothing of the words themselves.
        token = path.removeprefix(PATH) if path.startswith(PATH) else ""
        key = self._known.get(hash_of(token))
        if key is None:
            raise Refused(HTTPStatus.NOT_FOUND)
        return key

    async def _take(self, key: QueueKey, head: RequestHead, reader: asyncio.StreamReader) -> None:
        if head.method != "POST":
            raise Refused(HTTPStatus.METHOD_NOT_ALLOWED)
        if self._rates[key].is_over():
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, _SOON_S)
        length = head.length
        terms = await self._terms(key)
        body = await read_body(reader, length)
        _check_signature(terms, head, body)
        _check_form(terms.form, body)
        incoming = Incoming(
            terms.form,
            terms.shown.hide_bytes(body),
            head.kept(terms.headers, terms.signature_header),
            time.time_ns() // 1_000_000,
        )
        name = await self._queue.add(key, incoming)
        if name is None:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, _SOON_S)
        self._received(key, name, incoming.received_at_ms)


def hash_of(token: str) -> str:
    """By what the words of an address are known again."""
    return hashlib.sha256(token.encode()).hexdigest()


def _check_signature(terms: Terms, head: RequestHead, body: bytes) -> None:
    if terms.signature_header is None:
        return
    given = head.headers.get(terms.signature_header.lower(), "")
    wanted = terms.signature_prefix + hmac.new(terms.key, body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(given.encode(), wanted.encode()):
        raise Refused(HTTPStatus.UNAUTHORIZED)


def _check_form(form: Form, body: bytes) -> None:
    try:
        if form == "json":
            msgspec.json.decode(body)
        elif form == "text":
            body.decode("utf-8")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE) from None
