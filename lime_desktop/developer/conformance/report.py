"""A conformance report: who was examined, every demand with its verdict and evidence, and the seal on all of it."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, TypeAlias

from lime_desktop.developer.conformance.demands import Source
from lime_desktop.protocol.wire import WireModel

FORMAT: Literal["lime-desktop/conformance/v1"] = "lime-desktop/conformance/v1"
Part: TypeAlias = Literal["package", "page", "host", "runtime"]


class Verdict(StrEnum):
    """How a demand stands."""

    HOLDS = "holds"
    FAILS = "fails"
    DOES_NOT_APPLY = "does-not-apply"
    NOT_CHECKED = "not-checked"


class Finding(WireModel):
    """What an examination came to."""

    verdict: Verdict
    why: str
    evidence: tuple[str, ...] = ()
    """What it was seen by, one line each."""


class Judgement(Finding):
    """A demand, and what came of it."""

    id: str
    part: Part
    source: Source
    demand: str


class ExaminedApp(WireModel):
    """Exactly which package this is about."""

    name: str
    title: str
    version: str
    package_hash: str | None = None
    manifest_hash: str | None = None
    signature: str
    """What verifying it came to."""


class ExaminingHost(WireModel):
    """Which host examined it, and what that offers."""

    version: str
    platform: str
    manifest_versions: tuple[str, ...]
    bridge: str
    app_server: str
    runtime_profile: str
    offered: tuple[str, ...]
    refused: Mapping[str, str]
    """Capabilities that every call is refused of, with the reason."""


class Seal(WireModel):
    """A signature over the digest of every part, so that a part that was changed can be named."""

    key: str
    """The public key, `ed25519:` and base64."""
    digests: Mapping[str, str]
    signature: str


class Report(WireModel):
    """The whole of it."""

    format: Literal["lime-desktop/conformance/v1"] = FORMAT
    made_at: str
    app: ExaminedApp
    host: ExaminingHost
    judgements: tuple[Judgement, ...]
    seal: Seal | None = None

    @property
    def failures(self) -> tuple[Judgement, ...]:
        """The demands that are not met."""
        return tuple(each for each in self.judgements if each.verdict is Verdict.FAILS)

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many demands stand how."""
        counted = Counter(each.verdict for each in self.judgements)
        return {verdict: counted[verdict] for verdict in Verdict}


def holds(why: str, *evidence: str) -> Finding:
    """It is met."""
    return Finding(verdict=Verdict.HOLDS, why=why, evidence=evidence)


def fails(why: str, *evidence: str) -> Finding:
    """It is not met."""
    return Finding(verdict=Verdict.FAILS, why=why, evidence=evidence)


def does_not_apply(why: str) -> Finding:
    """There is nothing here that it could be about."""
    return Finding(verdict=Verdict.DOES_NOT_APPLY, why=why)


def not_checked(why: str, *evidence: str) -> Finding:
    """Nobody looked, and here is why."""
    return Finding(verdict=Verdict.NOT_CHECKED, why=why, evidence=evidence)
