"""The languages the app speaks."""

from pydantic import Field

from lime_desktop.app_package.manifest.values import ManifestModel, UniqueItems


class I18n(ManifestModel):
    """Locales, the files with their texts, and which locale stands in for which."""

    default_locale: str | None = None
    supported_locales: UniqueItems[str] = ()
    translations: dict[str, str] = Field(default_factory=dict[str, str])
    fallback: dict[str, str] = Field(default_factory=dict[str, str])
