"""What is new in a version, as a review tells it: the package's own changelog first, then the catalog (ours)."""

from pathlib import Path

from tests.host.app_center.opened import center_of, installed, play
from tests.host.app_center.packages import make_package

ENGLISH = """# Changelog

## Unreleased

- Not out yet.

## [1.2.0] - 2026-05-01

### Added

- **Finds** faster.\u202e

## 1.1.0

- Prints.

## 1.0.0

- The first one.
"""
CHINESE = "## 1.2.0\n\n- 查找更快。\n"


def test_the_changelog_of_the_package_is_told_since_the_installed_version(tmp_path: Path) -> None:
    files = {"CHANGELOG.md": ENGLISH, "CHANGELOG.zh-CN.md": CHINESE}

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, make_package(tmp_path / "old"), "keep")
            newer = make_package(tmp_path / "new", version="1.2.0", files=files)
            review = await center.review(newer)
            told = [(each.version, each.lines_in("en")) for each in review.release_notes]
            assert told == [
                ("1.2.0", ("Added", "• Finds faster.\\u202e")),
                ("1.1.0", ("• Prints.",)),
            ]
            assert review.release_notes[0].lines_in("zh-CN") == ("• 查找更快。",)
            # Where a version was not translated, its words are there all the same.
            assert review.release_notes[1].lines_in("zh-CN") == ("• Prints.",)
            await center.discard(review)

    play(scenario())


def test_a_changelog_elsewhere_or_of_other_bytes_is_no_reason_to_fail(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            package = make_package(
                tmp_path / "new", more="changelog: https://example.com/CHANGELOG.md"
            )
            (package / "CHANGELOG.md").write_bytes(b"## 1.0.0\n\xff\xfe")
            review = await center.review(package)
            assert review.release_notes == ()
            await center.discard(review)

    play(scenario())


def test_a_review_tells_every_kind_of_thing_that_a_version_changes(tmp_path: Path) -> None:
    more = """secrets:
- { key: token, provider: mail }
toolRefs:
- { key: search, provider: web }
events:
- { key: saved, direction: subscribe }
runtimeTargets: [local, server-assisted]
"""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, make_package(tmp_path / "old"), "keep")
            review = await center.review(make_package(tmp_path / "new", version="1.1.0", more=more))
            assert review.changes is not None
            found = {(each.area, each.kind, each.key) for each in review.changes.changes}
            assert {
                ("secret", "added", "token"),
                ("tool", "added", "search"),
                ("event", "added", "saved"),
                ("data", "added", "cloud"),
            } <= found
            await center.discard(review)

    play(scenario())
