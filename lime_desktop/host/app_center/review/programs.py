"""Which programs may the app run on this machine, and with which words? Read from what it declares, in full."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from lime_desktop.app_package.backends import is_backend, words_of
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.host.app_center.review.deferred_text import DeferredText

ProgramKind = Literal["command", "service"]

_SHELLS = (
    "ash bash busybox cmd csh dash fish ksh mksh posh powershell pwsh rbash sh tcsh toybox yash zsh"
)
_LANGUAGES = """awk bc bun cscript dc deno elixir erl expect gawk gdb ghci groovy guile iex irb java jjs jrunscript jshell
julia lldb lua luajit m4 mawk nawk node nodejs ocaml octave osascript perl php psql pypy python r racket rscript ruby
scala sed sqlite swift tclsh ts-node tsx vbscript wish wscript"""
_STARTERS = """at batch bwrap chpst chroot cpulimit daemon doas docker env eval exec faketime find flock gosu ionice make
ninja nice nohup nsenter parallel pkexec podman proot rlwrap run-parts runuser script setarch setpriv setsid ssh
start-stop-daemon stdbuf strace su sudo systemd-run tar taskset time timeout tmux toolbox unbuffer unshare watch xargs xvfb-run"""
_INSTALLERS = (
    "apt apt-get cargo composer conda gem go gradle mvn npm npx pip pipx pnpm pnpx uv uvx yarn"
)
_EDITORS = "ed emacs ex git hg less man more nano nvim svn vi view vim"
_INTERPRETERS = frozenset(f"{_SHELLS} {_LANGUAGES}".split())
"""What is given to them is itself a program: whoever may run one may run anything."""
_STARTERS_OF_PROGRAMS = frozenset(f"{_STARTERS} {_INSTALLERS} {_EDITORS}".split())
"""What is given to them may name a program, by an option if not by a word."""
_VERSION = re.compile(r"[-0-9.]+$")


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
    is_run_here: bool = True
    """Whether this host ever starts it."""

    @property
    def line(self) -> str:
        """As it would be typed."""
        return shlex.join(self.words)

    @property
    def words_for_people(self) -> DeferredText:
        """What runs, and how much of it the app decides later."""
        more = "any" if self.runs_anything else "more" if self.takes_more_words else "fixed"
        return DeferredText(f"review.program.{more}", {"line": self.line})

    @property
    def runs_anything(self) -> bool:
        """Whether what it is told to do can be anything at all; a shell may stand behind `timeout 60` as well."""
        first, *others = map(_name_of, self.words)
        starts_any = first in _STARTERS_OF_PROGRAMS or not _INTERPRETERS.isdisjoint(
            (first, *others)
        )
        return self.takes_more_words and starts_any


def _name_of(word: str) -> str:
    """What a program is called, wherever it lies and whichever version it is."""
    name = PurePosixPath(word.replace("\\", "/")).name.lower().removesuffix(".exe")
    return _VERSION.sub("", name)


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
        # Also one that is said to run elsewhere: whoever names a program here may mean this machine.
        words = words_of(service) or _words(service.command or "")
        if any(words):
            yield DeclaredProgram(
                service.key,
                words,
                "service",
                takes_more_words=False,
                is_run_here=is_backend(service),
            )


def _words(command: str) -> tuple[str, ...]:
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    # What cannot be read is shown as it is written: it does not run, and is not hidden.
    return tuple(words) or (command,)
