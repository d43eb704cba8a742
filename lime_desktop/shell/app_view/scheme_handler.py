"""Answers requests to an app's origin from its bundle and from what the host offers it, and from nowhere else.

Answers are made one by one while the engine has room for them. A page of the bundle has its scripts looked for first;
that takes a while for a large one, and so happens on a thread beside the window's.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QUrl, Signal
from PySide6.QtWebEngineCore import QWebEngineUrlRequestJob, QWebEngineUrlSchemeHandler
from shiboken6 import isValid

from lime_desktop.host.view.bodies import BODY_PREFIX, ByteStream, OfferedValue, ViewBodies
from lime_desktop.host.web_content.origin import (
    NOT_IN_THE_APP,
    ONLY_GET_AND_HEAD,
    REFUSED_SCHEME,
)
from lime_desktop.host.web_content.request_limits import ViewRequests
from lime_desktop.host.web_content.ui_bundle import HOST_PREFIX, Answer, PageRequest, UiBundle

_METHODS = {b"GET", b"HEAD"}
# One for all apps: work for one core, and never more of it than the window has itself.
_READER = ThreadPoolExecutor(1, thread_name_prefix="pages")


PageSource = Callable[[UiBundle, PageRequest], Coroutine[Any, Any, Answer]]
"""Answers in the bundle's place, behind the bundle's headers; never raises."""


class StreamDevice(QIODevice):
    """A stream as the web engine reads it: at its end only when the stream is.

    The engine calls from a thread of its own: nothing here but the stream is touched.
    """

    def __init__(self, stream: ByteStream) -> None:
        super().__init__()
        self._stream = stream
        self.open(QIODevice.OpenModeFlag.ReadOnly | QIODevice.OpenModeFlag.Unbuffered)
        stream.connect_reader(self.readyRead.emit)

    def isSequential(self) -> bool:  # noqa: N802 - Qt calls this
        """Stop being one at the end: the engine takes the end from nothing else."""
        return not self._stream.is_at_end

    def atEnd(self) -> bool:  # noqa: N802 - Qt calls this
        """Whether everything was read."""
        return self._stream.is_at_end

    def bytesAvailable(self) -> int:  # noqa: N802 - Qt calls this
        """How much could be read now."""
        return self._stream.unread

    def readData(self, maxlen: int) -> bytes:  # noqa: N802  # pyright: ignore[reportIncompatibleMethodOverride] - PySide wants the bytes themselves
        """Give what is there, up to so many bytes."""
        return self._stream.read(maxlen)

    def writeData(self, data: bytes | bytearray | memoryview, len: int) -> int:  # noqa: A002, N802 - Qt's names
        """Nobody writes through the device."""
        del data, len
        return -1


@dataclass(slots=True, eq=False)
class _Request:
    """One request until the engine is done with it."""

    job: QWebEngineUrlRequestJob
    path: str
    is_navigation: bool = False
    """Whether somebody opens a page: then words are shown where there is none, and a script gets a failure."""
    is_over: bool = False
    held_bytes: int = 0


class BundleSchemeHandler(QWebEngineUrlSchemeHandler):
    """One app's handler, installed on that app's profile only."""

    _made = Signal(object, object)
    """An answer was made on another thread: to which request, and the answer."""

    def __init__(
        self, host: str, requests: ViewRequests, missed: Callable[[str], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.bodies: list[ViewBodies] = []
        """What the app's views offer beside its files."""
        self.source: PageSource | None = None
        """Where pages come from instead of the bundle, if they do."""
        self._bundle: UiBundle | None = None
        self._host = host
        self._requests = requests
        self._missed = missed
        self._waiting: deque[tuple[_Request, Callable[[], None]]] = deque()
        self._reading: set[StreamDevice] = set()
        self._made.connect(self._answer)

    def serve(self, bundle: UiBundle) -> None:
        """Answer from these files from now on."""
        self._bundle = bundle

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:  # noqa: N802 - Qt calls this
        """Answer a request, once there is room. Bodies are never read: the engine loops or dies on them."""
        url, bundle = job.requestUrl(), self._bundle
        path = url.path(url.ComponentFormattingOption.FullyEncoded)
        request = _Request(job, path, "text/html" in (_header(job, b"accept") or ""))
        self._requests.arrive()
        job.destroyed.connect(partial(self._end, request))
        if bundle is None or url.host() != self._host:
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
        elif self._requests.has_room:
            self._begin(request, bundle)
        else:
            self._waiting.append((request, partial(self._begin, request, bundle)))

    def _begin(self, request: _Request, bundle: UiBundle) -> None:
        job, path = request.job, request.path
        if job.requestMethod().data() not in _METHODS:
            self._refuse_method(request, bundle)
            return
        opens = request.is_navigation
        wanted = _header(job, b"range")
        match self._take(path):
            case ByteStream() as stream if wanted is not None:
                # A stream has no ranges, and the engine crashes on looking for one.
                stream.abandon()
                self._reply(request, bundle.answer_with(stream.media_type, b""))
            case ByteStream() as stream:
                self._stream(job, stream, bundle)
            case OfferedValue(media_type, body):
                self._reply(request, bundle.answer_with(media_type, body, wanted))
            case None if self.source is not None and not path.startswith(HOST_PREFIX):
                self._answer_later(request, self.source, bundle, wanted)
            case None if bundle.is_page(path, is_navigation=opens):
                self._answer_beside(request, partial(bundle.answer, path, wanted))
            case None:
                self._answer(request, bundle.answer(path, wanted, is_navigation=opens))

    def _refuse_method(self, request: _Request, bundle: UiBundle) -> None:
        if request.is_navigation:
            words = b"Only GET and HEAD are answered here."
            self._reply(request, bundle.answer_with("text/plain", words))
        else:
            _refuse(request.job, ONLY_GET_AND_HEAD)

    def _answer(self, request: _Request, answer: Answer) -> None:
        if request.is_over:
            return
        if answer.is_missing:
            self._missed(request.path)
            if not request.is_navigation:
                _refuse(request.job, NOT_IN_THE_APP)
                return
        self._reply(request, answer)

    def _answer_beside(self, request: _Request, make: Callable[[], Answer]) -> None:
        def tell(done: Future[Answer]) -> None:
            if isValid(self):
                self._made.emit(request, done.result())

        _READER.submit(make).add_done_callback(tell)

    def _answer_later(
        self, request: _Request, source: PageSource, bundle: UiBundle, wanted: str | None
    ) -> None:
        job, url = request.job, request.job.requestUrl()
        encoded = url.ComponentFormattingOption.FullyEncoded
        target = f"{request.path}?{url.query(encoded)}" if url.hasQuery() else request.path
        asked = PageRequest(target, _header(job, b"accept") or "*/*", wanted)

        async def answer() -> None:
            self._answer(request, await source(bundle, asked))

        task = asyncio.get_running_loop().create_task(answer())
        # The page may leave before its answer comes; then there is no job any more to be answered.
        job.destroyed.connect(task.cancel)

    def _take(self, path: str) -> OfferedValue | ByteStream | None:
        if not path.startswith(BODY_PREFIX):
            return None
        found = (bodies.take(path) for bodies in self.bodies)
        return next((body for body in found if body is not None), None)

    def _stream(self, job: QWebEngineUrlRequestJob, stream: ByteStream, bundle: UiBundle) -> None:
        device = StreamDevice(stream)
        self._reading.add(device)

        def let_go() -> None:
            stream.abandon()
            self._reading.discard(device)
            device.deleteLater()

        # The engine's own thread reads from it until the job is gone, be it at its end or because the page left.
        job.destroyed.connect(let_go)
        _set_headers(job, bundle.headers())
        job.reply(QByteArray(stream.media_type.encode()), device)

    def _reply(self, request: _Request, answer: Answer) -> None:
        request.held_bytes = len(answer.body)
        self._requests.hold(request.held_bytes)
        _reply(request.job, answer)

    def _end(self, request: _Request) -> None:
        """The engine is done with a request: what it held is free for those that wait."""
        request.is_over = True
        self._requests.end(request.held_bytes)
        while self._waiting and self._requests.has_room:
            following, begin = self._waiting.popleft()
            if not following.is_over:
                begin()


