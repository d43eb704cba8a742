"""The bill of materials in CycloneDX 1.6: every component, and every file of the tree under the component it is of."""

import json
import platform
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from newcomer.console import StoppedError

from release.checkout import Checkout
from release.components import Component

_NAMESPACE = uuid.UUID("7f0c3a62-5d0e-5b57-9d3c-3f6f7d1b8a21")


def write_sbom(checkout: Checkout, tree: Path, components: list[Component], out: Path) -> Path:
    """Write it and give its path.

    Raises:
        StoppedError: a file of the tree is in no component.
    """
    bill = make_sbom(checkout, components)
    forgotten = sorted(files_of(tree) - files_in(bill))
    if forgotten:
        raise StoppedError(
            f"The bill of materials lacks {len(forgotten)} files: {', '.join(forgotten[:5])}"
        )
    target = out / f"lime-desktop-{checkout.version}-linux-{platform.machine()}.cdx.json"
    target.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return target


def make_sbom(checkout: Checkout, components: list[Component]) -> dict[str, Any]:
    """The document. Nothing in it depends on when or where it is made."""
    moment = datetime.fromtimestamp(checkout.epoch, UTC).isoformat().replace("+00:00", "Z")
    serial = uuid.uuid5(_NAMESPACE, f"{checkout.version} {checkout.commit} {checkout.epoch}")
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": moment,
            "component": {
                "type": "application",
                "bom-ref": "lime-desktop-release",
                "name": "lime-desktop",
                "version": checkout.version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "properties": [{"name": "commit", "value": checkout.commit}],
            },
        },
        "components": [_component(each) for each in components],
    }


def files_in(bill: dict[str, Any]) -> set[str]:
    """The files that a bill names."""
    inner = (each.get("components", []) for each in bill["components"])
    return {file["name"] for files in inner for file in files}


def files_of(tree: Path) -> set[str]:
    """The files of a tree, links among them."""
    paths = (path for path in tree.rglob("*") if path.is_symlink() or not path.is_dir())
    return {path.relative_to(tree).as_posix() for path in paths}


def _component(each: Component) -> dict[str, Any]:
    described: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"{each.name}@{each.version}",
        "name": each.name,
        "version": each.version,
        "licenses": [{"license": {"name": each.licence}}],
    }
    if each.purl:
        described["purl"] = each.purl
    if each.files:
        described["components"] = [
            {
                "type": "file",
                "bom-ref": f"file:{name}",
                "name": name,
                "hashes": [{"alg": "SHA-256", "content": digest}],
            }
            for name, digest in sorted(each.files.items())
        ]
    else:
        # Pure Python lies compiled inside of the executables.
        described["properties"] = [{"name": "inside", "value": "lime-desktop, lime-app-server"}]
    return described
