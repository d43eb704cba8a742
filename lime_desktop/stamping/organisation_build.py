"""What an organisation's build file says: a brand, several apps, the organisation's own file, the model providers on offer.

```yaml
version: 1
brand: { name: Example Desk, bundleId: com.example.desk, version: 1.0.0, icon: icon.svg, accent: "#0a5bd3" }
apps: [notes, ../mail, drafts-1.2.0.lapp]   # folders or packages, by their path from this file
organization: organisation.yaml             # its policy, limits, settings and catalogs hold from the first start
providers:                                  # who may leave it out offers those that are known by name
  - { id: example, name: Example models, baseUrl: "https://models.example.com/v1", models: [large, small] }
```

Everything is read before anything is written, and everything that is wrong is named with its file and line. Nothing here
can say what an app may do, and nothing may be a key.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.problems import Place, Problem, Severity
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, Origin, ValuePath, find
from lime_desktop.app_package.text.plain_text import MAX_TEXT_BYTES, ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.host.app_center.governance.organisation import Organisation
from lime_desktop.host.appearance.picture_cache import MOST_PICTURE_BYTES
from lime_desktop.protocol.calls.model_providers import ProviderPreset
from lime_desktop.registration.brand_rules import COLOUR, id_of
from lime_desktop.shipping.versions import is_version
from lime_desktop.stamping import build_problems as kinds
from lime_desktop.stamping import problem_kinds as brand_kinds
from lime_desktop.stamping.brand import Brand, BrandReader, one_line
from lime_desktop.stamping.offered_providers import read_providers
from lime_desktop.stamping.organisation_file import read_organisation_file, secrets_in

MOST_APPS = 40
MOST_BYTES = 1024 * 1024 * 1024
_SYSTEMS = frozenset({"linux", "windows", "macos"})
_TOP = frozenset({"version", "brand", "apps", "organization", "providers"})
_BRAND = frozenset(
    {
        *("name", "bundleId", "version", "icon", "windowTitle", "accent", "publisher"),
        *("supportUrl", "scheme", "summary", "platforms", "updates"),
    }
)


@dataclass(frozen=True, slots=True)
class BuildApp:
    """An app of the build, and where it lies."""

    package: AppPackage
    path: Path


@dataclass(frozen=True, slots=True)
class OrganisationBuild:
    """What was found; the brand is there only where nothing is wrong."""

    brand: Brand | None
    apps: tuple[BuildApp, ...]
    organisation: bytes
    """Its file as it is."""
    presets: tuple[ProviderPreset, ...] | None
    """The providers on offer; None where the build names none of its own."""
    icon_place: Place
    problems: tuple[Problem, ...]


def read_build(path: Path) -> OrganisationBuild:
    """Read a build file and all that it names. Blocks."""
    reader = _BuildReader(path)
    return reader.read()


class _BuildReader(BrandReader):
    """Reads the build file as a brand's document, and beside it the rest."""

    branding_at = ("brand",)
    standalone_at = ("brand",)

    def __init__(self, path: Path) -> None:
        super().__init__(LocatedMap(Origin(path.name, 1)))
        self._folder = path.parent
        body = self._bytes(path, Place(path.name))
        parsed = parse_yaml(body, path.name, ReadingBudget())
        self.problems += parsed.problems
        if isinstance(parsed.value, LocatedMap):
            self.document = parsed.value
        elif body and not parsed.problems:
            message = "The file holds no keys and values."
            self.problems.append(brand_kinds.VALUE_INVALID.found(message, Place(path.name, 1)))
        self.problems += secrets_in(body, path.name)

    def read(self) -> OrganisationBuild:
        """Everything, with everything that is wrong."""
        self._refuse_others((), _TOP)
        self._refuse_others(("brand",), _BRAND)
        if self.value("version") != 1:
            self.note(brand_kinds.VALUE_INVALID, "The build file is not of version 1.", "version")
        document, organisation = self._organisation()
        apps = tuple(self._apps(organisation))
        presets = self._presets()
        brand = self._brand(organisation)
        _, origin = find(self.document, ("brand", "icon"))
        is_sound = all(each.severity is not Severity.ERROR for each in self.problems)
        return OrganisationBuild(
            brand if is_sound else None,
            apps,
            document,
            presets,
            Place(*origin, "brand.icon") if origin else Place(),
            tuple(self.problems),
        )

    def _refuse_others(self, path: ValuePath, known: frozenset[str]) -> None:
        found = self.value(*path) if path else self.document
        for key in found if isinstance(found, LocatedMap) else ():
            if key not in known:
                self.note(kinds.KEY_UNKNOWN, f"There is no {key!r} here.", *path, key)

    # The brand.

    def _brand(self, organisation: Organisation | None) -> Brand:
        said = organisation.branding if organisation else None
        bundle_id = self._bundle_id("brand", "bundleId")
        own = id_of(bundle_id)
        name = self._own_name("")
        version = self.text("brand", "version") or ""
        if not is_version(version):
            message = "The product has no version that installers can order."
            self.note(brand_kinds.VERSION_INVALID, message, "brand", "version")
        accent = self._matched("accent", COLOUR, brand_kinds.COLOUR_INVALID)
        return Brand(
            id=own,
            bundle_id=bundle_id,
            name=name,
            window_title=self._words("windowTitle", name),
            version=version,
            scheme=self._scheme(own),
            publisher=self._words("publisher", organisation.name if organisation else ""),
            summary=one_line(self.text("brand", "summary") or name),
            accent=accent or (said and said.accent),
            support_url=self.url("brand", "supportUrl") or (said and said.support_url),
            file_types=(),
            icon=self._icon(),
            updates=self._updates(),
            platforms=self._platforms(),
        )

    def _icon(self) -> bytes:
        named, path = self.text("brand", "icon"), ("brand", "icon")
        if not named or not (self._folder / named).is_file():
            self.note(brand_kinds.ICON_MISSING, brand_kinds.ICON_MISSING.meaning, *path)
            return b""
        size = (self._folder / named).stat().st_size
        if size > MOST_PICTURE_BYTES:
            self.note(brand_kinds.ICON_TOO_LARGE, f"The picture has {size} bytes.", *path)
            return b""
        return self._sharp((self._folder / named).read_bytes(), *path)

    def _platforms(self) -> tuple[str, ...]:
        listed = self.value("brand", "platforms")
        named = cast("list[object]", listed) if isinstance(listed, LocatedList) else []
        if listed is not None and (not named or not _SYSTEMS.issuperset(map(str, named))):
            message = "platforms is not a list of linux, windows and macos."
            self.note(brand_kinds.VALUE_INVALID, message, "brand", "platforms")
        return tuple(map(str, named))

    # The organisation.

    def _organisation(self) -> tuple[bytes, Organisation | None]:
        named = self.text("organization")
        if named is None:
            self.note(
                kinds.ORGANISATION_MISSING, kinds.ORGANISATION_MISSING.meaning, "organization"
            )
            return b"", None
        body = self._bytes(self._folder / named, self._place("organization"))
        if not body:
            return b"", None
        organisation, problems = read_organisation_file(body, named)
        self.problems += problems
        return body, organisation

    # The apps.

    def _apps(self, organisation: Organisation | None) -> Iterator[BuildApp]:
        listed = self.value("apps")
        rows = cast("list[object]", listed) if isinstance(listed, LocatedList) else []
        if not 0 < len(rows) <= MOST_APPS:
            message = f"apps is not a list of 1 to {MOST_APPS} apps."
            self.note(kinds.APPS_MISSING, message, "apps")
            return
        ids: set[str] = set()
        size = 0
        for at, named in enumerate(rows):
            app = self._app(named, at)
            if app is None:
                continue
            self._judge(app, at, ids, organisation)
            size += sum(each.size for each in app.package.tree.files.values())
            yield app
        if size > MOST_BYTES:
            self.note(kinds.TOO_LARGE, f"The apps have {size >> 20} MB together.", "apps")

    def _app(self, named: object, at: int) -> BuildApp | None:
        path = self._folder / named if isinstance(named, str) and named else None
        if path is None or not path.exists():
            self.note(kinds.APP_UNREADABLE, "There is no package at this path.", "apps", at)
            return None
        package = load_package(open_package(path))
        errors = [each for each in package.problems if each.severity is Severity.ERROR]
        if package.is_valid and not errors:
            return BuildApp(package, path)
        message = f"The package is not valid: {len(errors)} problems."
        self.note(kinds.APP_UNREADABLE, message, "apps", at)
        self.problems += [
            each.model_copy(update={"file": f"{named}/{each.file}" if each.file else str(named)})
            for each in errors
        ]
        return None

    def _judge(
        self, app: BuildApp, at: int, ids: set[str], organisation: Organisation | None
    ) -> None:
        manifest = app.package.manifest
        if manifest.name in ids:
            self.note(kinds.APP_TWICE, f"{manifest.name} was named before.", "apps", at)
        ids.add(manifest.name)
        if manifest.install is not None and "in_lime" not in manifest.install.modes:
            self.note(kinds.APP_MODE, f"{manifest.name} is for itself alone.", "apps", at)
        if organisation is not None and not organisation.allows(manifest.name):
            message = f"{organisation.name} does not allow {manifest.name}."
            self.note(kinds.APP_BLOCKED, message, "apps", at)

    # The providers.

    def _presets(self) -> tuple[ProviderPreset, ...] | None:
        listed = self.value("providers")
        if listed is None:
            return None
        presets, findings = read_providers(listed)
        for each in findings:
            self.note(each.kind, each.message, *each.path)
        return presets

    # Files and places.

    def _bytes(self, path: Path, place: Place) -> bytes:
        """A small text file; none where it cannot be read, which is noted."""
        try:
            with path.open("rb") as file:
                body = file.read(MAX_TEXT_BYTES + 1)
        except OSError as error:
            message = f"{path.name} cannot be read: {error.strerror}."
            self.problems.append(kinds.FILE_UNREADABLE.found(message, place))
            return b""
        if len(body) > MAX_TEXT_BYTES:
            message = f"{path.name} has more than {MAX_TEXT_BYTES} bytes."
            self.problems.append(kinds.TOO_LARGE.found(message, place))
            return b""
        return body

    def _place(self, *path: str) -> Place:
        _, origin = find(self.document, path)
        return Place(*origin, ".".join(path)) if origin else Place()
