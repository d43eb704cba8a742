"""The organisation this machine belongs to, if it does: joined by a file or an address, read again on request."""

import asyncio
from pathlib import Path

from lime_desktop.host.app_center.fetching import MAX_TEXT_BYTES, fetch_text, is_url
from lime_desktop.host.app_center.ledger import Ledger
from lime_desktop.host.app_center.organisation import Organisation, parse_organisation
from lime_desktop.host.app_center.parts import now_ms
from lime_desktop.host.app_center.records import StoredOrganisation
from lime_desktop.host.app_center.rows import put_organisation
from lime_desktop.protocol.errors import InvalidInput


class Membership:
    """Holds the last document that was read well; a bad or missing one never takes its place."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._read: tuple[str, Organisation] | None = None

    @property
    def organisation(self) -> Organisation | None:
        """What is in force."""
        stored = self._ledger.state.organisation
        if stored is None:
            return None
        if self._read is None or self._read[0] != stored.text:
            self._read = (stored.text, parse_organisation(stored.text, stored.source))
        return self._read[1]

    async def join(self, source: str) -> Organisation:
        """Belong to the organisation whose document lies there.

        Raises:
            AppError: it cannot be read; nothing was changed.
        """
        place = source if is_url(source) else await asyncio.to_thread(_whole_path, source)
        text = await asyncio.to_thread(_read, place)
        organisation = parse_organisation(text, place)
        stored = StoredOrganisation(source=place, text=text, read_at_ms=now_ms())
        await self._ledger.change(lambda connection: put_organisation(connection, stored))
        return organisation

    async def refresh(self) -> Organisation | None:
        """Read the document again.

        Raises:
            AppError: it cannot be read; what was in force stays in force.
        """
        stored = self._ledger.state.organisation
        return None if stored is None else await self.join(stored.source)

    async def leave(self) -> None:
        """Belong to none."""
        await self._ledger.change(lambda connection: put_organisation(connection, None))


def _whole_path(source: str) -> str:
    return str(Path(source).absolute())


def _read(place: str) -> str:
    if is_url(place):
        return fetch_text(place)
    try:
        with Path(place).open("rb") as file:
            return file.read(MAX_TEXT_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InvalidInput("There is no document of an organisation at this place") from None
