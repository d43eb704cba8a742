"""An organisation's build of two sample apps, to make a product of. Shared by tests."""

import shutil
from pathlib import Path

from tests.stamping.products import LOGO, ROOT

BUILD = """version: 1
brand:
  name: Example Desk
  bundleId: com.example.desk
  version: 1.0.0
  icon: logo.svg
  accent: "#7a2e8c"
  publisher: Example Ltd
  supportUrl: https://example.com/help
apps:
  - hello-lime
  - notes
organization: organisation.yaml
providers:
  - openai
  - id: example
    name: Example models
    about: Models that Example Ltd runs for its people.
    baseUrl: https://models.example.com/v1
    models:
      - large
      - { id: small, title: Small and quick }
"""
ORGANISATION = """version: 1
name: Example Ltd
policy:
  rules:
    - id: paste
      effect: deny
      text: Nothing goes to paste sites.
      when: { domains: [pastebin.com] }
    - id: keep
      effect: deny
      text: Nothing is kept on this computer.
      when: { scopes: [storage] }
"""


def make_build(
    folder: Path, build: str = BUILD, organisation: str = ORGANISATION, version: str = ""
) -> Path:
    """A build file with all that it names; `version` is what Hello Lime is to be of."""
    folder.mkdir(parents=True, exist_ok=True)
    for sample in ("hello-lime", "notes"):
        shutil.copytree(ROOT / "sample_apps" / sample, folder / sample, dirs_exist_ok=True)
    if version:
        manifest = folder / "hello-lime/APP.md"
        text = manifest.read_text("utf-8")
        assert "version: 1.0.0\n" in text
        manifest.write_text(text.replace("version: 1.0.0\n", f"version: {version}\n"), "utf-8")
    (folder / "logo.svg").write_text(LOGO)
    (folder / "organisation.yaml").write_text(organisation)
    (folder / "desk.yaml").write_text(build)
    return folder / "desk.yaml"
