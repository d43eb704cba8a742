"""Which programs may the app run on this machine, and with which words? Read from what it declares, in full."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.host.app_center.review.saying import Said

ProgramKind = Literal["command", "service"]

_INTERPRETERS = frozenset(
    [
        "ash",
        "awk",
        "bash",
        "busybox",
        "cmd",
        "csh",
        "dash",
        "deno",
        "env",
        "fish",
        "gawk",
        "ksh",
        "lua",
        "node",
        "nodejs",
        "perl",
        "php",
        "powershell",
        "pwsh",
        "python",
        "python2",
        "python3",
        "ruby",
        "sh",
        "ssh",
        "sudo",
        "tclsh",
        "xargs",
        "zsh",
    ]
)
"""What is given to them is itself a program: whoever may run one may run anything."""


@dataclass(frozen=True, slots=True)
class DeclaredProgram:
    """One program that the app names, whatever the app calls what it does."""

    key: str
    """The author's name for it."""
    words: tuple[str, ...]
    """The program and the words that are always given to it."""
    kind: ProgramKind
    takes_more_words: bool
    """Whether the app adds words of its own at each call."""

    @property
    def line(self) -> str:
        """As it would be typed."""
        return shlex.join(self.words)

    @property
    def words_for_people(self) -> Said:
        """What runs, and how much of it the app decides later."""
        more = "any" if self.runs_anything else "more" if self.takes_more_words else "fixed"
        return Said(f"review.program.{more}", {"line": self.line})

    @property
    def runs_anything(self) -> bool:
        """Whether what it is told to do can be anything at all."""
        name = PurePosixPath(self.words[0]).name.removesuffix(".exe")
        return self.takes_more_words and name.rstrip("0123456789.") in _INTERPRETERS


def declared_programs(manifest: Manifest) -> tuple[DeclaredProgram, ...]:
    """Every program that the manifest names, in its order."""
    return (*_commands(manifest), *_services(manifest))


def _commands(manifest: Manifest) -> Iterator[DeclaredProgram]:
    for integration in manifest.integrations:
        adapter = integration.adapter
        if adapter is not None and adapter.kind == "cli":
            words = _words(adapter.command or "")
            yield DeclaredProgram(integration.key, words, "command", takes_more_words=True)


def _services(manifest: Manifest) -> Iterator[DeclaredProgram]:
    for service in manifest.services:
        named = service.command or service.binary
        if named and service.execution_plane != "cloud-remote":
            yield DeclaredProgram(service.key, _words(named), "service", takes_more_words=False)


def _words(command: str) -> tuple[str, ...]:
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    # What cannot be read is shown as it is written: it does not run, and is not hidden.
    return tuple(words) or (command,)
