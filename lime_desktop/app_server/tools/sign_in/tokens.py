"""The tokens of a sign-in: asked for, renewed and given back at the system's own addresses, through the host's proxy."""

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass
from urllib.parse import urlencode

import msgspec
from pydantic import Field, SecretStr, ValidationError

from lime_desktop.app_package.manifest.operations import OAuthClient
from lime_desktop.app_server.secrets.opened_values import NOTHING_HIDDEN, OpenedValues
from lime_desktop.app_server.tools.proxied_http import HttpAnswer, HttpRequest, proxied_http
from lime_desktop.network.hosts import may_carry_secrets
from lime_desktop.protocol.calls.apps import RegisteredNetwork
from lime_desktop.protocol.errors import ToolCallFailed
from lime_desktop.protocol.wire import WireModel

_EARLY_S = 60
"""A token that ends so soon is renewed at once: a call may take as long."""
_HEADER, _BEARER = "Authorization", "Bearer "

SIGN_IN_REFUSED = "sign_in_refused"
"""The reason of a failure where the system gave no token, and will not give one for what was sent."""


class Tokens(WireModel):
    """What is kept of a sign-in, as one secret."""

    access: str = Field(repr=False)
    refresh: str | None = Field(default=None, repr=False)
    expires_at_ms: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or does in a moment."""
        ends = self.expires_at_ms
        return ends is not None and ends - _EARLY_S * 1_000 < time.time_ns() // 1_000_000

    def shown(self, refused: OpenedValues = NOTHING_HIDDEN) -> OpenedValues:
        """What a request carries, and what is taken out of every answer: a token that was refused before it as well."""
        hidden = {"refresh": SecretStr(self.refresh)} if self.refresh else {}
        if (before := refused.headers.get(_HEADER)) is not None:
            hidden["refused"] = SecretStr(before.get_secret_value().removeprefix(_BEARER))
        return OpenedValues(headers={_HEADER: SecretStr(f"{_BEARER}{self.access}")}, files=hidden)

    def is_in(self, sent: OpenedValues) -> bool:
        """Whether this very token was sent."""
        return sent.headers.get(_HEADER) == self.shown().headers[_HEADER]


class _Granted(msgspec.Struct):
    """What a token address answers."""

    access_token: str
    token_type: str
    expires_in: float | None = None
    refresh_token: str | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """What proves that whoever brings the code is who asked for it (PKCE)."""

    verifier: str
    state: str

    @staticmethod
    def new() -> "Proof":
        """One that nobody can guess."""
        return Proof(secrets.token_urlsafe(48), secrets.token_urlsafe(24))

    def address(self, client: OAuthClient, redirect: str) -> str:
        """Where the person signs in."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": client.client_id,
            "redirect_uri": redirect,
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        if client.scopes:
            asked["scope"] = " ".join(client.scopes)
        joint = "&" if "?" in client.authorization_url else "?"
        return f"{client.authorization_url}{joint}{urlencode(asked)}"


class TokenAddress:
    """The side of a system that gives tokens, for one app."""

    def __init__(self, client: OAuthClient, network: RegisteredNetwork | None) -> None:
        self._client = client
        self._network = network

    async def exchange(self, code: str, proof: Proof, redirect: str) -> Tokens:
        """The tokens for a code."""
        return await self._ask(
            {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": redirect,
                "code_verifier": proof.verifier,
            }
        )

    async def renew(self, tokens: Tokens) -> Tokens:
        """New tokens for ones that ended. A system that gives no new refresh token lets the old one stand."""
        fresh = await self._ask(
            {"grant_type": "refresh_token", "refresh_token": tokens.refresh or ""}
        )
        return fresh.model_copy(update={"refresh": fresh.refresh or tokens.refresh})

    async def revoke(self, tokens: Tokens) -> None:
        """Give them back, where the system has a place for that."""
        if self._client.revocation_url is not None:
            token = tokens.refresh or tokens.access
            await self._send(self._client.revocation_url, {"token": token})

    async def _ask(self, asked: dict[str, str]) -> Tokens:
        answer = await self._send(self._client.token_url, asked)
        if 400 <= answer.status < 500:
            # What it says besides may repeat what it was sent.
            said = f"The system refused the sign-in with status {answer.status}."
            raise ToolCallFailed(said, details={"reasonCode": SIGN_IN_REFUSED})
        if answer.status != 200:
            raise ToolCallFailed(f"The system answered the sign-in with status {answer.status}.")
        try:
            granted = msgspec.json.decode(answer.body, type=_Granted, strict=False)
        except (msgspec.DecodeError, msgspec.ValidationError):
            raise ToolCallFailed("The system answered the sign-in with no token.") from None
        if granted.token_type.lower() != "bearer" or not _is_sendable(granted.access_token):
            raise ToolCallFailed("The system gave a token of a kind that is not used here.")
        lasts = granted.expires_in
        ends = None if lasts is None else time.time_ns() // 1_000_000 + int(lasts * 1_000)
        return Tokens(
            access=granted.access_token, refresh=granted.refresh_token, expires_at_ms=ends
        )

    async def _send(self, url: str, asked: dict[str, str]) -> HttpAnswer:
        if not may_carry_secrets(url):
            raise ToolCallFailed("A token would travel unencrypted: the address must use https.")
        body = urlencode({**asked, "client_id": self._client.client_id}).encode()
        hidden = OpenedValues(files={name: SecretStr(value) for name, value in asked.items()})
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        async with proxied_http(self._network, hidden) as http:
            return await http.send(HttpRequest("POST", url, headers, body))


def _is_sendable(token: str) -> bool:
    return 0 < len(token) <= 8_192 and token.isascii() and token.isprintable() and " " not in token


def read_tokens(text: str) -> Tokens | None:
    """What was kept; None where it is no more what it was."""
    try:
        return Tokens.model_validate_json(text)
    except ValidationError:
        return None
