"""From a package to an installed app (the standard: verified, consented to, and exactly what was reviewed)."""

import json
import os
import threading
import zipfile
from pathlib import Path

import pytest

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.files.hashes import tree_hash
from lime_desktop.app_package.trust.statement import AppIdentity
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.progress import InstallProgress, Progress, Step
from lime_desktop.host.app_center.review.refusing import RefusalCode
from lime_desktop.protocol.errors import (
    AppNotInstalled,
    ApprovalRequired,
    Cancelled,
    DatabaseBusy,
    InstallRefused,
    InvalidInput,
    PackageInvalid,
    SourceUnverified,
)
from tests.app_package.trust.signed_packages import SIGNATURE_FILE, signed
from tests.host.app_center.opened import center_of, consent_to, installed, play
from tests.host.app_center.packages import NOTES, WEATHER, make_package, names_below, packed


@pytest.mark.parametrize("kind", ["folder", "archive"])
def test_an_installed_app_is_there_after_a_restart_with_what_it_was_granted(
    tmp_path: Path, kind: str
) -> None:
    source = make_package(tmp_path / "from", permissions=NOTES + WEATHER)
    if kind == "archive":
        source = packed(source, tmp_path / "notes.lapp")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            app = await installed(center, source, "keep")
        async with center_of(tmp_path) as center:
            assert center.installed() == (app,)
            assert [grant.permission for grant in center.permissions.grants("notes")] == ["keep"]
            package = await center.package("notes")
            assert package.is_valid
            assert package.package_hash == app.package_hash == tree_hash(open_package(source))

    play(scenario())


def test_what_is_installed_is_what_was_reviewed_whatever_happens_to_the_source(
    tmp_path: Path,
) -> None:
    """The standard: the reviewed bytes, not whatever lies at the path by then."""
    source = make_package(tmp_path / "from")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            review = await center.review(source)
            (source / "dist/ui/index.html").write_text("<script>steal()</script>")
            await center.install(review, consent_to(review, "keep"))
            package = await center.package("notes")
            assert package.tree.read("dist/ui/index.html") == b"<h1>notes 1.0.0</h1>"

    play(scenario())


def test_a_copy_that_was_tampered_with_after_the_review_is_not_installed(tmp_path: Path) -> None:
    source = make_package(tmp_path / "from")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            review = await center.review(source)
            (review.staged.package_folder / "dist/ui/index.html").write_text("other")
            with pytest.raises(SourceUnverified):
                await center.install(review, consent_to(review))
            assert center.installed() == ()
            assert names_below(center.layout.staging) == set()
            assert names_below(center.layout.packages) == set()

    play(scenario())


def test_a_copy_that_was_tampered_with_as_it_was_moved_is_not_installed(tmp_path: Path) -> None:
    source = make_package(tmp_path / "from")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:

            def tamper(progress: Progress) -> None:
                if progress.step is Step.MOVED:
                    (moved,) = center.layout.packages.rglob("index.html")
                    moved.write_text("other")

            review = await center.review(source)
            with pytest.raises(SourceUnverified):
                await center.install(review, consent_to(review), InstallProgress(tamper))
            assert center.installed() == ()
            assert names_below(center.layout.packages) == set()

    play(scenario())


def test_a_copy_that_was_touched_and_is_the_same_is_installed(tmp_path: Path) -> None:
    """Ours: a search index or a virus scanner may note something on a file without changing a byte."""
    source = make_package(tmp_path / "from")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            review = await center.review(source)
            os.utime(review.staged.package_folder / "APP.md", (0, 0))
            assert not review.staged.is_untouched
            app = await center.install(review, consent_to(review))
            assert center.installed() == (app,)

    play(scenario())


