"""What may be believed of a source: only what the vendor's keys signed, newer than all that was seen, and not too old.

TUF's own client does the judging (root, timestamp, snapshot, targets, in that order); this joins it to our sources and
gives its refusals our names.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from tuf.api import exceptions
from tuf.ngclient import Updater, UpdaterConfig
from tuf.ngclient.fetcher import FetcherInterface

from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.sources import Source

_BASE = "source:///"
_CONFIG = UpdaterConfig(max_root_rotations=64)


class _SourceFetcher(FetcherInterface):
    """Lets TUF read from one of our sources."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def _fetch(self, url: str) -> Iterator[bytes]:
        return self._source.read(url.removeprefix(_BASE))


class TrustedSource:
    """The signed files of a source, each checked before anybody sees it. Blocks."""

    def __init__(self, source: Source, metadata_folder: Path, first_root: bytes) -> None:
        self._source = source
        self._metadata_folder = metadata_folder
        self._first_root = first_root
        self._updater: Updater | None = None

    def refresh(self) -> None:
        """Ask what is new.

        Raises:
            UpdateRefused: what the source shows is not to be believed.
        """
        with _our_names():
            self._metadata_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            updater = Updater(
                str(self._metadata_folder),
                f"{_BASE}metadata/",
                fetcher=_SourceFetcher(self._source),
                config=_CONFIG,
                bootstrap=self._first_root,
            )
            updater.refresh()
        self._updater = updater

    def read(self, path: str, most_bytes: int) -> bytes | None:
        """A signed file, or None where the vendor signed none of that name.

        Raises:
            UpdateRefused: it is not the one that was signed.
        """
        if self._updater is None:
            self.refresh()
        assert self._updater is not None  # noqa: S101 - for the type checker
        with _our_names():
            found = self._updater.get_targetinfo(path)
            if found is None:
                return None
            if found.length > most_bytes:
                raise UpdateRefused(UpdateCode.TOO_LARGE, f"{path} has {found.length} bytes")
            folder, _, name = path.rpartition("/")
            place = f"targets/{folder}/{found.hashes['sha256']}.{name}"
            body = _SourceFetcher(self._source).download_bytes(f"{_BASE}{place}", found.length)
            found.verify_length_and_hashes(body)
            return body


_NAMES: tuple[tuple[type[Exception], UpdateCode], ...] = (
    # The first that fits: some of these are kinds of others.
    (exceptions.ExpiredMetadataError, UpdateCode.EXPIRED),
    (exceptions.BadVersionNumberError, UpdateCode.REPLAYED),
    (exceptions.UnsignedMetadataError, UpdateCode.NOT_SIGNED),
    (exceptions.LengthOrHashMismatchError, UpdateCode.TAMPERED),
    (exceptions.RepositoryError, UpdateCode.MALFORMED),
    (exceptions.DownloadLengthMismatchError, UpdateCode.TOO_LARGE),
    (exceptions.DownloadError, UpdateCode.UNREACHABLE),
)


@contextmanager
def _our_names() -> Generator[None]:
    try:
        yield
    except (exceptions.RepositoryError, exceptions.DownloadError) as error:
        code = next(code for kind, code in _NAMES if isinstance(error, kind))
        raise UpdateRefused(code, str(error)) from error
