"""Wraps every engine: gives each turn the context of its app, and says in facts what that was.

The engine gets the same turn with more to read. What it reads decides nothing: policy asks the manifest and the
person, never a text.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_server.apps.agent_settings import AgentSettings
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.context.attachments import (
    Attached,
    AttachedFiles,
    needing_sight,
    with_pictures,
    with_sources,
)
from lime_desktop.app_server.context.compaction import Compacted, compact
from lime_desktop.app_server.context.instructions import (
    Composed,
    Part,
    cited,
    compose,
    fitting,
)
from lime_desktop.app_server.context.knowledge import SearchKnowledge, passages_for
from lime_desktop.app_server.context.skills import active_skills, entry_of, persona_of
from lime_desktop.app_server.runtime_core.backend import (
    EngineChoice,
    EngineMiddleware,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.app_server.skills.library import SkillLibrary
from lime_desktop.protocol.calls.turns import RuntimeRequest
from lime_desktop.protocol.capability_calls.knowledge import KnowledgeRecord
from lime_desktop.protocol.errors import AppError, AppNotInstalled
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage

_USUAL_WINDOW = 32_000
_SHARE = 0.5
"""How much of the window the app's texts may take, in characters for each token: about an eighth of it."""
_FILES_SHARE = 1.0
"""The same for the texts that a person or the app attached: about a quarter of it."""

Choose = Callable[[TurnRequest], Awaitable[EngineChoice]]
"""What a turn gets: what was chosen for it, or is chosen now."""


@dataclass(frozen=True, slots=True)
class ContextSources:
    """Where context comes from."""

    apps: RegisteredApps
    store: ContentStore
    skills: SkillLibrary
    search: SearchKnowledge
    choose: Choose
    files: AttachedFiles


