"""A place that can hold a secret. Blocks: whoever uses one calls it from a thread."""

from typing import Literal, Protocol

PlaceName = Literal["keyring", "sealed-file"]


class SecretPlace(Protocol):
    """Keeps values under ids of ours; raises `HostActionFailed` where it cannot."""

    @property
    def name(self) -> PlaceName:
        """Which of the two it is."""
        ...

    def write(self, secret_id: str, value: str) -> None:
        """Keep a value; an earlier one is replaced."""
        ...

    def read(self, secret_id: str) -> str | None:
        """The value, if it is still there."""
        ...

    def delete(self, secret_id: str) -> None:
        """Forget a value; one that is not there is no failure."""
        ...
