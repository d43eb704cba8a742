"""One profile per app: its storage, its cookies, its cache and its guards are nobody else's."""

from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtNetwork import QAuthenticator
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineNotification,
    QWebEngineProfile,
    QWebEngineSettings,
)

from lime_desktop.host.proxy.access import Credentials, ProxyAccess
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.web_content.origin import SCHEME, host_of, view_storage
from lime_desktop.host.web_content.request_limits import ViewRequests
from lime_desktop.host.web_content.ui_bundle import UiBundle
from lime_desktop.policy.domain_grants import NO_DOMAINS, DomainGrants
from lime_desktop.shell.app_view.engine import PROXY_HOST
from lime_desktop.shell.app_view.guards import RequestGuard
from lime_desktop.shell.app_view.scheme_handler import BundleSchemeHandler, PageSource

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
    # On paper a dark theme is ink; Chromium then prints light letters dark.
    QWebEngineSettings.WebAttribute.PrintElementBackgrounds,
    QWebEngineSettings.WebAttribute.ScreenCaptureEnabled,
)


class AppProfile(QWebEngineProfile):
    """The profile of one app, shared by its views. Its folder is removed with the app."""

    refused = Signal(str, str)
    """Something was stopped: by which guard, and the address without its query."""
    flooded = Signal()
    """The app's pages ask their origin for more and more, whatever they are told."""
    missed = Signal(str)
    """A path of the app's origin was asked for that is not there."""

    def __init__(self, host: str, storage: Path, parent: QObject) -> None:
        super().__init__(host, parent)
        self._grants = NO_DOMAINS
        self._credentials: Credentials | None = None
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
        self.requests = ViewRequests()
        """What the app's pages ask of their origin."""
        self._handler = BundleSchemeHandler(host, self.requests, self.missed.emit, self)
        self.installUrlSchemeHandler(SCHEME.encode(), self._handler)
        self._guard = RequestGuard(host, self.requests, self._may_reach, self.refused.emit, self)
        self._guard.flooded.connect(self.flooded)
        self.setUrlRequestInterceptor(self._guard)
        self.downloadRequested.connect(self._cancel_download)
        self.setNotificationPresenter(close_notification)
        allow_little(self.settings())

    def serve(self, bundle: UiBundle) -> None:
        """Answer from these files."""
        self._handler.serve(bundle)
        self._guard.sockets = bundle.sockets

    def answer_by(self, source: PageSource | None) -> None:
        """Let pages come from elsewhere than the bundle, behind the same headers."""
        self._handler.source = source

    def reach(self, grants: DomainGrants) -> None:
        """Let through what goes to these hosts."""
        self._grants = grants

    def offer(self, bodies: ViewBodies) -> None:
        """Let pages fetch what a view has for them, until it takes it back."""
        self._handler.bodies.append(bodies)

    def take_back(self, bodies: ViewBodies) -> None:
        """Offer this no longer."""
        self._handler.bodies.remove(bodies)

    def prove_with(self, credentials: Credentials) -> None:
        """Show these to the host's proxy, which lets nobody through without."""
        self._credentials = credentials

    def authenticate(self, _: QUrl, authenticator: QAuthenticator, proxy_host: str) -> None:
        """Answer the proxy's question on behalf of a page; other proxies hear nothing."""
        if self._credentials is not None and proxy_host == PROXY_HOST:
            authenticator.setUser(self._credentials.user)
            authenticator.setPassword(self._credentials.password)

    def _cancel_download(self, request: QWebEngineDownloadRequest) -> None:
        """Save nothing: files leave an app through the bridge, to a place the person chose."""
        request.cancel()
        self.refused.emit("download", "")

    def _may_reach(self, host: str) -> bool:
        return self._grants.covers(host)


def close_notification(notification: QWebEngineNotification) -> None:
    """Show none: a page speaks through the host."""
    notification.close()


def allow_little(settings: QWebEngineSettings) -> None:
    """Let a page run its scripts and keep its data, and nothing else that an engine could do for it."""
    for attribute in _ON:
        settings.setAttribute(attribute, True)  # noqa: FBT003 - Qt's signature
    for attribute in _OFF:
        settings.setAttribute(attribute, False)  # noqa: FBT003 - Qt's signature


class AppProfiles(QObject):
    """The profiles in use, one per app while any of its views is open: two would fight over one folder.

    Whoever opens one lets go of it when the page that used it is gone.
    """

    def __init__(self, folder: Path, access: ProxyAccess, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._access = access
        self._open: dict[str, AppProfile] = {}
        self._views: dict[str, int] = {}

    def open(self, app_id: str, bundle: UiBundle) -> AppProfile:
        """The app's profile, serving this bundle from now on."""
        profile = self._open.get(app_id)
        if profile is None:
            profile = AppProfile(host_of(app_id), view_storage(self._folder, app_id), self)
            self._open[app_id] = profile
        self._views[app_id] = self._views.get(app_id, 0) + 1
        self.serve(app_id, bundle)
        return profile

    def serve(self, app_id: str, bundle: UiBundle) -> None:
        """Let an app that is open be served by another bundle from now on, with the hosts granted to it."""
        profile = self._open[app_id]
        profile.serve(bundle)
        profile.reach(bundle.grants)
        profile.prove_with(self._access.admit(app_id, bundle.grants))

    def reach(self, app_id: str, grants: DomainGrants) -> None:
        """Let an app's open pages reach these hosts from now on, and no others; one that is not open is left alone."""
        profile = self._open.get(app_id)
        if profile is not None:
            profile.reach(grants)
            self._access.admit(app_id, grants)

    def let_go(self, app_id: str) -> None:
        """One page less uses the app's profile; the last one takes it along."""
        self._views[app_id] -= 1
        if self._views[app_id] == 0:
            del self._views[app_id]
            self._open.pop(app_id).deleteLater()
