"""Calls made in an app's name, past the bridge: as the host makes them after policy."""

from typing import Any

from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.call import Call, ParamsT, ResultT
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.provenance import Provenance


def provenance(app_id: str) -> Provenance:
    """Where the records of an app come from."""
    return Provenance(
        app_id=AppId(app_id),
        app_name=app_id,
        app_version="1.0.0",
        package_hash="sha256:1",
        manifest_hash="sha256:2",
        standard_version="0.10.0",
    )


def caller(app_id: str) -> AppCaller:
    """Who calls for an app."""
    return AppCaller(provenance=provenance(app_id))


async def ask(
    server: CallServer, app_id: str, call: Call[ParamsT, ResultT], **arguments: Any
) -> ResultT:
    """Make a call of an app's and read its result."""
    return await call_for_app(server, caller(app_id), call, call.check_params(arguments))


def envelope(app_id: str, call: str, /, **params: Any) -> dict[str, Any]:
    """The params of `app/call`, as a client writes them."""
    return {"caller": caller(app_id).to_wire(), "call": call, "params": params}
