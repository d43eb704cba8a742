"""lime.cloudSession: this host has no account service. It says so, and never hands out a token."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.cloud_session import (
    CloudSessionSnapshot,
    RequestLoginParams,
    RequestLoginResult,
)
from lime_desktop.protocol.errors import SignInRequired
from lime_desktop.protocol.wire import Empty


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    del services

    def get_snapshot(_: Empty) -> BaseModel:
        return CloudSessionSnapshot(state="unauthenticated")

    def get_access_token(_: Empty) -> BaseModel:
        raise SignInRequired("You are not signed in: Lime Desktop has no account service")

    def request_login(_: RequestLoginParams) -> BaseModel:
        return RequestLoginResult(has_session=False)

    return {
        "lime.cloudSession.getSnapshot": get_snapshot,
        "lime.cloudSession.getAccessToken": get_access_token,
        "lime.cloudSession.requestLogin": request_login,
    }
