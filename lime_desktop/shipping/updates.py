"""The updates of one installation: what is there, having it, going back. Blocks; `service` does it for a window.

Nothing here changes the version that runs. A version that was fetched waits for a restart, and the launcher switches.
"""

import errno
from collections.abc import Callable, Generator
from contextlib import contextmanager

import msgspec

from lime_desktop.shipping.disk import Disk
from lime_desktop.shipping.health import leave
from lime_desktop.shipping.installation import (
    PARTIAL,
    Installation,
    UpdateState,
)
from lime_desktop.shipping.manifest import MAX_MANIFEST_BYTES, Manifest, parse_manifest
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.release import (
    MAX_RELEASE_BYTES,
    Release,
    check_name,
    is_in_rollout,
    latest_path,
    manifest_path,
    parse_release,
    this_platform,
)
from lime_desktop.shipping.sources import HttpSource, Source
from lime_desktop.shipping.staging import Staging, StagingPlan, plan_staging
from lime_desktop.shipping.states import (
    Available,
    CheckResult,
    IsCancelled,
    Notify,
    NotYet,
    Paused,
    Ready,
    Refused,
    UpdateStatus,
    UpToDate,
)
from lime_desktop.shipping.trusted import TrustedSource
from lime_desktop.shipping.versions import newest, parse_version