@pytest.mark.requirement("APP-05")
def test_a_damaged_archive_is_refused_with_its_code_and_leaves_nothing(tmp_path: Path) -> None:
    """Ours: each byte of an archive is checked as it is copied, so the damage shows in the middle of the copy."""
    archive = packed(make_package(tmp_path / "from"), tmp_path / "notes.lapp")
    data = bytearray(archive.read_bytes())
    with zipfile.ZipFile(archive) as listed:
        header_at = listed.getinfo("dist/ui/index.html").header_offset
    data[header_at + 30 + len("dist/ui/index.html") + 2] ^= 1
    archive.write_bytes(data)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            with pytest.raises(PackageInvalid) as refused:
                await center.review(archive)
            told = json.dumps(refused.value.details)
            assert '"code": "ARCHIVE_' in told
            assert '"file": "dist/ui/index.html"' in told
            assert names_below(center.layout.staging) == set()

    play(scenario())


def test_an_installed_package_that_was_changed_on_disk_is_refused(tmp_path: Path) -> None:
    source = make_package(tmp_path / "from")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, source)
            (center.package_path("notes") / "dist/ui/index.html").write_text("other")
            with pytest.raises(PackageInvalid):
                await center.package("notes")

    play(scenario())


def test_a_folder_that_becomes_a_link_while_it_is_copied_lets_nothing_else_in(
    tmp_path: Path,
) -> None:
    """Bug: a path is looked up anew for each file, so a swapped folder could lead anywhere."""
    source = make_package(tmp_path / "from", files={"zz/secret.txt": "mine"})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret.txt").write_text("not the package's")

    def swap(progress: Progress) -> None:
        if progress.step is Step.COPYING and not (source / "zz").is_symlink():
            (source / "zz").rename(tmp_path / "aside")
            (source / "zz").symlink_to(elsewhere)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            with pytest.raises(PackageInvalid):
                await center.review(source, InstallProgress(swap))
            assert names_below(center.layout.staging) == set()

    play(scenario())


@pytest.mark.requirement("APP-05")
def test_no_consent_installs_a_package_whose_signature_fails(tmp_path: Path) -> None:
    source = make_package(tmp_path / "from")
    files = [path for path in source.rglob("*") if path.is_file()]
    contents = {path.relative_to(source).as_posix(): path.read_bytes() for path in files}
    whole = signed(contents, AppIdentity("notes", "1.0.0"))
    (source / SIGNATURE_FILE).write_bytes(whole[SIGNATURE_FILE])
    (source / "dist/ui/index.html").write_text("<h1>Not what was signed</h1>")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            review = await center.review(source)
            assert [each.code for each in review.refusals] == [RefusalCode.SIGNATURE_FAILED]
            with pytest.raises(SourceUnverified):
                await center.install(review, consent_to(review))
            assert center.installed() == ()

    play(scenario())


@pytest.mark.requirement("APP-06")
def test_nothing_is_installed_without_consent_to_an_unsigned_package(tmp_path: Path) -> None:
    source = make_package(tmp_path / "from")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            review = await center.review(source)
            consent = consent_to(review)
            unwilling = type(consent)(package_hash=consent.package_hash)
            with pytest.raises(ApprovalRequired):
                await center.install(review, unwilling)
            assert center.installed() == ()

    play(scenario())


@pytest.mark.requirement("APP-06")
def test_a_consent_is_good_for_one_package_and_for_declared_permissions(tmp_path: Path) -> None:
    first = make_package(tmp_path / "from")
    second = make_package(tmp_path / "from", name="other")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            review, other = await center.review(first), await center.review(second)
            with pytest.raises(SourceUnverified):
                await center.install(review, consent_to(other))
            with pytest.raises(InvalidInput):
                await center.install(other, consent_to(other, "everything"))
            assert center.installed() == ()

    play(scenario())


async def review_and_install(center: AppCenter, source: Path, progress: InstallProgress) -> None:
    review = await center.review(source, progress)
    await center.install(review, consent_to(review), progress)


@pytest.mark.parametrize("at", [Step.COPYING, Step.CHECKING, Step.MOVED])
def test_cancelling_leaves_nothing(tmp_path: Path, at: Step) -> None:
    source = make_package(tmp_path / "from")
    reached = threading.Event()

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            before = names_below(tmp_path / "data", leaving_out=["host"])

            def stop_there(stage: Progress) -> None:
                if stage.step is at:
                    reached.set()
                    progress.cancel()

            progress = InstallProgress(stop_there)
            with pytest.raises(Cancelled):
                await review_and_install(center, source, progress)
            assert reached.is_set()
            assert center.installed() == ()
            assert names_below(center.layout.staging) == set()
            assert names_below(center.layout.packages) == set()
            assert names_below(tmp_path / "data", leaving_out=["host"]) == before

    play(scenario())


