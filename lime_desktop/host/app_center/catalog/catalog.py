"""The sources of apps that a person chose, what each said last, and the way from an offer to a package."""

import asyncio
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from lime_desktop.app_package.hashes import file_hash
from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.catalog.catalog_file import parse_catalog
from lime_desktop.host.app_center.catalog.folders import offers_in
from lime_desktop.host.app_center.catalog.offers import Offer
from lime_desktop.host.app_center.catalog.search import Found, search
from lime_desktop.host.app_center.fetching import (
    MAX_TEXT_BYTES,
    check_url,
    download,
    fetch_text,
    is_url,
)
from lime_desktop.host.app_center.ledger import Ledger
from lime_desktop.host.app_center.progress import Errand, Step
from lime_desktop.host.app_center.records import CatalogSource
from lime_desktop.protocol.errors import AppError, AppNotInstalled, InvalidInput, SourceUnverified


class Catalog:
    """What could be installed here."""

    def __init__(self, ledger: Ledger, downloads: Path, built_in: tuple[Path, ...] = ()) -> None:
        """`built_in` folders are always there: the samples that ship with the program."""
        self._ledger = ledger
        self._downloads = downloads
        self._built_in = built_in
        self._folders: dict[str, tuple[Offer, ...]] = {}

    @property
    def sources(self) -> tuple[CatalogSource, ...]:
        """The sources that were chosen, the oldest first."""
        return tuple(self._ledger.state.sources.values())

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Everything on offer as of the last look; the same app at the same version once."""
        found: dict[tuple[str, str], Offer] = {}
        for source in self.sources:
            for offer in self._folders.get(source.location, source.offers):
                found.setdefault((offer.app_id, offer.version), offer)
        for folder in self._built_in:
            for offer in self._folders.get(str(folder), ()):
                found.setdefault((offer.app_id, offer.version), offer)
        return tuple(found.values())

    def search(self, query: str) -> tuple[Found, ...]:
        """Find among the offers."""
        return search(self.offers, query)

    def offer(self, app_id: str) -> Offer:
        """The offer of an app; the first source that has it wins.

        Raises:
            AppNotInstalled: no source offers it.
        """
        found = next((each for each in self.offers if each.app_id == app_id), None)
        if found is None:
            raise AppNotInstalled(f"No source offers an app {app_id}")
        return found

    async def add(self, location: str) -> CatalogSource:
        """Take a folder, a list or an address as a source; it is read at once, and refused if that fails.

        Raises:
            AppError: nothing can be read there.
        """
        place = location if is_url(location) else await asyncio.to_thread(_whole_path, location)
        source = CatalogSource(location=place, offers=await asyncio.to_thread(_read, place))
        await self._keep(source)
        return source

    async def remove(self, location: str) -> bool:
        """Ask a source no longer; installed apps stay. Says whether it was one."""
        was_there = location in self._ledger.state.sources

        def forget(connection: Connection) -> None:
            connection.execute("DELETE FROM catalog_source WHERE location = ?", (location,))

        await self._ledger.change(forget)
        return was_there

    async def refresh(self) -> Mapping[str, AppError]:
        """Look at every source anew; one that fails keeps what it said last, and is named with its failure."""
        failures: dict[str, AppError] = {}
        for folder in self._built_in:
            self._folders[str(folder)] = await asyncio.to_thread(offers_in, folder)
        for source in self.sources:
            try:
                offers = await asyncio.to_thread(_read, source.location)
            except AppError as error:
                failures[source.location] = error
                continue
            if offers != source.offers:
                await self._keep(source.model_copy(update={"offers": offers}))
        return failures

    async def fetch(self, offer: Offer, errand: Errand) -> Path:
        """The package of an offer on this machine, checked against what the list promised.

        Raises:
            SourceUnverified: it is another file than the list promised.
            AppError: it could not be fetched.
        """
        if not is_url(offer.location):
            await asyncio.to_thread(_check_archive, Path(offer.location), offer)
            return Path(offer.location)
        return await asyncio.to_thread(self._download, offer, errand)

    def forget_download(self, package: Path) -> None:
        """Let go of what `fetch` brought from elsewhere; what lies in a folder of the person's stays."""
        if package.parent.parent == self._downloads:
            shutil.rmtree(package.parent, ignore_errors=True)

    def _download(self, offer: Offer, errand: Errand) -> Path:
        check_url(offer.location)
        folder = self._downloads / f"download-{secrets.token_hex(8)}"
        folder.mkdir(parents=True, mode=0o700)
        target = folder / f"{offer.app_id}.lapp"
        try:
            download(offer.location, target, lambda done: errand.at(Step.FETCHING, done))
            _check_archive(target, offer)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return target

    async def _keep(self, source: CatalogSource) -> None:
        def keep(connection: Connection) -> None:
            connection.execute(
                """
                INSERT INTO catalog_source (location, record) VALUES (?, ?)
                ON CONFLICT (location) DO UPDATE SET record = excluded.record
                """,
                (source.location, source.to_json()),
            )

        await self._ledger.change(keep)


def _read(location: str) -> tuple[Offer, ...]:
    if is_url(location):
        return parse_catalog(fetch_text(location), location)
    path = Path(location)
    if path.is_dir():
        return offers_in(path)
    try:
        with path.open("rb") as file:
            text = file.read(MAX_TEXT_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InvalidInput("There is no folder and no list of apps at this place") from None
    return parse_catalog(text, location)


def _whole_path(location: str) -> str:
    return str(Path(location).absolute())


def _check_archive(path: Path, offer: Offer) -> None:
    if offer.archive_hash is None:
        return
    try:
        found = file_hash(path)
    except OSError:
        raise InvalidInput("The package of this offer is not there") from None
    if found != offer.archive_hash:
        raise SourceUnverified("The package is not the one that the list promised")
