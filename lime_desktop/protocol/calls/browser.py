"""browser/*: an agent's steps in a web page. The window fetches each one, takes it where the person sees it, and answers."""

from typing import Literal, TypeAlias

from pydantic import Field

from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, SecretText, WireModel

BrowserAction: TypeAlias = Literal[
    "open", "read", "follow", "click", "type", "typeSecret", "screenshot", "back", "close"
]
BrowserFailure: TypeAlias = Literal[
    "site_not_granted",
    "load_failed",
    "no_page",
    "page_changed",
    "element_unknown",
    "not_a_link",
    "not_a_field",
    "not_a_password_field",
    "stopped_by_person",
    "step_timed_out",
]


class NextBrowserStepParams(HostOnlyParams):
    """Wait for a step to take. Whoever asks has a window to show it in."""


class BrowserStep(WireModel):
    """One thing to do in the page of one session."""

    step_id: str
    browser_id: str
    """The session: another one is another window, which knows nothing of this one."""
    app_id: AppId
    provider: str
    action: BrowserAction
    url: Maybe[str] = None
    element: Maybe[str] = None
    text: Maybe[str] = None
    secret: Maybe[SecretText] = None
    """To be typed and forgotten; shown nowhere."""
    secret_name: Maybe[str] = None
    host: Maybe[str] = None
    """Where the page must still be: what was judged holds for that site alone."""


class NextBrowserStepResult(WireModel):
    """The step, or none: then ask again."""

    step: Maybe[BrowserStep] = None


class BrowserElement(WireModel):
    """Something in the page that can be used, by a name that holds until the page changes."""

    element: str
    kind: Literal["link", "button", "field", "password", "choice"]
    name: str = Field(max_length=200)


class AnswerBrowserStepParams(HostOnlyParams):
    """What came of a step. Everything in it but the failure is a page's word."""

    step_id: NonEmpty[str]
    failure: Maybe[BrowserFailure] = None
    url: Maybe[str] = Field(default=None, max_length=4_000)
    title: Maybe[str] = Field(default=None, max_length=1_000)
    text: Maybe[str] = Field(default=None, max_length=200_000)
    elements: tuple[BrowserElement, ...] = Field(default=(), max_length=500)
    picture: Maybe[str] = Field(default=None, max_length=6_000_000)
    """A PNG, in base64."""


class AnswerBrowserStepResult(WireModel):
    """Whether anybody still waited for it."""

    was_awaited: bool


NEXT_BROWSER_STEP = Method("browser/next", NextBrowserStepParams, NextBrowserStepResult)
ANSWER_BROWSER_STEP = Method("browser/answer", AnswerBrowserStepParams, AnswerBrowserStepResult)
