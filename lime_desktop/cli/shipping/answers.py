"""What was found out about updates, for people and for programs."""

import dataclasses
from typing import assert_never

import click
import msgspec

from lime_desktop.cli.terminal.output import print_fields, print_json, printable
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shipping.states import (
    Available,
    CheckResult,
    NotYet,
    Paused,
    Ready,
    Refused,
    UpdateStatus,
    UpToDate,
)
from lime_desktop.shipping.wording import told

_NAMES: dict[type[CheckResult], str] = {
    UpToDate: "up-to-date",
    Available: "available",
    Paused: "paused",
    NotYet: "not-yet",
    Ready: "ready",
    Refused: "refused",
}


def print_answer(result: CheckResult, texts: Texts, *, as_json: bool) -> None:
    """Say how it stands."""
    if as_json:
        print_json([answer_document(result)])
    elif isinstance(result, Refused):
        print_refusal(result, texts, as_json=False)
    else:
        click.secho(sentence(result, texts), bold=True)
        if isinstance(result, Available):
            _print_notes(result, texts)


def answer_document(result: CheckResult) -> dict[str, object]:
    """An answer as JSON."""
    facts: dict[str, object] = {
        "ok": not isinstance(result, Refused),
        "result": _NAMES[type(result)],
    }
    match result:
        case Available():
            release: dict[str, object] = msgspec.to_builtins(result.release)
            return {
                **facts,
                "version": result.release.version,
                "downloadBytes": result.download_bytes,
                "wasLeft": result.was_left,
                "release": release,
            }
        case NotYet():
            return {**facts, "version": result.version, "rollout": result.rollout}
        case Refused():
            return {**facts, "code": result.code, "reason": result.reason}
        case UpToDate() | Paused() | Ready():
            return {**facts, "version": result.version}
        case _:
            assert_never(result)


def sentence(result: CheckResult, texts: Texts) -> str:
    """An answer in one sentence."""
    key, values = told(result, lambda size: f"{size / 1_000_000:.1f} MB")
    return texts(key, **values)


def print_refusal(refused: Refused, texts: Texts, *, as_json: bool) -> None:
    """Say why not."""
    if as_json:
        print_json([answer_document(refused)])
        return
    click.secho(f"{refused.code}: {sentence(refused, texts)}", fg="red", err=True)
    click.echo(printable(refused.reason), err=True)


def print_status(status: UpdateStatus, texts: Texts, *, as_json: bool) -> None:
    """Say how an installation stands."""
    if as_json:
        facts = dataclasses.asdict(status)
        facts["onTrial"] = facts.pop("on_trial")
        print_json([{"ok": True, **facts}])
        return
    none = texts("self-update.none")
    fields = {
        texts("self-update.version"): status.version,
        texts("self-update.follows"): status.channel,
        texts("self-update.previous"): status.previous or none,
        texts("self-update.pending"): status.pending or none,
    }
    if status.on_trial:
        fields[texts("self-update.trial")] = texts("self-update.trial.yes")
    if status.returned:
        fields[texts("self-update.returned")] = status.returned
    print_fields(fields)


def _print_notes(result: Available, texts: Texts) -> None:
    if result.was_left:
        click.echo(texts("self-update.available.left"))
    if notes := result.release.notes_in(texts.locale):
        click.echo(f"\n{texts('self-update.notes')}")
        for line in notes.splitlines()[:200]:
            click.echo(f"  {printable(line)}" if line.strip() else "")
