"""A product and Lime Desktop on one computer share nothing (ours)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main
from lime_desktop.host.startup.deep_links import parse_link
from lime_desktop.host.startup.single_instance import be_first_or_hand_over
from lime_desktop.product import LIME, TRIED_BRAND, BrandingBroken, read_product
from lime_desktop.protocol.errors import UntrustedUrl
from tests.stamping.products import ROOT, make_app, make_base

TELL = """
import json
from lime_desktop.app_server.secrets.keyring_place import KeyringPlace, find_keyring
from lime_desktop.host.user_profile.user_paths import user_data_folder, user_settings_file
from lime_desktop.product import this_product
from lime_desktop.projection.host_profile import THIS_HOST
import lime_desktop.app_server.secrets.keyring_place as place
kept = []
class Ring:
    def get_password(self, service, name): return None
    def set_password(self, service, name, value): kept.append(service)
KeyringPlace(Ring(), this_product().id).write("one", "value")
print(json.dumps({"data": str(user_data_folder()), "settings": str(user_settings_file()), "keyring": kept[0],
    "scheme": this_product().scheme, "modes": list(THIS_HOST.install_modes)}))
"""


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vendor")
    words = ["ship", str(make_app(folder)), "--base", str(make_base(folder))]
    done = CliRunner().invoke(main, [*words, "--out", str(folder / "out")])
    assert done.exit_code == 0, done.output
    return folder / "out/example-hello-lime"


def told(brand: str | None) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop(TRIED_BRAND, None)
    if brand is not None:
        environment[TRIED_BRAND] = brand
    done = subprocess.run(  # noqa: S603 - our own modules
        [sys.executable, "-c", TELL], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_data_settings_keyring_links_and_mode_are_the_products_own(product: Path) -> None:
    own, limes = told(str(product)), told(None)
    assert all(own[key] != limes[key] for key in limes), (own, limes)
    assert own["keyring"] == "example-hello-lime"
    assert Path(own["data"]).name == "example-hello-lime"
    assert own["modes"] == ["standalone"]


def test_each_is_a_single_instance_of_its_own(tmp_path: Path) -> None:
    first = be_first_or_hand_over(tmp_path / "lime-desktop", "")
    other = be_first_or_hand_over(tmp_path / "example-hello-lime", "")
    assert first is not None
    assert other is not None
    assert first.listening.getsockname() != other.listening.getsockname()
    first.release()
    other.release()


def test_a_link_of_one_is_none_of_the_others(product: Path) -> None:
    scheme = read_product(product).scheme
    parse_link(f"{scheme}://settings/about", scheme)
    parse_link("lime://settings/about")
    for text, of in (
        (f"{scheme}://settings/about", LIME.scheme),
        ("lime://settings/about", scheme),
    ):
        with pytest.raises(UntrustedUrl):
            parse_link(text, of)


@pytest.mark.parametrize(("key", "value"), [("id", "lime-desktop"), ("scheme", "lime")])
def test_a_product_cannot_call_itself_lime_desktop(
    key: str, value: str, product: Path, tmp_path: Path
) -> None:
    """It would open the person's data of Lime Desktop, or take over its links."""
    said = json.loads((product / "branding.json").read_text())
    (tmp_path / "branding.json").write_text(json.dumps({**said, key: value}))
    with pytest.raises(BrandingBroken):
        read_product(tmp_path)


@pytest.mark.parametrize("body", ["", "[]", "{", "{}", '{"format": 2}', "\0" * 70_000])
def test_a_product_that_cannot_tell_what_it_is_does_not_start_as_another(
    body: str, tmp_path: Path
) -> None:
    (tmp_path / "branding.json").write_text(body)
    with pytest.raises(BrandingBroken):
        read_product(tmp_path)
