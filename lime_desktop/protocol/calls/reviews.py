"""review/*: what an app or its agent wants a person to decide on, kept like every other fact of a run."""

from pydantic import Field

from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.capability_calls.review import ReviewDecision
from lime_desktop.protocol.ids import ActionId, AppId, NonEmpty, SessionId
from lime_desktop.protocol.wire import Method, WireModel

MAX_REVIEW_CHARACTERS = 2_000_000


class RequestReviewParams(HostOnlyParams):
    """Have a person decide. Asked again with the same content, it is the same review until the app has its answer."""

    app_id: NonEmpty[AppId]
    subject: NonEmpty[str] = Field(max_length=1_000)
    payload_json: str = Field(default="null", max_length=MAX_REVIEW_CHARACTERS)
    """What the person sees, as JSON text: the names of an app's own fields are its business."""


class ReviewResult(WireModel):
    """A review of an app as it stands."""

    session_id: SessionId
    """Where its facts are."""
    review: ReviewDecision


class ReadReviewParams(HostOnlyParams):
    """One review of an app."""

    app_id: NonEmpty[AppId]
    decision_id: NonEmpty[str]


class ListReviewsParams(HostOnlyParams):
    """The reviews of an app that nobody has decided yet."""

    app_id: NonEmpty[AppId]
    subject: NonEmpty[str] | None = None


class ListReviewsResult(WireModel):
    """The oldest first."""

    reviews: tuple[ReviewDecision, ...]


class ReadReviewContentParams(HostOnlyParams):
    """What an open question wants a person to look at."""

    session_id: NonEmpty[SessionId]
    action_id: NonEmpty[ActionId]


class ReadReviewContentResult(WireModel):
    """The content as JSON text."""

    content_json: str


REQUEST_REVIEW = Method("review/request", RequestReviewParams, ReviewResult)
READ_REVIEW = Method("review/read", ReadReviewParams, ReviewResult)
LIST_REVIEWS = Method("review/list", ListReviewsParams, ListReviewsResult)
READ_REVIEW_CONTENT = Method("review/content", ReadReviewContentParams, ReadReviewContentResult)
