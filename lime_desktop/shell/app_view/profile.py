"""One profile per app: its storage, its cookies, its cache and its guards are nobody else's."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineNotification,
    QWebEngineProfile,
    QWebEngineSettings,
)

from lime_desktop.host.app_origin import SCHEME
from lime_desktop.host.ui_bundle import UiBundle
from lime_desktop.shell.app_view.guards import Refused, RequestGuard
from lime_desktop.shell.app_view.scheme_handler import BundleSchemeHandler

_ON = (
    QWebEngineSettings.WebAttribute.JavascriptEnabled,
    QWebEngineSettings.WebAttribute.LocalStorageEnabled,
    QWebEngineSettings.WebAttribute.FocusOnNavigationEnabled,
)
_OFF = (
    QWebEngineSettings.WebAttribute.AllowGeolocationOnInsecureOrigins,
    QWebEngineSettings.WebAttribute.AllowRunningInsecureContent,
    QWebEngineSettings.WebAttribute.AllowWindowActivationFromJavaScript,
    QWebEngineSettings.WebAttribute.DnsPrefetchEnabled,
    QWebEngineSettings.WebAttribute.FullScreenSupportEnabled,
    QWebEngineSettings.WebAttribute.HyperlinkAuditingEnabled,
    QWebEngineSettings.WebAttribute.JavascriptCanAccessClipboard,
    QWebEngineSettings.WebAttribute.JavascriptCanOpenWindows,
    QWebEngineSettings.WebAttribute.JavascriptCanPaste,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessFileUrls,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessRemoteUrls,
    QWebEngineSettings.WebAttribute.NavigateOnDropEnabled,
    QWebEngineSettings.WebAttribute.PdfViewerEnabled,
    QWebEngineSettings.WebAttribute.PluginsEnabled,
    QWebEngineSettings.WebAttribute.ScreenCaptureEnabled,
)


class AppProfile(QWebEngineProfile):
    """The profile of one app. Its folder is removed with the app."""

    def __init__(
        self,
        host: str,
        bundle: UiBundle,
        storage: Path,
        refused: Refused,
        parent: QObject,
    ) -> None:
        super().__init__(host, parent)
        self.setPersistentStoragePath(str(storage / "storage"))
        self.setCachePath(str(storage / "cache"))
        self.setHttpCacheType(QWebEngineProfile.HttpCacheType.MemoryHttpCache)
        self.setPersistentCookiesPolicy(
            QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies
        )
        self.setPersistentPermissionsPolicy(
            QWebEngineProfile.PersistentPermissionsPolicy.AskEveryTime
        )
        self.setSpellCheckEnabled(False)
        self.setPushServiceEnabled(False)
        self._handler = BundleSchemeHandler(bundle, host, self)
        self.installUrlSchemeHandler(SCHEME.encode(), self._handler)
        self._guard = RequestGuard(host, _granted(bundle), refused, self)
        self.setUrlRequestInterceptor(self._guard)
        self.downloadRequested.connect(_cancel_download)
        self.setNotificationPresenter(_close_notification)
        for attribute in _ON:
            self.settings().setAttribute(attribute, True)  # noqa: FBT003 - Qt's signature
        for attribute in _OFF:
            self.settings().setAttribute(attribute, False)  # noqa: FBT003 - Qt's signature


def _cancel_download(request: QWebEngineDownloadRequest) -> None:
    request.cancel()


def _close_notification(notification: QWebEngineNotification) -> None:
    notification.close()


def _granted(bundle: UiBundle) -> Callable[[str], bool]:
    """Whether a host is one the person granted; `*.example.com` covers what is below it, not itself."""
    names = {domain.lower().partition(":")[0] for domain in bundle.granted_domains}

    def is_granted(host: str) -> bool:
        parents = host.lower().split(".")
        above = {f"*.{'.'.join(parents[index:])}" for index in range(1, len(parents))}
        return host.lower() in names or bool(above & names)

    return is_granted
