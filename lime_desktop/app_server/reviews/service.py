"""Answers lime.review and review/*: a review is a session whose one turn waits for a person. Nothing of it is held in memory."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.reviews.review_request import ReviewRequest
from lime_desktop.app_server.reviews.rows import ReviewRow, find_reviews
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.review_names import is_about, name_of, names_about
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.actions import (
    READ_REVIEW,
    READ_REVIEW_CONTENT,
    ReadReviewContentParams,
    ReadReviewContentResult,
    ReadReviewParams,
    ReadReviewResult,
)
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.calls.turns import StartTurnParams, TurnInput
from lime_desktop.protocol.capability_calls.review import (
    LIST_PENDING,
    REQUEST_DECISION,
    SUBMIT_DECISION,
    Decision,
    ListPendingParams,
    ListPendingResult,
    RequestDecisionParams,
    ReviewDecision,
    SubmitDecisionParams,
)
from lime_desktop.protocol.errors import ActionClosed, ActionNotFound, RateLimited, SessionExists
from lime_desktop.protocol.ids import AppId, SessionId, TraceId
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.threads import PendingAction

_PUT_S = 10.0
_ENDED = frozenset({"completed", "failed", "canceled"})
MOST_OPEN = 50
"""Of one app: whoever asks for more waits until some are decided."""


class AppReviews:
    """The reviews of every app, read from the log and written to it."""

    def __init__(self, core: RuntimeCore) -> None:
        self._core = core
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._put: dict[str, asyncio.Future[bool]] = {}
        """Questions that are about to become facts, by their session."""
        core.subscribe(self._on_events)

    def serve(self, routes: Routes, calls: AppCalls) -> None:
        """Answer every method of review, and what apps ask of theirs."""
        routes.add(READ_REVIEW, self.read)
        routes.add(READ_REVIEW_CONTENT, self.read_content)
        calls.add(REQUEST_DECISION, self.request)
        calls.add(SUBMIT_DECISION, self.submit)
        calls.add(LIST_PENDING, self.list_pending)

    async def request(self, params: RequestDecisionParams, caller: AppCaller) -> ReviewDecision:
        """Ask, or say how the same review stands; an answer is given out once, and kept for good."""
        app_id, content = caller.app_id, params.payload
        about = names_about(app_id, params.subject)
        async with self._asking[app_id]:
            known = await self._find(app_id, about)
            for row in known:
                if row.is_open:
                    return await self._state(row)
            for row in known:
                same = row.is_decided and is_about(row.action.action_id, content)
                if same and not row.is_told:
                    await self._note_told(row.session_id)
                    return await self._state(row)
            await self._require_room(app_id)
            number = sum(is_about(row.action.action_id, content) for row in known)
            return await self._ask(params, caller, number)

    async def submit(self, params: SubmitDecisionParams, caller: AppCaller) -> ReviewDecision:
        """Take note that a decision was made in the app's own page: it is the person's once they made it in the window.

        Raises:
            ActionNotFound: the app asked for no such decision.
            ActionClosed: it has been taken.
        """
        review = await self._named(caller.app_id, params.decision_id)
        if review.status != "pending":
            raise ActionClosed("This review is already answered")
        return review

    async def list_pending(self, params: ListPendingParams, caller: AppCaller) -> ListPendingResult:
        """What nobody has decided yet."""
        begins = names_about(caller.app_id, params.subject) if params.subject else "decision_"
        rows = [row for row in await self._find(caller.app_id, begins) if row.is_open]
        return ListPendingResult(tuple([await self._state(row) for row in rows]))

    async def read(self, params: ReadReviewParams, context: CallContext) -> ReadReviewResult:
        """One review, whoever has heard of its answer."""
        del context
        review = await self._named(params.app_id, params.decision_id)
        return ReadReviewResult(review=review)

    async def stands(self, app_id: AppId, decision_id: str) -> ReviewDecision:
        """The same for somebody in this process.

        Raises:
            ActionNotFound: no such decision was asked for.
        """
        return await self._named(app_id, decision_id)

    async def read_content(
        self, params: ReadReviewContentParams, context: CallContext
    ) -> ReadReviewContentResult:
        """What a person is to look at, in full."""
        del context
        action = await self._core.journal.read(
            params.session_id,
            lambda connection, row: SessionReader.of(connection, row).one(
                PendingAction, "action", params.action_id
            ),
        )
        if action is None or action.output_ref is None:
            raise ActionNotFound("No review of this id was asked for")
        content = await asyncio.to_thread(self._core.store.read, action.output_ref)
        return ReadReviewContentResult(value=content)

    async def _named(self, app_id: AppId, decision_id: str) -> ReviewDecision:
        for row in await self._find(app_id, decision_id):
            if row.action.action_id == decision_id:
                return await self._state(row)
        raise ActionNotFound("This app asked for no such decision")

    async def _ask(
        self, params: RequestDecisionParams, caller: AppCaller, number: int
    ) -> ReviewDecision:
        app_id, content = caller.app_id, params.payload
        body = msgspec.json.encode(content)
        # On disk before any fact names it.
        content_ref = await asyncio.to_thread(self._core.store.put, "output", body)
        context = CallContext(trace_id=caller.trace_id or TraceId(""))
        while True:
            name = name_of(app_id, params.subject, content, number)
            review = ReviewRequest(params.subject, content_ref, name)
            if await self._is_put(app_id, review, context):
                break
            number += 1  # a process died before the question was a fact: nobody saw it
        return ReviewDecision(
            decision_id=name,
            subject=params.subject,
            status="pending",
            payload=content,
            requested_at=now(),
        )

    async def _is_put(self, app_id: AppId, review: ReviewRequest, context: CallContext) -> bool:
        """Put the question, and wait until it is a fact: what was said to be pending outlives any process."""
        is_asked = self._put[review.session_id] = asyncio.get_running_loop().create_future()
        try:
            with suppress(SessionExists):  # an earlier request got no further
                await self._core.sessions.start(
                    StartSessionParams(
                        app_id=app_id, session_id=review.session_id, title=review.subject[:500]
                    ),
                    context,
                )
            started = await self._core.turns.start(
                StartTurnParams(
                    session_id=review.session_id,
                    turn_id=review.turn_id,
                    input=TurnInput(text=review.subject),
                    runtime_options=review.options(),
                ),
                context,
            )
            if started.turn.status in _ENDED:
                return False
            async with asyncio.timeout(_PUT_S):
                return await is_asked
        except TimeoutError:
            return True  # it is asked as soon as the disk lets it
        finally:
            del self._put[review.session_id]

    def _on_events(self, _app_id: str, events: tuple[RuntimeEvent, ...]) -> None:
        for event in events:
            waiting = self._put.get(event.session_id)
            if waiting is not None and not waiting.done():
                if event.type == "action.required":
                    waiting.set_result(True)
                elif event.type in TURN_TERMINALS:
                    waiting.set_result(False)

    async def _find(self, app_id: AppId, begins: str) -> Sequence[ReviewRow]:
        return await self._core.journal.database.read(
            lambda connection: find_reviews(connection, app_id, begins)
        )

    async def _require_room(self, app_id: AppId) -> None:
        rows = await self._find(app_id, "decision_")
        if sum(row.is_open for row in rows) >= MOST_OPEN:
            raise RateLimited("Too many of this app's reviews wait for a person")

    async def _note_told(self, session_id: SessionId) -> None:
        closed = fact("session.updated", payload={"status": "closed"})
        await self._core.journal.append(session_id, lambda _: [closed])

    async def _state(self, row: ReviewRow) -> ReviewDecision:
        action, said = row.action, row.action.model_extra or {}
        content = await self._read_json(action.output_ref)
        changed = await self._changed(said)
        decision = _decision(row, is_changed=changed is not None) if row.is_decided else None
        return ReviewDecision(
            decision_id=action.action_id,
            subject=action.title or "",
            status="pending" if decision is None else "decided",
            decision=decision,
            note=_text(said.get("message")),
            payload=content if changed is None or decision == "reject" else changed[0],
            requested_at=action.required_at or now(),
            decided_at=_text(said.get("resolvedAt")),
        )

    async def _changed(self, said: dict[str, object]) -> tuple[JsonValue] | None:
        """What the person made of the content; None where they left it."""
        if reference := _text(said.get("responseRef")):
            return (await self._read_json(reference),)
        response = _text(said.get("response"))
        return None if response is None else (msgspec.json.decode(response),)

    async def _read_json(self, reference: str | None) -> JsonValue:
        if reference is None:
            return None
        return msgspec.json.decode(await asyncio.to_thread(self._core.store.read, reference))


def _decision(row: ReviewRow, *, is_changed: bool) -> Decision:
    decided = (row.action.model_extra or {}).get("decision")
    if decided != "allow":
        return "reject"
    return "modify" if is_changed else "approve"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
