"""Navigation, notices and links: what a page may ask of the window around it. Every target is checked here."""

from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from pydantic import JsonValue

from lime_desktop.host.view.declared_failures import DeclaredFailures
from lime_desktop.host.view.shell_port import ShellPort
from lime_desktop.host.web_content.origin import origin_of
from lime_desktop.host.web_content.ui_bundle import HOST_PREFIX
from lime_desktop.projection.projection import Projection
from lime_desktop.protocol.bridge.from_app import (
    Navigate,
    NavigatePayload,
    OpenExternal,
    OpenExternalPayload,
    Toast,
    ToastPayload,
)
from lime_desktop.protocol.errors import EntryNotFound, UntrustedUrl

_STOPS = (".", "!", "?", "…", "。", "！", "？")


class HostActions:
    """The actions of one view."""

    def __init__(
        self, projection: Projection, shell: ShellPort, failures: DeclaredFailures
    ) -> None:
        self._projection = projection
        self._origin = origin_of(projection.manifest.name)
        self._shell = shell
        self._failures = failures

    def carry_out(self, message: Toast | Navigate | OpenExternal) -> Mapping[str, JsonValue]:
        """Do what a message asks, and give the fields of its answer."""
        match message:
            case Toast(payload=payload):
                return self.toast(payload)
            case Navigate(payload=payload):
                return self.navigate(payload)
            case OpenExternal(payload=payload):
                return self.open_external(payload)

    def toast(self, payload: ToastPayload) -> Mapping[str, bool]:
        """Show a notice; a failure that the app declares, with what to do about it."""
        if payload.code is None:
            self._shell.show_toast(payload.message, payload.level)
            return {"accepted": True}
        declared = self._failures.find(payload.code)
        said = (payload.message or declared.message or payload.code, declared.user_action or "")
        self._shell.show_toast(_one_after_another(*said), "error")
        # Once it is shown: a page that floods the window floods nobody's evidence either.
        self._failures.note(declared)
        return {"accepted": True}

    def navigate(self, payload: NavigatePayload) -> Mapping[str, str]:
        """Go to a route or an entry of the same app, and nowhere else."""
        if payload.entry_key is not None:
            if self._projection.entry(payload.entry_key) is None:
                raise EntryNotFound("This app has no entry of that key")
            self._shell.open_entry(payload.entry_key)
            return {"navigatedTo": payload.entry_key}
        route = self.own_route(payload.url or payload.route or "/")
        self._shell.open_route(route)
        return {"navigatedTo": route}

    def open_external(self, payload: OpenExternalPayload) -> Mapping[str, bool]:
        """Offer a web page to the person; they decide whether their browser opens it."""
        parts = _split(payload.url)
        if (
            parts.scheme not in {"http", "https"}
            or not parts.hostname
            or parts.username
            or parts.password
        ):
            raise UntrustedUrl("Only plain http and https addresses can be opened")
        self._shell.offer_link(payload.url)
        return {"opened": True}

    def own_route(self, target: str) -> str:
        """A route of the app's own pages.

        Raises:
            UntrustedUrl: it leads elsewhere.
        """
        route = (
            target.removeprefix(self._origin) if target.startswith(f"{self._origin}/") else target
        )
        parts = _split(route)
        is_inside = (
            not parts.scheme and not parts.netloc and route.startswith("/") and "\\" not in route
        )
        if not is_inside or route.startswith((HOST_PREFIX, "//")):
            raise UntrustedUrl("An app navigates within its own pages")
        return route


def _one_after_another(first: str, second: str) -> str:
    """Two texts of the app's, with a stop between them as the first one's script has it."""
    if not second or first.endswith(_STOPS):
        return f"{first} {second}".strip()
    return f"{first}. {second}" if first[-1:].isascii() else f"{first}。{second}"


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        raise UntrustedUrl("The address cannot be read") from None
