"""Is an export still what was exported? Finds every byte that was changed, removed or added, and names its file.

Standard library only, and nothing of the server: the folder alone is the evidence. What a folder cannot show is
that its newest exports were taken away whole, or that all of it was made anew; the hash in the log's
`evidence.changed` (or in the next manifest) shows that, and can be given here to compare.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from lime_desktop.app_server.evidence.layout import EXPORT_NAME, MANIFEST, SEAL, seal_text
from lime_desktop.file_hashes import sha256_of
from lime_desktop.file_names import is_plain_name, plain_name


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was exported."""

    code: str
    file: str
    message: str


@dataclass(frozen=True, slots=True)
class ExportReport:
    """One export, examined."""

    name: str
    manifest_hash: str | None
    file_count: int
    findings: tuple[Finding, ...]
    index: int | None = None
    previous_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found under a folder."""

    exports: tuple[ExportReport, ...]
    chain_findings: tuple[Finding, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All of them, export by export, then those of the chains."""
        return (
            *(finding for export in self.exports for finding in export.findings),
            *self.chain_findings,
        )

    @property
    def is_sound(self) -> bool:
        """Whether there is evidence here and all of it is as it was."""
        return bool(self.exports) and not self.findings


def verify(folder: Path, expected_hash: str | None = None) -> Report:
    """Examine one export, a session's exports, or every session's."""
    if _is_export(folder):
        report = _verify_export(folder, folder.name)
        return Report((report,), tuple(_against(report, expected_hash)))
    chains = [folder, *sorted(each for each in folder.iterdir() if each.is_dir())]
    exports: list[ExportReport] = []
    found: list[Finding] = []
    for chain in chains:
        reports = list(_verify_chain(folder, chain))
        if reports:
            exports += reports
            found += _links(reports)
            found += _strangers(folder, chain)
    if expected_hash and expected_hash not in {each.manifest_hash for each in exports}:
        found.append(Finding("HASH_UNKNOWN", MANIFEST, "No export here has the expected hash."))
    return Report(tuple(exports), tuple(found))


def _is_export(folder: Path) -> bool:
    return bool(EXPORT_NAME.match(folder.name)) or (folder / MANIFEST).is_file()


def _verify_chain(root: Path, chain: Path) -> Iterator[ExportReport]:
    for folder in sorted(chain.iterdir()):
        if EXPORT_NAME.match(folder.name) and folder.is_dir():
            yield _verify_export(folder, folder.relative_to(root).as_posix())


def _strangers(root: Path, chain: Path) -> Iterator[Finding]:
    for entry in sorted(chain.iterdir()):
        is_export = EXPORT_NAME.match(entry.name) and entry.is_dir() and not entry.is_symlink()
        # What a process that died left behind has no name of an export, and is none.
        if not is_export and not entry.name.endswith(".partial"):
            name = entry.relative_to(root).as_posix()
            yield Finding("FILE_ADDED", name, "This is not part of any export.")


def _links(reports: list[ExportReport]) -> Iterator[Finding]:
    """Every export names the manifest before it, and none is left out."""
    last_place, last_hash = 0, None
    for report in reports:
        file = f"{report.name}/{MANIFEST}"
        place = int(report.name.rpartition("/")[2][:6])
        if place != last_place + 1:
            yield Finding("EXPORT_MISSING", file, "The export before this one is not here.")
        elif report.manifest_hash and (report.previous_hash, report.index) != (last_hash, place):
            yield Finding("CHAIN_BROKEN", file, "It does not follow the export before it.")
        last_place, last_hash = place, report.manifest_hash


def _against(report: ExportReport, expected_hash: str | None) -> Iterator[Finding]:
    if expected_hash and report.manifest_hash != expected_hash:
        message = f"The manifest's hash is not {expected_hash}."
        yield Finding("HASH_UNKNOWN", f"{report.name}/{MANIFEST}", message)


def _verify_export(folder: Path, name: str) -> ExportReport:
    manifest, digest, found = _read_manifest(folder)
    listed = _listed(manifest)
    found += _verify_files(folder, listed)
    findings = tuple(Finding(each.code, f"{name}/{each.file}", each.message) for each in found)
    chain = manifest.get("chain")
    link = cast("dict[str, Any]", chain) if isinstance(chain, dict) else {}
    previous, index = link.get("previous_manifest_hash"), link.get("index")
    return ExportReport(
        name=name,
        manifest_hash=digest,
        file_count=len(listed),
        findings=findings,
        index=index if isinstance(index, int) else None,
        previous_hash=previous if isinstance(previous, str) else None,
    )


def _read_manifest(folder: Path) -> tuple[dict[str, Any], str | None, list[Finding]]:
    try:
        body = (folder / MANIFEST).read_bytes()
    except OSError:
        return {}, None, [Finding("FILE_MISSING", MANIFEST, "The manifest cannot be read.")]
    digest = hashlib.sha256(body).hexdigest()
    found = list(_verify_seal(folder, digest))
    try:
        manifest = json.loads(body)
    except (ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict):
        found.append(Finding("FILE_CHANGED", MANIFEST, "This is not a manifest any more."))
        return {}, f"sha256:{digest}", found
    return cast("dict[str, Any]", manifest), f"sha256:{digest}", found


def _verify_seal(folder: Path, digest: str) -> Iterator[Finding]:
    try:
        seal = (folder / SEAL).read_bytes()
    except OSError:
        yield Finding("FILE_MISSING", SEAL, "The seal cannot be read.")
        return
    if seal == seal_text(digest).encode():
        return
    # The two only witness each other: which of them was changed cannot be told.
    message = f"{MANIFEST} and {SEAL} do not belong together."
    yield Finding("SEAL_BROKEN", MANIFEST, message)
    yield Finding("SEAL_BROKEN", SEAL, message)


def _listed(manifest: dict[str, Any]) -> dict[str, dict[str, Any]]:
    files = manifest.get("files")
    entries = cast("list[object]", files) if isinstance(files, list) else []
    objects = (cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict))
    return {str(entry.get("path")): entry for entry in objects}


def _verify_files(folder: Path, listed: dict[str, dict[str, Any]]) -> list[Finding]:
    found = [
        Finding("FILE_ADDED", entry.name, "The manifest does not know this file.")
        for entry in sorted(folder.iterdir())
        if entry.name not in {*listed, MANIFEST, SEAL}
    ]
    for name, entry in listed.items():
        found += _verify_file(folder, name, entry)
    return found


def _verify_file(folder: Path, name: str, entry: dict[str, Any]) -> Iterator[Finding]:
    # A manifest may not send its reader anywhere else.
    path = folder / plain_name(name) if is_plain_name(name) else None
    if path is None or path.is_symlink():
        yield Finding("FILE_CHANGED", name, "This is not a file of the export's own.")
    elif not path.is_file():
        yield Finding("FILE_MISSING", name, "The manifest lists this file, and it is gone.")
    elif (f"sha256:{sha256_of(path)}", path.stat().st_size) != (
        entry.get("hash"),
        entry.get("size"),
    ):
        yield Finding("FILE_CHANGED", name, "Its content is not what was exported.")
