"""What an author says about an app beside what it does: people, dates, links, terms. Words and claims, judged by nobody."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lime_desktop.app_package.manifest import Manifest, Person, Repository, parse_time
from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.wording.joining import named
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line, plain_name, plain_text

MOST_CHANGELOG_BYTES = 256 * 1024
_OPENED = frozenset({"https", "http"})
"""Addresses that a browser is given; of any other the text is shown and nothing is opened."""


@dataclass(frozen=True, slots=True)
class AboutLine:
    """One thing that the author says; `key` finds the words for it."""

    key: str
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    choice: str | None = None
    """A word of the standard's own, such as `subscription`, for which there are texts."""
    url: str | None = None
    """Where it leads, if a browser can go there."""

    def words(self, texts: Texts) -> str:
        """As it is read."""
        said = texts(f"about.{self.key}.{self.choice}") if self.choice else self.values["text"]
        return named(texts, texts(f"about.{self.key}"), said)


def about_lines(manifest: Manifest) -> tuple[AboutLine, ...]:
    """Everything that is said, in the order in which a person asks for it."""
    return (
        *_people(manifest),
        *_dates(manifest),
        *_links(manifest),
        *_terms(manifest),
        *_promises(manifest),
    )


def changelog_of(package: AppPackage) -> str | None:
    """What changed, where the changelog is a file of the package; None where it is not. Blocks."""
    path = (package.manifest.changelog or "").removeprefix("./")
    entry = package.tree.files.get(path)
    if entry is None or entry.size > MOST_CHANGELOG_BYTES:
        return None
    try:
        return plain_text(package.tree.read(path).decode("utf-8", "replace"))
    except OSError:
        return None


def _people(manifest: Manifest) -> Iterator[AboutLine]:
    author = manifest.author
    if author is not None:
        yield _listed("author", [_person(author)])
    if manifest.maintainers:
        yield _listed("maintainers", [_person(each, each.role) for each in manifest.maintainers])
    if manifest.contributors:
        yield _listed("contributors", map(_person, manifest.contributors))
    publisher = manifest.publisher
    if publisher is not None and publisher.email:
        yield AboutLine("publisher-email", {"text": plain_line(publisher.email)})
    if publisher is not None and publisher.country:
        yield AboutLine("publisher-country", {"text": plain_line(publisher.country)})


def _dates(manifest: Manifest) -> Iterator[AboutLine]:
    for name, written in (
        ("created", manifest.created_at),
        ("updated", manifest.updated_at),
        ("released", manifest.released_at),
    ):
        if written is not None:
            yield AboutLine(name, {"text": parse_time(written).date().isoformat()})


def _links(manifest: Manifest) -> Iterator[AboutLine]:
    support, publisher = manifest.support, manifest.publisher
    source = manifest.repository
    yield from _each_link(
        {
            "homepage": manifest.homepage,
            "publisher-homepage": publisher.homepage if publisher else None,
            "documentation": manifest.documentation,
            "support": support.url if support else None,
            "issues": manifest.issues,
            "status-page": support.status_page_url if support else None,
            "discussions": support.discussions_url if support else None,
            "discord": support.discord_url if support else None,
            "slack": support.slack_url if support else None,
            "repository": source.url if isinstance(source, Repository) else source,
            "changelog": manifest.changelog,
        }
    )
    if support is not None and support.email:
        yield AboutLine("support-email", {"text": plain_line(support.email)})
    if support is not None and support.response_sla:
        yield AboutLine("response", {"text": plain_line(support.response_sla)})


def _terms(manifest: Manifest) -> Iterator[AboutLine]:
    if manifest.license:
        yield AboutLine("license", {"text": plain_line(manifest.license)})
    if manifest.copyright:
        yield AboutLine("copyright", {"text": plain_line(manifest.copyright)})
    compliance, terms = manifest.compliance, manifest.distribution
    yield from _each_link(
        {
            "license-text": manifest.license_url,
            "privacy": compliance.privacy_policy_url if compliance else None,
            "terms": compliance.terms_of_service_url if compliance else None,
            "dpa": compliance.dpa_url if compliance else None,
            "subprocessors": compliance.subprocessors_url if compliance else None,
        }
    )
    if terms is None:
        return
    if terms.pricing is not None:
        yield AboutLine("pricing", choice=terms.pricing)
    if terms.billing_model is not None:
        yield AboutLine("billing", choice=terms.billing_model)
    if terms.trial_days:
        yield AboutLine("trial", {"text": str(terms.trial_days)})
    if terms.regions:
        yield _listed("regions", map(plain_line, terms.regions))


def _promises(manifest: Manifest) -> Iterator[AboutLine]:
    window, terms, compliance = manifest.support_window, manifest.distribution, manifest.compliance
    channel = (window.channel if window else None) or (terms.channel if terms else None)
    if channel is not None:
        yield AboutLine("channel", choice=channel)
    if compliance is not None and compliance.certifications:
        yield _listed("certifications", (each.upper() for each in compliance.certifications))
    if compliance is not None and compliance.export_control:
        yield AboutLine("export-control", {"text": plain_line(compliance.export_control)})


def _each_link(links: Mapping[str, str | None]) -> Iterator[AboutLine]:
    for key, url in links.items():
        if url:
            yield AboutLine(key, {"text": plain_line(url)}, url=url if _can_open(url) else None)


def _can_open(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in _OPENED and bool(parts.hostname)


def _listed(key: str, names: Iterable[str]) -> AboutLine:
    return AboutLine(key, {"text": "; ".join(names)})


def _person(person: str | Person, role: str | None = None) -> str:
    if isinstance(person, str):
        return plain_name(person)
    ways = (plain_line(each) for each in (role, person.email, person.url) if each)
    shown = ", ".join(ways)
    return f"{plain_name(person.name)} ({shown})" if shown else plain_name(person.name)
