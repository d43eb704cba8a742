"""eval/*: an app's evals on the cases that it brings. Counts and scores cross, and no content."""

from pydantic import Field

from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, WireModel


class EvalTally(WireModel):
    """What judging cases of one eval came to."""

    cases: int = Field(default=0, ge=0)
    """Those that were judged."""
    wrong: int = Field(default=0, ge=0)
    """Those judged otherwise than their author says."""
    worse: int = Field(default=0, ge=0)
    """Those that did better in the baseline that the package brings, or are gone since."""
    score: Maybe[float] = None
    """The lowest among the cases that are to be accepted; None where there is none."""


class EvalOutcome(EvalTally):
    """What came of an eval that was run to its end."""

    eval_key: NonEmpty[str]
    at_ms: int
    threshold: float
    """What it was held to."""

    @property
    def is_passed(self) -> bool:
        """Whether something was judged, every verdict is the author's, and nothing got worse."""
        return self.cases > 0 and not (self.wrong or self.worse)


class RunEvalParams(HostOnlyParams):
    """Judge some cases of an eval. Asked again with what is next, it goes on: so a client can stop, and tell how far it is."""

    app_id: NonEmpty[AppId]
    eval_key: NonEmpty[str]
    first: int = Field(default=0, ge=0)
    """The case to begin with."""


class RunEvalResult(WireModel):
    """What these cases came to."""

    package_hash: str
    """The bytes that they are of."""
    tally: EvalTally
    threshold: float
    total: int
    """All cases that can be judged."""
    next: Maybe[int] = None
    """Where to go on; None where that was the last."""


RUN_EVAL = Method("eval/run", RunEvalParams, RunEvalResult)
