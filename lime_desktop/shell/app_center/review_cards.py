"""The parts of a review: marks of the first view, what changes, and the details that lie one click deeper."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from PySide6.QtWidgets import QFrame, QWidget

from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.host.app_center.packages.bundled import PUBLISHER as BUNDLED_PUBLISHER
from lime_desktop.host.app_center.review.change_words import (
    change_line,
    changes_title,
    migration_lines,
)
from lime_desktop.host.app_center.review.changes import UpdateDiff
from lime_desktop.host.app_center.review.effects import DeclaredEffect
from lime_desktop.host.app_center.review.host_gaps import HostGap, host_gaps
from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.app_center.review.sections import (
    Part,
    effect_line,
    notes_for_people,
    package_errors,
    section,
)
from lime_desktop.host.wording.joining import listed, named
from lime_desktop.host.wording.package_about import about_lines
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.settings.overlay_words import key_name
from lime_desktop.shell.widgets.amounts import size_in_words
from lime_desktop.shell.widgets.parts import (
    ShortLabel,
    Tone,
    banner,
    card,
    column,
    label,
    pill,
    row,
    set_tip,
)
from lime_desktop.shell.widgets.status import problem_row

_RISK_TONES: dict[str, Tone] = {"low": "ok", "medium": "warning", "high": "danger"}
_CHANGE_TONES: dict[str, Tone] = {"added": "warning", "changed": "warning", "removed": "plain"}
_NOTE_TONES: dict[str, Tone] = {"warning": "warning", "unsuited": "warning", "risk": "warning"}
_STOPS: tuple[str, Tone] = ("stops", "danger")
_PART: tuple[str, Tone] = ("part", "warning")
_MOST_PROBLEMS = 12
_REACHED: tuple[Part, ...] = ("programs", "secrets", "hooks", "schedules", "connections")


def verdict_pill(review: InstallReview, texts: Texts) -> QWidget:
    """Whether its publisher is known."""
    verdict = review.verification.verdict
    tones: dict[Verdict, Tone] = {Verdict.VERIFIED: "ok", Verdict.UNSIGNED: "warning"}
    tone = tones.get(verdict, "warning" if review.can_install else "danger")
    mark = "✓ " if verdict is Verdict.VERIFIED else ""
    return pill(mark + texts(f"review.verdict.{verdict}"), tone)


def risk_pill(review: InstallReview, texts: Texts) -> QWidget:
    """The chance of harm; its reasons are among the details and in the tip."""
    risk = review.risk
    made = pill(texts(f"review.risk.{risk.level}"), _RISK_TONES[risk.level])
    set_tip(made, "\n".join(section(review, "risk", texts).lines))
    return made


def byline(review: InstallReview, texts: Texts) -> str:
    """Who made it, as far as anybody knows."""
    verified, claimed = review.verification.publisher, review.package.manifest.publisher
    if verified is not None:
        return texts("review.by", publisher=verified.name or verified.publisher_id)
    if claimed is None:
        return texts("review.by.unknown")
    return texts("review.by.claimed", publisher=claimed.display_name or claimed.name)


def refusal_cards(review: InstallReview, texts: Texts) -> Iterator[QFrame]:
    """Why it cannot be installed, and what is wrong with the package."""
    for refusal in review.refusals:
        yield banner(refusal.words.words(texts), "danger")
    if errors := package_errors(review):
        yield card(
            label(texts("review.problems"), "heading"),
            *(problem_row(each, "danger", texts) for each in errors[:_MOST_PROBLEMS]),
        )


def details(review: InstallReview, texts: Texts) -> QWidget:
    """Everything that is not in the first view."""
    return column(*_sections(review, texts), spacing=12)


def _reached(review: InstallReview, texts: Texts) -> Iterator[QWidget]:
    """What it runs and connects with, and where a person's secrets go."""
    for part in _REACHED:
        said = section(review, part, texts)
        if said.lines:
            yield _section(said.title, said.lines)


def _part(review: InstallReview, part: Part, texts: Texts, *if_empty: str) -> QFrame:
    said = section(review, part, texts)
    return _section(said.title, said.lines or if_empty)


def _sections(review: InstallReview, texts: Texts) -> Iterator[QWidget]:
    yield _part(review, "risk", texts, texts("review.risk.none"))
    yield from _reached(review, texts)
    if review.effects:
        effects = (_effect_row(effect, texts) for effect in review.effects)
        yield card(label(texts("review.effects"), "heading"), *effects)
    if review.asks:
        yield _section(texts("page.permissions"), _reasons(review, texts))
    yield _part(review, "data", texts)
    yield _part(review, "domains", texts, texts("review.domains.none"))
    added = [
        named(
            texts,
            texts(f"review.adds.{kind}"),
            listed(texts, (each.called(texts.locale) for each in group)),
        )
        for kind, group in groupby(review.adds, key=lambda each: each.kind)
    ]
    if added:
        yield _section(texts("review.adds"), added)
    yield from _further(review, texts)
    yield _section(texts("review.publisher"), _publisher(review, texts))
    if said := [each.words(texts) for each in about_lines(review.package.manifest)]:
        yield _section(texts("about.title"), said)
    yield _files(review, texts)


def _reasons(review: InstallReview, texts: Texts) -> Iterator[str]:
    for ask in review.asks:
        reason = plain_line(ask.reason(texts.locale) or "")
        told = texts("review.ask.reason", reason=reason) if reason else ""
        words = ask.words.words(texts)
        missing = texts("review.ask.no-reason")
        yield (
            named(texts, words, told)
            if told
            else texts("problem.told", title=words, advice=missing)
        )


