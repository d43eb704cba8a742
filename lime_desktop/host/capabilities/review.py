"""lime.review: decisions that a person takes in the host's own window."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.review import (
    ListPendingParams,
    ListPendingResult,
    RequestDecisionParams,
    SubmitDecisionParams,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    reviews, app_id = services.approvals.reviews, services.app_id

    def request(params: RequestDecisionParams) -> BaseModel:
        return reviews.request(app_id, params.subject, params.payload)

    def submit(params: SubmitDecisionParams) -> BaseModel:
        return reviews.submit(app_id, params.decision_id, params.decision, params.note)

    def list_pending(params: ListPendingParams) -> BaseModel:
        return ListPendingResult(reviews.pending(app_id, params.subject))

    return {
        "lime.review.requestDecision": request,
        "lime.review.submitDecision": submit,
        "lime.review.listPending": list_pending,
    }
