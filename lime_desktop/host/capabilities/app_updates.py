"""lime.appUpdates: updates are the person's to look for and install, in the app center. An app may read what is known."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.app_updates import (
    AppUpdatesSnapshot,
    UpdateVersionParams,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable
from lime_desktop.protocol.wire import Empty

_PERSONS = "Updates are found and installed by the person, in the app center"


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    del services

    def get_snapshot(_: Empty) -> BaseModel:
        return AppUpdatesSnapshot()

    def refuse(_: Empty | UpdateVersionParams) -> BaseModel:
        raise CapabilityNotAvailable(_PERSONS)

    return {
        "lime.appUpdates.getSnapshot": get_snapshot,
        "lime.appUpdates.check": refuse,
        "lime.appUpdates.download": refuse,
        "lime.appUpdates.apply": refuse,
        "lime.appUpdates.rollback": refuse,
    }
