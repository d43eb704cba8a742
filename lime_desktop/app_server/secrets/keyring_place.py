"""The system's own keyring, where one runs that is known to encrypt what it keeps."""

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Literal, Protocol, cast

from lime_desktop.product import this_product
from lime_desktop.protocol.errors import HostActionFailed

SWITCH = "LIME_DESKTOP_KEYRING"
"""Set to `off`, secrets go to the sealed file even where a keyring runs."""

# By name and not by priority: a plaintext backend that somebody installed would otherwise be taken.
_TRUSTED = frozenset(
    {
        "keyring.backends.SecretService",
        "keyring.backends.libsecret",
        "keyring.backends.kwallet",
        "keyring.backends.macOS",
        "keyring.backends.Windows",
    }
)


class KeyringBackend(Protocol):
    """What we use of a `keyring` backend."""

    def get_password(self, service: str, username: str) -> str | None:
        """Read."""
        ...

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep."""
        ...

    def delete_password(self, service: str, username: str) -> None:
        """Forget."""
        ...


class KeyringPlace:
    """Values in the system's keyring, under the product's own name: there a person finds them."""

    name: Literal["keyring"] = "keyring"

    def __init__(self, backend: KeyringBackend, service: str) -> None:
        self._backend = backend
        self._service = service

    def write(self, secret_id: str, value: str) -> None:
        """Keep a value."""
        with _Refusals():
            self._backend.set_password(self._service, secret_id, value)

    def read(self, secret_id: str) -> str | None:
        """The value, if it is still there."""
        with _Refusals():
            return self._backend.get_password(self._service, secret_id)

    def delete(self, secret_id: str) -> None:
        """Forget a value."""
        with _Refusals():
            if self._backend.get_password(self._service, secret_id) is not None:
                self._backend.delete_password(self._service, secret_id)


class _Refusals(AbstractContextManager[None]):
    """Whatever a keyring raises is the same to us: it did not do it. Its own text may name the entry."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        del kind, traceback
        if isinstance(error, Exception):
            raise HostActionFailed("The system's keyring did not answer, or refused") from error


def find_keyring(environment: Mapping[str, str] = os.environ) -> KeyringPlace | None:
    """The best keyring of this system that may be trusted, or None where none runs."""
    if environment.get(SWITCH) == "off":
        return None
    try:
        from keyring.backend import get_all_keyring  # noqa: PLC0415 - looks for a bus as it loads
    except ImportError:
        return None
    trusted = [each for each in get_all_keyring() if type(each).__module__ in _TRUSTED]
    best = max(trusted, key=lambda each: float(each.priority), default=None)
    return None if best is None else KeyringPlace(cast("KeyringBackend", best), this_product().id)
