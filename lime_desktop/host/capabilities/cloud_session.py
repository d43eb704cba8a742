"""lime.cloudSession and lime.billing: this host has no account service and sells nothing.

It says so, and never hands out a token.
"""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.cloud_session import (
    BillingSnapshot,
    CloudSessionSnapshot,
    RequestLoginParams,
    RequestLoginResult,
)
from lime_desktop.protocol.errors import AppError, SignInRequired
from lime_desktop.protocol.wire import Empty


def unobtainable(call_name: str) -> AppError | None:
    """Why a call cannot be carried out whatever a person says: nobody is asked about what cannot be had."""
    if call_name == "lime.cloudSession.getAccessToken":
        return _no_session()
    return None


def _no_session() -> SignInRequired:
    return SignInRequired("You are not signed in: Lime Desktop has no account service")


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    del services

    def get_snapshot(_: Empty) -> BaseModel:
        return CloudSessionSnapshot(state="unauthenticated")

    def get_access_token(_: Empty) -> BaseModel:
        raise _no_session()

    def request_login(_: RequestLoginParams) -> BaseModel:
        return RequestLoginResult(has_session=False)

    return {
        "lime.cloudSession.getSnapshot": get_snapshot,
        "lime.cloudSession.getAccessToken": get_access_token,
        "lime.cloudSession.requestLogin": request_login,
    }


def billing_handlers(services: HandlerServices) -> Handlers:
    """The handlers of lime.billing."""

    def get_snapshot(_: Empty) -> BaseModel:
        return BillingSnapshot(state="unknown", last_checked_at=services.snapshot().host.sent_at)

    return {"lime.billing.getSnapshot": get_snapshot}
