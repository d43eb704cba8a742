"""Where an agent's page may go: to sites that were granted to its app, and nowhere else. It keeps nothing, opens nothing, saves nothing.

The host's proxy judges the same once more, with the address behind each name.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QUrl
from PySide6.QtNetwork import QAuthenticator
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)

from lime_desktop.host.proxy.access import Credentials
from lime_desktop.policy.domain_grants import DomainGrants
from lime_desktop.shell.app_view.engine import PROXY_HOST
from lime_desktop.shell.app_view.guards import GuardedPage
from lime_desktop.shell.app_view.profile import allow_little, close_notification

_WEB = frozenset({"http", "https"})
_SOCKETS = frozenset({"ws", "wss"})
_OWN = frozenset({"data", "blob"})

FindGrants = Callable[[], DomainGrants]
"""The sites that are granted at this moment: one that was taken back is shut at once."""


class SiteGuard(QWebEngineUrlRequestInterceptor):
    """Stops every request of a page to a site that was not granted."""

    def __init__(self, grants: FindGrants, parent: QObject) -> None:
        super().__init__(parent)
        self._grants = grants

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802 - Qt calls this
        """Block what leads elsewhere."""
        url = info.requestUrl()
        is_own = url.scheme() in _OWN
        if not is_own and not is_granted(url, self._grants(), _WEB | _SOCKETS):
            info.block(True)  # noqa: FBT003 - Qt names no argument


def is_granted(url: QUrl, grants: DomainGrants, schemes: frozenset[str] = _WEB) -> bool:
    """Whether an address is one of a granted site."""
    return url.scheme() in schemes and grants.covers(url.host())


class BrowserProfile(QWebEngineProfile):
    """Off the record: cookies, storage and cache are in memory, and gone with the session."""

    def __init__(self, grants: FindGrants, credentials: Credentials, parent: QObject) -> None:
        super().__init__(parent)
        self._credentials = credentials
        self._guard = SiteGuard(grants, self)
        self.setUrlRequestInterceptor(self._guard)
        self.setPersistentPermissionsPolicy(
            QWebEngineProfile.PersistentPermissionsPolicy.AskEveryTime
        )
        self.setSpellCheckEnabled(False)
        self.setPushServiceEnabled(False)
        self.downloadRequested.connect(_cancel)
        self.setNotificationPresenter(close_notification)
        allow_little(self.settings())
        self.settings().setAttribute(QWebEngineSettings.WebAttribute.ShowScrollBars, True)  # noqa: FBT003 - Qt's signature

    def authenticate(self, _: QUrl, authenticator: QAuthenticator, proxy_host: str) -> None:
        """Answer the host's proxy on behalf of the page."""
        if proxy_host == PROXY_HOST:
            authenticator.setUser(self._credentials.user)
            authenticator.setPassword(self._credentials.password)


class BrowserPage(GuardedPage):
    """A page that goes to granted sites alone. Windows, dialogs, files and permissions are refused as an app's are."""

    def __init__(self, profile: BrowserProfile, grants: FindGrants, parent: QObject) -> None:
        super().__init__(profile, "", _ignore, parent)
        self._grants = grants
        self.proxyAuthenticationRequired.connect(profile.authenticate)

    def acceptNavigationRequest(  # noqa: N802 - Qt calls this
        self,
        url: QUrl | str,
        type: QWebEnginePage.NavigationType,  # noqa: A002 - Qt's name
        isMainFrame: bool,  # noqa: FBT001, N803 - Qt's signature
    ) -> bool:
        """Let a granted site in; an inner frame may also be empty or the page's own."""
        del type
        target = QUrl(url)
        if not isMainFrame and target.scheme() in {"about", *_OWN}:
            return True
        return is_granted(target, self._grants())


def _ignore(guard: str, address: str) -> None:
    del guard, address


def _cancel(request: QWebEngineDownloadRequest) -> None:
    request.cancel()
