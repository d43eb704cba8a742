"""Answers requests to an app's origin from its bundle, and nothing else from anywhere."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject
from PySide6.QtWebEngineCore import QWebEngineUrlRequestJob, QWebEngineUrlSchemeHandler

from lime_desktop.host.ui_bundle import Answer, UiBundle

_METHODS = {b"GET", b"HEAD"}


class BundleSchemeHandler(QWebEngineUrlSchemeHandler):
    """One app's handler, installed on that app's profile only."""

    def __init__(self, bundle: UiBundle, host: str, parent: QObject) -> None:
        super().__init__(parent)
        self._bundle = bundle
        self._host = host

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:  # noqa: N802 - Qt calls this
        """Answer a request. Bodies are never read: the engine loops or dies on them."""
        url = job.requestUrl()
        if url.host() != self._host or job.requestMethod().data() not in _METHODS:
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
            return
        byte_range = job.requestHeaders().get(QByteArray(b"Range"))
        path = url.path(url.ComponentFormattingOption.FullyEncoded)
        answer = self._bundle.answer(
            path, bytes(byte_range.data()).decode("latin-1") if byte_range else None
        )
        _reply(job, answer)


def _reply(job: QWebEngineUrlRequestJob, answer: Answer) -> None:
    headers = {
        QByteArray(name.encode()): [QByteArray(value.encode())]
        for name, value in answer.headers.items()
    }
    # A multi-map: each value is a list. A plain value would be taken apart letter by letter.
    job.setAdditionalResponseHeaders(headers)  # pyright: ignore[reportArgumentType] - Qt's stub is wrong here
    # The buffer belongs to the job: it lives for as long as the engine reads from it.
    body = QBuffer(parent=job)
    body.setData(answer.body)
    body.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(answer.media_type.encode()), body)
