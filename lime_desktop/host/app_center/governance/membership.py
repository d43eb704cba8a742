"""The organisation this machine belongs to, if it does: joined by a file or an address, read again on request."""

import asyncio
import base64
from pathlib import Path

from lime_desktop.host.app_center.governance.organisation import Organisation, parse_organisation
from lime_desktop.host.app_center.packages.fetching import (
    MAX_TEXT_BYTES,
    beside,
    fetch_bytes,
    fetch_text,
    is_url,
)
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.records import StoredOrganisation, now_ms
from lime_desktop.host.app_center.records.rows import put_organisation
from lime_desktop.protocol.errors import InvalidInput, PolicyDenied

MAX_LOGO_BYTES = 256 * 1024
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"<svg", b"<?xml")


class Membership:
    """Holds the last document that was read well; a bad or missing one never takes its place."""

    def __init__(self, ledger: Ledger, own: Organisation | None = None) -> None:
        """`own` is the organisation whose product this is: it holds whatever was joined before, and is never left."""
        self._ledger = ledger
        self._own = own
        self._read: tuple[str, Organisation] | None = None

    @property
    def organisation(self) -> Organisation | None:
        """What is in force."""
        if self._own is not None:
            return self._own
        stored = self._ledger.state.organisation
        if stored is None:
            return None
        if self._read is None or self._read[0] != stored.text:
            self._read = (stored.text, parse_organisation(stored.text, stored.source))
        return self._read[1]

    @property
    def is_products(self) -> bool:
        """Whether the product is the organisation's own, and brought its rules along."""
        return self._own is not None

    @property
    def read_at_ms(self) -> int | None:
        """When its document was last read well."""
        stored = self._ledger.state.organisation
        return None if stored is None else stored.read_at_ms

    @property
    def logo(self) -> bytes | None:
        """Its logo, as it came with the document; an organisation's product wears its own picture instead."""
        if self._own is not None:
            return None
        stored = self._ledger.state.organisation
        return None if stored is None or stored.logo is None else base64.b64decode(stored.logo)

    async def look(self, source: str) -> Organisation:
        """Read a document without belonging to anybody: what a person sees before they agree.

        Raises:
            AppError: it cannot be read.
        """
        organisation, _ = await _read_at(source)
        return organisation

    async def join(self, source: str) -> Organisation:
        """Belong to the organisation whose document lies there.

        Raises:
            PolicyDenied: this is an organisation's own product.
            AppError: it cannot be read; nothing was changed.
        """
        self._refuse_in_own_product()
        organisation, stored = await _read_at(source)
        await self._ledger.change(lambda connection: put_organisation(connection, stored))
        return organisation

    async def refresh(self) -> Organisation | None:
        """Read the document again.

        Raises:
            AppError: it cannot be read; what was in force stays in force.
        """
        if self._own is not None:
            return self._own  # it changes with the product
        stored = self._ledger.state.organisation
        return None if stored is None else await self.join(stored.source)

    async def leave(self) -> None:
        """Belong to none.

        Raises:
            PolicyDenied: this is an organisation's own product.
        """
        self._refuse_in_own_product()
        await self._ledger.change(lambda connection: put_organisation(connection, None))

    def _refuse_in_own_product(self) -> None:
        if self._own is not None:
            raise PolicyDenied(
                f"The rules of {self._own.name} came with this program and hold as long as it is used"
            )


async def _read_at(source: str) -> tuple[Organisation, StoredOrganisation]:
    return await asyncio.to_thread(_read_whole, source)


def _read_whole(source: str) -> tuple[Organisation, StoredOrganisation]:
    """Read the document and the picture it names; one without the other is half of what was meant."""
    place = source if is_url(source) else str(Path(source).expanduser().absolute())
    text = _read(place)
    organisation = parse_organisation(text, place)
    logo = organisation.branding.logo
    return organisation, StoredOrganisation(
        source=place,
        text=text,
        read_at_ms=now_ms(),
        logo=None if logo is None else base64.b64encode(_picture(logo, place)).decode(),
    )


def _read(place: str) -> str:
    if is_url(place):
        return fetch_text(place)
    try:
        with Path(place).open("rb") as file:
            return file.read(MAX_TEXT_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InvalidInput("There is no organization file at this address") from None


def _picture(logo: str, document: str) -> bytes:
    place = beside(document, logo)
    if is_url(place):
        found = fetch_bytes(place, MAX_LOGO_BYTES, named_by=document)
    else:
        found = _read_picture(place)
    if len(found) > MAX_LOGO_BYTES or not found.lstrip().startswith(_PICTURES):
        raise InvalidInput.at_fields([("branding.logo", "not_a_picture")])
    return found


def _read_picture(place: str) -> bytes:
    try:
        with Path(place).open("rb") as file:
            return file.read(MAX_LOGO_BYTES + 1)
    except OSError:
        raise InvalidInput.at_fields([("branding.logo", "not_there")]) from None