@pytest.mark.parametrize(
    ("version", "content", "code"),
    [
        ("1.0.0", "same", RefusalCode.ALREADY_INSTALLED),
        ("1.0.0", "other", RefusalCode.SAME_VERSION_OTHER_BYTES),
        ("1.0.0+build.2", "other", RefusalCode.SAME_VERSION_OTHER_BYTES),
        ("0.9.9", "other", RefusalCode.DOWNGRADE),
        ("1.0.0-beta.1", "other", RefusalCode.DOWNGRADE),
        ("newest", "other", RefusalCode.VERSION_ORDER_UNKNOWN),
    ],
)
def test_older_and_different_bytes_of_a_version_do_not_replace_what_is_installed(
    tmp_path: Path, version: str, content: str, code: RefusalCode
) -> None:
    first = make_package(tmp_path / "first")
    more = {"notes.txt": "other"} if content == "other" else {}
    second = make_package(tmp_path / "second", version=version, files=more)

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            app = await installed(center, first)
            review = await center.review(second)
            assert [each.code for each in review.refusals] == [code]
            with pytest.raises(InstallRefused):
                await center.install(review, consent_to(review))
            assert center.installed() == (app,)
            assert (await center.package("notes")).is_valid

    play(scenario())


def test_an_invalid_package_is_reviewed_but_not_installed(tmp_path: Path) -> None:
    source = make_package(tmp_path / "from", more="bypassPermissions: true")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            review = await center.review(source)
            assert not review.can_install
            with pytest.raises(PackageInvalid):
                await center.install(review, consent_to(review))

    play(scenario())


def test_what_an_earlier_end_left_half_done_is_cleared_away(tmp_path: Path) -> None:
    source = make_package(tmp_path / "from")

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, source)
            (center.layout.packages / ("0" * 64)).mkdir(parents=True)
            await center.review(make_package(tmp_path / "from", name="other"))
        async with center_of(tmp_path) as center:
            assert names_below(center.layout.staging) == set()
            assert len(list(center.layout.packages.iterdir())) == 1

    play(scenario())


def test_a_second_process_is_kept_out(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with center_of(tmp_path):
            with pytest.raises(DatabaseBusy):
                async with center_of(tmp_path):
                    pass

    play(scenario())


def test_permissions_are_given_and_taken_back_for_good(tmp_path: Path) -> None:
    source = make_package(tmp_path / "from", permissions=NOTES + WEATHER)
    told: list[int] = []

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, source)
            center.watch(lambda: told.append(len(center.permissions.grants("notes"))))
            await center.permissions.grant("notes", "keep")
            await center.permissions.grant("notes", "weather", expires_at_ms=1)
            await center.permissions.revoke("notes", "keep")
            with pytest.raises(InvalidInput):
                await center.permissions.grant("notes", "everything")
            with pytest.raises(AppNotInstalled):
                await center.permissions.grant("nobody", "keep")
        async with center_of(tmp_path) as center:
            assert [grant.permission for grant in center.permissions.grants("notes")] == ["weather"]

    play(scenario())
    assert told == [1, 2, 1]


def test_what_an_app_adds_is_called_by_its_titles_in_the_language_of_the_person(
    tmp_path: Path,
) -> None:
    """A bug: the review named ways in by their first language alone, and everything else by its key."""
    more = """- { key: desk, kind: page, title: Desk, titleI18n: { zh-CN: 书桌 }, route: /desk }
knowledgeTemplates:
- { key: house_rules, standard: agentknowledge, type: operations, runtimeMode: data, required: false }
"""

    async def scenario() -> None:
        async with center_of(tmp_path) as center:
            review = await center.review(make_package(tmp_path, more=more))
            for locale, titles in (
                ("zh-CN", ["Main", "书桌", "house rules"]),
                ("en", ["Main", "Desk", "house rules"]),
            ):
                assert [each.called(locale) for each in review.adds] == titles
            await center.discard(review)

    play(scenario())
