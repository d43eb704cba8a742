"""Who made the app, how long it lives, which languages it speaks, where to ask, and on which terms it is given."""

from typing import Annotated, Literal

from pydantic import Field, Tag

from lime_desktop.app_package.manifest.values import (
    ClosedManifestModel,
    CountryCode,
    Email,
    Identifier,
    Items,
    ManifestModel,
    Text,
    Time,
    UniqueItems,
    Url,
    by_shape,
)

Label = Annotated[str, Field(min_length=1, max_length=128)]
Tagline = Annotated[str, Field(min_length=1, max_length=140)]


class Publisher(ManifestModel):
    """Who publishes the app. The registry issues the id and alone decides `verified`."""

    publisher_id: Identifier
    name: Label
    display_name: Label | None = None
    kind: Literal["individual", "organization", "team", "platform"] | None = None
    verified: bool | None = None
    """What the author claims; a host ignores it."""
    verified_domain: str | None = None
    did: str | None = None
    homepage: Url | None = None
    email: Email | None = None
    logo_url: Url | None = None
    country: CountryCode | None = None


class Person(ManifestModel):
    """An author, maintainer or contributor."""

    name: Text
    email: Email | None = None
    url: Url | None = None


class Maintainer(Person):
    """A person responsible for the app, with the part they play."""

    role: str | None = None


class SupportWindow(ClosedManifestModel):
    """How long this version is looked after, and what comes after it."""

    channel: Literal["stable", "lts", "preview", "experimental"] | None = None
    supported_until: Time | None = None
    superseded_by: str | None = None


class Repository(ManifestModel):
    """Where the source of the app lies."""

    type: Literal["git", "svn", "hg", "other"] | None = None
    url: Url
    directory: str | None = None


class Support(ManifestModel):
    """Where a user finds help; at least an e-mail address or a URL."""

    email: Email | None = None
    url: Url | None = None
    status_page_url: Url | None = None
    discord_url: Url | None = None
    slack_url: Url | None = None
    discussions_url: Url | None = None
    response_sla: str | None = None


class Distribution(ManifestModel):
    """How an open platform may list the app; billing itself is outside the standard."""

    channel: Literal["stable", "preview", "beta", "alpha", "internal"] | None = None
    visibility: Literal["public", "unlisted", "private", "invite-only"] | None = None
    pricing: Literal["free", "freemium", "paid", "contact_sales", "custom"] | None = None
    billing_model: (
        Literal["one_time", "subscription", "usage_based", "tiered", "contact_sales", "none"] | None
    ) = None
    trial_days: Annotated[int, Field(ge=0, le=365)] | None = None
    regions: Items[CountryCode] = ()


class Compliance(ManifestModel):
    """Where data lives, how long, and which audits the publisher has passed."""

    data_residency: UniqueItems[
        Literal["global", "cn", "eu", "us", "apac", "sg", "jp", "kr", "in"]
    ] = ()
    data_retention: str | None = None
    certifications: UniqueItems[
        Literal["soc2", "iso27001", "gdpr", "hipaa", "pci-dss", "ccpa", "csa-star"]
    ] = ()
    privacy_policy_url: Url | None = None
    terms_of_service_url: Url | None = None
    dpa_url: Url | None = None
    subprocessors_url: Url | None = None
    export_control: str | None = None


AuthorForm = Annotated[Annotated[str, Tag("text")] | Annotated[Person, Tag("object")], by_shape]
RepositoryForm = Annotated[
    Annotated[Url, Tag("text")] | Annotated[Repository, Tag("object")], by_shape
]


class I18n(ManifestModel):
    """Locales, the files with their texts, and which locale stands in for which."""

    default_locale: str | None = None
    supported_locales: UniqueItems[str] = ()
    translations: dict[str, str] = Field(default_factory=dict[str, str])
    fallback: dict[str, str] = Field(default_factory=dict[str, str])
