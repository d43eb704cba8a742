"""A run as files for somebody who was not there: its evidence to verify, a case to run again, a review to read."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

from lime_desktop.durable_files.writing import write_durably
from lime_desktop.file_names import shown_name
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.runs.story_wording import answer_words, problem_words
from lime_desktop.host.user_profile.user_paths import app_server_folder
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.evidence import (
    EXPORT_EVIDENCE,
    EXPORT_REPLAY_CASE,
    EvidenceSignal,
    ExportEvidenceParams,
    ExportEvidenceResult,
    ExportReplayCaseParams,
)
from lime_desktop.protocol.errors import HostActionFailed, InternalError
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.runtime_views.session import project
from lime_desktop.runtime_views.story.steps import Step
from lime_desktop.runtime_views.story.times import time_of_day
from lime_desktop.runtime_views.story.words import sentence_of

ExportKind = Literal["evidence", "replay", "review"]
EXPORT_KINDS: tuple[ExportKind, ...] = get_args(ExportKind)
_LONGEST_S = 600.0
"""Writing a pack takes as long as the run was."""


async def export_run(
    call: CallServer, kind: ExportKind, session_id: str, data: Path, into: Path, texts: Texts
) -> Path:
    """Write a run into a folder of the person's, and say under which name.

    Raises:
        HostActionFailed: it could not be written there, or something of that name is there.
    """
    match kind:
        case "evidence":
            return await _export_evidence(call, session_id, data, into)
        case "replay":
            return await _export_replay(call, session_id, into)
        case "review":
            return await _export_review(call, session_id, into, texts)


async def _export_evidence(call: CallServer, session_id: str, data: Path, into: Path) -> Path:
    """A folder that `lime-desktop evidence verify` can check.

    The App Server writes it among its own data; it never says where those lie, so the host has to know.
    """
    asked = ExportEvidenceParams(session_id=SessionId(session_id), include_evidence_pack=True)
    written = (await call(EXPORT_EVIDENCE, asked, timeout_s=_LONGEST_S)).evidence_pack
    if written is None:
        raise InternalError("The App Server wrote no evidence")
    own = app_server_folder(data).resolve()
    source = (own / written.pack_relative_root).resolve()
    if not source.is_relative_to(own):
        raise InternalError("The App Server named a place that is not its own")
    target = into / shown_name(f"evidence-{written.evidence_id}")
    try:
        await asyncio.to_thread(shutil.copytree, source, target)
    except OSError as error:
        raise HostActionFailed(f"The evidence could not be written: {error.strerror}") from None
    return target


async def _export_replay(call: CallServer, session_id: str, into: Path) -> Path:
    """The latest turn as a case: inputs and expectations, by which another run can be compared."""
    asked = ExportReplayCaseParams(session_id=SessionId(session_id))
    found = await call(EXPORT_REPLAY_CASE, asked, timeout_s=_LONGEST_S)
    text = json.dumps(found.to_wire(), ensure_ascii=False, indent=2)
    return await _write(into / shown_name(f"replay-{found.replay_case.replay_id}.json"), text)


async def _export_review(call: CallServer, session_id: str, into: Path, texts: Texts) -> Path:
    """What happened, in sentences, with what was given and got, and which facts there are and are not."""
    asked = ExportEvidenceParams(session_id=SessionId(session_id), include_events=True)
    found = await call(EXPORT_EVIDENCE, asked, timeout_s=_LONGEST_S)
    text = "\n".join(_review(found, texts)) + "\n"
    return await _write(into / shown_name(f"review-{session_id}.md"), text)


async def _write(target: Path, text: str) -> Path:
    try:
        await asyncio.to_thread(_write_new, target, text.encode())
    except OSError as error:
        raise HostActionFailed(f"The file could not be written: {error.strerror}") from None
    return target


def _write_new(target: Path, body: bytes) -> None:
    """Write a file, and never over one of the person's."""
    if target.exists():
        raise HostActionFailed(f"There is already a {target.name} in this folder")
    write_durably(target, body)


def _review(found: ExportEvidenceResult, texts: Texts) -> Iterator[str]:
    story, session = project(found.events).story, found.session
    yield f"# {plain_line(session.title or session.session_id)}"
    yield ""
    yield texts("export.review.about", app=session.app_id, session=session.session_id)
    if found.truncated:
        yield texts("export.review.shortened")
    for turn in story.turns.values():
        if figures := answer_words(turn, texts):
            yield f"- {figures}"
    yield ""
    yield f"## {texts('drawer.steps')}"
    for step in story.loud():
        yield from _step(step, texts)
    yield ""
    yield f"## {texts('export.review.facts')}"
    yield ""
    yield from (_fact(each, texts) for each in found.signals)


def _step(step: Step, texts: Texts) -> Iterator[str]:
    words = problem_words(step, texts) if step.state == "failed" else sentence_of(step, texts)
    yield ""
    yield f"### {time_of_day(step.at)} {plain_line(words)}"
    for detail in step.details:
        yield ""
        yield f"{texts(f'story.detail.{detail.name}')}:"
        yield ""
        # As a quotation: what an agent or a tool wrote never becomes part of the page around it.
        yield from (f"> {line}" for line in detail.text.splitlines())


def _fact(signal: EvidenceSignal, texts: Texts) -> str:
    """Whether a kind of fact is there; what is missing is never left out."""
    count = "" if signal.count is None else f" ({signal.count})"
    reason = f": {signal.reason}" if signal.reason else ""
    return f"- {signal.signal}{count}: {texts(f'export.signal.{signal.status}')}{reason}"
