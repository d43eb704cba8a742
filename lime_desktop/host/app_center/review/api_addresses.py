"""Where do the described systems of a package lie? An OpenAPI document says it, or the manifest in its place."""

from lime_desktop.app_package.api_description import UnreadableApi, parse_api
from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.manifest.operations import Adapter
from lime_desktop.app_package.package import AppPackage


def api_address(adapter: Adapter, package: AppPackage) -> str | None:
    """The address that requests to a system go to; None where its document cannot be read, and then nothing is sent."""
    path = normalised(adapter.document or "")
    if path is None or path not in package.tree.files:
        return None
    try:
        return parse_api(package.tree.read(path), path, adapter.base_url).base_url
    except (OSError, UnreadableApi):
        return None


def api_addresses(package: AppPackage) -> dict[str, frozenset[str]]:
    """Every address of a package, and the integrations that lead there. Reads the documents."""
    found: dict[str, frozenset[str]] = {}
    for each in package.manifest.integrations:
        is_api = each.adapter is not None and each.adapter.kind == "api"
        address = api_address(each.adapter, package) if is_api and each.adapter else None
        if address is not None:
            found[address] = found.get(address, frozenset()) | {each.key}
    return found
