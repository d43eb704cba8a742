"""`lime-desktop sign`: sign a package, or make a key to sign with."""

from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.archive.packing import left_out_paths
from lime_desktop.app_package.archive.reader import ARCHIVE_SUFFIX
from lime_desktop.app_package.files.tree import FolderTree, PackageTree
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.problem_kinds import trust as kinds
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.signing import (
    Claims,
    bundle_signature_file,
    key_signature_file,
    make_statement,
    now_text,
    save_signature,
)
from lime_desktop.app_package.trust.statement import Statement, identity_of, timestamp_of
from lime_desktop.cli.terminal.output import (
    ExitCode,
    PackagePath,
    counted,
    json_option,
    print_fields,
    print_json,
    print_problems,
    printable,
)

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True)
class _Wishes:
    """The options of one run."""

    package: Path | None
    key: Path | None
    new_key: Path | None
    passphrase_file: Path | None
    ask_passphrase: bool
    statement: Path | None
    bundle: Path | None
    sigstore: bool
    publisher: str | None
    publisher_name: str | None
    domain: str | None
    revocation_url: str | None
    cache_seconds: int | None
    target: Path | None

    @property
    def claims(self) -> Claims:
        return Claims(
            self.publisher,
            self.publisher_name,
            self.domain,
            self.revocation_url,
            self.cache_seconds,
        )


@click.command("sign")
@click.argument("package", type=PackagePath(), required=False)
@click.option("--key", type=_FILE, help="Sign with this Ed25519 key.")
@click.option("--new-key", type=_NEW_FILE, help="Create a key in a new file. Nothing is signed.")
@click.option(
    "--passphrase-file", type=_FILE, help="A file with the key's passphrase in the first line."
)
@click.option("--ask-passphrase", is_flag=True, help="Ask for the key's passphrase.")
@click.option("--statement", type=_NEW_FILE, help="Write the statement to sign with sigstore.")
@click.option("--bundle", type=_FILE, help="Add the sigstore bundle made from --statement.")
@click.option("--sigstore", is_flag=True, help="Show how to sign with sigstore.")
@click.option("--publisher", help="The publisher's id. Default: as before, else from APP.md.")
@click.option("--publisher-name", help="The publisher's display name.")
@click.option("--domain", help="A domain of the publisher.")
@click.option("--revocation-url", help="The https:// address of the revocation service.")
@click.option("--cache-seconds", type=click.IntRange(0), help="How long its answers are valid.")
@click.option("-o", "--output", "target", type=_NEW_FILE, help="The signed package file to write.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool, **options: object) -> None:
    """Sign a package, or create a signing key.

    A folder gets an app.signature.yaml; comments and other keys of an old one are kept. An archive is left as
    it is, and a signed one is written beside it.

    \b
      lime-desktop sign --new-key publisher.pem
      lime-desktop sign my-app-1.0.0.lapp --key publisher.pem --publisher my-team
    """  # noqa: D301 - click takes a backspace for «keep these lines»
    wishes = _Wishes(**options)  # pyright: ignore[reportArgumentType] - click made them of the types above
    result = _run(ctx, wishes)
    if isinstance(result, Problem):
        _print_problem(result, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)
    if as_json:
        print_json([{"ok": True} | result])
    else:
        print_fields({name: str(value) for name, value in result.items()})


def _run(ctx: click.Context, wishes: _Wishes) -> dict[str, object] | Problem:
    if wishes.new_key is not None:
        return _make_key(wishes.new_key, wishes)
    if wishes.package is None:
        raise click.UsageError("Name a package to sign, or --new-key.", ctx)
    if wishes.revocation_url and not wishes.revocation_url.startswith("https://"):
        raise click.UsageError("--revocation-url must start with https://.", ctx)
    if wishes.sigstore:
        return kinds.SIGSTORE_SIGNING_ONLINE_ONLY.found("This tool does not sign in anywhere.")
    if wishes.key is not None:
        return _sign_with_key(wishes.package, wishes.key, wishes)
    if wishes.statement is None:
        raise click.UsageError("Choose how to sign: --key, or --statement and --bundle.", ctx)
    if wishes.bundle is None:
        return _write_statement(wishes.package, wishes.statement, wishes)
    return _sign_with_bundle(wishes.package, wishes.statement, wishes.bundle, wishes)


def _make_key(path: Path, wishes: _Wishes) -> dict[str, object] | Problem:
    # Here and below: `sign --help` need not wait for cryptography to load.
    from lime_desktop.app_package.trust.signing_key import create_key  # noqa: PLC0415

    passphrase = _passphrase(wishes, is_new=True)
    if isinstance(passphrase, Problem):
        return passphrase
    public_key = create_key(path, passphrase)
    if isinstance(public_key, Problem):
        return public_key
    return {"key": str(path), "publicKey": public_key.text, "locked": passphrase is not None}


def _passphrase(wishes: _Wishes, *, is_new: bool) -> bytes | Problem | None:
    """Get the passphrase from a file or a person; never from the command line, where others see it."""
    if wishes.passphrase_file is not None:
        from lime_desktop.app_package.trust.signing_key import read_private_file  # noqa: PLC0415

        data = read_private_file(wishes.passphrase_file)
        return data if isinstance(data, Problem) else (data.splitlines() or [b""])[0] or None
    if wishes.ask_passphrase:
        answer: str = click.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new)
        return answer.encode()
    return None


