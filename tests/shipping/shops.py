"""Somebody who publishes apps as a signed catalog, and somebody who signs the packages."""

from collections.abc import Mapping
from pathlib import Path

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.signing import (
    Claims,
    key_signature_file,
    make_statement,
    save_signature,
)
from lime_desktop.app_package.trust.statement import identity_of
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.shipping.publishing.apps import publish_apps, revoke_app, withdraw_app
from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.shipping.publishing.repository import Repository
from tests.app_package.trust.signed_packages import SIGNED_AT, key
from tests.host.app_center.opened import consent_to
from tests.host.app_center.packages import NOTES, make_package

PUBLISHER = "paper-lane"


class Shop:
    """Somebody who publishes apps."""

    def __init__(self, folder: Path, url: str, web: str = "web") -> None:
        self.folder = folder
        self.keys = KeyFolder(folder / f"keys-{web}")
        self.keys.create()
        self.repository = Repository(folder / web)
        self.url = f"{url}/catalog.json"
        self.root = ""

    def package(
        self, version: str, permissions: str = NOTES, more: str = "", seed: int | None = None
    ) -> Path:
        """A version, signed by a publisher where a seed says whose key it is."""
        place = self.folder / f"apps-{version}-{seed}-{self.repository.folder.name}"
        if (place / "notes").exists():
            return place / "notes"
        made = make_package(place, version=version, permissions=permissions, more=more)
        if seed is not None:
            sign(made, seed)
        return made

    def publish(
        self,
        version: str,
        permissions: str = NOTES,
        more: str = "",
        seed: int | None = None,
        notes: Mapping[str, str] | None = None,
    ) -> None:
        package = self.package(version, permissions, more, seed)
        done = publish_apps([package], self.repository, self.keys, name="A shop", notes=notes)
        self.root = done.root

    def revoke(self, version: str, reason: str = "It sends notes to strangers.") -> None:
        reasons = {"en": reason, "zh-CN": "它会把笔记发给陌生人。"}
        revoke_app(self.repository, self.keys, "notes", version, reasons)

    def withdraw(self, version: str, reason: str = "It loses notes.") -> None:
        reasons = {"en": reason, "zh-CN": "它会丢失笔记。"}
        withdraw_app(self.repository, self.keys, "notes", version, reasons)


def sign(package: Path, seed: int = 1, revocation_url: str | None = None) -> None:
    """Put a publisher's signature into a package's folder."""
    tree = open_package(package)
    claims = Claims(PUBLISHER, "Paper Lane", None, revocation_url, 0 if revocation_url else None)
    statement = make_statement(tree, identity_of(load_package(tree).manifest), claims, SIGNED_AT)
    assert not isinstance(statement, Problem)
    done = save_signature(
        tree, key_signature_file(tree, statement, key(seed), "Paper Lane"), package
    )
    assert not isinstance(done, Problem), done


def trust_publisher(folder: Path, *seeds: int) -> None:
    """Have the person trust a publisher's keys."""
    keys = ", ".join(f'"{key(seed).public_key.text}"' for seed in seeds)
    text = f"publishers: {{ {PUBLISHER}: {{ name: Paper Lane, keys: [{keys}] }} }}\n"
    (folder / "trust.yaml").write_text(text, encoding="utf-8")
    (folder / "trust.yaml").chmod(0o600)


async def buy(center: AppCenter, shop: Shop) -> InstalledApp:
    """Follow a catalog, and install what it offers."""
    await center.catalog.add(shop.url)
    (offer,) = center.catalog.named("notes")
    review = await center.review_offer(offer)
    return await center.install(review, consent_to(review, "keep"))
