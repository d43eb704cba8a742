"""Runs an app's gates on each version of a deliverable, and writes down what they said: as evidence, and as facts of the run.

A version that no run made has its facts in a session of its own, so that no verdict is without one.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple, cast

from pydantic import JsonValue

from lime_desktop.app_package.eval_files import GroundingCheck, QualityGate
from lime_desktop.app_package.value_schema import read_schema
from lime_desktop.app_server.app_evidence.service import AppEvidence
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.quality.checks import BannedWord, Subject, stated
from lime_desktop.app_server.quality.facts import artifact_fact, evidence_fact, said_of
from lime_desktop.app_server.quality.gates import (
    Threshold,
    kind_gate,
    run_gate,
    status_of,
    threshold_of,
    unread,
    words_gate,
)
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.protocol.acceptance import Acceptance, GateOutcome
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.apps import RegisteredSetting
from lime_desktop.protocol.calls.artifacts import StoredArtifact
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.capability_calls.evidence import RecordEvidenceParams
from lime_desktop.protocol.capability_calls.knowledge import (
    KnowledgeSearchParams,
    KnowledgeSearchResult,
)
from lime_desktop.protocol.errors import AppError, InvalidInput, KnowledgeNotBound, SessionExists
from lime_desktop.protocol.ids import AppId, JsonObject, SessionId, TaskId, TraceId, TurnId
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)

PASSAGES = 4
"""Of each template, for each sentence."""
MOST_SEARCHED = 60
"""Sentences that are looked up; the sources of these have to bear out the others too."""
_MAX_QUERY = 500

SearchKnowledge = Callable[[KnowledgeSearchParams, AppCaller], Awaitable[KnowledgeSearchResult]]


class TaskPlace(NamedTuple):
    """Where a task's story is."""

    session_id: SessionId
    turn_id: TurnId | None


FindTask = Callable[[AppId, TaskId], Awaitable[TaskPlace | None]]


class QualityGates:
    """The gates of every app."""

    def __init__(
        self, apps: RegisteredApps, search: SearchKnowledge, evidence: AppEvidence
    ) -> None:
        self._apps = apps
        self._search = search
        self._evidence = evidence
        self._core: RuntimeCore | None = None
        self._find_task: FindTask | None = None

    def write_facts_to(self, core: RuntimeCore, find_task: FindTask) -> None:
        """Where verdicts become facts from now on."""
        self._core = core
        self._find_task = find_task

    async def judge(self, artifact: StoredArtifact, body: bytes) -> Acceptance | None:
        """Run every gate that applies."""
        app = self._apps.get(artifact.app_id)
        gates = [
            gate
            for gate in (await asyncio.to_thread(_gates, app)).values()
            if gate.applies_to(artifact.kind, artifact.provenance.entry_key)
        ]
        banned = _banned(app.registration.settings)
        schema = await asyncio.to_thread(_schema, app, artifact.kind)
        if not gates and not banned and schema is None:
            return None
        content = _content(artifact, body)
        if content is None:
            outcomes = tuple(unread(gate) for gate in gates)
        else:
            sources = await self._sources(app, gates, content[0], artifact)
            subject = Subject(content[0], sources, banned)
            held_to = set_thresholds(app.registration.settings)
            outcomes = await asyncio.to_thread(_run_all, gates, subject, held_to)
        if schema is not None:
            outcomes = (
                *outcomes,
                *await asyncio.to_thread(kind_gate, artifact.kind, schema, content),
            )
        if not outcomes:
            return None
        return Acceptance(status=status_of(outcomes), gates=outcomes, judged_at=now())

    async def judge_content(
        self, app_id: AppId, eval_key: str, content: JsonValue, caller: AppCaller
    ) -> GateOutcome:
        """Run one gate on a content that nobody has delivered yet.

        Raises:
            InvalidInput: no gate of this key can be run.
        """
        app = self._apps.get(app_id)
        gate = (await asyncio.to_thread(_gates, app)).get(eval_key)
        if gate is None:
            raise InvalidInput.at_fields([("eval", "not_runnable")])
        sources = await self._passages_for(app, [gate], content, caller)
        subject = Subject(content, sources, _banned(app.registration.settings))
        held_to = threshold_of(gate, set_thresholds(app.registration.settings))
        return await asyncio.to_thread(run_gate, gate, subject, held_to)

    async def record(self, artifact: StoredArtifact) -> None:
        """Keep what each gate said as evidence of the app, and tell it where the work is told."""
        acceptance = artifact.acceptance
        if acceptance is None:
            return
        facts: list[ProposedEvent] = []
        for outcome in acceptance.gates:
            if outcome.status == "waiting":
                continue
            record = await self._evidence.keep(
                RecordEvidenceParams(
                    kind=outcome.eval_key,
                    message=said_of(outcome),
                    subject=artifact.artifact_id,
                    refs=(artifact.artifact_id, artifact.content_ref),
                ),
                artifact.provenance,
                artifact.provenance.run_id,
            )
            facts += evidence_fact(artifact, outcome, record.id)
        await self._tell(artifact, [*facts, artifact_fact(artifact, acceptance)])

    async def _sources(
        self,
        app: RegisteredApp,
        gates: Iterable[QualityGate],
        content: JsonValue,
        artifact: StoredArtifact,
    ) -> list[str]:
        """What the app's knowledge says of each sentence, for the gates that ask."""
        caller = AppCaller(provenance=artifact.provenance)
        return await self._passages_for(app, gates, content, caller)

    async def _passages_for(
        self,
        app: RegisteredApp,
        gates: Iterable[QualityGate],
        content: JsonValue,
        caller: AppCaller,
    ) -> list[str]:
        found: dict[str, None] = {}
        for gate in gates:
            for check in gate.file.checks:
                if not isinstance(check, GroundingCheck):
                    continue
                for template in _templates(app, check):
                    for sentence in stated(check, content)[:MOST_SEARCHED]:
                        found |= dict.fromkeys(await self._passages(template, sentence, caller))
        return list(found)

    async def _passages(self, template: str, sentence: str, caller: AppCaller) -> list[str]:
        asked = KnowledgeSearchParams(
            query=sentence[:_MAX_QUERY], template=template, top_k=PASSAGES
        )
        try:
            found = await self._search(asked, caller)
        except KnowledgeNotBound:
            return []
        return [f"{each.title}\n{each.snippet}" for each in found.records]

    async def _tell(self, artifact: StoredArtifact, facts: list[ProposedEvent]) -> None:
        core = self._core
        if core is None:
            return
        try:
            place = await self._place(core, artifact)
            joined = {"turn_id": place.turn_id} if place.turn_id else {}
            told = [each.model_copy(update=joined) for each in facts]
            await core.journal.append(place.session_id, lambda _: told)
        except AppError as error:
            # The verdict itself is kept with the deliverable; a story that cannot be written on stays as it is.
            _log.warning("a verdict was not told", extra={"code": error.code})

    async def _place(self, core: RuntimeCore, artifact: StoredArtifact) -> TaskPlace:
        task_id = artifact.provenance.task_id
        if task_id is not None and self._find_task is not None:
            place = await self._find_task(artifact.app_id, task_id)
            if place is not None:
                return place
        session_id = SessionId(f"quality_{artifact.artifact_id}")
        with suppress(SessionExists):
            await core.sessions.start(
                StartSessionParams(
                    app_id=artifact.app_id, session_id=session_id, title=artifact.title[:500]
                ),
                CallContext(trace_id=TraceId("")),
            )
        return TaskPlace(session_id, None)


