"""The updates of this program, made when somebody first asks for them: what checks signatures takes a while to load."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lime_desktop.shipping.service import UpdateService


def _open_updates() -> "UpdateService":
    from lime_desktop.shipping.installation import find_installation  # noqa: PLC0415 - behind the window
    from lime_desktop.shipping.service import UpdateService  # noqa: PLC0415 - likewise
    from lime_desktop.shipping.updates import Updates  # noqa: PLC0415 - likewise

    return UpdateService(Updates(find_installation()))


class OwnUpdates:
    """One service for as long as the program runs."""

    def __init__(self) -> None:
        self._service: UpdateService | None = None

    def __call__(self) -> "UpdateService":
        """The service.

        Raises:
            UpdateRefused: this program is none that updates itself.
        """
        if self._service is None:
            self._service = _open_updates()
        return self._service

    async def close(self) -> None:
        """Stop what is under way."""
        if self._service is not None:
            await self._service.close()
