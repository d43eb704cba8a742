"""`hash`, `pack`, `sign` and `verify` as a person or a script meets them (ours)."""

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.app_package.archive.reader import open_archive
from lime_desktop.app_package.files.hashes import (
    file_hash,
    manifest_hash,
    signed_tree_hash,
    tree_hash,
)
from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.cli.main import main
from tests.app_package.hostile_archives.cases import APP as HOSTILE_APP
from tests.app_package.hostile_archives.forge import Member, forge
from tests.app_package.trees import APP_MD, write_tree

CONTENTS = {"APP.md": APP_MD, "dist/ui/app.js": b"run()"}
not_windows = pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")


@dataclass(frozen=True)
class Bench:
    """A folder with a package, and the command line."""

    folder: Path
    app: Path

    def run(self, *arguments: str | Path, input_text: str | None = None) -> Result:
        return CliRunner().invoke(main, [str(each) for each in arguments], input=input_text)

    def json(self, *arguments: str | Path) -> Any:
        return json.loads(self.run(*arguments, "--json").stdout)

    def new_key(self, name: str = "key.pem") -> Path:
        assert self.run("sign", "--new-key", self.folder / name).exit_code == 0
        return self.folder / name

    def trust(self, public_key: str) -> Path:
        path = self.folder / "trust.yaml"
        path.write_text(f"publishers: {{my-team: {{keys: ['{public_key}']}}}}", encoding="utf-8")
        path.chmod(0o600)
        return path


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    return Bench(tmp_path, write_tree(tmp_path / "sample-app", CONTENTS))


def code_of(answer: Any) -> str:
    (problem,) = answer["problems"]
    return problem["code"]


# --- hash ---


def test_hash_gives_the_hashes_of_a_folder(bench: Bench) -> None:
    tree = open_folder(bench.app)
    assert bench.json("hash", bench.app) == {
        "path": str(bench.app),
        "packageHash": tree_hash(tree),
        "manifestHash": manifest_hash(tree),
    }
    shown = bench.run("hash", bench.app)
    assert shown.exit_code == 0
    assert tree_hash(tree) in shown.output


def test_hash_adds_the_archives_own_hash(bench: Bench) -> None:
    bench.run("pack", bench.app, "-o", "app.lapp")
    archive = bench.folder / "app.lapp"
    answer = bench.json("hash", archive)
    assert answer["packageHash"] == tree_hash(open_folder(bench.app))
    assert answer["archiveHash"] == file_hash(archive)


def test_hash_of_a_refused_archive_is_only_the_files(bench: Bench) -> None:
    (bench.folder / "evil.lapp").write_bytes(forge([HOSTILE_APP, Member(b"../x")]))
    result = bench.run("hash", "evil.lapp", "--json")
    answer = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (code_of(answer), "packageHash" in answer) == ("PATH_ESCAPES_PACKAGE", False)
    assert answer["archiveHash"] == file_hash(bench.folder / "evil.lapp")


# --- pack ---


def test_pack_names_the_archive_after_the_app_and_prints_its_hashes(bench: Bench) -> None:
    (bench.app / "tests").mkdir()
    (bench.app / "tests" / "test_app.py").write_bytes(b"")
    answer = bench.json("pack", bench.app)
    archive = bench.folder / "sample-app-1.0.0.lapp"
    tree = open_archive(archive)
    assert answer == {
        "ok": True,
        "path": str(bench.app),
        "archive": archive.name,
        "packageHash": tree_hash(tree),
        "manifestHash": manifest_hash(tree),
        "archiveHash": file_hash(archive),
        "leftOut": ["tests/test_app.py"],
        "problems": [],
    }
    assert "1 file left out: tests/test_app.py" in bench.run("pack", bench.app).output


def test_pack_refuses_an_invalid_package_unless_told_otherwise(bench: Bench) -> None:
    (bench.app / "APP.md").write_bytes(b"no frontmatter")
    refused = bench.run("pack", bench.app, "-o", "app.lapp", "--json")
    assert (refused.exit_code, json.loads(refused.stdout)["ok"]) == (1, False)
    assert not (bench.folder / "app.lapp").exists()
    assert bench.run("pack", bench.app, "-o", "app.lapp", "--allow-invalid").exit_code == 0


def test_pack_warns_of_a_signature_that_packing_breaks(bench: Bench) -> None:
    write_tree(bench.app, {"tests/test_app.py": b""})
    signed = bench.json("sign", bench.app, "--key", bench.new_key(), "--publisher", "my-team")
    assert "pack and then sign" in signed["note"]
    assert code_of(bench.json("pack", bench.app)) == "PACKED_SIGNATURE_STALE"


def test_a_name_from_a_package_cannot_choose_where_the_archive_goes(bench: Bench) -> None:
    (bench.app / "APP.md").write_bytes(APP_MD.replace(b"1.0.0", b"../../evil"))
    answer = bench.json("pack", bench.app, "--allow-invalid")
    assert Path(answer["archive"]).parent == Path()


# --- keys ---


