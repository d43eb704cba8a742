"""A review as JSON, for programs: the facts, and beside them the sentences that a person would read."""

from lime_desktop.host.app_center.review.asked_permissions import AskedPermission
from lime_desktop.host.app_center.review.changes import UpdateDiff
from lime_desktop.host.app_center.review.declared_hooks import DeclaredHook
from lime_desktop.host.app_center.review.effects import DeclaredEffect
from lime_desktop.host.app_center.review.growth import reasons_to_ask
from lime_desktop.host.app_center.review.host_gaps import host_gaps
from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.app_center.review.programs import DeclaredProgram
from lime_desktop.host.app_center.review.secret_uses import DeclaredSecretUse
from lime_desktop.host.app_center.review.summary import summary
from lime_desktop.host.wording.texts import Texts


def review_document(review: InstallReview, texts: Texts) -> dict[str, object]:
    """Everything that the page of a review shows."""
    manifest = review.package.manifest
    document: dict[str, object] = {
        "appId": review.app_id,
        "title": manifest.title,
        "version": manifest.version,
        "source": review.source,
        "offeredBy": review.choice.source,
        "changesSource": review.choice.is_change,
        "otherSources": list(review.choice.others),
        "packageHash": review.staged.package_hash,
        "isUpdate": review.is_update,
        "installMode": review.install_mode,
        "canInstall": review.can_install,
        "refusals": [
            {"code": each.code.value, "text": each.words.words(texts)} for each in review.refusals
        ],
        "verification": review.verification.to_wire(),
        "needsAcceptance": review.needs_acceptance,
        "risk": {
            "level": review.risk.level,
            "score": review.risk.score,
            "reasons": [each.words.words(texts) for each in review.risk.reasons],
        },
        "hostGaps": [
            {"code": each.code.value, "text": each.words, "stopsIt": each.is_blocking}
            for each in host_gaps(review.package, review.projection, texts.locale)
        ],
        "permissions": [_permission(ask, texts) for ask in review.asks],
        "adds": [
            {"kind": each.kind, "key": each.key, "title": each.called("")} for each in review.adds
        ],
        "data": [each.words(texts) for each in review.data],
        "domains": list(review.domains),
        "programs": [_program(each) for each in review.programs],
        "secrets": [_secret(each, texts) for each in review.secrets],
        "hooks": [_hook(each) for each in review.hooks],
        "schedules": [
            {"key": each.key, "schedule": each.schedule.written, "workflow": each.workflow_key}
            for each in review.package.schedules
            if each.schedule is not None
        ],
        "triggers": [
            {"key": each.key, "on": each.trigger.words, "workflow": each.workflow.key}
            for each in review.package.triggers
            if each.trigger is not None
        ],
        "connections": [
            {"key": each.integration.key, "kind": each.kind, "text": each.words(texts)}
            for each in review.connections
        ],
        "effects": [_effect(each) for each in review.effects],
        "shares": [
            {
                "requirement": each.requirement,
                "party": each.party,
                "owns": list(each.owns),
                "requires": list(each.requires),
            }
            for each in review.shares
        ],
        "notes": [{"kind": each.kind, "text": each.text} for each in review.notes],
        "releaseNotes": [
            {"version": each.version, "lines": list(each.lines_in(texts.locale))}
            for each in review.release_notes
        ],
        "hasKeptData": review.has_kept_data,
        "can": [line.told_alone(texts) for line in summary(review, texts)],
        "signedBeside": str(review.signed_twin) if review.signed_twin else None,
    }
    if review.changes is not None:
        document["changes"] = _changes(review.changes)
        document["asksBecause"] = list(reasons_to_ask(review))
    return document


def _permission(ask: AskedPermission, texts: Texts) -> dict[str, object]:
    return {
        "key": ask.key,
        "text": ask.words.words(texts),
        "reason": ask.reason(texts.locale),
        "standing": ask.standing,
        "required": bool(ask.permission.required),
        "broad": ask.is_broad,
        "suggested": ask.is_suggested,
    }


def _program(program: DeclaredProgram) -> dict[str, object]:
    return {
        "key": program.key,
        "kind": program.kind,
        "program": program.words[0],
        "arguments": list(program.words[1:]),
        "takesMoreArguments": program.takes_more_words,
        "runsAnything": program.runs_anything,
    }


def _secret(use: DeclaredSecretUse, texts: Texts) -> dict[str, object]:
    return {
        "key": use.secret,
        "destination": use.destination,
        "to": use.to or None,
        "form": use.form,
        "name": use.name or None,
        "text": use.words_for_people.words(texts),
    }


def _hook(declared: DeclaredHook) -> dict[str, object]:
    hook = declared.hook
    return {
        "point": hook.point,
        "tool": hook.tool,
        "action": hook.action,
        "input": dict(hook.input),
        "runs": declared.line,
    }


def _effect(effect: DeclaredEffect) -> dict[str, object]:
    operation = effect.operation
    return {
        "key": operation.key,
        "sideEffect": operation.side_effect,
        "outside": effect.is_outside,
        "askedEachTime": effect.is_asked_each_time,
        "dryRun": bool(operation.dry_run_required),
        "evidence": bool(operation.evidence_required),
        "auto": bool(operation.auto_execute),
    }


def _changes(changes: UpdateDiff) -> dict[str, object]:
    return {
        "from": changes.from_version,
        "to": changes.to_version,
        "changes": [
            {"area": each.area, "kind": each.kind, "key": each.key} for each in changes.changes
        ],
        "migrations": [
            {"id": each.id, "path": each.path, "reversible": each.is_reversible}
            for each in changes.migrations
        ],
        "overlays": [
            {"kind": each.kind, "key": each.key, "detail": each.detail, "layer": each.layer}
            for each in changes.overlays
        ],
    }