class ContextMiddleware(EngineMiddleware):
    """Gives an engine what it has to know of the app whose turn it runs."""

    def __init__(self, engine: ExecutionBackend, sources: ContextSources) -> None:
        super().__init__(engine)
        self._sources = sources

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """What the engine refuses, or chooses, with what its attachments ask of a model."""
        return await self._engine.preflight(await self._with_needs(request))

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Say what the turn is given, then let the engine work on it."""
        enriched, facts = await self._enrich(request)
        for fact in facts:
            yield fact
        stream = cast("AsyncGenerator[ProposedEvent]", self._engine.run_turn(enriched))
        async with aclosing(stream):
            async for event in stream:
                is_shorter = event.type == "context.compaction.completed"
                yield await self._remembered(event, enriched) if is_shorter else event

    async def _enrich(self, request: TurnRequest) -> tuple[TurnRequest, tuple[ProposedEvent, ...]]:
        choice = await self._sources.choose(await self._with_needs(request))
        window, request = choice.context_tokens, replace(request, choice=choice)
        attached = await self._sources.files.read(
            request, int((window or _USUAL_WINDOW) * _FILES_SHARE)
        )
        composed, passages = await self._compose(request, window or _USUAL_WINDOW, attached)
        request = with_sources(request, passages, attached)
        request = with_pictures(request, attached.pictures)
        summary = await self._summary_of(request)
        if request.open_action_ids:
            # Taken up after a restart: what it was given has been said, and its past is the engine's.
            return _with_instructions(request, composed.text, summary), ()

        async def summarize(history: tuple[HistoryMessage, ...]) -> str:
            return await self._engine.summarize(
                request.app_id, history, request.options, request.choice
            )

        compacted = await compact(request, window, summarize, self._keep_summary)
        summary = compacted.summary or summary
        enriched = _with_instructions(request, composed.text, summary)
        facts = (*compacted.facts, *_resolved(composed, passages, compacted, attached))
        epoch = request.context_epoch + (compacted.summary is not None)
        return replace(enriched, history=compacted.history, context_epoch=epoch), facts

    async def _with_needs(self, request: TurnRequest) -> TurnRequest:
        """The turn with what its attachments ask of a model."""
        is_seen = await self._sources.files.has_pictures(request)
        return needing_sight(request) if is_seen else request

    async def _compose(
        self, request: TurnRequest, window: int, attached: Attached
    ) -> tuple[Composed, tuple[KnowledgeRecord, ...]]:
        room = int(window * _SHARE) + sum(len(part.text) for part in attached.parts)
        try:
            app = self._sources.apps.get(request.app_id)
        except AppNotInstalled:
            return compose(attached.parts, room), ()
        now_ms = time.time_ns() // 1_000_000
        passages = await passages_for(app, request, self._sources.search, now_ms)
        parts = [*attached.parts, *await asyncio.to_thread(self._parts, app, request)]
        passages = fitting(passages, room - sum(len(part.text) for part in parts))
        if passages:
            parts.append(Part("knowledge", "passages", cited(passages)))
        return compose(parts, room), passages

    def _parts(self, app: RegisteredApp, request: TurnRequest) -> list[Part]:
        parts: list[Part] = []
        entry = entry_of(request)
        if persona := persona_of(app.package, entry):
            parts.append(Part("persona", str(entry), persona))
        words = AgentSettings(app.registration).wording()
        parts += [Part("setting", key, text) for key, text in words]
        skills = self._sources.skills.skills_of(app.package)
        read = [(skill.name, skill.read()) for skill in active_skills(skills, request)]
        return [*parts, *(Part("skill", name, text) for name, text in read if text)]

    async def _summary_of(self, request: TurnRequest) -> str | None:
        if request.summary_ref is None:
            return None
        try:
            body = await asyncio.to_thread(self._sources.store.read, request.summary_ref)
        except AppError:
            return None
        return body.decode("utf-8", "replace")

    async def _remembered(self, event: ProposedEvent, request: TurnRequest) -> ProposedEvent:
        """What an engine put into words within its turn, kept for the turns to come as far as it was their past."""
        payload = dict(event.payload)
        summary, through = payload.pop("summary", None), payload.get("compactedThroughMessageId")
        if not isinstance(summary, str):
            return event
        payload["summaryRef"] = await self._keep_summary(summary)
        if through is not None:
            payload["boundary"] = {
                "contextEpoch": request.context_epoch + 1,
                "summaryRef": payload["summaryRef"],
                "compactedThroughMessageId": through,
            }
        return event.model_copy(update={"payload": payload})

    async def _keep_summary(self, summary: str) -> str:
        return await asyncio.to_thread(self._sources.store.put, "summary", summary.encode())


def _with_instructions(request: TurnRequest, text: str, summary: str | None) -> TurnRequest:
    asked = request.options.runtime_request or RuntimeRequest()
    past = f"What was said before, in short:\n{summary}" if summary else None
    said = "\n\n".join(filter(None, (asked.system_prompt, text, past)))
    if not said:
        return request
    wishes = asked.model_copy(update={"system_prompt": said})
    return replace(request, options=request.options.model_copy(update={"runtime_request": wishes}))


def _resolved(
    composed: Composed,
    passages: tuple[KnowledgeRecord, ...],
    compacted: Compacted,
    attached: Attached,
) -> tuple[ProposedEvent, ...]:
    is_anything = composed.used or composed.omitted or attached.refs or attached.omissions
    if not is_anything:
        return ()
    payload: JsonObject = {
        "instructionRefs": [part.ref for part in composed.used if part.kind != "knowledge"],
        "omissions": [
            *({"ref": part.ref, "reason": "no_room"} for part in composed.omitted),
            *attached.omissions,
        ],
        "messageCount": len(compacted.history),
        "characters": len(composed.text),
    }
    if attached.refs:
        payload["attachmentRefs"] = list[JsonValue](attached.refs)
    if passages:
        payload["knowledgeRefs"] = list[JsonValue](passage.id for passage in passages)
        payload["citations"] = [
            {"id": passage.id, "title": passage.title, "location": passage.location}
            for passage in passages
        ]
    return (ProposedEvent(type="context.resolved", payload=payload),)
