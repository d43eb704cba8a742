"""A report as one file that a browser shows: nothing to load, nothing to run, light or dark as the reader has it."""

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from lime_desktop.developer.conformance.report import Judgement, Part, Report, Verdict

_PARTS: Mapping[Part, str] = {
    "package": "The package",
    "page": "The open page",
    "host": "This host",
    "runtime": "Its agent runtime",
}
WORDS: Mapping[Verdict, str] = {
    Verdict.HOLDS: "holds",
    Verdict.FAILS: "fails",
    Verdict.DOES_NOT_APPLY: "does not apply",
    Verdict.NOT_CHECKED: "not checked",
}
_WORST_FIRST = (Verdict.FAILS, Verdict.NOT_CHECKED, Verdict.HOLDS, Verdict.DOES_NOT_APPLY)
_SHOWN_AT_ONCE = 3
"""Evidence longer than this is folded."""


def html_page(report: Report, resources: Path) -> str:
    """The whole page."""
    return "\n".join(_lines(report, (resources / "conformance/report.css").read_text("utf-8")))


def _lines(report: Report, styles: str) -> Iterator[str]:
    title = f"{report.app.title} {report.app.version}"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>Conformance of {escape(title)}</title><style>{styles}</style></head><body>"
    yield f"<h1>{escape(title)}</h1>"
    yield f'<p class="quiet">Conformance to the Agent App standard, {escape(report.made_at)}</p>'
    yield from _filter(report)
    yield _table(_app_rows(report))
    for part, heading in _PARTS.items():
        yield f"<h2>{heading}</h2>"
        if part == "host":
            yield _table(_host_rows(report))
            yield "<p></p>"
        for judgement in _worst_first(report, part):
            yield from _judgement(judgement)
    yield from _seal(report)
    yield "</body></html>"


def _worst_first(report: Report, part: Part) -> list[Judgement]:
    order = list(_WORST_FIRST)
    found = [each for each in report.judgements if each.part == part]
    return sorted(found, key=lambda each: order.index(each.verdict))


def _filter(report: Report) -> Iterator[str]:
    """How many of each verdict there are; choosing one hides the others, by styles alone: nothing here may run."""
    chosen = Verdict.FAILS if report.counts.get(Verdict.FAILS) else None
    total = sum(report.counts.values())
    yield '<fieldset class="counts"><legend class="quiet">Show</legend>'
    yield _choice("all", f"<b>{total}</b> all", is_chosen=chosen is None)
    for verdict in _WORST_FIRST:
        words = f"<b>{report.counts.get(verdict, 0)}</b> {WORDS[verdict]}"
        yield _choice(verdict, words, is_chosen=chosen is verdict)
    yield "</fieldset>"


def _choice(name: str, words: str, *, is_chosen: bool) -> str:
    checked = " checked" if is_chosen else ""
    return f'<label class="{name}"><input type="radio" name="show" id="show-{name}"{checked}>{words}</label>'


def _app_rows(report: Report) -> dict[str, str]:
    app = report.app
    return {
        "App": app.name,
        "Package": app.package_hash or "",
        "Manifest": app.manifest_hash or "",
        "Signature": app.signature,
    }


def _host_rows(report: Report) -> dict[str, str]:
    host = report.host
    return {
        "Version": f"{host.version} on {host.platform}",
        "Manifests": ", ".join(host.manifest_versions),
        "Bridge": host.bridge,
        "App Server": host.app_server,
        "Runtime": host.runtime_profile,
        "Offered": ", ".join(host.offered),
        "Refused": ", ".join(host.refused),
    }


def _table(rows: Mapping[str, str]) -> str:
    cells = (f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in rows.items())
    return f"<dl>{''.join(cells)}</dl>"


def _judgement(judgement: Judgement) -> Iterator[str]:
    yield f'<article class="{judgement.verdict}" id="{escape(judgement.id)}"><div class="head">'
    yield f'<code>{escape(judgement.id)}</code><span class="verdict">{WORDS[judgement.verdict]}</span>'
    yield f'<span class="source">{escape(judgement.source)}</span></div>'
    yield f'<p>{escape(judgement.demand)}</p><p class="quiet">{escape(judgement.why)}</p>'
    yield from _evidence(judgement)
    yield "</article>"


def _evidence(judgement: Judgement) -> Iterator[str]:
    if not judgement.evidence:
        return
    items = "".join(f"<li>{escape(each)}</li>" for each in judgement.evidence)
    shown = f'<ul class="evidence">{items}</ul>'
    if len(judgement.evidence) <= _SHOWN_AT_ONCE or judgement.verdict is Verdict.FAILS:
        yield shown
    else:
        yield f"<details><summary>{len(judgement.evidence)} pieces of evidence</summary>{shown}</details>"


def _seal(report: Report) -> Iterator[str]:
    if report.seal is not None:
        yield "<h2>Signature</h2>"
        yield "<p>Over the JSON form of this report, which <code>lime-desktop conformance --verify</code> checks.</p>"
        yield _table({"Key": report.seal.key, "Signature": report.seal.signature})
