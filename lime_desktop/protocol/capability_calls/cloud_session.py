"""lime.cloudSession and lime.billing: the host's account session, and the state of its plan. The ledger never appears."""

from typing import Literal

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.errors import SignInRequired
from lime_desktop.protocol.ids import Timestamp
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.cloudSession"


class CloudSessionSnapshot(WireModel):
    """Who is signed in. Has no place for a token."""

    state: Literal["unauthenticated", "authenticated", "expired"]
    tenant_id: Maybe[str] = None
    tenant_name: Maybe[str] = None
    account_email: Maybe[str] = None
    expires_at: Maybe[Timestamp] = None
    scopes: tuple[str, ...] = ()
    auth_mode: Maybe[str] = None


class GetAccessTokenResult(WireModel):
    """A token for one use now; an app must not store it."""

    access_token: str
    tenant_id: str
    control_plane_base_url: Maybe[str] = None
    expires_at: Maybe[Timestamp] = None


class RequestLoginParams(CallParams):
    """How to sign in."""

    force: bool = False
    """Even though a session seems valid: the control plane refused its token."""


class RequestLoginResult(WireModel):
    """How the session stands; the app then retries its own call once."""

    has_session: bool
    tenant_id: Maybe[str] = None
    control_plane_base_url: Maybe[str] = None


CALLS = (
    Call(NAME, "getSnapshot", Empty, CloudSessionSnapshot, Effect.READ, "Who is signed in."),
    Call(NAME, "getAccessToken", Empty, GetAccessTokenResult, Effect.EXTERNAL,
         "A token for one call to the control plane.",
         errors=(SignInRequired,)),
    Call(NAME, "requestLogin", RequestLoginParams, RequestLoginResult, Effect.ASK,
         "Ask the person to sign in."),
)  # fmt: skip


BILLING = "lime.billing"


class BillingSnapshot(WireModel):
    """Whether the plan is paid."""

    state: Literal["unknown", "active", "needs-payment", "suspended"]
    plan_name: Maybe[str] = None
    balance_cents: Maybe[int] = None
    currency: Maybe[str] = None
    renews_at: Maybe[Timestamp] = None
    last_checked_at: Timestamp


BILLING_CALLS = (
    Call(BILLING, "getSnapshot", Empty, BillingSnapshot, Effect.READ, "Whether the plan is paid."),
)  # fmt: skip
