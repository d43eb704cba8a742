"""What the gates of a version said when somebody was content, and what got worse since. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import Field, ValidationError

from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_server.quality.cases import CaseResult
from lime_desktop.protocol.wire import WireModel

BASELINE = "evals/baseline.json"
"""Where a package keeps what its gates said the last time somebody was content."""
_TOLERANCE = 0.0001


class KeptScore(WireModel):
    """What a baseline says of one case."""

    accepted: bool
    score: float | None = None


class Baseline(WireModel):
    """What the gates of one version said."""

    app: str
    version: str
    results: dict[str, KeptScore] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Regression:
    """A case that did better before."""

    name: str
    before: KeptScore
    now: KeptScore | None
    """None where nobody judges it any more."""


def kept_scores(results: Iterable[CaseResult]) -> dict[str, KeptScore]:
    """What is kept of verdicts, by the names of their cases."""
    return {each.name: _kept(each) for each in results if each.outcome is not None}


def regressions(now: Mapping[str, KeptScore], baseline: Baseline) -> tuple[Regression, ...]:
    """What got worse: a case that passes no more, one with a lower score, one that is gone."""
    return tuple(
        Regression(name, before, now.get(name))
        for name, before in baseline.results.items()
        if _is_worse(before, now.get(name))
    )


def kept_baseline(tree: PackageTree) -> Baseline | None:
    """The baseline that a package brings.

    Raises:
        ValueError: it is there, and no baseline.
    """
    return read_baseline(tree.read(BASELINE)) if BASELINE in tree.files else None


def read_baseline(body: bytes) -> Baseline:
    """A baseline from its file.

    Raises:
        ValueError: it is none.
    """
    try:
        return Baseline.model_validate_json(body)
    except ValidationError:
        raise ValueError("not a baseline") from None


def _kept(result: CaseResult) -> KeptScore:
    score = result.outcome.score if result.outcome else None
    return KeptScore(accepted=result.is_as_expected, score=score)


def _is_worse(before: KeptScore, now: KeptScore | None) -> bool:
    if now is None or (before.accepted and not now.accepted):
        return True
    return (
        before.score is not None
        and now.score is not None
        and now.score < before.score - _TOLERANCE
        and before.accepted
    )
