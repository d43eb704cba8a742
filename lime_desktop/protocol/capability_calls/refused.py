"""Capabilities that the published SDK names and this host refuses; the catalogue says why.

Their arguments are declared all the same, so that an app written for another host compiles.
"""

from pydantic import Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, NoResult
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import Maybe


class BrowserOpenParams(CallParams):
    """A browser to open."""

    url: Maybe[str] = None
    profile: Maybe[str] = None


class BrowserSessionParams(CallParams):
    """The browser meant."""

    session_id: str


class BrowserNavigateParams(BrowserSessionParams):
    """Where to go."""

    url: str


class BrowserExtractParams(BrowserSessionParams):
    """What to read."""

    selector: Maybe[str] = None


class BrowserScreenshotParams(BrowserSessionParams):
    """What to picture."""

    full_page: bool = False


class GenerateImageParams(CallParams):
    """An image to make."""

    prompt: str
    options: Maybe[JsonObject] = None


class EditImageParams(CallParams):
    """An image to change."""

    ref: str
    prompt: str
    options: Maybe[JsonObject] = None


class TranscribeParams(CallParams):
    """A recording to write down."""

    ref: str
    options: Maybe[JsonObject] = None


class SynthesizeVoiceParams(CallParams):
    """A text to speak."""

    text: str
    voice: Maybe[str] = None
    options: Maybe[JsonObject] = None


class MemoryQueryParams(CallParams):
    """What to recall."""

    query: str
    scope: Maybe[str] = None


class MemoryWriteParams(CallParams):
    """What to remember."""

    scope: str
    value: JsonValue


class MemoryCompactParams(CallParams):
    """What to shorten, and why."""

    scope: Maybe[str] = None
    reason: Maybe[str] = None


class ScopeParams(CallParams):
    """The scope meant."""

    scope: Maybe[str] = None


class AttachContextParams(CallParams):
    """What to attach."""

    ref: str
    kind: Maybe[str] = None


class DetachContextParams(CallParams):
    """What to take off."""

    ref: str


class StartJobParams(CallParams):
    """A job to start."""

    job_kind: str
    input: JsonValue = Field(None)


class JobParams(CallParams):
    """The job meant."""

    job_id: str


CALLS = (
    Call("lime.browser", "open", BrowserOpenParams, NoResult, Effect.EXTERNAL, "Open a browser."),
    Call("lime.browser", "navigate", BrowserNavigateParams, NoResult, Effect.EXTERNAL,
         "Go to a page."),
    Call("lime.browser", "extract", BrowserExtractParams, NoResult, Effect.EXTERNAL,
         "Read a page."),
    Call("lime.browser", "screenshot", BrowserScreenshotParams, NoResult, Effect.EXTERNAL,
         "Picture a page."),
    Call("lime.browser", "close", BrowserSessionParams, NoResult, Effect.EXECUTE,
         "Close a browser."),
    Call("lime.media", "generateImage", GenerateImageParams, NoResult, Effect.EXTERNAL,
         "Make an image."),
    Call("lime.media", "editImage", EditImageParams, NoResult, Effect.EXTERNAL,
         "Change an image."),
    Call("lime.media", "transcribe", TranscribeParams, NoResult, Effect.EXTERNAL,
         "Write a recording down."),
    Call("lime.media", "synthesizeVoice", SynthesizeVoiceParams, NoResult, Effect.EXTERNAL,
         "Speak a text."),
    Call("lime.memory", "query", MemoryQueryParams, NoResult, Effect.READ, "Recall."),
    Call("lime.memory", "write", MemoryWriteParams, NoResult, Effect.WRITE, "Remember."),
    Call("lime.memory", "compact", MemoryCompactParams, NoResult, Effect.WRITE,
         "Shorten what is remembered."),
    Call("lime.memory", "getStatus", ScopeParams, NoResult, Effect.READ, "How full it is."),
    Call("lime.context", "getSnapshot", ScopeParams, NoResult, Effect.READ, "What is attached."),
    Call("lime.context", "attach", AttachContextParams, NoResult, Effect.WRITE, "Attach."),
    Call("lime.context", "detach", DetachContextParams, NoResult, Effect.WRITE, "Take off."),
    Call("lime.automation", "startJob", StartJobParams, NoResult, Effect.EXECUTE, "Start a job."),
    Call("lime.automation", "getJob", JobParams, NoResult, Effect.READ, "How a job stands."),
    Call("lime.automation", "cancelJob", JobParams, NoResult, Effect.EXECUTE, "Stop a job."),
)  # fmt: skip
