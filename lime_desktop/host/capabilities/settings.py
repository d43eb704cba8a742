"""lime.settings: what the app's manifest sets for itself. Changing it is the person's business, in the app's own page."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.overlay.app_defaults import app_defaults
from lime_desktop.protocol.capability_calls.settings import (
    ListSettingsParams,
    ListSettingsResult,
    SetSettingParams,
    Setting,
    SettingKeyParams,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable, StorageKeyNotFound


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def settings() -> list[Setting]:
        values = app_defaults(services.app().package.manifest).values
        return [Setting(key=key, value=value, source="app") for key, value in values.items()]

    def get(params: SettingKeyParams) -> BaseModel:
        for setting in settings():
            if setting.key == params.key:
                return setting
        raise StorageKeyNotFound("There is no setting of that key")

    def list_all(params: ListSettingsParams) -> BaseModel:
        prefix = "" if params.namespace is None else f"{params.namespace}."
        return ListSettingsResult(tuple(each for each in settings() if each.key.startswith(prefix)))

    def change(_: SetSettingParams) -> BaseModel:
        raise CapabilityNotAvailable("Settings are changed by the person, in the app's own page")

    return {
        "lime.settings.get": get,
        "lime.settings.list": list_all,
        "lime.settings.set": change,
    }
