"""lime.settings: what applies to the app, layer over layer, and the fields of its own that it may change."""

from pydantic import BaseModel

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.apps.app_settings import AppliedSetting, AppSettings
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source
from lime_desktop.host.view.shell_port import offer_undo_of_call
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.capability_calls.settings import (
    ListSettingsParams,
    ListSettingsResult,
    SetSettingParams,
    Setting,
    SettingKeyParams,
)
from lime_desktop.protocol.errors import (
    CapabilityNotAvailable,
    Conflict,
    InvalidInput,
    StorageKeyNotFound,
    SubscriptionUnknown,
)
from lime_desktop.protocol.ids import JsonObject

Applied = tuple[AppliedSetting, ...]


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def get(params: SettingKeyParams) -> BaseModel:
        found = AppSettings(services.app()).find(params.key)
        if found is None:
            raise StorageKeyNotFound("There is no setting of that key")
        return _setting(found)

    def list_all(params: ListSettingsParams) -> BaseModel:
        prefix = "" if params.namespace is None else f"{params.namespace}."
        found = AppSettings(services.app()).all()
        return ListSettingsResult(
            tuple(_setting(each) for each in found if each.key.startswith(prefix))
        )

    async def change(params: SetSettingParams) -> BaseModel:
        app = services.app()
        manifest, overlays = app.package.manifest, _center(services).overlays
        layer = AppSettings(app).layer_for(params.key, params.value)
        before = overlays.flat_values(manifest, layer).get(params.key)
        await overlays.change_value(manifest, layer, params.key, params.value)
        if (offer := offer_undo_of_call.get()) is not None:

            async def undo() -> None:
                if overlays.flat_values(manifest, layer).get(params.key) != params.value:
                    raise Conflict("The setting was changed again since, and is left as it is")
                await overlays.change_value(manifest, layer, params.key, before)

            offer(undo)
        now = AppSettings(services.app()).find(params.key)
        return _setting(now or AppliedSetting(params.key, None, "app"))

    return {
        "lime.settings.get": get,
        "lime.settings.list": list_all,
        "lime.settings.set": change,
    }


def source(services: HandlerServices) -> Source:
    """What changed of the settings, whoever changed it."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.topic != "changes":
            raise SubscriptionUnknown("lime.settings tells of changes alone")
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])
        known = AppSettings(services.app()).all()

        def look() -> None:
            nonlocal known
            before, known = known, AppSettings(services.app()).all()
            if before != known:
                subscription.publish("change", payload=_changes(before, known))

        subscription.on_end(_center(services).watch(look))
        return {}

    return Source("list", start)


def _changes(before: Applied, now: Applied) -> JsonObject:
    left = {each.key for each in now}
    return {
        "changes": [_setting(each).to_wire() for each in now if each not in before],
        "removed": [each.key for each in before if each.key not in left],
    }


def _setting(applied: AppliedSetting) -> Setting:
    return Setting(
        key=applied.key,
        value=applied.value,
        source=applied.source,
        locked=applied.locked_by is not None,
        locked_by=applied.locked_by,
    )


def _center(services: HandlerServices) -> AppCenter:
    center = services.center()
    if center is None:
        raise CapabilityNotAvailable("Another Lime Desktop on this computer is using the settings")
    return center
