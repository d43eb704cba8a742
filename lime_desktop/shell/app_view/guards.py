"""The engine's own refusals: every request, navigation, window, download and permission that is not the app's.

CSP is the first wall. These hold where CSP does not reach.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtWebEngineCore import (
    QWebEngineCertificateError,
    QWebEngineClientCertificateSelection,
    QWebEngineDesktopMediaRequest,
    QWebEngineFileSystemAccessRequest,
    QWebEngineFullScreenRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineProfile,
    QWebEngineRegisterProtocolHandlerRequest,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineWebAuthUxRequest,
)

from lime_desktop.host.web_content.origin import SCHEME
from lime_desktop.host.web_content.request_limits import ViewRequests
from lime_desktop.host.web_content.ui_bundle import FRAME_PATH

_DATA = frozenset(
    {
        QWebEngineUrlRequestInfo.ResourceType.ResourceTypeImage,
        QWebEngineUrlRequestInfo.ResourceType.ResourceTypeFontResource,
        QWebEngineUrlRequestInfo.ResourceType.ResourceTypeMedia,
        QWebEngineUrlRequestInfo.ResourceType.ResourceTypeXhr,
        QWebEngineUrlRequestInfo.ResourceType.ResourceTypePing,
        QWebEngineUrlRequestInfo.ResourceType.ResourceTypeWebSocket,
        QWebEngineUrlRequestInfo.ResourceType.ResourceTypeUnknown,
    }
)
"""What may come from elsewhere; the engine calls some connections of its own unknown."""
_SOCKET = QWebEngineUrlRequestInfo.ResourceType.ResourceTypeWebSocket
_LOCAL_SCHEMES = frozenset({"data", "blob"})

_LEAVING = "Are you sure you want to leave this page? Changes that you made may not be saved."
"""What the engine asks for a page that does not want to go."""

Refused = Callable[[str, str], None]
"""Told what was refused: the guard, and the address without its query."""


class RequestGuard(QWebEngineUrlRequestInterceptor):
    """Lets through what belongs to the app's origin, and hosts that were granted."""

    flooded = Signal()
    """The pages ask on and on, whatever they are told."""

    def __init__(
        self,
        host: str,
        requests: ViewRequests,
        is_granted: Callable[[str], bool],
        refused: Refused,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._requests = requests
        self.sockets: tuple[str, ...] = ()
        """Where pages hear what changed while their app is worked on, such as `ws://localhost:5173`."""
        self._host = host
        self._is_granted = is_granted
        self._refused = refused

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802 - Qt calls this
        """Block everything that is neither the app's own nor granted."""
        url = info.requestUrl()
        if not self._is_allowed(url, info.resourceType()):
            info.block(True)  # noqa: FBT003 - Qt names no argument
            self._refused("request", _shown(url))
        elif url.scheme() == SCHEME and not self._requests.admit():
            info.block(True)  # noqa: FBT003 - Qt names no argument
            if self._requests.is_flood:
                self.flooded.emit()

    def _is_allowed(self, url: QUrl, kind: QWebEngineUrlRequestInfo.ResourceType) -> bool:
        if url.scheme() == SCHEME:
            return url.host() == self._host
        if url.scheme() in _LOCAL_SCHEMES:
            return True
        if kind is _SOCKET and f"{url.scheme()}://{url.authority()}" in self.sockets:
            return True
        # Never code: what runs in an app's name is what was reviewed with its package.
        is_data = kind in _DATA
        return is_data and url.scheme() in {"https", "wss"} and self._is_granted(url.host())


class OfflineGuard(QWebEngineUrlRequestInterceptor):
    """Lets nothing through that would leave this machine."""

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802 - Qt calls this
        """Block what is not the app's own."""
        if info.requestUrl().scheme() not in {SCHEME, *_LOCAL_SCHEMES}:
            info.block(True)  # noqa: FBT003 - Qt names no argument


class GuardedPage(QWebEnginePage):
    """A page that goes nowhere: its outer frame is the host's, its windows never open."""

    def __init__(
        self, profile: QWebEngineProfile, host: str, refused: Refused, parent: QObject
    ) -> None:
        super().__init__(profile, parent)
        self._host = host
        self._refused = refused
        self.is_dropping_navigation = False
        """Whether the engine has yet to drop a navigation that was refused; whoever hears of its end says so here."""
        self.is_making_room = False
        """Whether the host is about to load the page anew: what it says before it goes has been decided on."""
        self.loadStarted.connect(self._has_made_room)
        self.permissionRequested.connect(_deny_permission)
        self.fullScreenRequested.connect(_reject_full_screen)
        self.registerProtocolHandlerRequested.connect(_reject_protocol_handler)
        self.fileSystemAccessRequested.connect(_reject_file_system)
        self.desktopMediaRequested.connect(_cancel_capture)
        self.webAuthUxRequested.connect(_cancel_web_auth)
        self.selectClientCertificate.connect(_select_no_certificate)
        self.certificateError.connect(_reject_certificate)

    def _has_made_room(self) -> None:
        self.is_making_room = False

    def acceptNavigationRequest(  # noqa: N802 - Qt calls this
        self,
        url: QUrl | str,
        type: QWebEnginePage.NavigationType,  # noqa: A002 - Qt's name
        isMainFrame: bool,  # noqa: FBT001, N803 - Qt's signature
    ) -> bool:
        """Keep the outer page where it is, and frames inside the app's origin."""
        del type
        target = QUrl(url)
        is_own = target.scheme() == SCHEME and target.host() == self._host
        if isMainFrame:
            is_allowed = is_own and target.path() == FRAME_PATH
        else:
            is_allowed = is_own or target.scheme() in {"about", *_LOCAL_SCHEMES}
        if not is_allowed:
            self.is_dropping_navigation |= isMainFrame
            self._refused("navigation", _shown(target))
        return is_allowed

    def createWindow(  # noqa: N802  # pyright: ignore[reportIncompatibleMethodOverride] - nullptr: no window
        self,
        type: QWebEnginePage.WebWindowType,  # noqa: A002 - Qt's name
    ) -> QWebEnginePage | None:
        """Open no window, whoever asks."""
        del type
        self._refused("window", "")

    def chooseFiles(  # noqa: N802 - Qt calls this
        self,
        mode: QWebEnginePage.FileSelectionMode,
        oldFiles: Sequence[str],  # noqa: N803 - Qt's name
        acceptedMimeTypes: Sequence[str],  # noqa: N803 - Qt's name
    ) -> list[str]:
        """Give no file to a page: files are chosen through the bridge, where the choice is a grant."""
        del mode, oldFiles, acceptedMimeTypes
        self._refused("file chooser", "")
        return []

    def javaScriptAlert(self, securityOrigin: QUrl | str, msg: str) -> None:  # noqa: N802, N803 - Qt's names
        """Show nothing: a dialog would hold up the window, and could pass for the host's own."""
        del securityOrigin, msg
        self._refused("dialog", "")

    def javaScriptConfirm(self, securityOrigin: QUrl | str, msg: str) -> bool:  # noqa: N802, N803 - Qt's names
        """Ask nothing, and take it for a no; but no page keeps the host from loading another in its place."""
        del securityOrigin
        if self.is_making_room and msg == _LEAVING:
            return True
        self._refused("dialog", "")
        return False

    def javaScriptPrompt(  # noqa: N802 - Qt calls this  # pyright: ignore[reportIncompatibleMethodOverride] - PySide wants the answer as a pair
        self,
        securityOrigin: QUrl | str,  # noqa: N803 - Qt's name
        msg: str,
        defaultValue: str,  # noqa: N803 - Qt's name
    ) -> tuple[bool, str]:
        """Ask nothing, and give no answer."""
        del securityOrigin, msg, defaultValue
        self._refused("dialog", "")
        return False, ""


def _deny_permission(permission: QWebEnginePermission) -> None:
    permission.deny()


def _reject_full_screen(request: QWebEngineFullScreenRequest) -> None:
    request.reject()


def _reject_protocol_handler(request: QWebEngineRegisterProtocolHandlerRequest) -> None:
    request.reject()


def _reject_file_system(request: QWebEngineFileSystemAccessRequest) -> None:
    request.reject()


def _cancel_capture(request: QWebEngineDesktopMediaRequest) -> None:
    request.cancel()


def _cancel_web_auth(request: QWebEngineWebAuthUxRequest) -> None:
    request.cancel()


def _select_no_certificate(selection: QWebEngineClientCertificateSelection) -> None:
    selection.selectNone()


def _reject_certificate(error: QWebEngineCertificateError) -> None:
    error.rejectCertificate()


def _shown(url: QUrl) -> str:
    """An address fit for a log: a query may carry what a page wanted to smuggle out."""
    return f"{url.scheme()}://{url.host()}{url.path()}"