def _gates(app: RegisteredApp) -> Mapping[str, QualityGate]:
    """The app's gates; their files are read the first time. Blocks."""
    return app.package.quality_gates.gates


def _schema(app: RegisteredApp, kind: str) -> JsonObject | None:
    """The form that the manifest declares for a kind of artifact. Blocks."""
    package = app.package
    path = next(
        (each.schema_path for each in package.manifest.artifact_types if each.key == kind), None
    )
    return read_schema(package.tree, path)


def _run_all(
    gates: Iterable[QualityGate], subject: Subject, held_to: dict[str, Threshold]
) -> tuple[GateOutcome, ...]:
    run = (run_gate(gate, subject, threshold_of(gate, held_to)) for gate in gates)
    return (*run, *words_gate(subject))


def _templates(app: RegisteredApp, check: GroundingCheck) -> tuple[str, ...]:
    if check.knowledge or check.sources:
        return check.knowledge
    return tuple(each.key for each in app.package.manifest.knowledge_templates)


def set_thresholds(settings: Iterable[RegisteredSetting]) -> dict[str, Threshold]:
    """What gates are held to where somebody set it, and by whom."""
    return {
        each.key.removeprefix("evals.").removesuffix(".threshold"): Threshold(
            float(each.value), each.source
        )
        for each in settings
        if each.key.startswith("evals.") and isinstance(each.value, int | float)
    }


def _banned(settings: Iterable[RegisteredSetting]) -> tuple[BannedWord, ...]:
    return tuple(
        BannedWord(str(word), each.source)
        for each in settings
        if each.key == "content.bannedWords" and isinstance(each.value, list)
        for word in each.value
    )


def _content(artifact: StoredArtifact, body: bytes) -> tuple[JsonValue] | None:
    """What there is to read; None where the bytes are no words."""
    try:
        text = body.decode()
        if artifact.media_type == "application/json":
            return (cast("JsonValue", json.loads(text)),)
    except ValueError:
        return None
    return (text,) if artifact.media_type.startswith("text/") else None
