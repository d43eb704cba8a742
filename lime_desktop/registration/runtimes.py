"""The small file by which an installed Lime Desktop says that it is there: its version, its two programs, their hashes."""

import logging
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from lime_desktop import __version__
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.executables import is_frozen
from lime_desktop.file_hashes import sha256_of
from lime_desktop.product import LIME, Sha256, this_product
from lime_desktop.registration.places import OWN, own_home, registry_folders, why_untrusted
from lime_desktop.registration.written import FILE, RUNTIME, as_lines, installed, platform_name

_log = logging.getLogger(__name__)
_MOST_BYTES = 8 * 1024

PlainPath = Annotated[str, msgspec.Meta(pattern=r'^/[^"\\\x00-\x1f\x7f]*$', max_length=4096)]
"""What a shell and JSON write alike."""


class Registration(
    msgspec.Struct, frozen=True, rename="camel", kw_only=True, forbid_unknown_fields=True
):
    """What one installed Lime Desktop says of itself."""

    format: Literal[1] = 1
    runtime: Literal["lime-runtime"] = RUNTIME
    version: Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Za-z.+-]{1,60}$")]
    kind: Literal["installed", "sources"]
    """From sources, the program is a Python, and there is nothing whose hash would say anything."""
    platform: str
    program: PlainPath
    program_sha256: Sha256 | Literal[""] = msgspec.field(name="programSha256", default="")
    sidecar: PlainPath | Literal[""] = ""
    sidecar_sha256: Sha256 | Literal[""] = msgspec.field(name="sidecarSha256", default="")


class Release(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The hashes of one release for one kind of computer, as a vendor accepts them."""

    version: str
    platform: str
    program_sha256: Sha256 = msgspec.field(name="programSha256")
    sidecar_sha256: Sha256 = msgspec.field(name="sidecarSha256")


class Releases(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A release manifest: which releases there are. Every release of Lime Desktop comes with one of itself."""

    format: Literal[1] = 1
    releases: Annotated[tuple[Release, ...], msgspec.Meta(min_length=1, max_length=200)]


class NotRegistered(Exception):
    """It could not be registered; the words say why."""


def own_file() -> Path:
    """Where the person's own is written."""
    return own_home() / OWN / FILE


def register() -> Path:
    """Say that this program is there, to this user's products. Blocks.

    Raises:
        NotRegistered: it is none that products can run on, or its place cannot be written down.
        OSError: the file could not be written.
    """
    if not registry_folders():
        raise NotRegistered("Products run on an installed Lime Desktop on Linux alone.")
    if this_product() != LIME:
        raise NotRegistered("This is a product itself. Register Lime Desktop.")
    if is_frozen() and (mounted := os.environ.get("APPDIR")) and sys.executable.startswith(mounted):
        raise NotRegistered("An AppImage lies elsewhere at every start. Install the tar.gz.")
    try:
        body = as_lines(_this_program())
        msgspec.json.decode(body, type=Registration)
    except msgspec.ValidationError:
        raise NotRegistered(
            f'The path {sys.executable} has a quotation mark, a "\\" or a control character.'
        ) from None
    path = own_file()
    # As a program would find it that asks who can write here.
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    write_durably(path, body)
    path.chmod(0o644)
    return path


def unregister() -> bool:
    """Take the person's own registration away, and say whether there was one."""
    if not registry_folders():
        return False
    path = own_file()
    is_there = path.exists()
    path.unlink(missing_ok=True)
    return is_there


def refresh_own() -> None:
    """Register this version where another one of the same installation stands; whatever else is registered stays. Blocks.

    A failure is for the next start: products go on with the version that is registered.
    """
    program = Path(sys.executable).resolve()
    if not is_frozen() or program.parent.parent.name != "versions" or not registry_folders():
        return
    try:
        old = read(own_file())
        is_same = Path(old.program).parent.parent == program.parent.parent
        if is_same and old.version != __version__:
            register()
    except (OSError, msgspec.DecodeError, KeyError, NotRegistered) as error:
        _log.info("the registration stays as it is: %s", error)


def read(path: Path) -> Registration:
    """A registration.

    Raises:
        OSError: there is none that can be read.
        msgspec.DecodeError: it says something else.
    """
    with path.open("rb") as file:
        return msgspec.json.decode(file.read(_MOST_BYTES + 1), type=Registration)


class Standing(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """How a registration stands."""

    file: str
    code: str = ""
    """What is wrong, as the launchers say it; nothing where nothing is."""
    reason: str = ""
    registration: Registration | None = None


def standing(path: Path) -> Standing:
    """Read a registration and try what a launcher would. Blocks."""
    try:
        if reason := why_untrusted(path):
            return Standing(file=str(path), code="runtime-unsafe", reason=reason)
        found = read(path)
    except (OSError, msgspec.DecodeError) as error:
        return Standing(file=str(path), code="runtime-unreadable", reason=str(error))
    code, reason = _programs_fault(found)
    return Standing(file=str(path), code=code, reason=reason, registration=found)


def registered() -> tuple[Standing, ...]:
    """Every registration that products of this user look at. Blocks."""
    files = (folder / FILE for folder in registry_folders())
    return tuple(standing(file) for file in files if file.exists())


def _programs_fault(found: Registration) -> tuple[str, str]:
    programs = {found.program: found.program_sha256}
    if found.kind == "installed":
        programs[found.sidecar] = found.sidecar_sha256
    for program, expected in programs.items():
        path = Path(program)
        try:
            real = path.resolve(strict=True) if found.kind == "sources" else path
            if reason := why_untrusted(real):
                return "runtime-unsafe", reason
            if not os.access(real, os.X_OK):
                return "runtime-not-runnable", f"{program} cannot be executed"
            if expected and sha256_of(path) != expected:
                return "runtime-changed", f"{program} is not the file that was installed"
        except OSError as error:
            return "runtime-not-runnable", f"{program}: {error.strerror}"
    return "", ""


def _this_program() -> dict[str, object]:
    if is_frozen():
        folder = Path(sys.executable).resolve().parent
        return installed(__version__, folder, str(folder))
    return {
        "format": 1,
        "runtime": RUNTIME,
        "version": __version__,
        "kind": "sources",
        "platform": platform_name(),
        "program": sys.executable,
    }
