"""Packages for pictures: one small app that writes newsletters, in as many states as an app can be in."""

from pathlib import Path

_KEEP = """
  - key: keep
    scope: storage
    access: read-write
    required: true
    reason: To keep your drafts.
    reasonI18n: { zh-CN: 保存你的草稿。 }
"""
_SITES = """
  - key: sites
    scope: network
    access: read
    reason: To read the pages that you quote.
    reasonI18n: { zh-CN: 读取你引用的网页。 }
    domains: [en.wikipedia.org, "*.example.com"]
"""
_REACHES_FAR = """
  - key: everywhere
    scope: network
    access: write
    reason: To send your newsletter to every reader.
    reasonI18n: { zh-CN: 把通讯发送给每位读者。 }
  - key: folders
    scope: filesystem
    access: write
    reason: To put pictures beside the text.
    reasonI18n: { zh-CN: 把图片放在文字旁边。 }
"""
_OPERATIONS = """
operations:
  - key: publish_issue
    type: publish
    sideEffect: external_publish
    approvalRequired: true
    dryRunRequired: true
    evidenceRequired: true
  - key: delete_issue
    type: delete
    sideEffect: external_delete
    approvalRequired: true
"""
_BOUNDARY = """
boundaries:
  - requirement: Write an issue
    app: { owns: [text, layout] }
    host: { owns: [model, storage] }
  - requirement: Send it
    human: { owns: [the last word] }
    external: { owns: [mail server] }
"""

GUIDE = """
# Newsletter

## When to Use

- You write to the same readers every week.

## Verification Checklist

- [ ] Write one line and save it.
- [ ] Close the app and see that the line is still there.
"""


def write_newsletter(
    folder: Path,
    version: str = "1.0.0",
    permissions: str = _KEEP,
    more: str = "",
    entries: str = "",
    guide: str = GUIDE,
) -> Path:
    """The app, in a folder of its own name."""
    package = folder / "newsletter"
    (package / "dist/ui").mkdir(parents=True)
    (package / "dist/ui/index.html").write_text("<h1>Newsletter</h1>", encoding="utf-8")
    (package / "APP.md").write_text(
        f"""---
manifestVersion: 0.10.0
name: newsletter
displayName: Newsletter
displayNameI18n: {{ zh-CN: 每周通讯 }}
description: Writes a weekly letter to your readers, with sources for what it says.
shortDescription: A weekly letter to your readers.
shortDescriptionI18n: {{ zh-CN: 每周写给读者的一封信。 }}
version: {version}
status: ready
appType: agent-app
publisher: {{ publisherId: paper-lane, name: Paper Lane }}
requires: {{ capabilities: {{ lime.ui: ">=0.3.0", lime.storage: ">=0.3.0" }} }}
runtimePackage: {{ ui: {{ path: dist/ui, entry: index.html, format: static }} }}
storage: {{ namespace: newsletter }}
triggers: {{ keywords: [newsletter, 通讯], scenarios: [weekly_letter] }}
permissions: {permissions or "[]"}
entries:
  - {{ key: desk, kind: page, title: Writing desk, titleI18n: {{ zh-CN: 写作台 }}, route: / }}
{entries}
{more}
---
{guide}""",
        encoding="utf-8",
    )
    return package


def far_reaching(folder: Path) -> Path:
    """One that asks for a lot."""
    more = (
        f"{_OPERATIONS}{_BOUNDARY}secrets: [{{ key: mail_password, required: true, scope: user }}]"
    )
    return write_newsletter(folder, permissions=_KEEP + _SITES + _REACHES_FAR, more=more)


def falsely_signed(folder: Path) -> Path:
    """One whose bytes are not those that were signed."""
    package = write_newsletter(folder)
    (package / "app.signature.yaml").write_text(
        f"""package: {{ algorithm: sha256, hash: "sha256:{"0" * 64}", signedBy: paper-lane, signatureRef: bundle.json }}
manifest: {{ algorithm: sha256, hash: "sha256:{"0" * 64}", signedBy: paper-lane }}
trust: {{ publisher: Paper Lane, publisherId: paper-lane }}
""",
        encoding="utf-8",
    )
    return package


def newer(folder: Path) -> Path:
    """A second version with changes of every kind."""
    more = (
        "overlayTemplates: [{ key: style, scope: user, description: How it writes. }]\n"
        "knowledgeTemplates: [{ key: archive, standard: agentknowledge, type: reference, "
        "runtimeMode: retrieval }]"
    )
    entries = "  - { key: archive, kind: page, title: Archive, titleI18n: { zh-CN: 往期 }, route: /archive }"
    return write_newsletter(folder, "2.0.0", _KEEP + _SITES, more, entries)


def needing_setup(folder: Path) -> Path:
    """One that lacks a thing of many kinds."""
    more = """
secrets: [{ key: mail_password, required: true, scope: user }]
knowledgeTemplates: [{ key: archive, standard: agentknowledge, type: reference, required: true, runtimeMode: retrieval }]
toolRefs: [{ key: mail, provider: mcp, required: true }]
overlayTemplates: [{ key: style, scope: user, required: true, description: How it writes. }]
"""
    return write_newsletter(folder, more=more)


def with_warnings(folder: Path) -> Path:
    """One that starts although something is missing, and is past its best."""
    more = """
deprecatedAt: "2026-01-01T00:00:00Z"
toolRefs: [{ key: spelling, provider: mcp, required: false }]
"""
    return write_newsletter(folder, permissions="", more=more)


def ended(folder: Path) -> Path:
    """One whose time is over, with a successor."""
    more = """
endOfLifeAt: "2026-01-01T00:00:00Z"
supportWindow: { channel: stable, supersededBy: letter-desk }
"""
    return write_newsletter(folder, permissions="", more=more)


def unjudged(folder: Path) -> Path:
    """One that names a check that no host knows."""
    package = write_newsletter(folder, permissions="")
    (package / "evals").mkdir()
    (package / "evals/readiness.yaml").write_text(
        "readiness:\n  required:\n    - { check: moon_phase, expect: full, message: It waits for the full moon. }\n",
        encoding="utf-8",
    )
    return package


def broken(folder: Path) -> Path:
    """One that breaks the standard."""
    return write_newsletter(folder, permissions="", more="entries: nothing", guide="")
