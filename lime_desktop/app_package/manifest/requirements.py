"""What the app is for, and who does which part: app, host, cloud, connector, external system, person."""

from typing import Literal

from lime_desktop.app_package.manifest.values import Items, ManifestModel, Text


class Requirement(ManifestModel):
    """One requirement, with how to tell that it is met."""

    id: Text
    text: Text
    priority: Literal["mvp", "p1", "p2", "later", "out_of_scope"] | None = None
    acceptance: Items[str] = ()
    non_goals: Items[str] = ()
    risks: Items[str] = ()


class Requirements(ManifestModel):
    """All requirements, what is no goal, and what comes later."""

    requirements: Items[Requirement] = ()
    non_goals: Items[str] = ()
    later: Items[str] = ()


class Plane(ManifestModel):
    """What one party owns and needs for a requirement."""

    owns: Items[str] = ()
    requires: Items[str] = ()
    optional: Items[str] = ()


class Planes(ManifestModel):
    """The six parties that can carry a requirement."""

    app: Plane | None = None
    host: Plane | None = None
    cloud: Plane | None = None
    connector: Plane | None = None
    external: Plane | None = None
    human: Plane | None = None


class RequirementBoundary(ManifestModel):
    """Who does what for one requirement."""

    requirement_id: Text
    planes: Planes


class Boundary(ManifestModel):
    """Who does what, requirement by requirement."""

    boundaries: Items[RequirementBoundary] = ()
