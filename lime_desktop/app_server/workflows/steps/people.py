"""States that wait for a person: one who decides on content, and one who fills in a form. Nothing is held in memory for them."""

import asyncio
from typing import cast

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.agent_tasks.field_titles import field_titles
from lime_desktop.app_server.reviews.review_request import ReviewRequest
from lime_desktop.app_server.reviews.service import AppReviews
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.review_names import form_name, name_of
from lime_desktop.app_server.workflows.outcomes import Done, Ends, Outcome, Waits, failed
from lime_desktop.app_server.workflows.steps.data import failure_of
from lime_desktop.app_server.workflows.steps.step_kind import AtStep, Scope, StepKind
from lime_desktop.app_server.workflows.steps.titles import StepTitles
from lime_desktop.app_server.workflows.steps.turns import StepTurns
from lime_desktop.protocol.capability_calls.review import ReviewDecision
from lime_desktop.protocol.errors import ActionNotFound, AppError
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.threads import PendingAction
from lime_desktop.workflow_model.expressions.templates import fill_template
from lime_desktop.workflow_model.states import HumanReviewState, Schema, UserInputState


class HumanReviewKind(StepKind[HumanReviewState]):
    """Puts content to a person, and goes the way that they chose."""

    def __init__(
        self, core: RuntimeCore, reviews: AppReviews, turns: StepTurns, titles: StepTitles
    ) -> None:
        self._core = core
        self._reviews = reviews
        self._turns = turns
        self._titles = titles

    def given(self, state: HumanReviewState, scope: Scope) -> JsonValue:
        """Exactly what is decided on."""
        return fill_template(state.content, scope)

    async def begin(self, at: AtStep[HumanReviewState]) -> Outcome:
        """Ask."""
        state, detail = at.state, at.step.detail
        body = msgspec.json.encode(at.given)
        try:
            # On disk before any fact names it.
            content_ref = await asyncio.to_thread(self._core.store.put, "output", body)
            name = name_of(at.run.app_id, at.step.step_id, at.given, detail.attempt)
            titles = tuple(field_titles(_plain(state.schema))) if state.schema else ()
            review = ReviewRequest(self._titles.of_step(at), content_ref, name, titles=titles)
            place = await self._turns.begin_with(
                at, review.options(), review.subject, review.turn_id
            )
        except AppError as error:
            return failure_of(error)
        due = None if state.deadline_s is None else at.now_ms + int(state.deadline_s * 1_000)
        return Waits("review", due, "deadline" if due else None, {**place, "action_id": name})

    async def look(self, at: AtStep[HumanReviewState]) -> Outcome:
        """Has a person decided?"""
        name = at.step.detail.action_id
        if name is None:
            return await self.begin(at)
        try:
            review = await self._reviews.stands(at.run.app_id, name)
        except ActionNotFound:
            # It is about to become a fact.
            return Waits("review")
        if review.decision is None:
            if await self._turns.last_event(at) is None:
                return Waits("review")
            # Read once more: the answer that ended the turn may have come since.
            review = await self._reviews.stands(at.run.app_id, name)
        if review.decision is None:
            return failed("cancelled", "The question was taken back before anybody decided.")
        return self._decided(at, review)

    async def stop(self, at: AtStep[HumanReviewState]) -> None:
        """Take the question back."""
        await self._turns.cancel(at)

    def _decided(self, at: AtStep[HumanReviewState], review: ReviewDecision) -> Outcome:
        state, decision = at.state, review.decision
        notes: dict[str, object] = {
            "decision": decision,
            "decided_by": "person",
            "note": review.note,
        }
        if decision == "reject":
            return rejected(state, review.note, notes)
        way = state.modify if decision == "modify" else state.approve
        return Done(review.payload, next=(way,) if way else (), notes=notes)


def rejected(state: HumanReviewState, note: str | None, notes: dict[str, object]) -> Outcome:
    """What a no leads to: a state that takes the note up, or the end of the run."""
    output: JsonObject = {"decision": "reject", "note": note}
    if state.reject is not None:
        return Done(output, next=(state.reject,), notes=notes)
    return Ends("cancelled", output, notes=notes)


class UserInputKind(StepKind[UserInputState]):
    """Has a person fill in a form."""

    def __init__(self, core: RuntimeCore, turns: StepTurns, titles: StepTitles) -> None:
        self._core = core
        self._turns = turns
        self._titles = titles

    async def begin(self, at: AtStep[UserInputState]) -> Outcome:
        """Ask."""
        state = at.state
        form = _plain(state.form)
        name = form_name(at.run.app_id, at.step.step_id, form, at.step.detail.attempt)
        wanted = ReviewRequest(
            self._titles.of_step(at), "", name, form=form, prompt=state.description
        )
        try:
            place = await self._turns.begin_with(
                at, wanted.options(), wanted.subject, wanted.turn_id
            )
        except AppError as error:
            return failure_of(error)
        due = None if state.deadline_s is None else at.now_ms + int(state.deadline_s * 1_000)
        return Waits("input", due, "deadline" if due else None, {**place, "action_id": name})

    async def look(self, at: AtStep[UserInputState]) -> Outcome:
        """Has somebody filled it in?"""
        detail = at.step.detail
        if detail.action_id is None or detail.session_id is None:
            return await self.begin(at)
        action_id = detail.action_id
        action = await self._core.journal.read(
            detail.session_id,
            lambda connection, row: SessionReader.of(connection, row).one(
                PendingAction, "action", action_id
            ),
        )
        if action is None or action.status == "required":
            return Waits("input")
        said = action.model_extra or {}
        notes: dict[str, object] = {"decided_by": "person", "note": said.get("message")}
        if said.get("decision") != "allow":
            return failed("APP_E027", "The form was not filled in.", is_final=True)
        return Done(cast("JsonValue", said.get("userData") or {}), notes=notes)

    async def stop(self, at: AtStep[UserInputState]) -> None:
        """Take the form back."""
        await self._turns.cancel(at)


def _plain(schema: Schema) -> JsonObject:
    return cast("JsonObject", msgspec.to_builtins(dict(schema)))