def _publisher(review: InstallReview, texts: Texts) -> Iterator[str]:
    verified, claimed = review.verification.publisher, review.package.manifest.publisher
    if verified == BUNDLED_PUBLISHER:
        yield texts("review.bundled")
    elif verified is not None:
        name = verified.name or verified.publisher_id
        yield texts("review.publisher.verified", publisher=name)
    elif claimed is None:
        yield texts("review.publisher.unknown")
    else:
        name = claimed.display_name or claimed.name
        yield texts("review.publisher.claims", publisher=name)


def _files(review: InstallReview, texts: Texts) -> QFrame:
    size = size_in_words(review.staged.total_bytes, texts)
    count = len(review.package.tree.files)
    lines = [texts("review.size", count=count, size=size), texts("review.mode")]
    return card(
        label(texts("review.files"), "heading"),
        *_lines(lines),
        ShortLabel(texts("review.from", source=review.source), "small"),
        ShortLabel(texts("review.hash", hash=review.staged.package_hash), "mono"),
    )


def _effect_row(effect: DeclaredEffect, texts: Texts) -> QWidget:
    operation = effect.operation
    pills = [pill(texts("review.effect.asked"), "info")] if effect.is_asked_each_time else []
    pills += [pill(texts("review.effect.dry-run"), "info")] if operation.dry_run_required else []
    pills += [pill(texts("review.effect.evidence"), "plain")] if operation.evidence_required else []
    pills += [pill(texts("review.effect.auto"), "danger")] if operation.auto_execute else []
    return row(label(effect_line(effect, texts)), *pills, stretch_at=0)


def _further(review: InstallReview, texts: Texts) -> Iterator[QFrame]:
    """Who does what, and the author's advice for the first run; what developers check is theirs to read."""
    if review.purposes:
        yield card(label(texts("review.purposes"), "heading"), *_purposes(review, texts))
    if review.shares:
        yield card(label(texts("review.shares"), "heading"), *_shares(review, texts))
    if notes := notes_for_people(review):
        yield card(
            label(texts("review.notes"), "heading"),
            *(
                row(
                    pill(texts(f"review.note.{note.kind}"), _NOTE_TONES.get(note.kind, "plain")),
                    label(note.text),
                    stretch_at=1,
                )
                for note in notes
            ),
        )


def _purposes(review: InstallReview, texts: Texts) -> Iterator[QWidget]:
    for each in review.purposes:
        kind = pill(texts(f"review.purpose.{each.kind}"), _NOTE_TONES.get(each.kind, "plain"))
        yield row(kind, label(each.text), stretch_at=1)
        if each.details:
            told = named(texts, texts("review.purpose.shown"), listed(texts, each.details))
            yield label(told, "muted")


def _shares(review: InstallReview, texts: Texts) -> Iterator[QWidget]:
    for requirement, group in groupby(review.shares, key=lambda share: share.requirement):
        yield label(requirement)
        for share in group:
            words = listed(texts, share.owns or share.requires)
            yield row(
                pill(texts(f"review.party.{share.party}"), "plain"),
                label(words, "muted"),
                stretch_at=1,
            )


def host_gaps_card(review: InstallReview, texts: Texts) -> Iterator[QWidget]:
    """What the app wants and nobody can give it here: known before it is installed, not after."""
    gaps = host_gaps(review.package, review.projection, texts.locale)
    if gaps:
        yield card(label(texts("review.gaps"), "heading"), *(_gap(each, texts) for each in gaps))


def _gap(gap: HostGap, texts: Texts) -> QWidget:
    key, tone = _STOPS if gap.is_blocking else _PART
    return row(pill(texts(f"review.gap.{key}"), tone), label(gap.words), stretch_at=1)


def changes_card(review: InstallReview, changes: UpdateDiff, texts: Texts) -> QFrame:
    """What a new version changes."""
    rows = [
        row(
            pill(texts(f"update.{each.kind}"), _CHANGE_TONES[each.kind]),
            label(change_line(each, review, texts)),
            stretch_at=1,
        )
        for each in changes.changes
    ]
    return card(
        label(changes_title(changes, texts), "heading"),
        *(rows or [label(texts("update.none"), "muted")]),
        *_migration_parts(changes, texts),
        *_overlay_parts(changes, texts),
        label(texts("update.snapshot"), "muted"),
    )


def _migration_parts(changes: UpdateDiff, texts: Texts) -> Iterator[QWidget]:
    if changes.migrations:
        yield label(texts("update.migrations"), "heading")
    yield from _lines(migration_lines(changes, texts))


def release_notes_card(review: InstallReview, texts: Texts) -> QFrame:
    """What is new, in the publisher's words; whoever reads it sees whose they are."""
    parts: list[QWidget] = []
    for each in review.release_notes:
        parts.append(label(texts("update.notes.version", version=each.version), "strong"))
        parts += _lines(each.lines_in(texts.locale))
    made = card(
        label(texts("update.notes"), "heading"),
        *parts,
        label(texts("update.notes.author"), "small"),
    )
    made.setObjectName("release-notes")
    return made


def _overlay_parts(changes: UpdateDiff, texts: Texts) -> Iterator[QWidget]:
    if changes.overlays:
        yield label(texts("update.overlays"), "heading")
    for change in changes.overlays:
        name = key_name(change.key, texts)
        yield label(texts(f"update.overlay.{change.kind}", name=name))


def _section(title: str, lines: Iterable[str]) -> QFrame:
    return card(label(title, "heading"), *_lines(lines))


def _lines(lines: Iterable[str]) -> Iterator[QWidget]:
    for text in lines:
        yield label(text)
