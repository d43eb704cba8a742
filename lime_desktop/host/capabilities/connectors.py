"""lime.connectors: the outside systems that the app's manifest names. None is connected by this host yet, and that is said."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.connectors import (
    Connector,
    ConnectorParams,
    InvokeConnectorParams,
    ListConnectorsParams,
    ListConnectorsResult,
    RequestConnectorAuthParams,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable, ToolUnknown

_UNCONNECTED = "This host connects apps to no outside system by itself; let a declared tool do it"


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def connector(connector_id: str) -> Connector:
        for each in _connectors(services):
            if each.connector_id == connector_id:
                return each
        raise ToolUnknown("The manifest names no integration of that id")

    def list_all(params: ListConnectorsParams) -> BaseModel:
        found = _connectors(services)
        return ListConnectorsResult(
            tuple(each for each in found if params.kind in {None, each.kind})
        )

    def get_status(params: ConnectorParams) -> BaseModel:
        return connector(params.connector_id)

    def request_auth(params: RequestConnectorAuthParams) -> BaseModel:
        connector(params.connector_id)
        raise CapabilityNotAvailable(_UNCONNECTED)

    def invoke(params: InvokeConnectorParams) -> BaseModel:
        connector(params.connector_id)
        raise CapabilityNotAvailable(_UNCONNECTED)

    return {
        "lime.connectors.list": list_all,
        "lime.connectors.getStatus": get_status,
        "lime.connectors.requestAuth": request_auth,
        "lime.connectors.invoke": invoke,
    }


def _connectors(services: HandlerServices) -> list[Connector]:
    return [
        Connector(
            connector_id=each.key,
            kind=(each.adapter.kind if each.adapter else None) or "connector",
            provider=each.provider,
            title=each.role,
            status="not_connected",
        )
        for each in services.app().package.manifest.integrations
    ]