@not_windows
def test_a_new_key_is_its_owners_alone(bench: Bench) -> None:
    mask = os.umask(0)
    try:
        path = bench.new_key()
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_key_is_never_overwritten(bench: Bench) -> None:
    path = bench.new_key()
    before = path.read_bytes()
    assert code_of(bench.json("sign", "--new-key", path)) == "KEY_FILE_EXISTS"
    assert path.read_bytes() == before


@not_windows
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_key_that_others_may_use_is_refused(bench: Bench, mode: int) -> None:
    path = bench.new_key()
    path.chmod(mode)
    answer = bench.json("sign", bench.app, "--key", path, "--publisher", "my-team")
    assert code_of(answer) == "KEY_FILE_READABLE_BY_OTHERS"
    assert not (bench.app / "app.signature.yaml").exists()


def test_a_locked_key_needs_its_passphrase(bench: Bench) -> None:
    for name, word in {"right": "correct horse\n", "wrong": "battery staple\n"}.items():
        (bench.folder / name).write_text(word, encoding="utf-8")
        (bench.folder / name).chmod(0o600)
    made = bench.json("sign", "--new-key", "key.pem", "--passphrase-file", "right")
    assert made["locked"] is True
    sign = ("sign", bench.app, "--key", "key.pem", "--publisher", "my-team")
    assert code_of(bench.json(*sign)) == "KEY_PASSPHRASE_WRONG"
    assert code_of(bench.json(*sign, "--passphrase-file", "wrong")) == "KEY_PASSPHRASE_WRONG"
    assert bench.json(*sign, "--passphrase-file", "right")["ok"] is True


def test_a_passphrase_can_be_asked_for_and_is_not_shown(bench: Bench) -> None:
    made = bench.run(
        "sign", "--new-key", "key.pem", "--ask-passphrase", input_text="open sesame\n" * 2
    )
    assert made.exit_code == 0
    signed = bench.run(
        *("sign", bench.app, "--key", "key.pem", "--publisher", "my-team", "--ask-passphrase"),
        input_text="open sesame\n",
    )
    assert signed.exit_code == 0
    assert "sesame" not in made.output + signed.output


@pytest.mark.parametrize("content", [b"", b"not a key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n"])
def test_a_file_that_is_no_key_is_refused(bench: Bench, content: bytes) -> None:
    path = bench.folder / "key.pem"
    path.write_bytes(content)
    path.chmod(0o600)
    answer = bench.json("sign", bench.app, "--key", path, "--publisher", "my-team")
    assert code_of(answer) == "KEY_FILE_INVALID"


# --- sign and verify ---


def test_a_signed_folder_is_verified_by_those_who_trust_the_key(bench: Bench) -> None:
    made = bench.json("sign", "--new-key", "key.pem")
    bench.run("sign", bench.app, "--key", "key.pem", "--publisher", "my-team")
    trust = bench.trust(made["publicKey"])
    result = bench.run("verify", bench.app, "--trust", trust, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["verdict"], answer["ok"]) == (0, "verified", True)
    assert answer["publisher"]["signer"] == made["publicKey"]
    assert answer["hashes"]["signedHash"] == signed_tree_hash(open_folder(bench.app))

    (bench.app / "dist" / "ui" / "app.js").write_bytes(b"evil()")
    result = bench.run("verify", bench.app, "--trust", trust)
    assert result.exit_code == 1
    assert "PACKAGE_HASH_MISMATCH" in result.output


def test_signing_an_archive_writes_a_new_one_and_leaves_the_old(bench: Bench) -> None:
    bench.run("pack", bench.app, "-o", "app.lapp")
    before = (bench.folder / "app.lapp").read_bytes()
    made = bench.json("sign", "--new-key", "key.pem")
    answer = bench.json("sign", "app.lapp", "--key", "key.pem", "--publisher", "my-team")
    assert answer["signed"] == "app.signed.lapp"
    assert (bench.folder / "app.lapp").read_bytes() == before
    verified = bench.json("verify", "app.signed.lapp", "--trust", bench.trust(made["publicKey"]))
    assert verified["verdict"] == "verified"
    assert answer["packageHash"] == tree_hash(open_archive(bench.folder / "app.lapp"))


def test_signing_again_keeps_comments_order_and_other_keys(bench: Bench) -> None:
    old = """\
# who signs, and how
signature:
  revocation:
    checkUrl: https://revoke.example/check   # ours
    cacheSeconds: 90
  trust:
    publisherId: my-team
    since: 2020   # the author's own
  package:
    hash: "00"
    bundle: stale
note: kept
"""
    file = bench.app / "app.signature.yaml"
    file.write_text(old, encoding="utf-8")
    bench.run("sign", bench.app, "--key", bench.new_key())
    new = file.read_text(encoding="utf-8")
    for kept in (
        "# who signs, and how",
        "# ours",
        "# the author's own",
        "since: 2020",
        "note: kept",
    ):
        assert kept in new
    assert "stale" not in new
    assert new.index("revocation:") < new.index("trust:") < new.index("package:")
    answer = bench.json("verify", bench.app, "--offline")
    assert answer["verdict"] == "unknown-publisher"


