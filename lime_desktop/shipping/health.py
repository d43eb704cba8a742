"""A version that was started shows that it works, and from then on is trusted. Loads nothing of weight: it is part of every start."""

import logging
import sys
from pathlib import Path

import msgspec

from lime_desktop.shipping.disk import Disk
from lime_desktop.shipping.installation import (
    Installation,
    UpdateState,
    find_installation,
    place_launcher,
)
from lime_desktop.shipping.refusals import UpdateRefused

_log = logging.getLogger(__name__)
_REMEMBERED = 10


def confirm_this_version() -> None:
    """The window stands and the App Server answered: say so, if this program is one that updates itself. Blocks.

    A failure is for the next start: the version stays on trial.
    """
    try:
        installation = find_installation()
        with installation.locked():
            confirm(installation, Disk(), Path(sys.executable).name)
    except (UpdateRefused, OSError) as error:
        _log.info("the version was not confirmed: %s", error)


def confirm(installation: Installation, disk: Disk, name: str) -> None:
    """Trust the current version: what it replaced is the version to go back to, and nothing older is kept.

    For who holds the installation's lock.
    """
    state, pending, returned = installation.state(), installation.pending, installation.returned
    if returned and returned.new not in state.left:
        state = leave(state, returned.new)
        installation.save_state(state, disk)
    if pending is None or pending.new != installation.current:
        return
    installation.save_state(msgspec.structs.replace(state, previous=pending.old), disk)
    installation.withdraw_pending(disk)
    place_launcher(installation, name, disk)
    installation.sweep(disk)


def leave(state: UpdateState, version: str) -> UpdateState:
    """Remember that a version did not come up here, or that the person went back from it."""
    others = (each for each in state.left if each != version)
    return msgspec.structs.replace(state, left=(*others, version)[-_REMEMBERED:])
