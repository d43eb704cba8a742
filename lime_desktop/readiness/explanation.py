"""Findings in plain words: messages, severities, and the step that sets each of them right."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.readiness.codes import NOBODY_NAMED
from lime_desktop.readiness.eval_checks import RAN_AT
from lime_desktop.readiness.findings import Finding, Outcome, Tier
from lime_desktop.readiness.naming import name_of
from lime_desktop.readiness.result import Check, SetupAction, Severity
from lime_desktop.readiness.wording import Language
from lime_desktop.readiness.wording.chinese import CHINESE
from lime_desktop.readiness.wording.english import ENGLISH


@dataclass(frozen=True, slots=True)
class Explanation:
    """Says what findings mean, to one person, about one app."""

    language: Language
    contact: str
    successor: str | None
    manifest: Manifest
    locale: str

    def check(self, finding: Finding) -> Check:
        """Show a finding."""
        return Check(
            severity=_severity(finding),
            kind=finding.kind,
            key=finding.key,
            required=finding.tier is Tier.REQUIRED,
            version=finding.version,
            code=finding.verdict.code,
            blocking=finding.is_blocking,
            tier=finding.tier,
            message=self.message(finding),
            remediation=self._remediation(finding),
            outcome=finding.verdict.outcome,
            source=finding.source,
        )

    def message(self, finding: Finding) -> str:
        """The author's words for what is missing, else ours."""
        code = finding.verdict.code
        if code is None:
            details = finding.verdict.details
            words = self.language.ran if RAN_AT in details else self.language.passed
            return words.format(key=self._name(finding), **details)
        if finding.message and finding.verdict.outcome is Outcome.FAILED:
            return finding.message
        return self._filled(self.language.findings[code].message, finding)

    def setup_actions(self, findings: Iterable[Finding]) -> tuple[SetupAction, ...]:
        """One step per thing to do, however many findings ask for it."""
        actions: dict[str, SetupAction] = {}
        for finding in findings:
            if finding.tier is not None and (action := self._setup_action(finding)):
                actions.setdefault(action.key, action)
        return tuple(actions.values())

    def _setup_action(self, finding: Finding) -> SetupAction | None:
        code, remedy = finding.verdict.code, finding.remedy
        if code is None or remedy is None:
            return None
        target = remedy.target.format_map(_Blank(self._values(finding, finding.key)))
        # What somebody else has to do is a thing of its own each time: all of it is what the app lacks.
        where = f"{code}/{finding.key}" if remedy.setup == "external" else target
        return SetupAction(
            key=f"{remedy.setup}:{where}",
            title=self._filled(self.language.findings[code].step, finding),
            description=finding.remediation or finding.reason or self.message(finding),
            kind=remedy.setup,
            target=target,
        )

    def _remediation(self, finding: Finding) -> str | None:
        code = finding.verdict.code
        if code is None or finding.remediation:
            return finding.remediation if code else None
        return self._filled(self.language.findings[code].step, finding)

    def _filled(self, template: str, finding: Finding) -> str:
        # What nobody said leaves no space behind.
        return template.format_map(_Blank(self._values(finding, self._name(finding)))).rstrip()

    def _name(self, finding: Finding) -> str:
        return name_of(finding, self.manifest, self.language, self.locale)

    def _values(self, finding: Finding, key: str) -> dict[str, str]:
        note = self.language.superseded if self.successor else self.language.not_superseded
        return {
            "key": key,
            "contact": self.contact,
            "successor": self.successor or self.contact,
            "successor_note": note.format(successor=self.successor),
            **{name: self._in_language(text) for name, text in finding.verdict.details.items()},
        }

    def _in_language(self, detail: str) -> str:
        for english, ours in self.language.reasons.items():
            detail = detail.replace(english, ours)
        return detail


class _Blank(dict[str, str]):
    """A detail that a verdict does not have is shown as a dash, never as an error."""

    def __missing__(self, key: str) -> str:
        del key
        return "–"


def explain_in(locale: str, manifest: Manifest) -> Explanation:
    """Choose the language, and find out whom the package says to turn to."""
    is_chinese = locale.lower().startswith("zh")
    window = manifest.support_window
    return Explanation(
        language=CHINESE if is_chinese else ENGLISH,
        contact=_contact(manifest),
        successor=window.superseded_by if window else None,
        manifest=manifest,
        locale=locale,
    )


def _contact(manifest: Manifest) -> str:
    support, publisher = manifest.support, manifest.publisher
    addresses: Mapping[str, str | None] = {
        "support": support.url if support else None,
        "mail": f"mailto:{support.email}" if support and support.email else None,
        "issues": manifest.issues,
        "homepage": manifest.homepage,
        "publisher": publisher.homepage if publisher else None,
    }
    return next((address for address in addresses.values() if address), NOBODY_NAMED)


def _severity(finding: Finding) -> Severity:
    if finding.verdict.is_passed or finding.tier in {None, Tier.PERFORMANCE}:
        return "info"
    return "error" if finding.is_blocking else "warning"