def test_revocation_is_unknown_offline_and_fails_closed(bench: Bench) -> None:
    made = bench.json("sign", "--new-key", "key.pem")
    address = ("--revocation-url", "https://revoke.invalid/check")
    bench.run("sign", bench.app, "--key", "key.pem", "--publisher", "my-team", *address)
    trust = bench.trust(made["publicKey"])
    result = bench.run("verify", bench.app, "--trust", trust, "--offline", "--json")
    assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (1, "revocation-unknown")


def test_an_unsigned_package_exits_with_1_and_says_so(bench: Bench) -> None:
    result = bench.run("verify", bench.app)
    assert result.exit_code == 1
    assert f"{bench.app}  unsigned" in result.output
    assert "PACKAGE_UNSIGNED" in result.output


def test_several_packages_give_one_line_each_and_one_failure_fails(bench: Bench) -> None:
    other = write_tree(bench.folder / "other-app", CONTENTS)
    result = bench.run("verify", bench.app, other, "--json")
    paths = [json.loads(line)["path"] for line in result.stdout.splitlines()]
    assert (result.exit_code, paths) == (1, [str(bench.app), str(other)])


def test_a_hostile_archive_fails_at_the_first_step(bench: Bench) -> None:
    (bench.folder / "evil.lapp").write_bytes(forge([HOSTILE_APP, Member(b"../x")]))
    answer = bench.json("verify", "evil.lapp")
    assert (answer["verdict"], answer["steps"][0]["code"]) == ("failed", "PACKAGE_UNREADABLE")


def test_the_users_own_trust_file_is_found(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    made = bench.json("sign", "--new-key", "key.pem")
    bench.run("sign", bench.app, "--key", "key.pem", "--publisher", "my-team")
    trust = bench.trust(made["publicKey"])
    monkeypatch.setattr("lime_desktop.cli.package.verify.default_trust_file", lambda: trust)
    assert bench.json("verify", bench.app)["verdict"] == "verified"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sign",), "Name a package to sign"),
        (("sign", "sample-app"), "Choose how to sign"),
        (("sign", "sample-app", "--sigstore", "--revocation-url", "http://x"), "https://"),
        (("verify", "sample-app", "--trust", "key.pem"), "TRUST_FILE_INVALID"),
        (("verify", "nowhere"), "does not exist"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_is_missing(
    bench: Bench, arguments: tuple[str, ...], said: str
) -> None:
    bench.new_key()
    result = bench.run(*arguments)
    assert result.exit_code == 2
    assert said in result.output


def test_signing_without_a_publisher_says_how_to_name_one(bench: Bench) -> None:
    result = bench.run("sign", bench.app, "--key", bench.new_key())
    assert result.exit_code == 1
    assert "--publisher" in result.output


def test_a_package_that_cannot_be_read_safely_is_not_signed(bench: Bench) -> None:
    (bench.app / "link").symlink_to("/etc/passwd")
    answer = bench.json("sign", bench.app, "--key", bench.new_key(), "--publisher", "my-team")
    assert code_of(answer) == "PACKAGE_UNREADABLE"


def test_sigstore_signing_says_what_to_do_instead(bench: Bench) -> None:
    answer = bench.json("sign", bench.app, "--sigstore")
    assert code_of(answer) == "SIGSTORE_SIGNING_ONLINE_ONLY"
    assert "sigstore sign" in answer["problems"][0]["fix"]


def test_a_bundle_made_elsewhere_is_put_in_and_verified(bench: Bench) -> None:
    pytest.importorskip("sigstore", reason="the sigstore extra is not installed")
    from tests.app_package.trust.throwaway_sigstore import ThrowawaySigstore  # noqa: PLC0415

    services = ThrowawaySigstore()
    services.write_trust_root(bench.folder / "trusted_root.json")
    trust = bench.folder / "trust.yaml"
    trust.write_text(
        "publishers: {my-team: {sigstore: [{identity: me@team.example, issuer: https://i.example}]}}\n"
        "sigstoreTrustRoot: trusted_root.json\n",
        encoding="utf-8",
    )
    trust.chmod(0o600)

    bench.run("sign", bench.app, "--statement", "statement.json", "--publisher", "my-team")
    bundle = services.sign(
        (bench.folder / "statement.json").read_bytes(),
        identity="me@team.example",
        issuer="https://i.example",
    )
    (bench.folder / "bundle.json").write_text(bundle, encoding="utf-8")
    put_in = ("--statement", "statement.json", "--bundle", "bundle.json", "--publisher", "my-team")
    assert bench.json("sign", bench.app, *put_in)["ok"] is True
    assert bench.json("verify", bench.app, "--trust", trust)["verdict"] == "verified"

    (bench.app / "new.txt").write_bytes(b"")
    assert code_of(bench.json("sign", bench.app, *put_in)) == "SIGNING_FAILED"
