"""Answers requests to an app's origin from its bundle and from what the host offers it, and from nowhere else."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject
from PySide6.QtWebEngineCore import QWebEngineUrlRequestJob, QWebEngineUrlSchemeHandler

from lime_desktop.host.ui_bundle import HOST_PREFIX, Answer, PageRequest, UiBundle
from lime_desktop.host.view_bodies import BODY_PREFIX, ByteStream, OfferedValue, ViewBodies
from lime_desktop.shell.app_view.stream_device import StreamDevice

_METHODS = {b"GET", b"HEAD"}


PageSource = Callable[[UiBundle, PageRequest], Coroutine[Any, Any, Answer]]
"""Answers in the bundle's place, behind the bundle's headers; never raises."""


class BundleSchemeHandler(QWebEngineUrlSchemeHandler):
    """One app's handler, installed on that app's profile only."""

    def __init__(self, host: str, missed: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self.bodies: list[ViewBodies] = []
        """What the app's views offer beside its files."""
        self.source: PageSource | None = None
        """Where pages come from instead of the bundle, if they do."""
        self._bundle: UiBundle | None = None
        self._host = host
        self._missed = missed
        self._reading: set[StreamDevice] = set()

    def serve(self, bundle: UiBundle) -> None:
        """Answer from these files from now on."""
        self._bundle = bundle

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:  # noqa: N802 - Qt calls this
        """Answer a request. Bodies are never read: the engine loops or dies on them."""
        url, bundle = job.requestUrl(), self._bundle
        if bundle is None or url.host() != self._host:
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
            return
        if job.requestMethod().data() not in _METHODS:
            # An answer and no failure: after a failure the page would wait for a body that never ends.
            _reply(job, bundle.answer_with("text/plain", b"Only GET and HEAD are answered here."))
            return
        path = url.path(url.ComponentFormattingOption.FullyEncoded)
        wanted = _header(job, b"range")
        match self._take(path):
            case ByteStream() as stream if wanted is not None:
                # A stream has no ranges, and the engine crashes on looking for one.
                stream.abandon()
                _reply(job, bundle.answer_with(stream.media_type, b""))
            case ByteStream() as stream:
                self._stream(job, stream, bundle)
            case OfferedValue(media_type, body):
                _reply(job, bundle.answer_with(media_type, body, wanted))
            case None if self.source is not None and not path.startswith(HOST_PREFIX):
                self._answer_later(job, self.source, bundle, wanted)
            case None:
                self._answer(job, path, bundle.answer(path, wanted))

    def _answer(self, job: QWebEngineUrlRequestJob, path: str, answer: Answer) -> None:
        if answer.is_missing:
            self._missed(path)
        _reply(job, answer)

    def _answer_later(
        self, job: QWebEngineUrlRequestJob, source: PageSource, bundle: UiBundle, wanted: str | None
    ) -> None:
        url = job.requestUrl()
        encoded = url.ComponentFormattingOption.FullyEncoded
        path = url.path(encoded)
        target = f"{path}?{url.query(encoded)}" if url.hasQuery() else path
        request = PageRequest(target, _header(job, b"accept") or "*/*", wanted)

        async def answer() -> None:
            self._answer(job, path, await source(bundle, request))

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
