"""The sources of apps that a person chose, what each said last, and the way from an offer to a package."""

import asyncio
import secrets
import shutil
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from lime_desktop.app_package.files.hashes import file_hash
from lime_desktop.database.connection import Connection
from lime_desktop.file_names import plain_name
from lime_desktop.host.app_center.catalog.choosing import (
    SourceChoice,
    chosen_sources,
    offers_meant,
)
from lime_desktop.host.app_center.catalog.folders import offers_in
from lime_desktop.host.app_center.catalog.reading import look_at
from lime_desktop.host.app_center.catalog.recalls import newly_revoked
from lime_desktop.host.app_center.catalog.search import Found, is_newer, named, newest, search
from lime_desktop.host.app_center.catalog.shipped import ShippedPackages
from lime_desktop.host.app_center.packages.fetching import (
    check_url,
    download,
    is_url,
)
from lime_desktop.host.app_center.packages.progress import InstallProgress, Step
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import CatalogSource
from lime_desktop.host.app_center.records.rows import put_revocations
from lime_desktop.protocol.errors import (
    AppError,
    InvalidInput,
    PolicyDenied,
    SourceUnverified,
)


class Catalog:
    """What could be installed here."""

    def __init__(
        self,
        ledger: Ledger,
        downloads: Path,
        built_in: tuple[Path, ...] = (),
        given: Callable[[], tuple[str, ...]] = tuple,
        shipped: ShippedPackages | None = None,
    ) -> None:
        """`built_in` folders are always there: the samples. `given` are the places that an organisation names now.

        `shipped` came with an organisation's product, in which nobody chooses sources of their own.
        """
        self._ledger = ledger
        self._downloads = downloads
        self._memory = downloads.with_name("catalogs")
        """What was seen of signed catalogs, so that nobody shows something older."""
        self._built_in = built_in
        self._given = given
        self._shipped = shipped
        self._folders: dict[str, tuple[Offer, ...]] = {}

    @property
    def built_in(self) -> tuple[CatalogSource, ...]:
        """What comes with the program, as of the last look."""
        places = [*map(str, self._built_in), *([self._shipped.name] if self._shipped else [])]
        return tuple(
            CatalogSource(location=each, offers=self._folders.get(each, ())) for each in places
        )

    @property
    def sources(self) -> tuple[CatalogSource, ...]:
        """The organisation's sources, then those that the person chose, the oldest first."""
        known, given = self._ledger.state.sources, self._given()
        theirs = [known.get(each, CatalogSource(location=each)) for each in given]
        chosen = () if self._shipped else known.values()
        own = (each for each in chosen if not each.is_given and each.location not in given)
        return (*(each.model_copy(update={"is_given": True}) for each in theirs), *own)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What is on offer as of the last look: every app from the source that is meant for it, each version once."""
        return offers_meant(self.in_order, self._chosen())

    def offering(self, app_id: str) -> tuple[str, ...]:
        """The sources that offer an app, in the order in which they would be taken."""
        return tuple(
            source.location
            for source in self.in_order
            if any(each.app_id == app_id for each in source.offers)
        )

    def others_offering(self, offers: Iterable[Offer]) -> Mapping[str, tuple[str, ...]]:
        """By app which sources offer its name besides the one of the offer."""
        claims: dict[str, dict[str, None]] = {}
        for source in self.in_order:
            for each in source.offers:
                claims.setdefault(each.app_id, {})[source.location] = None
        return {
            offer.app_id: tuple(
                each for each in claims.get(offer.app_id, ()) if each != offer.source
            )
            for offer in offers
        }

    def choice(self, app_id: str, source: str | None = None) -> SourceChoice:
        """What a source would be for this app, beside the one that was chosen; without one, how it stands."""
        chosen = self._chosen()
        own = source or chosen.get(app_id)
        return SourceChoice(
            source=source,
            before=chosen.get(app_id),
            is_chosen=app_id in chosen,
            others=tuple(each for each in self.offering(app_id) if each != own),
        )

    def search(self, query: str) -> tuple[Found, ...]:
        """Find among the offers."""
        return search(self.offers, query)

    def named(self, name: str, source: str | None = None) -> tuple[Offer, ...]:
        """The apps that a name may mean, each at its newest version: by id, by title, or by what else it is found by.

        Where a source is named, of that one alone, whichever is meant otherwise.
        """
        if source is None:
            return named(self.offers, name)
        return named(self.offers_of(source), name)

    def offers_of(self, source: str) -> tuple[Offer, ...]:
        """Everything that one source offers."""
        return next((each.offers for each in self.in_order if each.location == source), ())

    def is_new(self, offer: Offer) -> bool:
        """Whether an offer is of an app that is not here, or is newer than what is."""
        here = self._ledger.state.apps.get(offer.app_id)
        return here is None or is_newer(offer.version, here.version)

    @property
    def new_offers(self) -> tuple[Offer, ...]:
        """The newest of every app that is not here, or is here in an older version."""
        return tuple(each for each in newest(self.offers) if self.is_new(each))

    async def add(self, location: str) -> CatalogSource:
        """Take a folder, a list or an address as a source; it is read at once, and refused if that fails.

        Raises:
            PolicyDenied: this is an organisation's product, which has its own.
            AppError: nothing can be read there.
        """
        if self._shipped is not None:
            raise PolicyDenied("Your organization chose where the apps of this program come from")
        place = location if is_url(location) else await asyncio.to_thread(_whole_path, location)
        known = self._ledger.state.sources.get(place)
        # Theirs from now on; whose signature it needs stays fixed.
        chosen = CatalogSource(location=place, root=None if known is None else known.root)
        source = await asyncio.to_thread(look_at, chosen, self._memory)
        await self._keep(source)
        await self.learn_revocations()
        return source

    async def remove(self, location: str) -> bool:
        """Ask a source no longer; installed apps stay. Says whether it was one.

        Raises:
            PolicyDenied: the organisation names it.
        """
        place = location if is_url(location) else await asyncio.to_thread(_whole_path, location)
        if place in self._given():
            raise PolicyDenied(
                "This catalog belongs to your organization. To remove it, leave the organization"
            )
        was_there = place in self._ledger.state.sources
        await self._forget([place])
        return was_there

    async def refresh(self) -> Mapping[str, AppError]:
        """Look at every source anew; one that fails keeps what it said last, and is named with its failure."""
        failures: dict[str, AppError] = {}
        await self.read_built_in()
        own = self._shipped
        damage = None if own is None else await asyncio.to_thread(own.damage)
        if own is not None and damage is not None:
            failures[own.name] = damage
        await self._forget(self._no_longer_given())
        for source in self.sources:
            try:
                seen = await asyncio.to_thread(look_at, source, self._memory)
            except AppError as error:
                failures[source.location] = error
                continue
            if seen != source:
                await self._keep_seen(seen)
        await self.learn_revocations()
        return failures

    async def read_built_in(self) -> None:
        """Look at what came with the program anew: it is kept in memory alone."""
        for folder in self._built_in:
            self._folders[str(folder)] = await asyncio.to_thread(offers_in, folder)
        if self._shipped is not None:
            self._folders[self._shipped.name] = await asyncio.to_thread(self._shipped.offers)

    async def learn_revocations(self) -> None:
        """Write down what the catalogs revoke of all that lies here: from now on it does not run."""
        found = newly_revoked(self._ledger.state, self.sources)
        if found:
            await self._ledger.change(lambda connection: put_revocations(connection, found))

    async def fetch(self, offer: Offer, progress: InstallProgress) -> Path:
        """The package of an offer on this machine, checked against what the list promised.

        Raises:
            SourceUnverified: it is another file than the list promised.
            AppError: it could not be fetched.
        """
        if not is_url(offer.location):
            await asyncio.to_thread(_check_archive, Path(offer.location), offer)
            return Path(offer.location)
        return await asyncio.to_thread(self._download, offer, progress)

    def forget_download(self, package: Path) -> None:
        """Let go of what `fetch` brought from elsewhere; what lies in a folder of the person's stays."""
        if package.parent.parent == self._downloads:
            shutil.rmtree(package.parent, ignore_errors=True)

    @property
    def in_order(self) -> tuple[CatalogSource, ...]:
        """Whom a name belongs to that several claim: the organisation, what comes with the program, the oldest."""
        given = tuple(each for each in self.sources if each.is_given)
        own = tuple(each for each in self.sources if not each.is_given)
        return (*given, *self.built_in, *own)

    def _chosen(self) -> Mapping[str, str | None]:
        state = self._ledger.state
        return chosen_sources(state.apps.values(), state.kept_data.values(), self.in_order)

    def _download(self, offer: Offer, progress: InstallProgress) -> Path:
        check_url(offer.location)
        folder = self._downloads / f"download-{secrets.token_hex(8)}"
        folder.mkdir(parents=True, mode=0o700)
        target = folder / plain_name(f"{offer.app_id}.lapp")
        try:
            told = partial(progress.at, Step.FETCHING)
            download(offer.location, target, told, named_by=offer.source)
            _check_archive(target, offer)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return target

    def _no_longer_given(self) -> list[str]:
        known, given = self._ledger.state.sources.values(), self._given()
        return [each.location for each in known if each.is_given and each.location not in given]

    async def _keep_seen(self, source: CatalogSource) -> None:
        # What the person chose before their organisation named it stays theirs.
        known = self._ledger.state.sources.get(source.location)
        is_given = source.is_given if known is None else known.is_given
        await self._keep(source.model_copy(update={"is_given": is_given}))

    async def _forget(self, locations: list[str]) -> None:
        def forget(connection: Connection) -> None:
            connection.executemany(
                "DELETE FROM catalog_source WHERE location = ?", [(each,) for each in locations]
            )

        if locations:
            await self._ledger.change(forget)

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


def _whole_path(location: str) -> str:
    return str(Path(location).absolute())


def _check_archive(path: Path, offer: Offer) -> None:
    if offer.archive_hash is None:
        return
    try:
        found = file_hash(path)
    except OSError:
        raise InvalidInput("The catalog lists this app, but its package is missing") from None
    if found != offer.archive_hash:
        raise SourceUnverified("The package differs from the one that the catalog lists")
