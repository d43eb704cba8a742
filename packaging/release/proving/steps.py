"""The steps of a proof: install, open the window, write a note, see it stored, remove, count what is left."""

import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from newcomer.console import StoppedError, say

from release.proving.clean_system import CleanSystem
from release.proving.processes import running, sandboxed_pages
from release.proving.screen import Screen

NOTE = "Written in a clean Debian"
_OPEN_NOTES = "lime://app/notes/notebook"
_START_S, _PAGE_S, _STORE_S = 900, 900, 600
_ENGINE = "_internal/PySide6/Qt/libexec/QtWebEngineProcess"


@dataclass(slots=True)
class Proof:
    """What was shown, and how long each step took."""

    name: str
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    picture: Path | None = None


def prove_deb(system: CleanSystem, screen: Screen, deb: Path, pictures: Path) -> Proof:
    """The .deb by apt, in a system that has no Python."""
    proof = Proof(f"{deb.name} in Debian {system.version}")
    say(f"→ {proof.name}")
    _need_no_python(system)
    before = system.files()
    packages = _packages(system)
    copy = system.root / "tmp" / deb.name
    copy.write_bytes(deb.read_bytes())
    started = time.monotonic()
    system.run("apt-get", "update", is_root=True)
    install = ("apt-get", "install", "-y", "--no-install-recommends", f"/tmp/{deb.name}")  # noqa: S108 - inside
    system.run(*install, is_root=True)
    proof.seconds["install"] = round(time.monotonic() - started, 1)
    _need_no_python(system)
    system.make_person()
    place = Path("/opt/lime-desktop")
    _use(system, screen, proof, _Program(place / "lime-desktop", place), pictures)
    system.run("apt-get", "purge", "-y", "lime-desktop", is_root=True)
    fresh = sorted(_packages(system) - packages)
    system.run("apt-get", "purge", "-y", *fresh, is_root=True)
    copy.unlink()
    _need_nothing_left("lime-desktop", system.files() - before)
    return proof


def prove_tar(system: CleanSystem, screen: Screen, archive: Path, pictures: Path) -> Proof:
    """The tar.gz by its own script, as an ordinary user; an administrator brings the libraries that it names."""
    proof = Proof(f"{archive.name} in Debian {system.version}")
    say(f"→ {proof.name}")
    packages = _packages(system)
    system.make_person()
    unpacked = system.home / "unpacked"
    unpacked.mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", unpacked], check=True)
    folder = next(unpacked.iterdir()).name
    system.run("chown", "-R", "person:person", "/home/person/unpacked", is_root=True)
    look = f"/home/person/unpacked/{folder}/missing-libraries.sh"
    missing = system.run(look).strip()
    say(f"  libraries that it says are missing: {len(missing.split())}")
    if missing:
        named = system.run(look, "--packages", missing).split()
        install = ("apt-get", "install", "-y", "--no-install-recommends", *sorted(set(named)))
        system.run(*install, is_root=True)
    before = {path.relative_to(system.home).as_posix() for path in system.home.rglob("*")}
    started = time.monotonic()
    system.run(f"/home/person/unpacked/{folder}/install.sh")
    proof.seconds["install"] = round(time.monotonic() - started, 1)
    place = Path("/home/person/.local/lib/lime-desktop")
    version = (system.home / ".local/lib/lime-desktop/current").readlink()
    _use(system, screen, proof, _Program(place / "bin/lime-desktop", place / version), pictures)
    system.run(str(place / "uninstall.sh"), "--with-data")
    left = {path.relative_to(system.home).as_posix() for path in system.home.rglob("*")} - before
    fresh = sorted(_packages(system) - packages)
    if fresh:
        system.run("apt-get", "purge", "-y", *fresh, is_root=True)
    _need_nothing_left("lime", left)
    say(f"  left in the home after --with-data: {len(left)} {sorted(left)[:5]}")
    return proof


@dataclass(frozen=True, slots=True)
class _Program:
    """What a person starts, and the tree that it runs from."""

    started: Path
    tree: Path


def _use(
    system: CleanSystem, screen: Screen, proof: Proof, installed: _Program, pictures: Path
) -> None:
    """Open the window, then Notes, and write a note."""
    started, folder = str(installed.started), installed.tree
    program = folder / "lime-desktop"
    system.run(started, "install", "notes", "--grant-suggested", "--yes")
    log = pictures / f"{_slug(proof.name)}.log"
    window = system.start(started, log=log)
    try:
        proof.seconds["window"] = screen.wait_for(
            "the window", lambda: bool(screen.windows()), _START_S
        )
        screen.wait_for("the App Server", lambda: bool(_servers(folder)), _START_S)
        system.run(started, "open", _OPEN_NOTES)
        proof.seconds["page"] = screen.wait_for(
            "the page of Notes, in Chromium's sandbox",
            lambda: bool(sandboxed_pages(folder / _ENGINE, running(program)[0])),
            _PAGE_S,
        )
        proof.seconds["note"] = _write_note(system, screen)
        proof.picture = screen.picture(pictures / f"{_slug(proof.name)}.png")
        screen.wait_for("the App Server, still", lambda: bool(_servers(folder)), 1)
    except StoppedError:
        screen.picture(pictures / f"{_slug(proof.name)}-failed.png")
        raise
    finally:
        _end(window, running(program))
    screen.wait_for("the end of the App Server", lambda: not _servers(folder), 60)


def _write_note(system: CleanSystem, screen: Screen) -> float:
    """Type until the App Server has stored it: a page that is just loading loses the first keys."""
    data = system.home / ".local/share/lime-desktop"

    def is_stored() -> bool:
        screen.press("ctrl+n")
        time.sleep(3)
        screen.type(NOTE)
        time.sleep(4)
        return any(NOTE.encode() in path.read_bytes() for path in _databases(data))

    return screen.wait_for("the note in the store", is_stored, _STORE_S)


def _databases(folder: Path) -> Iterable[Path]:
    return (
        path for path in folder.rglob("*") if path.is_file() and ".db" in path.name + path.suffix
    )


def _servers(folder: Path) -> list[int]:
    return running(folder / "lime-app-server", "app-server", "--stdio")


def _end(window: "subprocess.Popen[bytes]", processes: list[int]) -> None:
    for process in processes:
        subprocess.run(["kill", str(process)], check=False)
    try:
        window.wait(60)
    except subprocess.TimeoutExpired:
        window.kill()
        raise StoppedError("The window did not end when it was asked to.") from None


def _need_no_python(system: CleanSystem) -> None:
    found = [
        path
        for path in ("usr/bin/python3", "usr/local/bin/python3")
        if (system.root / path).exists()
    ]
    if found:
        raise StoppedError(f"{system.root} has a Python, which would prove nothing: {found[0]}")


def _packages(system: CleanSystem) -> set[str]:
    return set(system.run("dpkg-query", "-W", "-f", "${Package}\\n", is_root=True).split())


def _need_nothing_left(word: str, left: set[str]) -> None:
    ours = sorted(name for name in left if word in name)
    if ours:
        raise StoppedError(f"Removal left {len(ours)} files behind: {', '.join(ours[:10])}")


def _slug(name: str) -> str:
    return "".join(each if each.isalnum() else "-" for each in name)
