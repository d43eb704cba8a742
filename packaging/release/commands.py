"""Reads the options, runs the stages in order and says how each went."""

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from newcomer.console import StoppedError, say
from newcomer.obstacles import explain

from lime_desktop.registration.written import as_lines, release_manifest
from lime_desktop.stamping.appimage import why_no_appimage
from lime_desktop.stamping.archives import LEVEL
from lime_desktop.stamping.system_needs import UnknownLibraries
from release.appimage import build_appimage
from release.building_wheel import build_wheel
from release.checkout import ROOT, Checkout, read_checkout
from release.checksums import write_checksums
from release.components import find_components
from release.debian_package import build_deb
from release.desktop_files import ICO, draw_icons
from release.environment import ReleaseEnvironment, missing_tools
from release.freezing import NAME, add_trust, freeze, settle
from release.licences import add_licences
from release.qt_gate import check_qt_modules
from release.sbom import write_sbom
from release.signature import check_key, sign
from release.tarball import build_tarball

_Made = TypeVar("_Made")
STAGES = ("wheel", "tree", "deb", "tar", "appimage", "sbom")
_ROOM = 4 << 30
OK, FAILED, WRONG_USE, MISSING = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options of one run."""

    out: Path
    work: Path
    stages: frozenset[str]
    runtime: Path | None
    key: Path | None
    as_json: bool
    level: int = LEVEL
    trust: Path | None = None


@dataclass(slots=True)
class Outcome:
    """What has been made, and how long each stage took."""

    files: list[Path] = field(default_factory=list[Path])
    seconds: dict[str, float] = field(default_factory=dict[str, float])


def main(arguments: Sequence[str]) -> int:
    """Build a release, or check whether one can be built."""
    options = _parser().parse_args(arguments)
    try:
        wishes = _wishes(options)
        checkout = read_checkout()
        if options.check:
            return _check(checkout, wishes)
        outcome = _build(checkout, wishes)
    except (StoppedError, UnknownLibraries) as stopped:
        print(f"\n{stopped}", file=sys.stderr)
        return FAILED
    except OSError as error:
        print(f"\n{explain(error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\nInterrupted. The same command starts over.", file=sys.stderr)
        return 130
    _report(outcome, wishes)
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="release.py", description="Build what people install from this checkout."
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist", metavar="DIR", help="default: dist/"
    )
    parser.add_argument(
        "--work",
        type=Path,
        default=ROOT / ".release",
        metavar="DIR",
        help="for the environment and what is made on the way; default: .release/",
    )
    parser.add_argument(
        "--only", metavar="STAGES", help=f"some of {','.join(STAGES)}, with what they stand on"
    )
    parser.add_argument(
        "--appimage-runtime", type=Path, metavar="FILE", help="the AppImage type 2 runtime"
    )
    parser.add_argument(
        "--sign-with",
        type=Path,
        metavar="KEYFILE",
        help="an Ed25519 key, as `lime-desktop sign --new-key` makes",
    )
    parser.add_argument(
        "--trust",
        type=Path,
        metavar="DIR",
        help="where updates come from and whose signature they need, as `lime-desktop publish trust DIR` writes it",
    )
    parser.add_argument(
        "--gzip-level",
        type=int,
        choices=range(1, 10),
        default=LEVEL,
        metavar="1-9",
        help=f"how hard to squeeze; 1 is quick, for trying a release out; default: {LEVEL}",
    )
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON at the end")
    parser.add_argument("--check", action="store_true", help="say what is missing, build nothing")
    return parser


def _wishes(options: argparse.Namespace) -> Wishes:
    named = options.only.split(",") if options.only else _usual(options)
    unknown = sorted(set(named) - set(STAGES))
    if unknown:
        raise StoppedError(
            f"There is no stage {', '.join(unknown)}. There are: {', '.join(STAGES)}."
        )
    return Wishes(
        out=options.out.resolve(),
        work=options.work.resolve(),
        stages=frozenset(named),
        runtime=options.appimage_runtime,
        key=options.sign_with,
        as_json=options.json,
        level=options.gzip_level,
        trust=options.trust,
    )


def _usual(options: argparse.Namespace) -> list[str]:
    """Everything that can be made from what was given: an AppImage needs a file that we may not ship."""
    return [stage for stage in STAGES if stage != "appimage" or options.appimage_runtime]


def _check(checkout: Checkout, wishes: Wishes) -> int:
    lacks = missing_tools()
    if "appimage" in wishes.stages and (reason := why_no_appimage(wishes.runtime)):
        lacks.append(reason)
    free = shutil.disk_usage(_existing(wishes.work)).free
    if free < _ROOM:
        lacks.append(
            f"room: {_ROOM >> 30} GB are needed at {wishes.work}, {free >> 30} GB are free"
        )
    if wishes.key is not None:
        check_key(wishes.key)
    stages = [stage for stage in STAGES if stage in wishes.stages]
    if wishes.as_json:
        print(json.dumps({"version": checkout.version, "stages": stages, "missing": lacks}))
    else:
        say(f"Lime Desktop {checkout.version}, commit {checkout.commit[:12] or 'unknown'}")
        say(f"Would build: {', '.join(stages)}, into {wishes.out}")
        if checkout.changed:
            say(f"{len(checkout.changed)} files differ from the commit and would go in as they are")
        for lack in lacks:
            say(f"Missing: {lack}")
    return MISSING if lacks else OK


def _build(checkout: Checkout, wishes: Wishes) -> Outcome:
    lacks = missing_tools()
    if lacks:
        raise StoppedError("\n".join(f"This machine lacks {lack}" for lack in lacks))
    if "appimage" in wishes.stages and (reason := why_no_appimage(wishes.runtime)):
        raise StoppedError(reason)
    if wishes.key is not None:
        check_key(wishes.key)
    say(f"Lime Desktop {checkout.version}, commit {checkout.commit[:12] or 'unknown'}")
    if checkout.changed:
        say(f"  {len(checkout.changed)} files differ from the commit and go in as they are")
    run = _Run(checkout, wishes)
    run.stage("environment", run.environment.prepare)
    wheel = run.stage("wheel", lambda: build_wheel(checkout, run.environment, wishes.out))
    run.outcome.files.append(wheel)
    if wishes.stages - {"wheel"}:
        run.build_from_tree(wheel)
    write_checksums(run.outcome.files, wishes.out / "SHA256SUMS")
    if wishes.key is not None:
        sign(run.environment, wishes.key, wishes.out / "SHA256SUMS")
    return run.outcome


class _Run:
    """One build: its stages, each timed."""

    def __init__(self, checkout: Checkout, wishes: Wishes) -> None:
        self._checkout = checkout
        self._wishes = wishes
        self.environment = ReleaseEnvironment(wishes.work, checkout.root)
        self.outcome = Outcome()

    def stage(self, name: str, make: Callable[[], _Made]) -> _Made:
        """Do one thing, and keep how long it took."""
        started = time.monotonic()
        made = make()
        self.outcome.seconds[name] = round(time.monotonic() - started, 1)
        say(f"  {name}: {self.outcome.seconds[name]} s")
        return made

    def build_from_tree(self, wheel: Path) -> None:
        """Freeze, look at what came of it, and wrap it as often as is wished."""
        checkout, wishes, out = self._checkout, self._wishes, self._wishes.out
        icons = draw_icons(self.environment, wishes.work / "icons")
        icon = wishes.work / "icons" / ICO
        tree = self.stage("tree", lambda: freeze(checkout, self.environment, wheel, icon))
        check_qt_modules(tree)
        if wishes.trust is not None:
            add_trust(wishes.trust, tree)
        licences = add_licences(tree, find_components(tree, self.environment))
        components = find_components(tree, self.environment)
        settle(tree, checkout.epoch)
        wrapped = {
            "deb": lambda: build_deb(checkout, tree, icons, licences, out, wishes.level),
            "tar": lambda: build_tarball(checkout, tree, icons, licences, out, wishes.level),
            "appimage": lambda: build_appimage(checkout, tree, icons, _given(wishes.runtime), out),
            "sbom": lambda: write_sbom(checkout, tree, components, out),
        }
        for name, build in wrapped.items():
            if name in wishes.stages:
                self.outcome.files.append(self.stage(name, build))
        # For vendors whose products accept named releases alone.
        listed = out / f"lime-runtime-{checkout.version}.json"
        listed.write_bytes(as_lines(release_manifest(checkout.version, tree)))
        self.outcome.files.append(listed)
        if "tree" in wishes.stages:
            _replace(tree, out / NAME)


def _given(runtime: Path | None) -> Path:
    if runtime is None:
        raise AssertionError("asked for before")
    return runtime


def _replace(tree: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(tree, target, symlinks=True)


def _existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


def _report(outcome: Outcome, wishes: Wishes) -> None:
    if wishes.as_json:
        files = {path.name: path.stat().st_size for path in outcome.files}
        told = {"out": str(wishes.out), "files": files, "seconds": outcome.seconds}
        print(json.dumps({**told, "signed": wishes.key is not None}))
        return
    say("")
    for path in outcome.files:
        say(f"  {path.stat().st_size / 1e6:8.1f} MB  {path.name}")
    say(f"Made in {sum(outcome.seconds.values()):.0f} s, in {wishes.out}")
