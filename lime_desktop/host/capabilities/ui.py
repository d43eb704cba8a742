"""lime.ui: the app's own place in the window."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.downloads import Downloads
from lime_desktop.protocol.bridge.from_app import NavigatePayload, OpenExternalPayload, ToastPayload
from lime_desktop.protocol.capability_calls.call import Acknowledged
from lime_desktop.protocol.capability_calls.ui import GetLocaleResult, NavigateResult, OpenedResult
from lime_desktop.protocol.wire import Empty


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    actions, snapshot = services.actions, services.snapshot
    downloads = Downloads(services.app, services.bodies, services.shell, services.call)

    def get_locale(_: Empty) -> BaseModel:
        host = snapshot().host
        return GetLocaleResult(locale=host.locale, timezone=host.timezone)

    def get_snapshot(_: Empty) -> BaseModel:
        return snapshot()

    def toast(params: ToastPayload) -> BaseModel:
        actions.toast(params)
        return Acknowledged()

    def navigate(params: NavigatePayload) -> BaseModel:
        return NavigateResult(navigated_to=actions.navigate(params)["navigatedTo"])

    def open_external(params: OpenExternalPayload) -> BaseModel:
        actions.open_external(params)
        return OpenedResult()

    return {
        "lime.ui.download": downloads.download,
        "lime.ui.getLocale": get_locale,
        "lime.ui.getSnapshot": get_snapshot,
        "lime.ui.toast": toast,
        "lime.ui.navigate": navigate,
        "lime.ui.openExternal": open_external,
    }