def _sign_with_key(path: Path, key_file: Path, wishes: _Wishes) -> dict[str, object] | Problem:
    from lime_desktop.app_package.trust.signing_key import load_key  # noqa: PLC0415

    passphrase = _passphrase(wishes, is_new=False)
    key = passphrase if isinstance(passphrase, Problem) else load_key(key_file, passphrase)
    if isinstance(key, Problem):
        return key
    tree, statement = _prepare(path, wishes, now_text())
    if isinstance(statement, Problem):
        return statement
    signature_file = key_signature_file(tree, statement, key, wishes.publisher_name)
    return _save(path, tree, statement, signature_file, wishes)


def _write_statement(path: Path, target: Path, wishes: _Wishes) -> dict[str, object] | Problem:
    _, statement = _prepare(path, wishes, now_text())
    if isinstance(statement, Problem):
        return statement
    try:
        target.write_bytes(statement.to_bytes())
    except OSError as error:
        return kinds.SIGNING_FAILED.found(f"{target} was not written: {error.strerror}.")
    return {"statement": str(target), "next": kinds.SIGSTORE_SIGNING_ONLINE_ONLY.fix}


def _sign_with_bundle(
    path: Path, statement_file: Path, bundle: Path, wishes: _Wishes
) -> dict[str, object] | Problem:
    try:
        signed = statement_file.read_bytes()
    except OSError as error:
        return kinds.SIGNING_FAILED.found(f"{statement_file} was not read: {error.strerror}.")
    tree, statement = _prepare(path, wishes, timestamp_of(signed) or "")
    if isinstance(statement, Problem):
        return statement
    if statement.to_bytes() != signed:
        message = "The package is not the one that the statement was written for."
        return kinds.SIGNING_FAILED.found(message, fix=kinds.SIGSTORE_SIGNING_ONLINE_ONLY.fix)
    text = bundle.read_text("utf-8", "replace").strip()
    signature_file = bundle_signature_file(tree, statement, text, wishes.publisher_name)
    return _save(path, tree, statement, signature_file, wishes)


def _prepare(
    path: Path, wishes: _Wishes, timestamp: str
) -> tuple[PackageTree, Statement | Problem]:
    package = load_package(open_package(path))
    identity = identity_of(package.manifest)
    return package.tree, make_statement(package.tree, identity, wishes.claims, timestamp)


def _save(
    path: Path, tree: PackageTree, statement: Statement, signature_file: bytes, wishes: _Wishes
) -> dict[str, object] | Problem:
    target = wishes.target or path.with_name(f"{path.stem}.signed{ARCHIVE_SUFFIX}")
    saved = save_signature(tree, signature_file, target)
    return saved if isinstance(saved, Problem) else _result(saved, tree, statement)


def _result(saved: Path, tree: PackageTree, statement: Statement) -> dict[str, object]:
    result: dict[str, object] = {
        "signed": str(saved),
        "packageHash": statement.package_hash,
        "manifestHash": statement.manifest_hash,
        "publisherId": statement.publisher_id,
        "timestamp": statement.timestamp,
    }
    left_out = left_out_paths(tree) if isinstance(tree, FolderTree) else ()
    if left_out:
        files = counted(len(left_out), "file")
        result["note"] = f"`pack` leaves out {files} signed here; to publish, pack and then sign."
    return result


def _print_problem(problem: Problem, *, as_json: bool) -> None:
    if as_json:
        found = problem.model_dump(by_alias=True, mode="json")
        print_json([{"ok": False, "problems": [found]}])
        return
    click.echo(click.style("not signed", fg="red") + f"  {printable(problem.message)}")
    print_problems([problem])