class Updates:
    """Everything that can be done about the version of an installation."""

    def __init__(
        self,
        installation: Installation,
        source: Source | None = None,
        *,
        disk: Disk | None = None,
        platform: str | None = None,
    ) -> None:
        self._installation = installation
        self._source = source
        self._disk = disk or Disk()
        self._platform = platform or this_platform()

    def status(self) -> UpdateStatus:
        """How it stands."""
        here, state = self._installation, self._installation.state()
        pending, current, returned = here.pending, here.current, here.returned
        return UpdateStatus(
            version=current,
            channel=self.channel,
            previous=self._earlier(state),
            pending=pending.new if pending and pending.new != current else None,
            on_trial=pending is not None and pending.new == current,
            returned=returned.new if returned else None,
            versions=here.complete_versions(),
        )

    @property
    def channel(self) -> str:
        """The channel that is followed: the person's choice, else the build's."""
        if chosen := self._installation.state().channel:
            return chosen
        try:
            return self._installation.source().channel
        except UpdateRefused:
            return "stable"

    def choose_channel(self, name: str) -> None:
        """Follow another channel from now on.

        Raises:
            UpdateRefused: that is no name of one.
        """
        self._change_state(lambda state: msgspec.structs.replace(state, channel=check_name(name)))

    def check(self) -> CheckResult:
        """Ask the source what is new; every way in which that can fail is an answer."""
        try:
            with self._failures(), self._opened_source():
                return self._check()
        except UpdateRefused as refused:
            return Refused(refused.code, refused.reason)

    def apply(
        self,
        *,
        notify: Notify = lambda _: None,
        is_cancelled: IsCancelled = lambda: False,
        by_hand: bool = False,
    ) -> Ready:
        """Have the newest version ready for the next start.

        `by_hand` is a person who brought a file or asked for it by name: they do not wait for their turn.

        Raises:
            UpdateRefused: there is none to be had, or it failed; the versions are as they were.
        """
        with self._failures(), self._installation.locked(), self._opened_source():
            return self._apply(notify, is_cancelled, by_hand=by_hand)

    def roll_back(self) -> str:
        """Have the version before started from the next start on; watched like a new one. Gives its name.

        Raises:
            UpdateRefused: there is none, or it was withdrawn.
        """
        with self._failures(), self._installation.locked():
            here, state = self._installation, self._installation.state()
            current = here.current
            pending = here.pending
            if pending and pending.new != current:
                here.withdraw_pending(self._disk)
                self._leave(pending.new)
                return current
            earlier = self._earlier(state)
            if earlier is None:
                raise UpdateRefused(UpdateCode.NO_EARLIER, "no earlier version is kept")
            if state.minimum and parse_version(earlier) < parse_version(state.minimum):
                raise UpdateRefused(UpdateCode.WITHDRAWN, f"{earlier} was withdrawn by its vendor")
            self._leave(current)
            here.prepare(earlier, self._disk)
            return earlier

    def _earlier(self, state: UpdateState) -> str | None:
        here = self._installation
        pending = here.pending
        found = pending.old if pending and pending.new == here.current else state.previous
        return found if found in here.complete_versions() and found != here.current else None

    def _check(self) -> CheckResult:
        here = self._installation
        with here.locked():
            trusted, release = self._ask()
            pending = here.pending
            if pending and pending.new == release.version and pending.new != here.current:
                return Ready(pending.new)
            if held := self._held_back(release):
                return held
            plan = self._plan(trusted, release)
            was_left = release.version in here.state().left or self._came_back(release.version)
            return Available(release, plan.download_bytes, was_left)

    def _apply(self, notify: Notify, is_cancelled: IsCancelled, *, by_hand: bool) -> Ready:
        here = self._installation
        trusted, release = self._ask()
        held = self._held_back(release)
        if held and not (by_hand and isinstance(held, NotYet)):
            raise UpdateRefused(UpdateCode.NOTHING_NEW, _why_held(held))
        pending = here.pending
        if pending and pending.new == release.version and pending.new in here.complete_versions():
            return Ready(pending.new)
        here.sweep(self._disk, but=f".{release.version}{PARTIAL}")
        plan = self._plan(trusted, release)
        try:
            Staging(
                here,
                plan,
                self._open_source(),
                self._disk,
                notify=notify,
                is_cancelled=is_cancelled,
            ).run()
        except OSError as error:
            if error.errno in _FULL:
                # What came so far helps nobody on a disk without room.
                here.sweep(self._disk)
            raise
        self._change_state_held(
            lambda state: msgspec.structs.replace(
                state, left=tuple(each for each in state.left if each != release.version)
            )
        )
        here.prepare(release.version, self._disk)
        return Ready(release.version)

    def _came_back(self, version: str) -> bool:
        returned = self._installation.returned
        return returned is not None and returned.new == version

    def _ask(self) -> tuple[TrustedSource, Release]:
        """The channel's release, believed: signed, fresh, of this product, and not below what was offered before."""
        here, source, channel = self._installation, self._installation.source(), self.channel
        folder = here.update_folder / "metadata"
        trusted = TrustedSource(self._open_source(), folder, here.first_root())
        trusted.refresh()
        body = trusted.read(latest_path(channel, self._platform), MAX_RELEASE_BYTES)
        if body is None:
            raise UpdateRefused(UpdateCode.WRONG_CHANNEL, f"nothing is published in {channel}")
        release = parse_release(
            body, product=source.product, channel=channel, for_platform=self._platform
        )
        self._remember(release)
        return trusted, release

    def _remember(self, release: Release) -> None:
        state = self._installation.state()
        floor = state.floors.get(release.channel, release.version)
        if parse_version(release.version) < parse_version(floor):
            reason = f"{release.version} is offered, and {floor} was before"
            raise UpdateRefused(UpdateCode.OLDER_VERSION, reason)
        minimum = newest(release.minimum_version, state.minimum or release.minimum_version)
        floors = {**state.floors, release.channel: release.version}
        if (floors, minimum) != (state.floors, state.minimum):
            changed = msgspec.structs.replace(state, floors=floors, minimum=minimum)
            self._installation.save_state(changed, self._disk)

    def _held_back(self, release: Release) -> UpToDate | Paused | NotYet | None:
        here = self._installation
        current = here.current
        if parse_version(release.version) <= parse_version(current):
            return UpToDate(current)
        if release.paused:
            return Paused(release.version)
        is_withdrawn = parse_version(current) < parse_version(release.minimum_version)
        if is_withdrawn or is_in_rollout(release, here.install_id(self._disk)):
            return None
        return NotYet(release.version, release.rollout)

    def _plan(self, trusted: TrustedSource, release: Release) -> StagingPlan:
        body = trusted.read(manifest_path(release.version, self._platform), MAX_MANIFEST_BYTES)
        if body is None:
            raise UpdateRefused(UpdateCode.MALFORMED, f"{release.version} has no manifest")
        manifest = parse_manifest(body)
        _need_same(manifest, release)
        here = self._installation
        return plan_staging(manifest, here.version_folder(here.current))

    def _open_source(self) -> Source:
        if self._source is None:
            self._source = HttpSource(self._installation.source().url)
        return self._source

    @contextmanager
    def _opened_source(self) -> Generator[None]:
        try:
            yield
        finally:
            if self._source is not None:
                self._source.close()

    def _leave(self, version: str) -> None:
        self._change_state_held(lambda state: leave(state, version))

    def _change_state(self, change: Callable[[UpdateState], UpdateState]) -> None:
        with self._failures(), self._installation.locked():
            self._change_state_held(change)

    def _change_state_held(self, change: Callable[[UpdateState], UpdateState]) -> None:
        before = self._installation.state()
        after = change(before)
        if after != before:
            self._installation.save_state(after, self._disk)

    @contextmanager
    def _failures(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            code = UpdateCode.DISK_FULL if error.errno in _FULL else UpdateCode.NOT_WRITABLE
            raise UpdateRefused(code, str(error)) from error


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def _why_held(held: UpToDate | Paused | NotYet) -> str:
    match held:
        case UpToDate():
            return f"{held.version} is the newest"
        case Paused():
            return f"{held.version} is held back by its vendor"
        case NotYet():
            return f"{held.version} is offered to {held.rollout}% so far"


def _need_same(manifest: Manifest, release: Release) -> None:
    said = (manifest.product, manifest.platform, manifest.version)
    if said != (release.product, release.platform, release.version):
        raise UpdateRefused(UpdateCode.MALFORMED, "the manifest is of another version")
