"""What the app asks the host to check: before it starts (readiness) and while it runs (health)."""

from lime_desktop.app_package.manifest.values import Items, ManifestModel, Text

Expectation = str | int | float | bool


class ReadinessCheck(ManifestModel):
    """One check before the start. Kinds are open: an unknown one is never a silent pass."""

    check: Text
    expect: Expectation | None = None
    """A version range, `current`, or a bound with a unit such as `>= 100MB`."""
    capability: str | None = None
    template: str | None = None
    tool: str | None = None
    permission: str | None = None
    blocker: bool | None = None
    message: str | None = None
    remediation: str | None = None


class ReadinessChecks(ManifestModel):
    """The three tiers of `evals/readiness.yaml`."""

    required: Items[ReadinessCheck] = ()
    recommended: Items[ReadinessCheck] = ()
    performance: Items[ReadinessCheck] = ()


class StartupCheck(ManifestModel):
    """A check that must answer within `timeout` when the app starts."""

    check: Text
    timeout: str | None = None
    critical: bool | None = None


class RuntimeCheck(ManifestModel):
    """A check that is repeated every `interval`."""

    check: Text
    interval: str | None = None
    critical: bool | None = None


class HealthMetric(ManifestModel):
    """A measure and the bound it should keep."""

    metric: Text
    threshold: Expectation | None = None
    alert: bool | None = None


class Health(ManifestModel):
    """The content of `evals/health.yaml`."""

    startup: Items[StartupCheck] = ()
    runtime: Items[RuntimeCheck] = ()
    metrics: Items[HealthMetric] = ()
