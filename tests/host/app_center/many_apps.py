"""Any number of installed apps at once: the store and host.db as single installs would leave them, in one transaction.

An install checks, copies and flushes one package for one person's decision; a thousand of these would take minutes. Here
each package is written where the store keeps it, under its real hash, and all rows go into host.db together.
"""

from pathlib import Path

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.packages.package_store import PackageStore
from lime_desktop.host.app_center.records.layout import CenterLayout
from lime_desktop.host.app_center.records.ledger import open_ledger
from lime_desktop.host.app_center.records.records import InstalledApp, StoredGrant
from lime_desktop.host.app_center.records.rows import put_app, put_grants
from lime_desktop.protocol.ids import AppId
from tests.host.app_center.packages import make_package

_ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#{:06x}"/></svg>'


def app_name(number: int) -> str:
    """The id of the app of this number."""
    return f"app-{number:04}"


async def install_many(data: Path, count: int) -> None:
    """Install small apps, each with a page, an icon and its storage allowed."""
    layout = CenterLayout(data)
    made = [_put_in_store(layout, number) for number in range(count)]
    ledger = await open_ledger(layout.database)

    def put_all(connection: Connection) -> None:
        for app in made:
            put_app(connection, app)
            given = StoredGrant(
                app_id=app.app_id, permission="keep", granted_at_ms=1, given_at="install"
            )
            put_grants(connection, app.app_id, (given,))

    try:
        await ledger.change(put_all)
    finally:
        ledger.close()


def _put_in_store(layout: CenterLayout, number: int) -> InstalledApp:
    name = app_name(number)
    written = make_package(
        layout.packages / "new" / name,
        name,
        more="presentation: { icon: assets/icon.svg }\n"
        f"triggers: {{ keywords: [word-{number:04}] }}\n",
        files={"assets/icon.svg": _ICON.format(number * 7919 % 0xFFFFFF)},
    )
    package = load_package(open_package(written))
    app = InstalledApp(
        app_id=AppId(name),
        title=package.manifest.title,
        version=package.manifest.version,
        package_hash=package.package_hash,
        manifest_hash=package.manifest_hash or "",
        source="a test",
        verdict=Verdict.UNSIGNED,
        installed_at_ms=1,
        updated_at_ms=1,
    )
    target = PackageStore(layout.packages).path_of(app.package_hash, name)
    target.parent.mkdir(parents=True)
    written.rename(target)
    return app
