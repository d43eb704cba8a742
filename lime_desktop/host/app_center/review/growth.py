"""Would an update give an app more than it has, or take from the person what cannot be had back? Then it asks. Pure.

Everything that a person decides on in a review counts. What is not known to be the same counts as more.
"""

from collections.abc import Iterator

from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.host.app_center.review.changes import Area, Change
from lime_desktop.host.app_center.review.install_review import InstallReview

_GROWS_WHEN_ADDED: frozenset[Area] = frozenset({"capability", "domain"})
_NEVER_GROWS: frozenset[Area] = frozenset({"workflow", "skill", "entry"})
"""What an app brings for itself. Every other area counts, one that is added later too."""
_SETTINGS_LOST = frozenset({"removed", "now-locked", "orphaned", "invalid"})


def reasons_to_ask(review: InstallReview) -> tuple[str, ...]:
    """Why a person has to agree to an update, as codes; none where it may be installed by itself."""
    return tuple(dict.fromkeys(_reasons(review)))


def _reasons(review: InstallReview) -> Iterator[str]:
    if review.refusals:
        yield "refused"
    if not _is_same_source(review):
        yield "source"
    if not _is_same_signer(review):
        yield "publisher"
    if review.open_asks:
        yield "permission"
    changes = review.changes
    if changes is None:
        # Nothing to compare with: it is no update at all.
        yield "refused"
        return
    yield from (change.area for change in changes.changes if _grows(change))
    if any(not each.is_reversible for each in changes.migrations):
        yield "migration"
    if any(each.kind in _SETTINGS_LOST for each in changes.overlays):
        yield "settings"


def _is_same_source(review: InstallReview) -> bool:
    choice, installed = review.choice, review.installed
    before = installed.offered_by if installed else None
    return choice.source is not None and choice.source in {before, choice.before}


def _is_same_signer(review: InstallReview) -> bool:
    """Whether both versions are verified, and the same key or identity signed them."""
    found, installed = review.verification, review.installed
    if found.verdict is not Verdict.VERIFIED or found.publisher is None or installed is None:
        return False
    before = (installed.verdict, installed.publisher_id, installed.signer)
    return before == (Verdict.VERIFIED, found.publisher.publisher_id, found.publisher.signer)


def _grows(change: Change) -> bool:
    if change.kind == "removed":
        return False
    if change.area in _GROWS_WHEN_ADDED:
        return change.kind == "added"
    return change.area not in _NEVER_GROWS
