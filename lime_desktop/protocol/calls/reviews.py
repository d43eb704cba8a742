"""review/*: what the window itself reads of reviews: how one stands, and what is to be looked at."""

from lime_desktop.protocol.app_call import AppCallResult
from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.capability_calls.review import ReviewDecision
from lime_desktop.protocol.ids import ActionId, AppId, NonEmpty, SessionId
from lime_desktop.protocol.wire import Method, WireModel


class ReadReviewParams(HostOnlyParams):
    """One review of an app."""

    app_id: NonEmpty[AppId]
    decision_id: NonEmpty[str]


class ReadReviewResult(WireModel):
    """The review as it stands."""

    review: ReviewDecision


class ReadReviewContentParams(HostOnlyParams):
    """What an open question wants a person to look at."""

    session_id: NonEmpty[SessionId]
    action_id: NonEmpty[ActionId]


class ReadReviewContentResult(AppCallResult):
    """The content, as it was asked for: any value."""


READ_REVIEW = Method("review/read", ReadReviewParams, ReadReviewResult)
READ_REVIEW_CONTENT = Method("review/content", ReadReviewContentParams, ReadReviewContentResult)