def _refuse(job: QWebEngineUrlRequestJob, reason: str) -> None:
    """Let a script's request fail, in a way that the page hears of at once.

    The engine's own way is of no use: after `fail` a fetch has a status, and then waits for a body that never ends. Nothing
    lets a page be led outside its origin, so leading it to an address that nobody serves ends it as an error. The
    address is what the page's console shows, so it says why.
    """
    job.redirect(QUrl(f"{REFUSED_SCHEME}://{reason}{job.requestUrl().path()}"))


def _header(job: QWebEngineUrlRequestJob, wanted: bytes) -> str | None:
    """A header of the request, however the page spells its name: the engine reads every spelling."""
    for name, value in job.requestHeaders().items():
        if bytes(name.data()).lower() == wanted:
            return bytes(value.data()).decode("latin-1")
    return None


def _reply(job: QWebEngineUrlRequestJob, answer: Answer) -> None:
    _set_headers(job, answer.headers)
    # The buffer belongs to the job: it lives for as long as the engine reads from it.
    body = QBuffer(parent=job)
    body.setData(answer.body)
    body.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(answer.media_type.encode()), body)


def _set_headers(job: QWebEngineUrlRequestJob, headers: Mapping[str, str]) -> None:
    # A multi-map: each value is a list. A plain value would be taken apart letter by letter.
    listed = {
        QByteArray(name.encode()): [QByteArray(value.encode())] for name, value in headers.items()
    }
    job.setAdditionalResponseHeaders(listed)  # pyright: ignore[reportArgumentType] - Qt's stub is wrong here
