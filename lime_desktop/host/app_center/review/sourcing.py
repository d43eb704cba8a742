"""What a person should know of where a package comes from, if there is a choice or a change."""

from collections.abc import Iterator

from lime_desktop.host.app_center.review.making import InstallReview
from lime_desktop.host.app_center.review.saying import Said


def source_lines(review: InstallReview) -> Iterator[Said]:
    """That updates would come from elsewhere than before; which source is taken where several offer the name."""
    choice = review.choice
    if choice.source is None:
        return
    if choice.is_change:
        before = choice.before
        key = "source.changes" if before else "source.begins"
        yield Said(key, {"source": choice.source, **({"before": before} if before else {})})
    elif choice.others:
        yield Said("source.taken", {"source": choice.source})
    for other in choice.others:
        if other != choice.before:
            yield Said("source.other", {"source": other})
